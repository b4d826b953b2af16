"""Where the cells of a table stand in the text of its node, and which words of a header name something.

The text of a table has a line a row, its cells in order with " | " between them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kag.core.types import Cell, Table
from kag.layers.values import Mention
from kag.text.cells import split_note
from kag.text.quantities import find_quantities, read_unit
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
    """Where the text of each cell begins, by its first row and column; cells whose line is not there are left out."""
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
    """What a header cell names; `start` is where its text begins."""
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
    """The header cells above each column and beside each row, from the outside in; `rows` are header rows.

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
