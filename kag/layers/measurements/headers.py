"""Header cells and captions of tables: names, units, and their places in the table's text.

The text of a table has a line a row, its cells in order with " | " between them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kag.core.types import Cell, Table
from kag.layers.values import Mention, Passage
from kag.text.cells import split_note
from kag.text.quantities import Quantity, find_quantities, read_unit
from kag.text.search_text import search_text

_BRACKET = re.compile(
    r"\s*(?<!\\)[(\[](?P<inside>(?:\\[()]|[^()\[\]\\]|\\(?![()])|\([^()]{0,20}\)){1,80})(?<!\\)[)\]][^()\[\]\w]{0,4}$"
)
_COMMA = re.compile(r",\s*(?P<inside>[^,()\[\]]{1,30})$")
_SHARE = re.compile(r"%[ ]?[A-Z]{2,4}(?:/[A-Za-z]{1,3})?")  # "%IA/g"
_UNDER = re.compile(r"(/[ ]?[A-Za-z]+)[ ·.*](?=[A-Za-z])")  # what stands behind "/" is below it: "cal/mol·K"
_PERCENT = re.compile(r"%[ ]?[A-Za-z]")
_SPREAD = re.compile(r"\b(?:mean|median|sd|s\.d\.|se|sem|iqr|range|ci|n|%)\b|[±%]", re.I)


@dataclass(frozen=True, slots=True)
class Named:
    """A header cell: `start` and `end` are the words that name it, without unit and footnote mark.

    `unit` is the unit that stands behind the name, `beside` the characters of a name in brackets that is no unit.
    """

    cell: Cell
    start: int
    end: int
    unit: str = ""
    canonical: str = ""
    iri: str = ""
    beside: tuple[int, int] = (0, 0)


def places(table: Table, text: str) -> dict[tuple[int, int], int]:
    """Return the start of each cell's text, by its first row and column; cells without a line are left out."""
    found: dict[tuple[int, int], int] = {}
    rows: dict[int, list[Cell]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(cell)
    at = 0
    for row in sorted(rows):
        cells = sorted(rows[row], key=lambda cell: cell.column)
        line = " | ".join(cell.text for cell in cells)
        start = text.find(line, at) if line else -1
        if start < 0:
            continue
        at = start + len(line)
        for cell in cells:
            found[cell.row, cell.column] = start
            start += len(cell.text) + 3
    return found


def named(cell: Cell, start: int) -> Named:
    """Return the name in a header cell; `start` is the start of its text."""
    words, _ = split_note(cell.text)
    for pattern in (_BRACKET, _COMMA):
        match = pattern.search(words, max(0, len(words) - 100))
        if match is None or not words[: match.start()].strip():
            continue
        known = unit_of(match["inside"])
        if known:
            return Named(cell, start, start + len(split_note(words[: match.start()].rstrip())[0]), *known)
        if pattern is _BRACKET and not _SPREAD.search(match["inside"]) and not find_quantities(match["inside"]):
            beside = (start + match.start("inside"), start + match.end("inside"))
            return Named(cell, start, start + len(words[: match.start()].rstrip()), beside=beside)
    if _PERCENT.match(words):  # "%GC", "% change"
        return Named(cell, start, start + len(words), *(unit_of("%") or ()))
    return Named(cell, start, start + len(words))


def unit_of(words: str) -> tuple[str, str, str] | None:
    """The unit that words are: as printed, in canonical form, its IRI; None where they are none.

    Percentages of something ("%IA/g") have no canonical form.
    """
    form = search_text(words, fold_case=False).text.strip().removeprefix("in ")
    under = _UNDER.sub(r"\1/", form)
    known = read_unit(under, exact=True)
    if known and known[1] == len(under):
        return form, known[0].canonical, known[0].iri
    return (form, "", "") if _SHARE.fullmatch(form) else None


def mention(node: str, text: str, span: tuple[int, int], kind: str, rule: str) -> Mention:
    """A mention of words of a text."""
    return Mention(node, *span, text[slice(*span)], kind, 1.0, rule)


def header_cells(table: Table, rows: int, columns: int) -> tuple[Mapping[int, list[Cell]], Mapping[int, list[Cell]]]:
    """Return header cells of columns and rows, from the outside in; `rows` are header rows.

    A header that is not in the last header row goes on over the empty cells behind it.
    """
    above: dict[int, list[Cell]] = {}
    beside: dict[int, list[Cell]] = {}
    last: Cell | None = None
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        if not cell.text.strip():
            if last and cell.row == last.row < rows - 1 and last.column:
                above.setdefault(cell.column, []).append(last)
            continue
        last = cell
        if cell.row < rows:
            for column in range(cell.column, cell.column + cell.column_span):
                above.setdefault(column, []).append(cell)
        elif cell.column < columns:
            for row in range(cell.row, cell.row + cell.row_span):
                beside.setdefault(row, []).append(cell)
    return above, beside


_SD = re.compile(r"standard deviations?|\bs\.?d\b\.?|±", re.I)
_SE = re.compile(r"standard errors?|\bs\.?e\.?m?\b\.?", re.I)
_LABEL = re.compile(r"^\W*(?:table|tab\.)\s*[A-Z]?\d*[a-z]?[.:]?\s*", re.I)
_HEAD = re.compile(
    r"[^.,;:(\[]+?(?=\s+(?:of|in|for|at|by|with|from|on|during|after|vs\.?|and their)\b|[.,;:(\[]|$)", re.I
)
_STATISTIC = re.compile(
    r"\b(?:errors?|deviations?|changes?|differences?|correlations?|ratios?|reductions?|gains?)\b", re.I
)
_IN_BRACKETS = re.compile(r"\((?P<inside>[^()]{1,60})\)")
_IN = re.compile(
    r"(?:^|[.;,] )(?P<what>[A-Za-z][A-Za-z -]{2,40}?) (?:are |is |given |shown )*in "
    r"(?:10\^?(?P<power>-?\d{1,2}) )?(?P<unit>\S[^;,.)]{0,24})"
)
Unit = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class StatedUnit:
    """A unit as printed, in canonical form, its IRI, and the power of ten that values are given in."""

    unit: Unit
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class CaptionFacts:
    """`unit` is that of all values, `units` those of single headers (in small letters); `head` its first words.

    `statistic` is set where the head names what was done to the values: "Root mean square error".
    """

    head: Mention | None = None
    statistic: bool = False
    unit: Unit | None = None
    spread: str = ""
    units: Mapping[str, StatedUnit] = field(default_factory=dict)

    def whole(self) -> StatedUnit | None:
        return StatedUnit(self.unit) if self.unit else None

    def of(self, header: str) -> StatedUnit | None:
        return self.units.get(_plain(header))


def caption_facts(caption: Passage | None) -> CaptionFacts:
    """Return the facts in a caption; none without a caption."""
    if caption is None:
        return CaptionFacts()
    form = search_text(caption.text[:1000], fold_case=False).text
    label = _LABEL.match(caption.text)
    match = _HEAD.match(caption.text, label.end() if label else 0)
    head = Mention(caption.node, match.start(), match.end(), match[0], "property", 1.0, "table cell") if match else None
    units = {_plain(one["what"]): stated for one in _IN.finditer(form) if (stated := _stated_unit(one))}
    statistic = bool(head and _STATISTIC.search(head.text) and " and " not in head.text)
    return CaptionFacts(head, statistic, _unit(form), spread_of(form), units)


def spread_of(words: str) -> str:
    """The kind of spread that words name: "sd", "se" or empty."""
    return "sd" if _SD.search(words) else "se" if _SE.search(words) else ""


def scaled(value: Quantity, stated: StatedUnit) -> Quantity:
    """Convert a value to the unit of a caption."""
    by = stated.factor
    low, value_, high, spread = (
        None if one is None else one * by for one in (value.low, value.value, value.high, value.uncertainty)
    )
    numbers = {"low": low, "value": value_, "high": high, "uncertainty": spread, "factor": value.factor * by}
    unit, canonical, iri = stated.unit
    return replace(value, **numbers, unit=unit, unit_canonical=canonical, unit_iri=iri)  # type: ignore[arg-type]


def _unit(form: str) -> Unit | None:
    """The unit in brackets: "(%IA/g, mean)", "(plasma µg/mL)"."""
    for match in _IN_BRACKETS.finditer(form):
        inside = match["inside"].split(",")[0].strip()
        for piece in (inside, inside.partition(" ")[2]):
            if piece and (known := unit_of(piece)):
                return known
    return None


def _stated_unit(match: re.Match[str]) -> StatedUnit | None:
    found = read_unit(match["unit"].strip(), exact=True)
    if found is None:
        return None
    unit, end = found
    return StatedUnit((match["unit"].strip()[:end], unit.canonical, unit.iri), float(f"1e{match['power'] or 0}"))


def _plain(words: str) -> str:
    """Words in small letters, the last without its plural."""
    words = " ".join(words.casefold().split())
    return words.removesuffix("s")
