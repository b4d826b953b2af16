"""Strips of a page's picture: which of their columns and rows hold ink."""

from __future__ import annotations

from collections.abc import Sequence
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
