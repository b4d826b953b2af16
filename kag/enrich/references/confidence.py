"""How sure each field of a reference is, from the evidence it was read from.

The shares are those of right values on labelled strings of many styles, rounded: a number in a labelled place is
rarely wrong, a title that was only left over often is.
"""

from __future__ import annotations

from kag.enrich.references.place import Place
from kag.enrich.references.record import Reference
from kag.enrich.references.titles import Titled

_IDENTIFIERS = ("doi", "arxiv", "pmid", "pmcid", "url")


def confidences(
    found: Reference, place: Place, titled: Titled, *, dated: bool, style: str, named: bool
) -> tuple[tuple[str, float], ...]:
    """Pairs of field and confidence for the fields that were found, in a fixed order."""
    clear = titled.how == "quoted" or titled.margin >= 2
    shares = {
        "authors": 0.95 if style == "group" else 0.98,
        "title": _title_share(titled),
        "year": 0.99 if dated or place.placed else 0.95,
        "container": 0.9 if clear and place.placed else 0.6,
        "volume": _place_share(place),
        "issue": 0.95,
        "pages": _place_share(place) if place.last or place.labelled else 0.96,
        "publisher": 0.85 if named else 0.6,
        "place": 0.75,
        "editors": 0.8,
        "edition": 0.9,
        "kind": 0.8,
        **dict.fromkeys(_IDENTIFIERS, 0.98),
    }
    values = {field: getattr(found, field, "") for field in shares if field != "pages"} | {
        "pages": found.first_page,
        "kind": "always",
    }
    return tuple((field, shares[field]) for field in shares if values[field])


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
