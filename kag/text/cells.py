"""Cells of a printed table: headers, unit, value and footnote mark of each.

Header rows and columns are those the page marks. Where it marks none, headers are the first rows that hold no values
and span the columns they head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kag.core.types import Cell, Table
from kag.text.quantities import Quantity, Unit, read_quantity, read_unit
from kag.text.search_text import search_text

_MOST_HEADERS = 6  # rows; no table prints more
_YEAR = re.compile(r"(?:FY ?)?(?:1[89]|20)\d\d(?:[-–/]\d\d(?:\d\d)?)?")
_VALUE = re.compile(r"^(?:\\\( ?)?(?:\\[a-z]+ ?)?[<>=~≈∼≤≥±+−–$€£*\s([-]{0,6}\.?\d|= ?[-−]?\.?\d")
_SAMPLE = re.compile(r"\(?[nN] ?= ?[\d,]+\)?|\(\d{1,2}\)")  # how many, or a column's number: parts of a header
_MISSING = frozenset(("", "-", "–", "—", "−", "NA", "N/A", "n/a", "n.a.", "ND", "n.d.", "NR", "...", "…"))
_MARK = r"(?:[a-z](?:,? ?[a-z]){0,3}|[*†‡§¶#]{1,4}|\\(?:d?dagger|ast)|\\d?dag)"
_NOTE = re.compile(
    rf"(?P<gap> ?)(?:\\\( ?\^ ?\{{? ?(?P<formula>{_MARK}) ?\}}? ?\\\)|\^\{{?(?P<caret>{_MARK})\}}?"
    r"|(?P<plain>[*†‡§¶#ᵃᵇᶜᵈᵉᶠᵍ]{1,4}))$"
)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]{1,40}(?:\([^()]{1,20}\))?)[)\]][^()\[\]]{0,12}$")
_BEHIND_COMMA = re.compile(r",[ ]?([^,()\[\]]{1,30})$")
_COUNTED = re.compile(r"(?:\b(?:n|no\.?|number|count|events|mean|median)\b|#)[^(]{0,12}\([^)]*\)?$", re.I)
_CAPTION_UNIT = re.compile(
    r"\b(?:values?|data|results?|numbers?|units?|concentrations?|doses?|amounts?)\b[^.;()]{0,40}?\b(?:in|as)[ ]"
    r"(?P<unit>\S{1,20})",
    re.I,
)
_EMPTY_UNITS = frozenset(("%",))


@dataclass(frozen=True, slots=True)
class BodyCell:
    """One cell of a table's body at its first grid place.

    `headers` are the words above it, outermost first; `row` those beside it, group rows first. `text` is printed,
    `words` the same without `note`, the footnote mark. `quantity` is its value when the cell is one; `unit` comes from
    the cell, else from the headers, else from the caption.
    """

    place: Cell
    words: str
    headers: tuple[str, ...]
    row: tuple[str, ...]
    note: str = ""
    quantity: Quantity | None = None
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The headers of a grid: the first `header_rows` rows and `stub_columns` columns."""

    header_rows: int
    stub_columns: int


@dataclass(frozen=True, slots=True)
class Body:
    """A table's body: `columns` and `rows` are the header paths of each column and row of the grid."""

    layout: Layout
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    cells: tuple[BodyCell, ...]


def layout(table: Table) -> Layout:
    """Return the start of a table's body."""
    if table.rows < 2 or not table.columns:
        return Layout(0, min(1, max(table.columns - 1, 0)))
    grid = [[_is_value(words) for words in row] for row in table.grid()]
    rows = _marked_rows(table) or _header_rows(table, grid)
    return Layout(rows, _stub_columns(table, grid, rows))


def read_body(table: Table, caption: str = "") -> Body:
    """Read the body of a table, cell by cell in reading order; cells carry their stub columns and group rows."""
    found = layout(table)
    grid = table.grid()
    above = tuple(_path(grid[row][column] for row in range(found.header_rows)) for column in range(table.columns))
    groups, group_rows = _groups(table, found)
    beside = tuple((*groups.get(n, ()), *_path(row[: found.stub_columns])) for n, row in enumerate(grid))
    units = [_header_unit(path) for path in above]
    row_units = [_header_unit(path) for path in beside]
    rest = _caption_unit(caption)
    cells: list[BodyCell] = []
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        row, column = cell.row, cell.column
        if row < found.header_rows or column < found.stub_columns or row in group_rows:
            continue
        words, note = split_note(cell.text)
        quantity = read_quantity(words)
        unit = _cell_unit(quantity) or units[column] or ((row_units[row] or rest) if quantity else None)
        cells.append(BodyCell(cell, words, above[column], beside[row], note, quantity, unit))
    return Body(found, above, beside, tuple(cells))


def records(table: Table) -> tuple[dict[str, str], ...]:
    """One record a body row: words by header path joined by " / ", the row's own name first, under "" if it has none.

    Columns of one name are told apart by their number: "Mean", "Mean (2)".
    """
    found = layout(table)
    grid = table.grid()
    names = distinct([
        " / ".join(_path(grid[row][column] for row in range(found.header_rows))) for column in range(table.columns)
    ])  # fmt: skip
    paths, group_rows = _groups(table, found)
    rows = []
    for row in range(found.header_rows, table.rows):
        if row not in group_rows:
            record = dict(zip(names, grid[row], strict=True))
            if paths[row]:
                first = names[0] if names else ""
                record[first] = " / ".join((*paths[row], record[first]))
            rows.append(record)
    return tuple(rows)


def split_note(words: str) -> tuple[str, str]:
    """A cell without its footnote mark, and the mark.

    >>> split_note("12.3^a"), split_note("0.5*"), split_note("*")
    (('12.3', 'a'), ('0.5', '*'), ('*', ''))
    """
    match = _NOTE.search(words, max(0, len(words) - 24))
    if match is None or not words[: match.start()].strip():
        return words, ""
    return words[: match.start()].rstrip(), match["formula"] or match["caret"] or match["plain"]


def _is_value(words: str) -> bool:
    """Whether a cell holds a value rather than a name: it begins as a number, or has one behind "=", and no year."""
    words = _SAMPLE.sub("", words[:200]).strip()
    if not _VALUE.search(words) or _YEAR.fullmatch(words):
        return False
    digits, letters = sum(map(str.isdigit, words)), sum(map(str.isalpha, words))
    return digits >= letters or "=" in words or read_quantity(words[:60]) is not None


def _marked_rows(table: Table) -> int:
    """The first rows that the page itself marks as headers."""
    marked = [True] * table.rows
    for cell in table.cells:
        if cell.text and not cell.header:
            marked[cell.row] = False
    for row in range(table.rows):
        if not marked[row]:
            return row
    return 0


def _header_rows(table: Table, values: list[list[bool]]) -> int:
    starting: list[list[Cell]] = [[] for _ in range(table.rows)]
    for cell in table.cells:
        starting[cell.row].append(cell)
    rows = 0
    while rows < min(_MOST_HEADERS, table.rows - 1) and _heads(table, starting, values, rows):
        spans = (cell.row_span for cell in starting[rows] if cell.column_span < table.columns)
        rows += max(1, min(spans, default=1))
    return rows


def _heads(table: Table, starting: list[list[Cell]], values: list[list[bool]], row: int) -> bool:
    """Whether a row goes on the headers that all rows before it are."""
    if _share(starting[row], values[row]) >= 0.5:
        return False
    if row == 0:
        return not (_spans_all(table, starting[0]) and any(_spans_all(table, line) for line in starting[2:]))
    before, here = starting[row - 1], starting[row]
    covered = any(cell.row + cell.row_span > row for line in starting[:row] for cell in line)
    if _spans_all(table, before):
        return len([cell for cell in here if cell.text]) > 1
    if any(1 < cell.column_span < table.columns for cell in before):
        return len([cell for cell in here if cell.text]) > 1 or covered
    if covered or _adds_to_header([cell.text.strip() for cell in here], [cell.text for cell in before]):
        return True
    below = any(_share(starting[n], values[n]) >= 0.5 for n in range(row + 1, min(row + 4, table.rows)))
    return below and (_second_line(here, before) or _fills(starting, row))


def _fills(starting: list[list[Cell]], row: int) -> bool:
    """Whether a row prints words in columns that the rows above it, which do not span, leave empty."""
    named = {cell.column for line in starting[:row] for cell in line if cell.text.strip()}
    filled = {cell.column for cell in starting[row] if cell.text.strip() and cell.column}
    return len(filled) > 1 and bool(named - {0}) and bool(filled - named)


def _spans_all(table: Table, line: list[Cell]) -> bool:
    return len(line) == 1 and bool(line[0].text) and line[0].column_span == table.columns > 1


def _adds_to_header(words: list[str], before: list[str]) -> bool:
    """Units, sample sizes or years under the words of a header."""
    texts = [text for text in words[words[:1] == [""] :] if text]
    if len(texts) < 2 or any(text and _YEAR.fullmatch(text) for text in before):
        return False
    return all(_bracket_unit(text) or _SAMPLE.fullmatch(text) or _YEAR.fullmatch(text) for text in texts)


def _second_line(here: list[Cell], before: list[Cell]) -> bool:
    """A row that leaves the same first cell empty as the one above, and no other."""
    empty = [[cell.column for cell in line if not cell.text.strip()] for line in (before, here)]
    return empty[0][:1] == empty[1] == [0] and len(here) > 2


def _share(line: list[Cell], values: list[bool]) -> float:
    """Return the share of values among the cells that begin in a row, without the first column."""
    cells = [cell for cell in line if cell.text.strip() not in _MISSING and cell.column]
    return sum(values[cell.column] for cell in cells) / len(cells) if cells else 0.0


def _stub_columns(table: Table, values: list[list[bool]], rows: int) -> int:
    """The first column names the rows; so does the next of words as long as the one before spans rows or has gaps."""
    if table.columns < 2:
        return 0
    body: list[list[Cell]] = [[] for _ in range(table.columns)]  # by column
    for cell in table.cells:
        if cell.row >= rows:
            body[cell.column].append(cell)
    columns = 1
    while columns < table.columns - 1:
        before = body[columns - 1]
        named = [cell for cell in body[columns] if cell.text.strip() not in _MISSING]
        spans = any(cell.row_span > 1 for cell in before) or any(not cell.text for cell in before[1:])
        if (
            not spans
            or not named
            or any(values[cell.row][cell.column] for cell in named)
            or len(named) < len(before) / 2
        ):
            break
        columns += 1
    return columns


def _groups(table: Table, found: Layout) -> tuple[dict[int, tuple[str, ...]], frozenset[int]]:
    """Return for each body row the words of its group row, and which rows are group rows.

    A group row prints one cell at its beginning: over all columns, or with nothing beside it.
    """
    path: tuple[str, ...] = ()
    paths: dict[int, tuple[str, ...]] = {}
    heads: list[int] = []
    lines: list[list[Cell]] = [[] for _ in range(table.rows)]
    occupied = [0] * table.rows
    for cell in table.cells:
        lines[cell.row].append(cell)
        for row in range(cell.row, cell.row + cell.row_span):
            occupied[row] += bool(cell.text)
    for row in range(found.header_rows, table.rows):
        cells = [cell for cell in lines[row] if cell.text]
        alone = len(cells) == 1 == occupied[row] and cells[0].column == 0 and table.columns > 1
        if alone and not _is_value(cells[0].text) and row + 1 < table.rows:
            path = (cells[0].text,)
            heads.append(row)
        paths[row] = path
    return paths, frozenset(heads)


def _path(words: Iterator[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Words from the outside in, each once."""
    path: list[str] = []
    for word in words:
        if word and word not in path[-1:]:
            path.append(word)
    return tuple(path)


def distinct(names: list[str]) -> list[str]:
    """Make names unique by a number behind repeated ones.

    >>> distinct(["Mean", "SD", "Mean", "Mean (2)"])
    ['Mean', 'SD', 'Mean (2)', 'Mean (2) (2)']
    """
    seen: dict[str, int] = {}
    found: dict[str, None] = {}
    for name in names:
        unique = name
        while unique in found:
            seen[name] = seen.get(name, 1) + 1
            unique = f"{name} ({seen[name]})".strip()
        found[unique] = None
    return list(found)


def _cell_unit(quantity: Quantity | None) -> Unit | None:
    return Unit(quantity.unit_canonical, quantity.unit_iri) if quantity and quantity.unit else None


def _header_unit(path: tuple[str, ...]) -> Unit | None:
    """The unit a header ends in, the innermost first: "Dose (mg/kg)", "Time, h"; "n (%)" has two, so none."""
    for words in reversed(path):
        unit = _bracket_unit(words)
        if unit:
            return unit
    return None


def _bracket_unit(words: str) -> Unit | None:
    form = search_text(split_note(words)[0][-120:], fold_case=False).text.strip()
    if _COUNTED.search(form):
        return None
    match = _BRACKETED.search(form) or _BEHIND_COMMA.search(form)
    return _whole_unit(match[1]) if match else (_whole_unit(form) if form in _EMPTY_UNITS else None)


def _whole_unit(words: str) -> Unit | None:
    words = words.strip().removeprefix("in ")
    found = read_unit(words, exact=True)
    return found[0] if found and found[1] == len(words) else None


def _caption_unit(caption: str) -> Unit | None:
    form = search_text(caption[:2000], fold_case=False).text
    match = _CAPTION_UNIT.search(form)
    return _whole_unit(match["unit"].rstrip(".,;)")) if match else None


def stored_table(
    stored: Sequence[Sequence[object]] | None, details: Mapping[str, Any], text: str = ""
) -> tuple[Table, int]:
    """Return a table, and its number of header rows; `details` are values stored with the cells.

    Without cells (a graph of before they were kept, or a table that is only a picture) it has those of its lines.
    """
    if stored is None:
        stored, details = [line.split(" | ") for line in text.splitlines() if line.strip()], {}
    rows = [["" if cell is None else str(cell) for cell in row] for row in stored]
    spans = [span for span in details.get("spans", ()) if len(span) == 4 and min(span) >= 0]
    wide = {(row, column): (high, across) for row, column, high, across in spans}
    covered: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    head = int(details.get("header_rows", 0))
    for row, line in enumerate(rows):
        for column, words in enumerate(line):
            if (row, column) in covered:
                continue
            high, across = wide.get((row, column), (1, 1))
            high, across = min(max(high, 1), len(rows) - row), min(max(across, 1), len(line) - column)
            covered |= {(row + y, column + x) for y in range(high) for x in range(across)}
            cells.append(Cell(words, row, column, high, across, row < head))
    return Table(tuple(cells), len(rows), max(map(len, rows), default=0)), head
