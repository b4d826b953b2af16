"""What is handed to the page and what comes back: items to place, and blocks with the boxes they were given."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor

from PIL import Image

from .ink import Area, Ink
from .inline import Rich
from .typeset import Look

WIDTH, HEIGHT = 909, 1286


@dataclass(frozen=True, slots=True)
class TextItem:
    """Running text; `prefix` goes before its Markdown; `keep` holds it together with what follows."""

    label: str
    kind: str
    ref: str | None
    section: str | None
    text: Rich
    look: Look
    before: int = 6
    prefix: str = ""
    keep: bool = False
    merge: bool = False


@dataclass(frozen=True, slots=True)
class PictureItem:
    """Something drawn in one piece: `image` in grey, `file` the picture to save beside the page, if any.

    `ink` is what is set in it, for those that are no picture in a PDF.
    """

    label: str
    kind: str
    ref: str | None
    section: str | None
    image: Image.Image
    markdown: str
    file: Image.Image | None = None
    ink: Ink | None = None


@dataclass(frozen=True, slots=True)
class FloatItem:
    """Rows of items kept together, items of a row side by side; floats of one series keep their order."""

    series: str
    rows: tuple[tuple[TextItem | PictureItem, ...], ...]
    wide: bool


Item = TextItem | PictureItem | FloatItem


@dataclass(slots=True)
class Placed:
    """A block on a page, boxes in pixels. `refs` names what it holds: paragraph, section, float, references."""

    label: str
    kind: str
    refs: list[str]
    section: str | None
    boxes: list[Area]
    markdown: str
    fragment: int | None = None
    file: Image.Image | None = None

    def thousandths(self) -> list[list[int]]:
        """The boxes in thousandths of the page, rounded outwards."""
        return [
            [floor(x0 * 1000 / WIDTH), floor(y0 * 1000 / HEIGHT), ceil(x1 * 1000 / WIDTH), ceil(y1 * 1000 / HEIGHT)]
            for x0, y0, x1, y1 in self.boxes
        ]


@dataclass(slots=True)
class Page:
    """A drawn page and its blocks in the order OCR would list them."""

    image: Image.Image
    blocks: list[Placed] = field(default_factory=list)
    ink: Ink = field(default_factory=Ink)
