"""The figures of a page as a model's reply places them, to be cut from the page's picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kag.core.types import Box
from kag.sources.labels import PICTURES
from kag.sources.ocr.tags import split_page

MAX_CUTS = 99  # of a page
_PLACED = re.compile(r"!\[[^\[\]\n]*\]\([^()\s]*?page_(\d{1,5})_(\d{1,5})_(\d{1,5})_(\d{1,5})\.(?:png|jpe?g)\)")


@dataclass(frozen=True, slots=True)
class Cut:
    """A figure: its place among the page's pictures, from 1, and its boxes."""

    page: int
    place: int
    boxes: tuple[Box, ...]

    @property
    def name(self) -> str:
        """The file's name, as OCR folders have it."""
        return f"fig_page{self.page:03d}_{self.place:02d}.png"

    @property
    def whole(self) -> Box:
        """What holds all its boxes."""
        return Box(
            min(box.x0 for box in self.boxes),
            min(box.y0 for box in self.boxes),
            max(box.x1 for box in self.boxes),
            max(box.y1 for box in self.boxes),
        )


def cuts_of(text: str, page: int, size: tuple[int, int]) -> tuple[Cut, ...]:
    """The figures of a page that have a box, from its tags, or from `![](page_left_top_width_height.png)` in pixels.

    `size` is that of the picture the model saw.
    """
    segments, _ = split_page(text, page)
    boxed = [segment.boxes for segment in segments if segment.label in PICTURES]
    found: Sequence[tuple[Box, ...]] = boxed or list(_placed(text, size))
    return tuple(Cut(page, place, boxes) for place, boxes in enumerate(found[:MAX_CUTS], start=1) if boxes)


def _placed(text: str, size: tuple[int, int]) -> Iterator[tuple[Box, ...]]:
    width, height = size
    for match in _PLACED.finditer(text):
        left, top, wide, high = map(int, match.groups())
        if left < width and top < height and wide and high:
            right, bottom = min(left + wide, width), min(top + high, height)
            yield (Box(left * 1000 // width, top * 1000 // height, right * 1000 // width, bottom * 1000 // height),)
        else:
            yield ()
