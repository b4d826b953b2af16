"""Tables: from a caption, the rules, grounds and rows under it or over it, as far as the next text; then notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from kag.sources.pdf.file.content import Rect, around, beside, grown, meet, stacked
from kag.sources.pdf.floats.captions import Caption
from kag.sources.pdf.floats.layout import Layout
from kag.sources.pdf.text.lines import Line

_FIRST = 34.0  # points from a caption in which the first rule or row is
_SAME_EDGE = 12.0  # points by which rules of one table differ at their ends
_SAME_RULE = 4.0  # and of one without a caption
_LEAST_ROWS, _MANY = 3, 0.6  # that it has, and share of them that have several cells
_NARROW = 0.4  # of a table: how wide a further line of a cell is at most
_ROW_GAP = 2.0  # type sizes that may be empty between two rows
_NOTE = re.compile(
    r"^\W{0,2}(?:(?i:notes?\b|abbreviations?\b|abbr\.|source\b|data (?:are|were|is)\b|values\b|legend\b|key\b|fuente\b"
    r"|nota\b)|[*†‡§¶#∗⁎]|[a-z]\s?[A-Z(][a-z]|[a-z]\)|\([a-z*]\)|[A-Z]{2,}\w*\s?[=:,;–-])"
)


@dataclass(frozen=True, slots=True)
class Found:
    """A table's rectangle, the lines of its rows, its notes, and the rules that are its own."""

    rect: Rect
    inside: tuple[Line, ...]
    notes: tuple[Line, ...]
    rules: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Lines on one baseline."""

    lines: tuple[Line, ...]

    @property
    def rect(self) -> Rect:
        return around(line.rect for line in self.lines)

    @property
    def cells(self) -> int:
        """Return separate pieces."""
        ordered = sorted(self.lines, key=lambda line: line.rect.x0)
        return 1 + sum(1 for a, b in pairwise(ordered) if b.rect.x0 - a.rect.x1 > 0.7 * min(a.size, b.size))


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """Lines as rows, from top to bottom."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: (one.base, one.rect.x0)):
        if rows and line.base - rows[-1][0].base < 0.4 * min(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [Row(tuple(row)) for row in rows]


def find_tables(captions: Sequence[Caption], barriers: Sequence[Rect], layout: Layout) -> list[Found | None]:
    """The table of each caption, None where the page shows none.

    Nearly all journals set captions over tables; on a page where more have ruled rows over them, it is the other way.
    `barriers` are the page's other captions.
    """
    down = [_Search(caption.rect, caption.lines, barriers, layout, down=True).find() for caption in captions]
    up = [_Search(caption.rect, caption.lines, barriers, layout, down=False).find() for caption in captions]
    first, second = (up, down) if _weight(up, captions) > _weight(down, captions) else (down, up)
    chosen: list[Found | None] = []
    for one, other in zip(first, second, strict=True):
        taken = [found.rect for found in chosen if found]
        free = [found for found in (one, other) if found and not any(meet(found.rect, t) for t in taken)]
        chosen.append(free[0] if free else None)
    return chosen


def find_unnamed(taken: Sequence[Rect], layout: Layout) -> list[Found]:
    """Tables without a caption: rows of several cells between three rules of one width, or two at the page's top.

    `taken` are the rectangles of all figures, tables and captions.
    """
    found: list[Found] = []
    for rule in layout.rules:
        others = [*taken, *(table.rect for table in found)]
        alike = [r for r in layout.rules if _same_edges(r, rule) and r.y0 >= rule.y0 - 1]
        first = not any(line.rect.y1 < rule.y0 + 1 and stacked(line.rect, rule) > 0 for line in layout.lines)
        if len(alike) < (2 if first else 3) or any(meet(grown(rule, 1), r) for r in others):
            continue
        start = Rect(rule.x0, rule.y0 - 1, rule.x1, rule.y0 - 1)
        made = _Search(start, (), others, layout, down=True).find()
        if made and _is_sure(made, rule, len(alike)) and not any(meet(made.rect, r) for r in others):
            found.append(made)
    return found


def _same_edges(rect: Rect, other: Rect) -> bool:
    return abs(rect.x0 - other.x0) < _SAME_RULE and abs(rect.x1 - other.x1) < _SAME_RULE


def _is_sure(table: Found, first: Rect, rules: int) -> bool:
    """Whether the content between rules is certainly a table: most rows have several cells, and the rules are its
    own."""
    rows = rows_of(table.inside)
    own = [r for r in table.rules if _same_edges(r, first)]
    many = sum(row.cells >= (2 if rules > 2 else 3) for row in rows)
    return len(own) >= min(rules, 3) and len(rows) >= _LEAST_ROWS and many >= _MANY * len(rows)


def _weight(side: Sequence[Found | None], captions: Sequence[Caption]) -> tuple[int, float]:
    """Return how many captions have a ruled table on a side, and how near these are."""
    both = [(found.rect, caption.rect) for found, caption in zip(side, captions, strict=True) if found and found.rules]
    gaps = [max(at.y0 - rect.y1, rect.y0 - at.y1) for rect, at in both]
    return len(both), -sum(gaps)


def _side_by_side(row: Row, near: Sequence[Row]) -> bool:
    """Whether a line of another row is next to one of this, as cells with different baselines."""
    return any(
        beside(line.rect, two.rect) > 0.3 * line.size and stacked(line.rect, two.rect) < -3
        for other in near
        if other is not row
        for line in row.lines
        for two in other.lines
    )


class _Search:
    """State of finding a table's end from its caption, row by row."""

    def __init__(
        self, start: Rect, own: Sequence[Line], barriers: Sequence[Rect], layout: Layout, *, down: bool
    ) -> None:
        self.layout, self.down, self.start = layout, down, start
        self.barriers = [r for r in barriers if r != start]
        self.own = {id(line) for line in own}
        x0, x1 = layout.span(start)
        rules = [r for r in layout.rules if stacked(r, Rect(x0, 0, x1, 1)) > 20 and self._ahead(r)]
        near = [r for r in rules if self._distance(r) < _FIRST and r.width > 0.3 * (x1 - x0)]
        if not near:
            rules = self._edges(x0, x1)
            near = [r for r in rules if self._distance(r) < _FIRST and r.width > 0.3 * (x1 - x0)]
        self.x0, self.x1 = (min(r.x0 for r in near), max(r.x1 for r in near)) if near else (x0, x1)
        if near and self.x1 - self.x0 < 0.5 * (x1 - x0):
            self.x0, self.x1 = x0, x1
        self.rules = [r for r in rules if r.x0 > self.x0 - _SAME_EDGE and r.x1 < self.x1 + _SAME_EDGE]
        self.ruled = bool(near)

    def _edges(self, x0: float, x1: float) -> list[Rect]:
        """The edges of grounds as rules, where a table has no others."""
        bands = [r for r in self.layout.bands if stacked(r, Rect(x0, 0, x1, 1)) > 20 and self._ahead(r)]
        bands = [r for r in bands if any(meet(r, line.rect) for line in self.layout.lines)]
        return [edge for r in bands for edge in (Rect(r.x0, r.y0, r.x1, r.y0), Rect(r.x0, r.y1, r.x1, r.y1))]

    def _ahead(self, rect: Rect) -> bool:
        at = self.start
        return rect.y1 > at.y1 - 3 if self.down else rect.y0 < at.y0 + 3

    def _distance(self, rect: Rect) -> float:
        at = self.start
        return rect.y0 - at.y1 if self.down else at.y0 - rect.y1

    def find(self) -> Found | None:
        span = Rect(self.x0 - 4, 0, self.x1 + 4, self.layout.height)
        ahead = [
            line
            for line in self.layout.lines
            if id(line) not in self.own
            and self._ahead(line.rect)
            and span.x0 <= (line.rect.x0 + line.rect.x1) / 2 <= span.x1
        ]
        limit = self._limit(span)
        ahead = [line for line in ahead if (line.rect.y1 <= limit + 1 if self.down else line.rect.y0 >= limit - 1)]
        rows = rows_of(ahead)
        rows = rows if self.down else rows[::-1]
        count, rules = self._ruled(rows, limit) if self.ruled else (0, [])
        if not self._is_table(rows[:count]):
            count = 0
        count = self._aligned(rows, count)
        if not self._is_table(rows[:count]):
            return None
        inside = [line for row in rows[:count] for line in row.lines]
        body, notes = self._split_notes(rows, count)
        rect = around([*(line.rect for line in inside), *rules])
        kept = {id(line) for line in body}
        if len(kept) < len(inside):
            rect = around(line.rect for line in body) if not rules else around([*(x.rect for x in body), *rules])
        return Found(rect, tuple(body), tuple(notes), tuple(rules))

    def _limit(self, span: Rect) -> float:
        """Return the start of the next caption, table or picture."""
        pictures = [r for r in self.layout.art if r.width > 60 and r.height > 60 and self._is_picture(r)]
        ends = [
            (r.y0 if self.down else r.y1)
            for r in (*self.barriers, *pictures, *self.layout.prose)
            if stacked(r, span) > 4 and self._ahead(r) and self._distance(r) > -6
        ]
        default = self.layout.height if self.down else 0.0
        return min([default, *ends]) if self.down else max([default, *ends])

    def _is_picture(self, rect: Rect) -> bool:
        return not any(meet(rect, line.rect) for line in self.layout.lines) and rect.height < 0.9 * self.layout.height

    def _ruled(self, rows: Sequence[Row], limit: float) -> tuple[int, list[Rect]]:
        """Return the number of rows before the table's last rule, and its rules."""
        rules = sorted(self.rules, key=lambda r: r.y0, reverse=not self.down)
        chosen: list[Rect] = []
        count = at = own = 0
        for rule in rules:
            if (rule.y0 > limit + 3) if self.down else (rule.y1 < limit - 3):
                break
            upto = at
            while upto < len(rows) and self._before(rows[upto].rect, rule):
                upto += 1
            if any(self._is_text(row) for row in self._texts(rows[at:upto])):
                break
            chosen.append(rule)
            if rule.width > 0.8 * (self.x1 - self.x0) or len(chosen) == 1:
                count, own = upto, len(chosen)
            at = upto
        chosen = chosen[:own]  # short rules behind the last wide one are strokes of a drawing
        return count, [r for r in chosen if count == 0 or self._distance(r) <= self._end(rows, count) + 14]

    def _end(self, rows: Sequence[Row], count: int) -> float:
        last = rows[count - 1].rect
        return self._distance(
            Rect(last.x0, last.y1, last.x1, last.y1) if self.down else Rect(last.x0, last.y0, last.x1, last.y0)
        )

    def _before(self, rect: Rect, rule: Rect) -> bool:
        middle = (rect.y0 + rect.y1) / 2
        return middle < rule.y0 + 1 if self.down else middle > rule.y1 - 1

    def _texts(self, rows: Sequence[Row]) -> list[Sequence[Row]]:
        """Runs of three rows."""
        return [rows[n : n + 3] for n in range(len(rows) - 2)]

    def _is_text(self, rows: Sequence[Row]) -> bool:
        """Whether rows are lines of a paragraph as wide as the table, in the body's type."""
        wide = 0.8 * (self.x1 - self.x0)
        return all(
            row.cells == 1
            and abs(row.lines[0].size - self.layout.body.size) < 0.3
            and row.rect.width > wide
            and len(row.lines[0].text) > 40
            for row in rows
        )

    def _aligned(self, rows: Sequence[Row], count: int) -> int:
        """Return the number of rows that follow each other closely, most of them with several cells."""
        last = rows[count - 1].rect if count else self.start
        usual = self._pitch(rows[:count]) if count > 2 else 0.0
        at = good = count
        lone = 0
        while at < len(rows):
            row = rows[at]
            size = row.lines[0].size
            gap = row.rect.y0 - last.y1 if self.down else last.y0 - row.rect.y1
            most = _FIRST if at == 0 else max(_ROW_GAP * size if not count else 0.9 * size, 0.6 * usual)
            if gap > most or self._in_text(row) or self._is_in_columns(row):
                break
            if row.cells >= 2:
                good, lone = at + 1, 0
            else:
                lone += not self._in_cell(row, rows[:good])
                if lone > (0 if count and abs(size - self.layout.body.size) < 0.3 else 3):
                    break
            last = row.rect
            at += 1
        return good

    def _in_cell(self, row: Row, rows: Sequence[Row]) -> bool:
        """Whether a lone piece is a further line of a cell: small type, narrow, under a piece of the rows before."""
        size = row.lines[0].size
        return (
            len(rows) >= _LEAST_ROWS
            and size < self.layout.body.size - 0.9
            and abs(size - self._size(rows)) < 0.3
            and row.rect.width < _NARROW * (self.x1 - self.x0)
            and any(stacked(line.rect, row.rect) > 0 for line in rows[-1].lines)
        )

    def _pitch(self, rows: Sequence[Row]) -> float:
        steps = sorted(abs(b.rect.y0 - a.rect.y0) for a, b in pairwise(rows))
        return steps[len(steps) // 2] if steps else 0.0

    def _in_text(self, row: Row) -> bool:
        at = row.rect
        middle = (at.y0 + at.y1) / 2
        return row.cells <= 2 and any(
            t.y0 - 1 <= middle <= t.y1 + 1 and stacked(t, at) > 0.5 * at.width for t in self.layout.text
        )

    def _is_in_columns(self, row: Row) -> bool:
        """Whether each piece of a row begins at the edge of a column of the text: two lines of text behind a table."""
        edges = [left for left, _ in self.layout.columns]
        starts = [min(edges, key=lambda x: abs(line.rect.x0 - x)) for line in row.lines]
        apart = len(edges) > 1 and len(set(starts)) == len(starts) > 1
        return apart and all(abs(line.rect.x0 - x) < 3 for line, x in zip(row.lines, starts, strict=True))

    def _is_table(self, rows: Sequence[Row]) -> bool:
        many = [row for n, row in enumerate(rows) if row.cells >= 2 or _side_by_side(row, rows[max(0, n - 1) : n + 2])]
        if len(rows) < 2 or len(many) < 2:
            return False
        share = 0.2 if self.ruled else 0.5
        return len(many) >= share * len(rows)

    def _split_notes(self, rows: Sequence[Row], count: int) -> tuple[list[Line], list[Line]]:
        """The rows' lines, and those of the notes: the last rows that are one cell, and what follows in small type."""
        body = list(rows[:count])
        if not self.down:
            return [line for row in body for line in row.lines], []
        end = len(body)
        while end > 2 and body[end - 1].cells == 1 and len(body[end - 1].lines[0].text) > 20:
            end -= 1
        first = next((n for n in range(end, len(body)) if self._is_note(body[n], body[:end])), len(body))
        notes = body[first:]
        body = body[:first]
        last = (notes or body)[-1].rect
        for row in rows[count:]:
            size = row.lines[0].size
            gap = row.rect.y0 - last.y1
            if any(meet(row.rect, text) for text in self.layout.prose):
                break
            if row.cells >= 2 and not _NOTE.match(row.lines[0].text):
                break
            small = size < self.layout.body.size - 0.4
            begins = not notes and bool(_NOTE.match(row.lines[0].text))
            like = bool(notes) and abs(size - notes[-1].lines[0].size) < 0.3
            if (
                gap > (2.2 if not notes else 0.7) * size
                or not (small or begins or like)
                or size > self.layout.body.size + 0.4
            ):
                break
            if not notes and not begins and row.lines[0].size > self._size(body) + 0.3:
                break
            notes.append(row)
            last = row.rect
        return [x for row in body for x in row.lines], [x for row in notes for x in row.lines]

    def _size(self, rows: Sequence[Row]) -> float:
        sizes = sorted(line.size for row in rows for line in row.lines)
        return sizes[len(sizes) // 2]

    def _is_note(self, row: Row, rows: Sequence[Row]) -> bool:
        wide = row.rect.width > 0.5 * (self.x1 - self.x0)
        smaller = row.lines[0].size < self._size(rows) - 0.4
        return row.cells == 1 and (smaller or (wide and bool(_NOTE.match(row.lines[0].text))))
