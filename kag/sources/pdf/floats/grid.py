"""The grid of a table: columns by empty strips and upright rules, cells over rows that no level rule parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from kag.core.types import Cell, Table
from kag.sources.pdf.file.content import Rect, Word, around
from kag.sources.pdf.floats.tables import Row

_BLANK = 0.5  # type sizes: a wider space is none between words
_SEVERAL = 2  # rows of three pieces and more, beside which one piece may be the title of a group
_TITLES = 0.34  # titles a row that there are at most, where they do not stand over such rows
_BAR = 0.4  # of the table's height: how high an upright rule is that parts columns
_SPANNING = 0.34  # of the rows have a cell that spans columns at most, and fewer pieces than others
_SIDES = 2  # rows with words on both sides of a strip that a spanning cell lies across
_WORDS = 1.6  # type sizes that may be between words that are set flush
_FILLED = 0.4  # of the rows have words in a column without a head at least


def column_strips(rows: Sequence[Row], rect: Rect, head: int, bars: Sequence[Rect]) -> list[tuple[float, float]]:
    """The empty strips between columns, from left to right."""
    upright = _upright(bars, rect)
    body = list(rows[head:]) or list(rows)
    spans = [_extents(row) for row in body]
    spans = [row for row in spans if len(row) > 1 or row[0][1] - row[0][0] < 0.5 * rect.width] or spans
    spans = _without_titles(spans)
    most = 0.08 * len(spans) if len(spans) >= 8 else 0.0
    size = median(line.size for row in rows for line in row.lines)
    least = (0.32 if len(spans) >= 6 else 0.5 if len(spans) >= 3 else 0.9) * size
    edges = sorted({x for row in spans for span in row for x in span})
    fullest = max(map(len, spans))
    found: list[tuple[float, float]] = []
    for a, b in pairwise(edges):
        middle = (a + b) / 2
        across = [len(row) for row in spans if any(x0 < middle < x1 for x0, x1 in row)]
        spanning = len(across) <= _SPANNING * len(spans) and all(count < fullest for count in across)
        spanning = spanning and sum(1 for row in spans if row[0][1] <= a and row[-1][0] >= b) >= _SIDES
        if len(across) <= most or spanning:
            if found and found[-1][1] >= a - 0.01:
                found[-1] = (found[-1][0], b)
            else:
                found.append((a, b))
    found = [strip for strip in found if strip[1] - strip[0] >= least and _has_sides(strip, spans)]
    found = _without_wide_spaces(found, [*map(_extents, rows[:head])], spans, size)
    for x in upright:
        if not any(a - 2 <= x <= b + 2 for a, b in found) and _has_sides((x, x), spans):
            found.append((x - 0.5, x + 0.5))
    return sorted(found)


def pieces_of(row: Row) -> list[list[Word]]:
    """The words of a row, parted at spaces wider than those between words."""
    words = sorted((word for line in row.lines for word in line.words), key=lambda w: w.x0)
    found = [[words[0]]]
    for word in words[1:]:
        if word.x0 - max(w.x1 for w in found[-1]) > _BLANK * min(word.size, found[-1][-1].size) + 0.5:
            found.append([word])
        else:
            found[-1].append(word)
    return found


def _extents(row: Row) -> list[tuple[float, float]]:
    """Return the extent of each piece of a row."""
    return [(piece[0].x0, max(word.x1 for word in piece)) for piece in pieces_of(row)]


def _upright(bars: Sequence[Rect], rect: Rect) -> list[float]:
    """Return the positions of vertical rules between columns; many files draw a piece of them for each row."""
    inner = [bar for bar in bars if rect.x0 + 4 < bar.x0 < rect.x1 - 4]
    places = _levels([(bar.x0 + bar.x1) / 2 for bar in inner], 4.0)
    heights = {x: sum(bar.height for bar in inner if abs((bar.x0 + bar.x1) / 2 - x) < 4.0) for x in places}
    return [x for x in places if heights[x] > _BAR * rect.height]


def _levels(values: Sequence[float], within: float) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > within:
            found.append(value)
    return found


def _without_titles(spans: list[list[tuple[float, float]]]) -> list[list[tuple[float, float]]]:
    """The rows without titles of groups: of one piece, that begin where the rows of several do, and reach on.

    There are few of them, or right below each stands a row of several.
    """
    several = [row for row in spans if len(row) > 2]
    if len(several) < _SEVERAL:
        return spans
    left, second = min(row[0][0] for row in several), min(row[1][0] for row in several)
    places = [n for n, row in enumerate(spans) if len(row) == 1 and row[0][0] < left + 4 and row[0][1] > second + 4]
    heads = all(n + 1 < len(spans) and len(spans[n + 1]) > 2 for n in places)
    if len(places) > (len(several) if heads else _TITLES * len(several)):
        return spans
    return [row for n, row in enumerate(spans) if n not in places]


def _without_wide_spaces(
    strips: list[tuple[float, float]],
    head: Sequence[Sequence[tuple[float, float]]],
    spans: Sequence[Sequence[tuple[float, float]]],
    size: float,
) -> list[tuple[float, float]]:
    """The strips without those between words that are set flush: few rows have words behind them, and no head."""
    found: list[tuple[float, float]] = []
    for n, strip in enumerate(strips):
        end = strips[n + 1][0] if n + 1 < len(strips) else float("inf")
        headed = any(strip[1] - 1 <= (x0 + x1) / 2 <= end + 1 for row in head for x0, x1 in row)
        filled = sum(1 for row in spans if any(strip[1] - 1 <= x0 < end for x0, _ in row))
        gaps = [two[0] - one[1] for row in spans for one, two in pairwise(row) if strip[1] - 1 <= two[0] < end]
        narrow = max(gaps, default=_WORDS * size) < _WORDS * size
        if headed or not narrow or sum(map(len, head)) < 2 or filled >= _FILLED * len(spans):
            found.append(strip)
    return found


def _has_sides(strip: tuple[float, float], spans: Sequence[Sequence[tuple[float, float]]]) -> bool:
    """Whether a strip has text on both sides in at least one row, or in rows of either kind."""
    left = sum(1 for row in spans if any(x1 <= strip[0] + 1 for _, x1 in row))
    right = sum(1 for row in spans if any(x0 >= strip[1] - 1 for x0, _ in row))
    return left > 0 and right > 0


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
