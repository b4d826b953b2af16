"""Figures: from a caption, what is drawn on its side of the page, as far as the next text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kag.sources.pdf.file.content import Rect, area, around, beside, grown, holds, holds_middle, meet, shared, stacked
from kag.sources.pdf.floats.captions import Caption
from kag.sources.pdf.floats.layout import Layout
from kag.sources.pdf.text.lines import Line

_LEAST = 24.0  # points that a figure measures each way
_FAR = 90.0  # points from a caption in which its figure begins
_APART = 46.0  # points between panels of one figure
_LABEL = 2.0  # type sizes from the art in which a label stands
_LONG = 90  # letters that no label outside of the art has
_MOST_ART = 4000  # pieces that are looked at one by one; of more the rest is joined to them as it comes
_LONE = 0.06  # of the page: how large a picture without a caption is at least


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure's rectangle and the lines in it."""

    rect: Rect
    inside: tuple[Line, ...]


def find_figures(
    captions: Sequence[Caption], others: Sequence[Rect], layout: Layout
) -> list[tuple[Caption | None, Figure | None]]:
    """A figure for each caption, None where the page shows none; then pictures that have no caption.

    `others` are rectangles that belong to no figure: tables, and captions of these.
    """
    rects = [caption.rect for caption in captions]
    seeing = _Seeing(layout, [*others, *rects], rects)
    above = [seeing.vertical(rect, up=True) for rect in rects]
    below = [seeing.vertical(rect, up=False) for rect in rects]
    # Some journals set the caption over the figure, all of them.
    first, second = (below, above) if sum(map(bool, below)) > sum(map(bool, above)) else (above, below)
    found: list[tuple[Caption | None, Figure | None]] = []
    taken: list[Rect] = []
    for n, caption in enumerate(captions):
        figure = next(
            (f for f in (first[n], seeing.aside(rects[n]), second[n]) if f and not any(meet(f.rect, t) for t in taken)),
            None,
        )
        if figure:
            taken.append(figure.rect)
        found.append((caption, figure))
    lone = [(None, figure) for figure in seeing.lone([*taken, *others])]
    return [*found, *lone]


class _Seeing:
    """Looks at a page's art from its captions; `barriers` end a figure as running text does."""

    def __init__(self, layout: Layout, barriers: Sequence[Rect], captions: Sequence[Rect]) -> None:
        self.layout = layout
        self.barriers, self.captions = barriers, captions
        own = [r for r in layout.drawn if not self._is_ground(r)]
        self.art = own if len(own) <= _MOST_ART else _thinned(own)
        frames = [r for r in self.art if r.height > _LEAST and r.width > _LEAST]
        self.text = [t for t in layout.text if t in layout.prose or not any(holds(f, t, 3) for f in frames)]

    def _is_ground(self, rect: Rect) -> bool:
        """Whether something drawn is the ground of text: a page's scan, or a box behind columns."""
        if area(rect) < 0.3 * self.layout.width * self.layout.height:
            return False
        return sum(area(t) for t in self.layout.text if holds(rect, t, 3)) > 0.25 * area(rect)

    def vertical(self, caption: Rect, *, up: bool) -> Figure | None:
        """The figure over a caption, or under it."""
        x0, x1 = self._own_span(caption)
        figure = self._between(caption, x0, x1, up=up)
        across = self._across(figure.rect, x0, x1) if figure else None
        if across:
            return self._between(caption, min(across.x0, x0), max(across.x1, x1), up=up) or figure
        return figure

    def _own_span(self, caption: Rect) -> tuple[float, float]:
        """The caption's columns; of two captions side by side in one, each has its half."""
        x0, x1 = self.layout.span(caption)
        for other in self.captions:
            if beside(other, caption) > 1 and stacked(other, caption) <= 0 and shared(other.x0, other.x1, x0, x1) > 0:
                if other.x0 >= caption.x1:
                    x1 = min(x1, (caption.x1 + other.x0) / 2)
                else:
                    x0 = max(x0, (other.x1 + caption.x0) / 2)
        return x0, x1

    def _across(self, rect: Rect, x0: float, x1: float) -> Rect | None:
        """Return the figure's drawing beyond its column, and the column next to it down to its first text."""
        over = [
            r
            for r in self.art
            if beside(r, rect) > 0.5 * min(r.height, rect.height) - 0.1
            and shared(r.x0, r.x1, x0, x1) > min(12, 0.2 * r.width)
            and (r.x0 < x0 - 12 or r.x1 > x1 + 12)
        ]  # fmt: skip
        if not over or any(meet(around(over), t) for t in self.text):
            return None
        left, right = self.layout.columns[0][0], self.layout.columns[-1][1]
        whole = Rect(min(left, x0), rect.y0, max(right, x1), rect.y1)
        others = [c for c in self.layout.columns if shared(c[0], c[1], x0, x1) <= 0]
        into = any(shared(c[0], c[1], r.x0, r.x1) > 12 for c in others for r in over)
        free = into and not any(meet(whole, t) for t in self.text)
        return around([*over, *([whole] if free else [])])

    def _between(self, caption: Rect, x0: float, x1: float, *, up: bool) -> Figure | None:
        """The art between a caption and the next barrier on its side, in a span of the page."""
        zone = self._zone(caption, x0, x1, up=up)
        if zone.height < _LEAST:
            return None
        inside = [r for r in self.art if self._belongs(r, zone)]
        inside = [r for r in inside if beside(r, caption) < 0.5 * caption.height or stacked(r, caption) > 0]
        lines = [
            line
            for line in self.layout.lines
            if holds_middle(zone, line.rect) and stacked(zone, line.rect) > line.rect.width - 3
        ]
        inside.sort(key=(lambda r: -r.y1) if up else (lambda r: r.y0))
        edge = caption.y0 if up else caption.y1
        chosen = _run(inside, lines, edge, up=up)
        if not chosen:
            return None
        rect = around(chosen)
        rect = Rect(rect.x0, max(rect.y0, zone.y0), rect.x1, min(rect.y1, zone.y1))
        return self._figure(rect, lines, zone)

    def _zone(self, caption: Rect, x0: float, x1: float, *, up: bool) -> Rect:
        """The strip from a caption's edge to the next text, caption or running head."""
        in_way = [*self.text, *self.barriers]
        if up:
            ends = [r.y1 for r in in_way if shared(r.x0, r.x1, x0, x1) > 4 and r.y0 < caption.y0 - 1 and r != caption]
            return Rect(x0 - 8, max([0.0, *(y for y in ends if y <= caption.y0 + 4)]), x1 + 8, caption.y0 + 1)
        ends = [r.y0 for r in in_way if shared(r.x0, r.x1, x0, x1) > 4 and r.y1 > caption.y1 + 1 and r != caption]
        return Rect(
            x0 - 8, caption.y1 - 1, x1 + 8, min([self.layout.height, *(y for y in ends if y >= caption.y1 - 4)])
        )

    def _belongs(self, rect: Rect, zone: Rect) -> bool:
        """Whether a drawing belongs to a zone: its middle's height, and at least a quarter of its width."""
        within = zone.y0 <= (rect.y0 + rect.y1) / 2 <= zone.y1
        return within and stacked(rect, zone) >= 0.25 * rect.width

    def _figure(self, rect: Rect, lines: Sequence[Line], zone: Rect | None = None) -> Figure | None:
        """The art with the labels around it; None where it is too small to be a picture."""
        if rect.width < _LEAST or rect.height < _LEAST or area(rect) < 1500:
            return None
        art = rect
        own: list[Line] = []
        waiting = list(lines)
        turned = [r for r in self.layout.turned if zone is None or holds(zone, r, 2)]
        while True:
            near = [line for line in waiting if meet(grown(rect, _LABEL * min(line.size, 10.0)), line.rect)]
            near = [line for line in near if len(line.text) < _LONG or holds_middle(art, line.rect)]
            aslant = [r for r in turned if meet(grown(rect, 12), r)]
            if not near and not aslant:
                break
            own += near
            waiting = [line for line in waiting if line not in near]
            turned = [r for r in turned if r not in aslant]
            rect = around([rect, *(line.rect for line in near), *aslant])
        return Figure(rect, tuple(own))

    def aside(self, caption: Rect) -> Figure | None:
        """The figure left or right of a caption."""
        for left in (True, False):
            near = [
                r
                for r in self.art
                if beside(r, caption) > 0.5 * min(r.height, caption.height) and area(r) > 100
                and (r.x1 <= caption.x0 + 2 if left else r.x0 >= caption.x1 - 2)
            ]  # fmt: skip
            in_way = [t for t in self.text if beside(t, caption) > 4]
            near = [r for r in near if not any(_lies_between(t, r, caption) for t in in_way)]
            if not near:
                continue
            rect = around(near)
            for _ in range(3):
                more = [r for r in self.art if meet(grown(rect, 8), grown(r, 0.1)) and stacked(r, caption) <= 2]
                rect = around([rect, *more])
            if rect.height < caption.height * 0.6 or any(meet(rect, t) for t in self.text):
                continue
            figure = self._figure(rect, [x for x in self.layout.lines if holds_middle(rect, x.rect)])
            if figure:
                return figure
        return None

    def lone(self, taken: Sequence[Rect]) -> list[Figure]:
        """Large pictures that no caption names."""
        figures: list[Figure] = []
        least = _LONE * self.layout.width * self.layout.height
        for rect in self.layout.pictures:
            free = not any(
                meet(rect, t) for t in [*taken, *(f.rect for f in figures), *self.layout.text, *self.barriers]
            )
            if free and area(rect) > least and min(rect.width, rect.height) > 90 and self._is_picture(rect):
                figure = self._figure(rect, [x for x in self.layout.lines if holds_middle(rect, x.rect)])
                if figure:
                    figures.append(figure)
        return figures

    def _is_picture(self, rect: Rect) -> bool:
        """Whether a rectangle is a picture, and not a shaded text box."""
        letters = sum(len(line.text) for line in self.layout.lines if holds_middle(rect, line.rect))
        return letters < 200


def _lies_between(text: Rect, art: Rect, caption: Rect) -> bool:
    return shared(text.x0, text.x1, min(art.x1, caption.x1), max(art.x0, caption.x0)) > 0


def _run(art: Sequence[Rect], lines: Sequence[Line], edge: float, *, up: bool) -> list[Rect]:
    """Return the pieces from the caption on, while the next one is near, or a label is between."""
    chosen: list[Rect] = []
    reach = edge
    labels = sorted((line.rect for line in lines), key=(lambda r: -r.y1) if up else (lambda r: r.y0))
    at = 0
    for piece in art:
        far = _APART if chosen else _FAR
        while at < len(labels) and _gap(labels[at], reach, up=up) < 24:
            reach = min(reach, labels[at].y0) if up else max(reach, labels[at].y1)
            at += 1
        if _gap(piece, reach, up=up) > far:
            break
        chosen.append(piece)
        reach = min(reach, piece.y0) if up else max(reach, piece.y1)
    return chosen


def _gap(rect: Rect, reach: float, *, up: bool) -> float:
    return reach - rect.y1 if up else rect.y0 - reach


def _thinned(rects: Sequence[Rect]) -> list[Rect]:
    """Many small pieces as fewer: those of one square of 12 points are one."""
    cells: dict[tuple[int, int], Rect] = {}
    large: list[Rect] = []
    for r in rects:
        if r.width > 24 or r.height > 24:
            large.append(r)
            continue
        key = int(r.x0 // 12), int(r.y0 // 12)
        cells[key] = around([cells[key], r]) if key in cells else r
    return [*large[:_MOST_ART], *cells.values()]
