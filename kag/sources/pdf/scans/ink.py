"""Ink on a page's picture: how dark its parts are, as bold type is, and where raised numbers stand.

A number is raised where a stretch of a line has ink above the small letters and none near the baseline, and touches no
letter.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from PIL import Image

from kag.sources.pdf.scans.tesseract import Pixels, Word

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


_CONFIDENCE = 90.0  # said of what was read so; it is less than that of words
_TOP, _SMALL, _LOW, _UNDER = 1.02, 0.56, 0.15, 0.06
"""Heights over the baseline in type sizes: a line's top, small letters, where all letters have ink; and how far below
the baseline that is looked for."""
_GAP, _NEAR = 0.3, 0.35  # type sizes that may part the signs of a number, and it from what it stands behind
_NARROW, _WIDE, _TALL = 0.1, 4.0, 0.36  # type sizes: how wide it is, and how tall at least: more than quotation marks
_LEAST = 8  # pixels of a type size
_MARKS, _OFF = frozenset(".,;:)"), 1.8  # signs by which a place may be wrong: letters are not all as wide
_BEHIND = re.compile(r"[.,;:)]+$")


def find_raised(page: Image.Image, line: SetLine) -> Iterator[Pixels]:
    """Return the positions of superscript numbers in a line."""
    base, size = line.base, line.size
    left = min(word.box.x0 for word in line.words)
    right = min(round(max(word.box.x1 for word in line.words) + 2 * size), page.width)
    top = max(round(base - _TOP * size), 0)
    if right - left < 2 or size < _LEAST or top >= base:
        return
    upper = inked(page, left, right, line, _TOP, _LOW)
    small = inked(page, left, right, line, _TOP, _SMALL)
    low = inked(page, left, right, line, _LOW, -_UNDER)
    for a, b in _runs(upper, low, round(_GAP * size)):
        behind = any(upper[x] or low[x] for x in range(max(a - round(_NEAR * size), 0), a))
        if behind and _NARROW * size < b - a < _WIDE * size and any(small[a:b]):
            box = Pixels(left + a, top, left + b, round(base + _UNDER * size))
            rows = tallest(page.crop(box))
            if rows[1] - rows[0] > _TALL * size:
                yield box._replace(y0=top + rows[0], y1=top + rows[1])


def _runs(upper: Sequence[bool], low: Sequence[bool], gap: int) -> Iterator[tuple[int, int]]:
    """Columns, from and to, of signs that have ink above and none below; blanks may part them, up to `gap`."""
    start = end = -1
    at = 0
    for dark, columns in groupby(above or below for above, below in zip(upper, low, strict=True)):
        first, at = at, at + len(list(columns))
        if not dark:
            continue
        high = not any(low[first:at])
        if start >= 0 and (not high or first - end > gap):
            yield start, end
            start = -1
        if high:
            start, end = (first if start < 0 else start), at
    if start >= 0:
        yield start, end


def put_raised(words: Sequence[Word], text: str, box: Pixels) -> list[Word]:
    """The words of a line with a number in its place, without what was read there before.

    A word that goes on behind the number stays as it is, and so does the line.
    """
    found: list[Word] = []
    for word in words:
        shared = min(word.box.x1, box.x1) - max(word.box.x0, box.x0)
        if shared <= 0:
            found.append(word)
        elif shared < 0.7 * (word.box.x1 - word.box.x0):
            pieces = _cut(word, box)
            if not pieces:
                return list(words)
            found += pieces
    place = next((n for n, word in enumerate(found) if word.box.x0 >= box.x0), len(found))
    near = (found or words)[min(place, len(found or words) - 1)]
    number = near._replace(text=text, box=box, confidence=_CONFIDENCE)
    return [*found[:place], number, *found[place:]]


def _cut(word: Word, box: Pixels) -> list[Word]:
    """Return a word without the superscript behind its letters, and the mark behind it."""
    text, behind = word.text, None
    if word.box.x1 > box.x1 + (box.y1 - box.y0) // 3:
        mark = _BEHIND.search(text)
        if mark is None:
            return []
        text, behind = text[: mark.start()], word._replace(text=mark[0], box=word.box._replace(x0=box.x1))
    if box.x0 <= word.box.x0:
        return [behind] if behind else []
    cut = word._replace(text=text[: _place(text, word, box)], box=word.box._replace(x1=box.x0))
    return [cut, behind] if behind else [cut]


def _place(text: str, word: Word, box: Pixels) -> int:
    """Return the number of characters of a text before a number, estimated from its position."""
    about = len(word.text) * (box.x0 - word.box.x0) / (word.box.x1 - word.box.x0)
    near = [n for n in range(1, len(text) + 1) if abs(n - about) < _OFF]
    for fits in (_MARKS.__contains__, str.isalpha, str.isdigit):
        fitting = [n for n in near if fits(text[n - 1]) and not any(map(str.isalpha, text[n:]))]
        if fitting:
            return max(fitting)
    return min(round(about), len(text))
