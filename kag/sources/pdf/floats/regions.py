"""`find_regions`: the figures, tables and listings of a page with their captions, before its text is put in order.

Algorithms and programs are the lines between the rules below or above a caption, or those in a typewriter face.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

from kag.core.types import Table
from kag.sources.pdf.file.content import PageContent, Rect, around, beside, holds_middle, meet, stacked
from kag.sources.pdf.floats.captions import Caption, find_captions
from kag.sources.pdf.floats.cells import cells_of
from kag.sources.pdf.floats.figures import Figure, find_figures
from kag.sources.pdf.floats.layout import Layout, layout_of
from kag.sources.pdf.floats.tables import Found, find_tables, find_unnamed
from kag.sources.pdf.text.columns import Gutter
from kag.sources.pdf.text.compose import words_within
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.typography import Type


@dataclass(frozen=True, slots=True)
class Region:
    """A figure or a table.

    `rect` is the picture or the grid without the caption, in points; it has no area where the page shows the caption
    alone (the picture is on another page, or left out). `inside` are the lines that belong to it: labels of a plot,
    cells. `caption` is () where none was found. Lines of `inside`, `caption` and `notes` are no part of the text.
    """

    kind: Literal["figure", "table", "algorithm"]
    rect: Rect
    inside: tuple[Line, ...]
    caption: tuple[Line, ...]
    table: Table | None = None
    notes: tuple[Line, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether there is a picture or a grid."""
        return self.rect.width > 0 and self.rect.height > 0


def find_regions(page: PageContent, lines: Sequence[Line], body: Type, gutters: Sequence[Gutter]) -> list[Region]:
    """The page's regions from top to bottom; `lines` are without running heads, `gutters` those of the paper."""
    if not lines:
        return []
    layout = layout_of(page, lines, body, gutters)
    captions = find_captions(lines, body, gutters, layout.rules)
    regions = _tables([c for c in captions if c.kind == "table"], captions, layout)
    listings = {c: made for c in captions if is_listing(c) and (made := find_listing(c, layout))}
    regions += (Region("algorithm", made.rect, made.inside, c.lines) for c, made in listings.items())
    others = [r for region in regions for r in _rects(region)]
    regions += _figures([c for c in captions if c.kind == "figure" and c not in listings], others, layout, regions)
    taken = [*(r for region in regions for r in _rects(region)), *(c.rect for c in captions)]
    regions += (_table(made, (), layout, frozenset()) for made in find_unnamed(taken, layout))
    return sorted(regions, key=lambda region: (region.rect.y0, region.rect.x0))


def _tables(captions: Sequence[Caption], all_captions: Sequence[Caption], layout: Layout) -> list[Region]:
    regions = [_alone(caption) for caption in captions if caption.box]
    named = [caption for caption in captions if not caption.box]
    known = words_within(layout.lines) if named else frozenset()
    for caption, made in zip(named, find_tables(named, [c.rect for c in all_captions], layout), strict=True):
        if made is None:
            regions.append(_alone(caption))
            continue
        regions.append(_table(made, caption.lines, layout, known))
    return regions


def _table(made: Found, caption: tuple[Line, ...], layout: Layout, known: Set[str]) -> Region:
    bars = [bar for bar in layout.bars if holds_middle(made.rect, bar)]
    table = cells_of(made.inside, made.rect, made.rules, bars, known)
    return Region("table", made.rect, made.inside, caption, table, made.notes)


def _figures(
    captions: Sequence[Caption], others: Sequence[Rect], layout: Layout, tables: Sequence[Region]
) -> list[Region]:
    regions: list[Region] = []
    used = {id(line) for region in tables for line in (*region.inside, *region.caption, *region.notes)}
    used |= {id(line) for caption in captions for line in caption.lines}
    for caption, figure in find_figures(captions, others, layout):
        if figure is None and caption is not None:
            regions.append(_alone(caption))
        elif figure is not None:
            inside = tuple(line for line in figure.inside if id(line) not in used)
            used |= {id(line) for line in inside}
            regions.append(Region("figure", figure.rect, inside, caption.lines if caption else ()))
    return regions


def _alone(caption: Caption) -> Region:
    """A caption whose float the page does not show."""
    at = caption.rect
    edge = at.y0 if caption.kind == "figure" else at.y1
    return Region(caption.kind, Rect(at.x0, edge, at.x0, edge), (), caption.lines)


def _rects(region: Region) -> list[Rect]:
    """Return the rectangles of a region: itself, its caption and its notes."""
    own = [region.rect] if region.shown else []
    return [*own, *(line.rect for line in (*region.caption, *region.notes))]


_LABEL = re.compile(r"(?:algorithm|algoritmo|algorithmus|listing|pseudocode)\b", re.I)
_NEAR = 20.0  # points between a caption and the rule or line with which its listing begins
_WIDE = 0.8  # of the column: how wide its rules are
_STEP = 2.2  # type sizes between the baselines of two lines of a program


def is_listing(caption: Caption) -> bool:
    """Whether a caption names an algorithm or a program."""
    return bool(_LABEL.match(caption.label))


def find_listing(caption: Caption, layout: Layout) -> Figure | None:
    """The listing of a caption, None where neither rules nor a typewriter face show one."""
    x0, x1 = layout.span(caption.rect)
    wide = [r for r in layout.rules if stacked(r, Rect(x0, 0, x1, 1)) > _WIDE * (x1 - x0)]
    others = [line for line in layout.lines if line not in caption.lines and x0 - 4 < line.rect.x0 < x1]
    below = [r for r in wide if r.y0 > caption.rect.y1 - 3]
    above = [r for r in reversed(wide) if r.y1 < caption.rect.y0 + 3]
    for rules in (below, above):
        if len(rules) > 1 and -beside(rules[0], caption.rect) < _NEAR:
            top, foot = sorted((rules[0].y1, rules[1].y1))
            inside = [line for line in others if top - 1 < (line.rect.y0 + line.rect.y1) / 2 < foot + 1]
            found = Rect(rules[0].x0, top, rules[0].x1, foot)
            if inside and not any(meet(found, text) for text in layout.prose):
                return Figure(found, tuple(inside))
    program = _program(caption, others)
    return Figure(around(line.rect for line in program), tuple(program)) if program else None


def _program(caption: Caption, lines: Sequence[Line]) -> list[Line]:
    """The lines in a typewriter face that follow on a caption."""
    found: list[Line] = []
    base = caption.lines[-1].base
    for line in sorted(lines, key=lambda line: line.base):
        if line.base <= caption.lines[-1].base:
            continue
        if not line.font.mono or line.base - base > max(_STEP * line.size, 0 if found else _NEAR):
            break
        found.append(line)
        base = line.base
    return found
