"""The cells of a table: words of its lines by column and row; words across columns are a spanning cell.

A column ends where words of nearly all rows leave a strip empty. A row is a line, or several: where rules, spacing or
empty first cells say so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from kag.core.types import Cell, Table
from kag.sources.pdf.file.content import Rect, Word, around
from kag.sources.pdf.floats.grid import column_strips, pieces_of, with_row_spans
from kag.sources.pdf.floats.tables import Row, rows_of
from kag.sources.pdf.text.compose import compose
from kag.sources.pdf.text.lines import Line

_LEADER = re.compile(r"[.·…_\s-]{8,}")  # a rule set in characters
_NUMBER = re.compile(r"[\d.,%()±<>=–-]+")
_WIDE = 0.8  # of the table: how wide a rule is that parts the head from the rest
_MOST_HEAD = 6  # rows
_PAIR, _BETWEEN = 1.9, 0.3  # type sizes between two rows with a label between; share of it on either side at least
_LINES = 8  # that a table of cells of several lines has at least
_LEADING, _THIN = 0.35, 0.7  # of the lines that go on with cells: those that do so in the first column; columns filled


@dataclass(frozen=True, slots=True)
class Piece:
    """Adjacent words of a row, and their columns, first and last."""

    words: tuple[Word, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed row: its pieces, baseline, type size and rectangle."""

    pieces: tuple[Piece, ...]
    rect: Rect
    base: float
    size: float

    @property
    def columns(self) -> set[int]:
        return {n for piece in self.pieces for n in range(piece.first, piece.last + 1)}


def cells_of(
    lines: Sequence[Line], rect: Rect, rules: Sequence[Rect], bars: Sequence[Rect], known: Set[str]
) -> Table | None:
    """The table of some lines within a rectangle; None where it has one column only. `known` heals cut words."""
    leaders = [line.rect for line in lines if _LEADER.fullmatch(line.text)]
    rows = rows_of([line for line in lines if not _LEADER.fullmatch(line.text)])
    if len(rows) < 2:
        return None
    rules = [*rules, *(Rect(rect.x0, r.y1 - 1, rect.x1, r.y1) for r in leaders)]
    strips = column_strips(rows, rect, _head_end(rows, rect, rules), bars)
    if not strips:
        return None
    first = _head_end(rows, rect, rules)
    printed = [_printed(row, strips, head=n < first) for n, row in enumerate(rows)]
    printed = [_spread(row, strips, rules, rect) if n < first else row for n, row in enumerate(printed)]
    printed = [_between_bars(row, strips, bars) for row in printed]
    levels = [(r.y0 + r.y1) / 2 for r in rules if r.width > 0.45 * rect.width]
    printed, spans = _with_labels_of_pairs(printed)
    head = _head(printed, rect, rules)
    groups = [
        *_groups(printed[:head], levels, head=True),
        *_groups(printed[head:], levels, head=False, paired=bool(spans)),
    ]
    heads = sum(1 for group in groups if group[-1] in printed[:head]) if head else 0
    table = _table(groups, heads, len(strips) + 1, known)
    table = _with_spans(table, groups, spans)
    edges = [rect.x0, *(edge for strip in strips for edge in strip), rect.x1]
    columns = list(zip(edges[::2], edges[1::2], strict=True))
    return with_row_spans(table, [around(row.rect for row in group) for group in groups], columns, rules)


def _head_end(rows: Sequence[Row], rect: Rect, rules: Sequence[Rect]) -> int:
    """The number of rows over the first wide rule within the table; two where there is none."""
    for rule in sorted(rules, key=lambda r: r.y0):
        count = sum(1 for row in rows if (row.rect.y0 + row.rect.y1) / 2 < rule.y0)
        if rule.width > _WIDE * rect.width and 0 < count <= min(_MOST_HEAD, len(rows) - 1):
            return count
    return 1 if len(rows) > 3 else 0


def _printed(row: Row, strips: Sequence[tuple[float, float]], *, head: bool) -> Printed:
    """A row with its pieces parted where a strip falls between two words."""
    made: list[Piece] = []
    pieces = pieces_of(row)
    whole = head or (len(pieces) == 1 and len(strips) > 1)  # a title is not cut between its words
    for words in pieces:
        if not whole and _spans(words, strips):
            made.append(_piece(words, strips, head=head))
            continue
        part: list[Word] = [words[0]]
        for word in words[1:]:
            end = max(w.x1 for w in part)
            cut = any(
                a - 1.5 <= word.x0 and end <= b + 1.5 and word.x0 - end > 0.1 and _in(a, b, end, word.x0)
                for a, b in strips
            )
            if cut and word.spaced and (not whole or word.x0 - end > 0.36 * word.size):
                made.append(_piece(part, strips, head=head))
                part = [word]
            else:
                part.append(word)
        made.append(_piece(part, strips, head=head))
    lines = row.lines
    return Printed(tuple(made), row.rect, max(line.base for line in lines), median(line.size for line in lines))


def _spans(words: Sequence[Word], strips: Sequence[tuple[float, float]]) -> bool:
    """Whether words cross a strip without a gap there: they are one cell."""
    x0, x1 = min(w.x0 for w in words), max(w.x1 for w in words)
    crossed = [(a, b) for a, b in strips if x0 < a and b < x1]
    spaces = [(one.x1, two.x0) for one, two in pairwise(words) if two.x0 > one.x1]
    met = [any(_in(a, b, *space) for space in spaces) for a, b in crossed]
    return len(met) > 1 and not all(met) and any(map(str.isalpha, words[0].text))


def _in(a: float, b: float, x0: float, x1: float) -> bool:
    """Whether a strip's middle lies in a gap, or the gap's middle in the strip."""
    return x0 - 0.5 <= (a + b) / 2 <= x1 + 0.5 or a <= (x0 + x1) / 2 <= b


def _piece(words: Sequence[Word], strips: Sequence[tuple[float, float]], *, head: bool) -> Piece:
    """Return words with their columns; little overhang is ignored, in the header less than half a column."""
    x0, x1 = min(w.x0 for w in words), max(w.x1 for w in words)
    first = sum(1 for a, b in strips if (a + b) / 2 <= x0 + 0.5)
    last = sum(1 for a, b in strips if (a + b) / 2 < x1 - 0.5)

    def over(column: int, inside: float) -> bool:
        """Whether a piece's extent in a column at its edge is overhang."""
        left = strips[column - 1][1] if column else x0
        right = strips[column][0] if column < len(strips) else x1
        return inside < max(1.0, 0.4 * (right - left) if head else 0.0)

    while last > first and over(last, x1 - strips[last - 1][1]):
        last -= 1
    while last > first and over(first, strips[first][0] - x0):
        first += 1
    return Piece(tuple(words), first, max(first, last))


def _with_labels_of_pairs(rows: Sequence[Printed]) -> tuple[list[Printed], dict[Piece, Piece]]:
    """Return the rows with each label halfway between two of them put into the first.

    Returned with the labels are pieces of the second rows: a label spans the rows from its own to that piece's.
    """
    found = list(rows)
    pairs: dict[Piece, Piece] = {}
    for above, row, below in zip(rows, rows[1:], rows[2:], strict=False):
        label = row.pieces[0]
        free = not any(label.first <= n <= label.last for n in above.columns | below.columns)
        steps = row.base - above.base, below.base - row.base
        near = sum(steps) < _PAIR * max(above.size, below.size) and min(steps) > _BETWEEN * sum(steps)
        if len(row.pieces) == 1 and free and near and len(above.columns & below.columns) >= 2:
            first = replace(above, pieces=tuple(sorted((*above.pieces, label), key=lambda piece: piece.first)))
            found[found.index(above)] = first
            found.remove(row)
            pairs[label] = below.pieces[0]
    return found, pairs


def _with_spans(table: Table, groups: Sequence[Sequence[Printed]], spans: Mapping[Piece, Piece]) -> Table:
    """The table with the labels of pairs of rows spanning both, where they are rows of their own."""
    at = {piece: n for n, group in enumerate(groups) for row in group for piece in row.pieces}
    rows = {(at[label], label.first): at[other] for label, other in spans.items() if label in at and other in at}
    cells = tuple(
        replace(cell, row_span=max(1, rows.get((cell.row, cell.column), cell.row) - cell.row + 1))
        for cell in table.cells
    )
    return replace(table, cells=cells)


def _spread(row: Printed, strips: Sequence[tuple[float, float]], rules: Sequence[Rect], rect: Rect) -> Printed:
    """A row of the head whose pieces span the columns over which a short rule right below them goes."""
    short = [r for r in rules if r.width < _WIDE * rect.width and -0.3 * row.size < r.y0 - row.rect.y1 < 0.8 * row.size]
    pieces = []
    middles = [(piece.words[0].x0 + piece.words[-1].x1) / 2 for piece in row.pieces]
    short = [r for r in short if sum(r.x0 < middle < r.x1 for middle in middles) == 1]  # one under several spans none
    for piece, middle in zip(row.pieces, middles, strict=True):
        rule = next((r for r in short if r.x0 < middle < r.x1), None)
        if rule:
            first = sum(1 for a, b in strips if (a + b) / 2 <= rule.x0 + 2)
            last = sum(1 for a, b in strips if (a + b) / 2 < rule.x1 - 2)
            pieces.append(Piece(piece.words, min(first, piece.first), max(last, piece.last)))
        else:
            pieces.append(piece)
    return Printed(tuple(pieces), row.rect, row.base, row.size)


def _between_bars(row: Printed, strips: Sequence[tuple[float, float]], bars: Sequence[Rect]) -> Printed:
    """Return a row whose pieces fill the columns between the vertical rules at its height."""
    middle = (row.rect.y0 + row.rect.y1) / 2
    edges = sorted((bar.x0 + bar.x1) / 2 for bar in bars if bar.y0 <= middle <= bar.y1)
    if len(edges) < 3:
        return row
    pieces = []
    for piece in row.pieces:
        x = (piece.words[0].x0 + piece.words[-1].x1) / 2
        left, right = max((e for e in edges if e <= x), default=None), min((e for e in edges if e >= x), default=None)
        if left is None or right is None:
            return row
        first = sum(1 for a, b in strips if (a + b) / 2 <= left + 2)
        last = sum(1 for a, b in strips if (a + b) / 2 < right - 2)
        pieces.append(Piece(piece.words, min(first, piece.first), max(last, piece.last)))
    apart = all(one.last < two.first for one, two in pairwise(pieces))
    return replace(row, pieces=tuple(pieces)) if apart else row


def _head(printed: Sequence[Printed], rect: Rect, rules: Sequence[Rect]) -> int:
    """The number of printed rows in the table's head: over a rule as wide as it, or in bold; else the first."""
    if len(printed) < 2:
        return 0
    for rule in sorted(rules, key=lambda r: r.y0):
        count = sum(1 for row in printed if (row.rect.y0 + row.rect.y1) / 2 < rule.y0)
        if rule.width > _WIDE * rect.width and 0 < count < len(printed):
            if count <= max(2, min(8, 0.5 * len(printed))):
                return count
            break
    bold = [all(w.font.bold for piece in row.pieces for w in piece.words) for row in printed]
    count = next((n for n, is_bold in enumerate(bold) if not is_bold), 0)
    return count if 0 < count <= 0.5 * len(printed) else 1


def _groups(
    printed: Sequence[Printed], levels: Sequence[float], *, head: bool, paired: bool = False
) -> list[list[Printed]]:
    """Return printed rows that form one row of the table; `paired` means that there are labels of pairs of rows."""
    if not printed:
        return []
    steps = [b.base - a.base for a, b in pairwise(printed)]
    parted = [
        any(a.rect.y0 + 0.5 * a.rect.height < y < b.rect.y0 + 0.5 * b.rect.height for y in levels)
        for a, b in pairwise(printed)
    ]
    size = median(row.size for row in printed)
    between = sum(1 for step in steps if step < 0.8 * size)  # lines of one cell stand between those of another
    gridded = not head and sum(parted) >= 2 and (sum(parted) >= 0.3 * len(printed) or between >= 0.25 * len(steps))
    loose = _loose(steps, size)
    shrinking = [] if head or gridded or loose else _shrinking([row.columns for row in printed])
    groups = [[printed[0]]]
    for n, row in enumerate(printed[1:]):
        if parted[n]:
            new = True
        elif gridded:
            new = bool(paired) and _counts(printed[n], row)
        elif head:
            new = any(p.first < p.last for p in (*printed[n].pieces, *row.pieces))
        elif shrinking:
            new = shrinking[n + 1]
        elif loose:
            new = steps[n] > loose or _counts(printed[n], row)
        else:
            new = not _carries_on(row, groups[-1])
        if new:
            groups.append([row])
        else:
            groups[-1].append(row)
    return groups


def _loose(steps: Sequence[float], size: float) -> float:
    """The step from which a line begins a row, where close steps and wide ones are of two kinds; else 0."""
    ordered = sorted(step for step in steps if step < 6 * size)
    if len(ordered) < 3:
        return 0.0
    jump, at = max((b / max(a, 0.1), n) for n, (a, b) in enumerate(pairwise(ordered)))
    low, high = ordered[: at + 1], ordered[at + 1 :]
    sure = jump > 1.15 and len(low) >= 2 and len(high) >= 0.2 * len(ordered)
    return (low[-1] + high[0]) / 2 if sure and low[-1] < 1.45 * size else 0.0


def _shrinking(filled: Sequence[Set[int]]) -> list[bool]:
    """For each line whether it begins a row of cells of several lines, set from their tops; [] where that is not so.

    Of such a row each line has words in fewer columns than the one over it, and its last in few; `filled` are the
    columns in which each line has words.
    """
    begins = [True, *(not line <= above for above, line in pairwise(filled))]
    most = max(map(len, filled))
    first = [len(line) for line, new in zip(filled, begins, strict=True) if new]
    others = [line for line, new in zip(filled, begins, strict=True) if not new]
    if len(filled) < _LINES or not others or min(first) < 0.8 * most or len(others) < 2 * len(first):
        return []
    leading = sum(0 in line for line in others)
    thin = sum(map(len, others)) <= _THIN * most * len(others)
    return begins if thin and leading <= _LEADING * len(others) else []


def _carries_on(row: Printed, group: Sequence[Printed]) -> bool:
    """Whether a line continues cells of the row above: its first cell is empty, and it is short."""
    before = set().union(*(one.columns for one in group))
    own = row.columns
    if any(p.first < p.last for p in row.pieces):
        return False
    words = " ".join(w.text for p in row.pieces for w in p.words)
    if 0 not in own and own <= before and all(p.words[0].text[:1].islower() for p in row.pieces):
        return True
    if 0 not in own:
        return own <= before and len(own) <= max(1, len(before) // 2) and any(map(str.isalpha, words))
    return own == {0} and (words[:1].islower() or words[:1] == "(") and 0 in before


def _counts(above: Printed, row: Printed) -> bool:
    """Whether two lines are rows of their own: both have a number in one column, and more than that."""
    numbers = [
        {p.first for p in one.pieces if p.first and all(_NUMBER.fullmatch(w.text) for w in p.words)}
        for one in (above, row)
    ]
    return bool(numbers[0] & numbers[1]) and len(above.columns & row.columns) >= 2


def _table(groups: Sequence[Sequence[Printed]], heads: int, columns: int, known: Set[str]) -> Table:
    cells: list[Cell] = []
    for n, group in enumerate(groups):
        parts: dict[tuple[int, int], list[tuple[Word, ...]]] = {}
        for row in group:
            for piece in row.pieces:
                parts.setdefault(_place(piece, parts), []).append(piece.words)
        alone = len(parts) == 1 and n >= heads and min(parts)[0] == 0
        for (first, last), words in sorted(parts.items()):
            text = compose([Line(word) for word in words], known).text
            last = columns - 1 if alone else last
            cells.append(Cell(text, n, first, 1, last - first + 1, n < heads))
    return Table(tuple(cells), len(groups), columns)


def _place(piece: Piece, parts: dict[tuple[int, int], list[tuple[Word, ...]]]) -> tuple[int, int]:
    """The columns of the cell that a piece is part of: those of one that it overlaps, else its own."""
    return next(((a, b) for a, b in parts if a <= piece.last and piece.first <= b), (piece.first, piece.last))
