"""Reading order of a page: columns and the bands between what spans them.

A page is cut where text stands side by side (recursive X-Y cuts, Nagy and Seth 1984), but what lies across a gutter,
such as a title or a wide table, does not hide the gutter: it cuts the page into bands instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from kag.sources.pdf.file.content import Rect
from kag.sources.pdf.text.lines import Line

GUTTER = 6.0
"""Points that the space between two columns has at least."""
_NARROW = 0.06  # of the page: what is narrower is no column, but numbers or marks beside one
_SIDE_BY_SIDE = 3  # pairs of lines from which a gutter is believed
_PAGE_OF_TEXT = 20  # items beside which a column in the margin may hold one line
_SMALLER = 0.9  # points by which print in a margin is smaller than the text
_NEAR = 60  # items before and behind, from top to bottom, among which those beside one are looked for
_FORMULA_NUMBER = re.compile(r"\(\s?(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?\s?\)")
_WITHIN = 4.0  # points by which gutters of a paper's pages may differ


class Placed(Protocol):
    """Anything with a rectangle."""

    @property
    def rect(self) -> Rect: ...


Item = TypeVar("Item", bound=Placed)


@dataclass(frozen=True, slots=True)
class Gutter:
    """An empty strip between two columns, and the number of pairs of lines on both sides of it."""

    x0: float
    x1: float
    votes: int

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def page_gutters(items: Sequence[Placed], width: float) -> list[Gutter]:
    """Return strips between adjacent lines, those with most votes first; formula numbers do not count."""
    items = [item for item in items if not _FORMULA_NUMBER.fullmatch(getattr(item, "text", ""))]
    strips: list[tuple[float, float]] = []
    ordered = [tuple(rect) for rect in sorted((item.rect for item in items), key=lambda rect: rect[1])]
    for n, (_, y0, x1, y1) in enumerate(ordered):
        next_to = math.inf
        for left, top, _, foot in ordered[max(0, n - _NEAR) : n + _NEAR]:
            if top >= y1:
                break
            if foot > y0 and x1 + GUTTER <= left < next_to and _overlap(y0, y1, top, foot) > 0.4:
                next_to = left
        if next_to < math.inf:
            strips.append((x1, next_to))
    return _clusters(strips, width)


def _clusters(strips: Sequence[tuple[float, float]], width: float) -> list[Gutter]:
    """Group strips by a common x: the largest group first, then those of the rest."""
    left = [strip for strip in strips if strip[0] > _NARROW * width and strip[1] < (1 - _NARROW) * width]
    gutters: list[Gutter] = []
    while left:
        points = sorted({round(x) for strip in left for x in (strip[0] + 1, (strip[0] + strip[1]) / 2, strip[1] - 1)})
        best = max(points, key=lambda x: (sum(1 for a, b in left if a <= x <= b), -x))
        inside = [strip for strip in left if strip[0] <= best <= strip[1]]
        if not inside:
            break
        starts, ends = sorted(a for a, _ in inside), sorted(b for _, b in inside)
        # The strip that nearly all share: a line that runs a little into the gutter does not close it.
        x0, x1 = starts[int(0.9 * (len(starts) - 1))], ends[int(0.1 * (len(ends) - 1))]
        if x1 - x0 < 2:
            x0, x1 = best - 1.0, best + 1.0
        gutters.append(Gutter(x0, x1, len(inside)))
        left = [strip for strip in left if not strip[0] <= best <= strip[1]]
        if len(gutters) >= 6:
            break
    return sorted(gutters, key=lambda gutter: (-gutter.votes, gutter.x0))


def split_at_gutters(lines: Sequence[Line], gutters: Sequence[Gutter]) -> list[Line]:
    """Split lines of two columns that were joined because they are close on one baseline."""
    found: list[Line] = []
    for line in lines:
        over = [gutter for gutter in gutters if line.rect.x0 < gutter.middle < line.rect.x1]
        places = range(1, len(line.words)) if over else ()
        cut = next((n for n in places if any(_leaves_open(line, n, gutter) for gutter in over)), 0)
        found += [Line(line.words[:cut]), Line(line.words[cut:])] if cut else [line]
    return found


def _leaves_open(line: Line, n: int, gutter: Gutter) -> bool:
    """Whether the blank before a word lies over a gutter and is as wide."""
    left, right = line.words[n - 1].x1, line.words[n].x0
    return left < gutter.middle < right and right - left > max(0.8 * (gutter.x1 - gutter.x0), GUTTER)


def reading_order(items: Sequence[Item], width: float, usual: Sequence[Gutter] = ()) -> list[list[Item]]:
    """The columns of a page in reading order, each from top to bottom. `usual` are gutters of the paper's pages."""
    return _cut(list(items), width, usual, 0)


def _cut(items: list[Item], width: float, usual: Sequence[Gutter], depth: int) -> list[list[Item]]:
    if len(items) <= 1 or depth > 12:
        return [sorted_items(items)] if items else []
    below = _smaller_print(items)
    if below:
        above = [item for item in items if item not in below]
        return _cut(above, width, usual, depth + 1) + _cut(below, width, usual, depth + 1)
    gutters = [
        (gutter, sides)
        for gutter in _believed(items, width, usual, whole=depth == 0)
        if (sides := _sides(items, gutter.middle))[0] and sides[1]
    ]
    # First a gutter that nothing lies across: a column in the margin has one, whatever the columns beside it.
    for _, (left, right, across) in sorted(gutters, key=lambda row: bool(row[1][2])):
        if not across:
            return _cut(left, width, usual, depth + 1) + _cut(right, width, usual, depth + 1)
        parts = _zones(items, [*left, *right], across)
        if len(parts) == 1 and not _beside_each_other([*left, *right], across):
            parts = _bands([*left, *right], across)
        if len(parts) > 1:
            return [column for part in parts for column in _cut(part, width, usual, depth + 1)]
    return [sorted_items(items)]


def _sides(items: list[Item], x: float) -> tuple[list[Item], list[Item], list[Item]]:
    """Return the content left of a gutter's middle, right of it, and across it."""
    sides: tuple[list[Item], list[Item], list[Item]] = ([], [], [])
    for item in items:
        sides[0 if item.rect.x1 <= x + 1.5 else 1 if item.rect.x0 >= x - 1.5 else 2].append(item)
    return sides


def _beside_each_other(aside: Sequence[Item], across: Sequence[Item]) -> list[Item]:
    """Return the column text next to content that lies across the gutter: there the page has other columns."""
    return [
        item
        for item in aside
        if any(_overlap(item.rect.y0, item.rect.y1, other.rect.y0, other.rect.y1) > 0.4 for other in across)
    ]


def _zones(items: list[Item], aside: Sequence[Item], across: Sequence[Item]) -> list[list[Item]]:
    """The page cut above and below where it has other columns than this gutter's."""
    odd = _beside_each_other(aside, across)
    if not odd:
        return [items]
    top, bottom = min(item.rect.y0 for item in odd), max(item.rect.y1 for item in odd)
    zones: tuple[list[Item], list[Item], list[Item]] = ([], [], [])
    for item in items:
        middle = (item.rect.y0 + item.rect.y1) / 2
        zones[0 if middle < top else 2 if middle > bottom else 1].append(item)
    return [zone for zone in zones if zone]


def _smaller_print(items: list[Item]) -> list[Item]:
    """Return the lower part of a page that is set smaller throughout, behind a blank strip: a list with columns of its
    own."""
    ordered = sorted(items, key=lambda item: item.rect.y0)
    bottom = ordered[0].rect.y1
    for n, item in enumerate(ordered):
        if n and item.rect.y0 - bottom > 12:
            above, below = ordered[:n], ordered[n:]
            sizes = [_usual_size(above), _usual_size(below)]
            wide = [max(i.rect.x1 for i in part) - min(i.rect.x0 for i in part) for part in (above, below)]
            if len(below) >= 8 and sizes[1] and sizes[0] > sizes[1] + _SMALLER and min(wide) > 0.8 * max(wide):
                small = sum(1 for one in below if getattr(one, "size", 0) < sizes[1] + _SMALLER)
                large = sum(1 for one in above if getattr(one, "size", 0) > sizes[1] + _SMALLER)
                if small >= 0.85 * len(below) and large >= 0.85 * len(above):
                    return below
        bottom = max(bottom, item.rect.y1)
    return []


def _usual_size(items: Sequence[Item]) -> float:
    """The middle one of the type sizes of lines, 0 without lines."""
    sizes = sorted(float(size) for item in items if (size := getattr(item, "size", None)))
    return sizes[len(sizes) // 2] if sizes else 0.0


def _believed(items: list[Item], width: float, usual: Sequence[Gutter], *, whole: bool) -> list[Gutter]:
    """Gutters to try: those of this part of the page that have votes, or that are the paper's own.

    The strip between few lines is wider than the gutter: where the paper's own lies in it, that is meant.
    """
    gutters: list[Gutter] = []
    for gutter in page_gutters(items, width):
        inside = next((known for known in usual if gutter.x0 < known.middle < gutter.x1), None)
        near = any(abs(gutter.middle - known.middle) < _WITHIN + (known.x1 - known.x0) / 2 for known in usual)
        sure = near or gutter.votes >= _SIDE_BY_SIDE or (whole and _is_margin(items, gutter))
        if sure or (inside and not _sides(items, inside.middle)[2]):
            gutters.append(inside or gutter)
    return gutters


def _is_margin(items: list[Item], gutter: Gutter) -> bool:
    """Whether a gutter parts a page of text from a few lines of smaller print in its margin, and nothing crosses it."""
    left, right, across = _sides(items, gutter.middle)
    few, many = sorted((left, right), key=len)
    if across or not few or len(many) < _PAGE_OF_TEXT:
        return False
    return max(float(getattr(item, "size", math.inf)) for item in few) < _usual_size(many) - _SMALLER


def _bands(aside: list[Item], across: list[Item]) -> list[list[Item]]:
    """Return alternating bands of full-width and column content, from top to bottom."""
    marked = sorted(
        [(item.rect.y0 + item.rect.y1, True, item) for item in across]
        + [(item.rect.y0 + item.rect.y1, False, item) for item in aside],
        key=lambda row: row[0],
    )
    bands: list[tuple[bool, list[Item]]] = []
    for _, spans, item in marked:
        if not bands or bands[-1][0] != spans:
            bands.append((spans, []))
        bands[-1][1].append(item)
    return [band for _, band in bands]


def sorted_items(items: list[Item]) -> list[Item]:
    """Return items from top to bottom, and from left to right within a line."""
    rows: list[list[Item]] = []
    for item in sorted(items, key=lambda one: (one.rect.y0 + one.rect.y1, one.rect.x0)):
        last = rows[-1][-1].rect if rows else None
        if last and _overlap(last.y0, last.y1, item.rect.y0, item.rect.y1) > 0.6:
            rows[-1].append(item)
        else:
            rows.append([item])
    return [item for row in rows for item in sorted(row, key=lambda one: one.rect.x0)]


def _overlap(a0: float, a1: float, b0: float, b1: float) -> float:
    """Share of the shorter of two spans that the other covers."""
    short = min(a1 - a0, b1 - b0)
    return (min(a1, b1) - max(a0, b0)) / short if short > 0 else 0.0
