"""How sure each field of a reference is, from the evidence it was read from.

The shares are those of right values on labelled strings of many styles, rounded: a number in a labelled place is
rarely wrong, a title that was only left over often is.
"""

from __future__ import annotations

from kag.references.entry_titles import Titled
from kag.references.place import Place
from kag.references.record import Reference

_ORDER = ("authors", "title", "year", "container", "volume", "issue", "pages", "publisher", "place", "editors",
          "edition", "kind", "doi", "arxiv", "pmid", "pmcid", "url")  # fmt: skip
_HELD = {"pages": "first_page"}
_SHARES = {"issue": 0.95, "place": 0.75, "editors": 0.8, "edition": 0.9,
           **dict.fromkeys(("doi", "arxiv", "pmid", "pmcid", "url"), 0.98)}  # fmt: skip


def confidences(
    found: Reference, place: Place, titled: Titled, *, dated: bool, style: str, named: bool
) -> tuple[tuple[str, float], ...]:
    """Pairs of field and confidence for the fields that were found, in a fixed order."""
    clear = titled.how == "quoted" or titled.margin >= 2
    shares = _SHARES | {
        "authors": 0.95 if style == "group" else 0.98,
        "title": _title_share(titled),
        "year": 0.99 if dated or place.placed else 0.95,
        "container": 0.9 if clear and place.placed else 0.6,
        "volume": _place_share(place),
        "pages": _place_share(place) if place.last or place.labelled else 0.96,
        "publisher": 0.85 if named else 0.6,
        "kind": 0.8,
    }
    return tuple(
        (field, shares[field]) for field in _ORDER if field == "kind" or getattr(found, _HELD.get(field, field))
    )


def _title_share(titled: Titled) -> float:
    if titled.how == "quoted":
        return 0.97
    return 0.95 if titled.margin >= 3 else 0.7 if titled.margin >= 1 else 0.5


def _place_share(place: Place) -> float:
    return (
        0.97
        if place.volume and place.first and (place.labelled or place.last)
        else 0.93
        if place.volume and place.first
        else 0.8
    )
