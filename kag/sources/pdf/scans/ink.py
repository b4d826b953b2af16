"""Ink on a page's picture: how dark its parts are, as bold type is, and which columns and rows of a strip hold any."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from PIL import Image

from kag.sources.pdf.scans.tesseract import Word

_DARK = 150  # of 255: what is darker is ink
_INK = 14  # of 255: the mean shade of a strip of a column from which there is ink in it


class SetLine(NamedTuple):
    """A line of words, its baseline and type size in pixels."""

    words: Sequence[Word]
    base: float
    size: float


def inked(page: Image.Image, left: int, right: int, line: SetLine, above: float, below: float) -> list[bool]:
    """Whether each column from `left` to `right` holds ink, from so many type sizes over the baseline to so many."""
    top = max(round(line.base - above * line.size), 0)
    strip = page.crop((left, top, right, max(round(line.base - below * line.size), top + 1)))
    return [255 - shade > _INK for shade in strip.resize((strip.width, 1), Image.Resampling.BOX).tobytes()]


def tallest(part: Image.Image) -> tuple[int, int]:
    """The rows, from and to, of the tallest thing on a picture: a letter of the line above may hang into it."""
    ink = part.point(lambda shade: 255 * (shade < _DARK))
    rows = [shade > 0 for shade in ink.resize((1, part.height), Image.Resampling.BOX).tobytes()]
    found = [(len(list(run)), is_inked) for is_inked, run in groupby(rows)]
    ends = [(sum(count for count, _ in found[: n + 1]), count) for n, (count, is_inked) in enumerate(found) if is_inked]
    end, count = max(ends, key=lambda one: one[1], default=(0, 0))
    return end - count, end


def darkness(png: bytes, groups: Iterable[Iterable[tuple[int, int, int, int]]]) -> list[float]:
    """For each group of boxes, in pixels, the share of their area that is ink: 0 white, 1 black."""
    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        grey = image.convert("L")
    return [_dark([grey.crop(box) for box in boxes if box[0] < box[2] and box[1] < box[3]]) for boxes in groups]


def _dark(parts: list[Image.Image]) -> float:
    area = sum(part.width * part.height for part in parts)
    ink = sum(count * (255 - shade) for part in parts for shade, count in enumerate(part.histogram()))
    return ink / 255 / area if area else 0.0
