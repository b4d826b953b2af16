"""What the caption of a table says of all its values: a unit, a spread in brackets, what was measured."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kag.layers.measurements.printed import unit_of
from kag.layers.values import Mention, Passage
from kag.text.quantities import Quantity, read_unit
from kag.text.search_text import search_text

_SD = re.compile(r"standard deviations?|\bs\.?d\b\.?|±", re.I)
_SE = re.compile(r"standard errors?|\bs\.?e\.?m?\b\.?", re.I)
_LABEL = re.compile(r"^\W*(?:table|tab\.)\s*[A-Z]?\d*[a-z]?[.:]?\s*", re.I)
_HEAD = re.compile(
    r"[^.,;:(\[]+?(?=\s+(?:of|in|for|at|by|with|from|on|during|after|vs\.?|and their)\b|[.,;:(\[]|$)", re.I
)
_STATISTIC = re.compile(
    r"\b(?:errors?|deviations?|changes?|differences?|correlations?|ratios?|reductions?|gains?)\b", re.I
)
_BRACKET = re.compile(r"\((?P<inside>[^()]{1,60})\)")
_IN = re.compile(
    r"(?:^|[.;,] )(?P<what>[A-Za-z][A-Za-z -]{2,40}?) (?:are |is |given |shown )*in "
    r"(?:10\^?(?P<power>-?\d{1,2}) )?(?P<unit>\S[^;,.)]{0,24})"
)
Unit = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Said:
    """A unit as printed, in canonical form, its IRI, and the power of ten that values are given in."""

    unit: Unit
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class CaptionFacts:
    """`unit` is that of all values, `units` those of single headers (in small letters); `head` its first words.

    `statistic` says that the head tells what was done to the values: "Root mean square error".
    """

    head: Mention | None = None
    statistic: bool = False
    unit: Unit | None = None
    spread: str = ""
    units: Mapping[str, Said] = field(default_factory=dict)

    def whole(self) -> Said | None:
        return Said(self.unit) if self.unit else None

    def of(self, header: str) -> Said | None:
        return self.units.get(_plain(header))


def caption_facts(caption: Passage | None) -> CaptionFacts:
    """What a caption says; nothing where there is none."""
    if caption is None:
        return CaptionFacts()
    form = search_text(caption.text[:1000], fold_case=False).text
    label = _LABEL.match(caption.text)
    match = _HEAD.match(caption.text, label.end() if label else 0)
    head = Mention(caption.node, match.start(), match.end(), match[0], "property", 1.0, "table cell") if match else None
    said = {_plain(one["what"]): told for one in _IN.finditer(form) if (told := _said(one))}
    statistic = bool(head and _STATISTIC.search(head.text) and " and " not in head.text)
    return CaptionFacts(head, statistic, _unit(form), spread_of(form), said)


def spread_of(words: str) -> str:
    """The kind of spread that words name: "sd", "se" or empty."""
    return "sd" if _SD.search(words) else "se" if _SE.search(words) else ""


def scaled(value: Quantity, said: Said) -> Quantity:
    """A value in the unit that a caption says."""
    by = said.factor
    low, value_, high, spread = (
        None if one is None else one * by for one in (value.low, value.value, value.high, value.uncertainty)
    )
    told = {"low": low, "value": value_, "high": high, "uncertainty": spread, "factor": value.factor * by}
    unit, canonical, iri = said.unit
    return replace(value, **told, unit=unit, unit_canonical=canonical, unit_iri=iri)  # type: ignore[arg-type]


def _unit(form: str) -> Unit | None:
    """The unit in brackets: "(%IA/g, mean)", "(plasma µg/mL)"."""
    for match in _BRACKET.finditer(form):
        inside = match["inside"].split(",")[0].strip()
        for piece in (inside, inside.partition(" ")[2]):
            if piece and (known := unit_of(piece)):
                return known
    return None


def _said(match: re.Match[str]) -> Said | None:
    found = read_unit(match["unit"].strip(), exact=True)
    if found is None:
        return None
    unit, end = found
    return Said((match["unit"].strip()[:end], unit.canonical, unit.iri), float(f"1e{match['power'] or 0}"))


def _plain(words: str) -> str:
    """Words in small letters, the last without its plural."""
    words = " ".join(words.casefold().split())
    return words.removesuffix("s")
