"""What is drawn on a page besides its pixels: lines of text, rules and pictures, from which a PDF is printed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from PIL import Image

from .inline import Mention
from .typeset import Line, Look

Area = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Set:
    """A line of text whose box has its top left corner at (x, y); `mentions` are the call-outs of its text."""

    line: Line
    x: float
    y: float
    look: Look
    mentions: tuple[Mention, ...] = ()


@dataclass(slots=True)
class Ink:
    """Pixels, origin top left. `rules` are the outlines of cells, `places` where what has a name begins."""

    lines: list[Set] = field(default_factory=list)
    rules: list[Area] = field(default_factory=list)
    pictures: list[tuple[Image.Image, Area]] = field(default_factory=list)
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    titles: list[tuple[int, str, float]] = field(default_factory=list)  # level, words, height

    def add(self, other: Ink, x: float, y: float) -> None:
        """Put something drawn at (x, y)."""
        self.lines += (replace(one, x=one.x + x, y=one.y + y) for one in other.lines)
        self.rules += ((a + x, b + y, c + x, d + y) for a, b, c, d in other.rules)
