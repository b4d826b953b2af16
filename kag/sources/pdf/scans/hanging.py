"""Where numbers hang before lines on the picture of a page: those of entries, in a narrow column of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from PIL import Image

from kag.sources.pdf.scans.ink import SetLine, inked, tallest
from kag.sources.pdf.scans.tesseract import Pixels, Word

_CONFIDENCE = 90.0
_REACH = 3.2  # type sizes before a line in which its number begins
_TOP, _UNDER = 0.8, 0.12  # type sizes over and under the baseline that a number fills at most
_GAP = 0.4  # type sizes: between the signs of a number at most, before it at least
_WIDE, _TALL = 2.2, 0.4  # type sizes: how wide a number is at most, how tall at least
_LEAST = 8  # pixels of a type size
_READ = re.compile(r"\[?([1-9]\d{0,2})[\].]{0,2}")
_SKIPPED = 3  # numbers in a row that may be lost


def find_hanging(page: Image.Image, line: SetLine, words: Sequence[Word]) -> Pixels | None:
    """Where something stands before a line that none of the page's `words` covers and that is as wide as a number."""
    base, size = line.base, line.size
    right = min(word.box.x0 for word in line.words) - 1
    left = max(round(right - _REACH * size), 0)
    top, bottom = max(round(base - _TOP * size), 0), round(base + _UNDER * size)
    if size < _LEAST or right - left < size or top >= base:
        return None
    if any(w.box.x0 < right and w.box.x1 > left and w.box.y0 < bottom and w.box.y1 > top for w in words):
        return None
    ink = [x for x, dark in enumerate(inked(page, left, right, line, _TOP, 0.0)) if dark]
    cuts = [x for x, after in pairwise(ink) if after - x > _GAP * size]
    if not ink or cuts or ink[0] < _GAP * size or ink[-1] - ink[0] > _WIDE * size:
        return None
    box = Pixels(left + ink[0], top, left + ink[-1] + 1, bottom)
    rows = tallest(page.crop(box))
    tall = rows[1] - rows[0] > _TALL * size
    return box._replace(y0=top + rows[0], y1=top + rows[1]) if tall else None


def counting(lines: Sequence[SetLine], found: Mapping[int, int]) -> list[int]:
    """The lines whose number, by `found`, goes on counting from that of the line with a number before, or behind."""
    known = dict(found)
    for n, line in enumerate(lines):
        read = _READ.fullmatch(line.words[0].text)
        if read and n not in known:
            known[n] = int(read[1])
    fitting: set[int] = set()
    for one, two in pairwise(sorted(known)):
        if 0 < known[two] - known[one] <= _SKIPPED:
            fitting |= {one, two}
    return sorted(fitting & found.keys())


def put_before(words: Sequence[Word], number: int, box: Pixels) -> list[Word]:
    """The words of a line with the number of an entry before them."""
    return [words[0]._replace(text=f"{number}.", box=box, confidence=_CONFIDENCE), *words]
