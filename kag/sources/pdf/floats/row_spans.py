"""Cells over several rows: where level rules part two rows in some columns and leave one open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kag.core.types import Cell, Table
from kag.sources.pdf.file.content import Rect
from kag.sources.pdf.floats.areas import around

_SLACK = 2.0  # points by which a rule may end before the middle of a column


def with_row_spans(
    table: Table, rows: Sequence[Rect], columns: Sequence[tuple[float, float]], rules: Sequence[Rect]
) -> Table:
    """A table whose lone cells fill the rows that no rule parts from theirs.

    `rows` are the rectangles of its rows, `columns` the left and right edges of its columns. In the head words may
    stand on any of the rows, in the body on the first or in the middle: those on the last belong to what follows.
    """
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    spanned = {(row, n) for cell in table.cells if cell.column_span > 1 for row, n in _covered(cell)}
    for n, (left, right) in enumerate(columns):
        for first, last in _runs(rows, (left + right) / 2, rules):
            own = [cells[row, n] for row in range(first, last + 1) if (row, n) in cells]
            if len(own) != 1 or any((row, n) in spanned for row in range(first, last + 1)):
                continue
            (cell,) = own
            if cell.row > first and not cell.header and not _in_middle(rows[cell.row], around(rows[first : last + 1])):
                continue
            del cells[cell.row, n]
            cells[first, n] = replace(cell, row=first, row_span=last - first + 1)
    return replace(table, cells=tuple(sorted(cells.values(), key=lambda cell: (cell.row, cell.column))))


def _covered(cell: Cell) -> Iterable[tuple[int, int]]:
    return ((cell.row, n) for n in range(cell.column, cell.column + cell.column_span))


def _runs(rows: Sequence[Rect], x: float, rules: Sequence[Rect]) -> Iterable[tuple[int, int]]:
    """Runs of rows, first and last, between which there are rules, but none at x."""
    first = 0
    for n in range(1, len(rows) + 1):
        if n < len(rows) and _is_open(rows[n - 1], rows[n], x, rules):
            continue
        if n - 1 > first:
            yield first, n - 1
        first = n


def _is_open(above: Rect, below: Rect, x: float, rules: Sequence[Rect]) -> bool:
    top, foot = (above.y0 + above.y1) / 2, (below.y0 + below.y1) / 2
    between = [rule for rule in rules if top < (rule.y0 + rule.y1) / 2 < foot]
    return bool(between) and not any(rule.x0 - _SLACK <= x <= rule.x1 + _SLACK for rule in between)


def _in_middle(row: Rect, whole: Rect) -> bool:
    return abs(row.y0 + row.y1 - whole.y0 - whole.y1) < 0.35 * whole.height
