"""What a PDF's page holds: words as set, pictures and lines as drawn, and nothing interpreted yet.

All coordinates are points (1/72 inch) from the top left corner of the page as a reader sees it. Each word is a run of
characters of one font on one baseline without a blank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

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
