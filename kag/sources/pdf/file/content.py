"""The content of a PDF page: words as set, pictures and lines as drawn, not interpreted yet.

All coordinates are points (1/72 inch) from the top left corner of the page as a reader sees it; `View` leads there from
the file's own. Each word is a run of characters of one font on one baseline without a blank.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import pypdfium2 as pdfium

from kag.sources.pdf.file.drawing import Drawn


class Rect(NamedTuple):
    """A rectangle in points, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


class Font(NamedTuple):
    """A typeface as the file names it."""

    name: str
    bold: bool
    italic: bool
    mono: bool


Character = tuple[str, float, float, float, float, float]
"""A character, x0, y0, x1 and y1 of its box, and its baseline."""


class Word(NamedTuple):
    """Characters of one font on one baseline; `spaced`: a blank is before it.

    `edges` are the characters' left edges; () where the word was told to be under no link, which alone asks for them.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    font: Font
    spaced: bool
    edges: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page: size in points, words in the file's own order, what is drawn.

    `turned` are words that do not run from left to right; `unmapped` the share of characters that the file gives
    no meaning for; `concealed` are words that no reader sees; `quarter` by how many right angles the page was turned
    so that its text is upright; `glyphs` how many characters there are, of which `MAX_GLYPHS` are read.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    turned: tuple[Word, ...]
    drawn: tuple[Drawn, ...]
    unmapped: float = 0.0
    quarter: int = 0
    glyphs: int = 0
    concealed: tuple[Word, ...] = ()

    @property
    def sheet(self) -> tuple[float, float]:
        """Width and height of the page as the file shows it."""
        return (self.height, self.width) if self.quarter else (self.width, self.height)

    def on_sheet(self, rect: Rect) -> Rect:
        """A rectangle of the page's text on the page as the file shows it."""
        if self.quarter == 1:
            return Rect(rect.y0, self.width - rect.x1, rect.y1, self.width - rect.x0)
        if self.quarter == 3:
            return Rect(self.height - rect.y1, rect.x0, self.height - rect.y0, rect.x1)
        return rect


@dataclass(frozen=True, slots=True)
class View:
    """A page of `width` and `height` points: across is `sx * x + x0`, down is `sy * y + y0`.

    On a page that lies on its side x and y of the file change places first.
    """

    sideways: bool
    sx: int
    x0: float
    sy: int
    y0: float
    width: float
    height: float

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        """Return the visible position of a point of the file."""
        if self.sideways:
            x, y = y, x
        return self.sx * x + self.x0, self.sy * y + self.y0

    def turned(self, quarter: int) -> View:
        """The page with the head turned to text that runs upwards (1) or downwards (3)."""
        wide, high = self.width, self.height
        if quarter == 1:
            return View(not self.sideways, -self.sy, high - self.y0, self.sx, self.x0, high, wide)
        return View(not self.sideways, self.sy, self.y0, -self.sx, wide - self.x0, high, wide)


def view_of(page: pdfium.PdfPage) -> View:
    """Return the view of an open page: the visible part of its crop box, rotated."""
    left, bottom, right, top = page.get_bbox()
    wide, high = right - left, top - bottom
    match page.get_rotation() % 360:
        case 90:
            return View(True, 1, -bottom, 1, -left, high, wide)
        case 180:
            return View(False, -1, right, 1, -bottom, wide, high)
        case 270:
            return View(True, -1, top, -1, right, high, wide)
        case _:
            return View(False, 1, -left, -1, top, wide, high)


def around(rects: Iterable[tuple[float, float, float, float]]) -> Rect:
    """The smallest rectangle that holds them all; there is at least one."""
    x0s, y0s, x1s, y1s = zip(*rects, strict=True)
    return Rect(min(x0s), min(y0s), max(x1s), max(y1s))


def shared(a0: float, a1: float, b0: float, b1: float) -> float:
    """The length that two spans share; below zero the gap between them."""
    return min(a1, b1) - max(a0, b0)


def beside(rect: Rect, other: Rect) -> float:
    """The height that two rectangles share."""
    return shared(rect.y0, rect.y1, other.y0, other.y1)


def stacked(rect: Rect, other: Rect) -> float:
    """The width that two rectangles share."""
    return shared(rect.x0, rect.x1, other.x0, other.x1)


def meet(rect: Rect, other: Rect) -> bool:
    """Whether two rectangles share an area."""
    return stacked(rect, other) > 0 and beside(rect, other) > 0


def holds(outer: Rect, inner: Rect, slack: float = 0.0) -> bool:
    """Whether one rectangle contains another, except for `slack` points on each side."""
    return (
        inner.x0 >= outer.x0 - slack
        and inner.x1 <= outer.x1 + slack
        and inner.y0 >= outer.y0 - slack
        and inner.y1 <= outer.y1 + slack
    )


def holds_middle(outer: Rect, inner: Rect) -> bool:
    """Whether one rectangle contains the middle of another."""
    return outer.x0 <= (inner.x0 + inner.x1) / 2 <= outer.x1 and outer.y0 <= (inner.y0 + inner.y1) / 2 <= outer.y1


def grown(rect: Rect, by: float) -> Rect:
    """The rectangle with `by` points more on each side."""
    return Rect(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by)


def area(rect: Rect) -> float:
    """Square points."""
    return max(rect.width, 0.0) * max(rect.height, 0.0)
