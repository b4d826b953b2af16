"""`find_regions`: the figures and tables of a page with their captions, before its text is put in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kag.sources.pdf.captions import find_captions
from kag.sources.pdf.columns import Gutter
from kag.sources.pdf.content import PageContent, Rect
from kag.sources.pdf.headings import Type
from kag.sources.pdf.lines import Line
from kag.values.types import Table

_THIN = 2.5  # points: what is drawn thinner is a rule


@dataclass(frozen=True, slots=True)
class Region:
    """A figure or a table.

    `rect` is the picture or the grid without the caption, in points; it has no area where the page shows the caption
    alone (the picture is on another page, or left out). `inside` are the lines that belong to it: labels of a plot,
    cells. `caption` is () where none was found. Lines of `inside`, `caption` and `notes` are no part of the text's flow.
    """

    kind: Literal["figure", "table"]
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
    rules = [Rect(*made[1:]) for made in page.drawn if made.y1 - made.y0 < _THIN and made.x1 - made.x0 > 20]
    found = []
    for caption in find_captions(lines, body, gutters, rules):
        at = caption.rect
        edge = at.y0 if caption.kind == "figure" else at.y1
        found.append(Region(caption.kind, Rect(at.x0, edge, at.x0, edge), (), caption.lines))
    return found
