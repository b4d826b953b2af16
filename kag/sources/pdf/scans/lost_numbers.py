"""Numbers on a page's picture that tesseract takes for specks: raised ones, and those that hang before entries.

They are found by where they stand, put on one sheet below each other, enlarged, and read again.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from PIL import Image

from kag.sources.pdf.scans.ink import SetLine, find_raised, inked, put_raised, tallest
from kag.sources.pdf.scans.tesseract import Pixels, Reading, Word

_CONFIDENCE = 90.0
_REACH = 3.2  # type sizes before a line in which its number begins
_TOP, _UNDER = 0.8, 0.12  # type sizes over and under the baseline that a number fills at most
_GAP = 0.4  # type sizes: between the signs of a number at most, before it at least
_WIDE, _TALL = 2.2, 0.4  # type sizes: how wide a number is at most, how tall at least
_LEAST = 8  # pixels of a type size
_READ = re.compile(r"\[?([1-9]\d{0,2})[\].]{0,2}")
_SKIPPED = 3  # numbers in a row that may be lost


def find_hanging(page: Image.Image, line: SetLine, words: Sequence[Word]) -> Pixels | None:
    """Return the ink before lines that none of the page's `words` covers and that is as wide as a number."""
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


_QUOTES = "”’\"'"  # may stand before a raised number
ONLY = "0123456789,.-–[]" + _QUOTES  # what is on a sheet
_NUMBER = re.compile(r"\[?[1-9]\d{0,2}(?:[,–-]{1,2}[1-9]\d{0,2})*[\],]?")
_ENTRY = re.compile(r"\[?([1-9]\d{0,2})[\].]{0,2}")
_HIGH, _STEP, _MARGIN = 40, 90, 40  # pixels of the sheet: of a number, of its line, around
_EDGE = 2  # pixels beside a number that are shown with it
_MOST = 300  # numbers of a page


def with_numbers(png: bytes, lines: Sequence[SetLine], ask: Callable[[bytes], Reading]) -> list[list[Word]]:
    """The words of each line with the numbers that were lost, without what was read in their places.

    `ask` reads a sheet of numbers; it is not asked where there are none.
    """
    with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
        page = picture.convert("L")
    words = [word for line in lines for word in line.words]
    hanging = [(n, box) for n, line in enumerate(lines) if (box := find_hanging(page, line, words))][:_MOST]
    raised = [(n, box) for n, line in enumerate(lines) for box in find_raised(page, line)][:_MOST]
    parts = [page.crop((box.x0 - _EDGE, box.y0, box.x1 + _EDGE, box.y1)) for _, box in (*hanging, *raised)]
    read = _read(parts, ask) if parts else []
    mended = [list(line.words) for line in lines]
    for (n, box), text in zip(raised, read[len(hanging) :], strict=True):
        if number := _number(text.lstrip(_QUOTES).replace(".", ","), (box.x1 - box.x0) / (box.y1 - box.y0)):
            mended[n] = put_raised(mended[n], number, box)
    entries = {
        n: (int(match[1]), box)
        for (n, box), text in zip(hanging, read, strict=False)
        if (match := _ENTRY.fullmatch(text))
    }
    for n in counting(lines, {n: number for n, (number, _) in entries.items()}):
        mended[n] = put_before(mended[n], *entries[n])
    return mended


def _read(parts: Sequence[Image.Image], ask: Callable[[bytes], Reading]) -> list[str]:
    """Read some pictures, stacked on a sheet; "" for an empty one."""
    wide = [round(part.width * _HIGH / part.height) for part in parts]
    sheet = Image.new("L", (max(wide) + 2 * _MARGIN, len(parts) * _STEP + _MARGIN), 255)
    for n, part in enumerate(parts):
        sheet.paste(part.resize((max(wide[n], 1), _HIGH), Image.Resampling.BICUBIC), (_MARGIN, n * _STEP + _MARGIN))
    stream = io.BytesIO()
    sheet.save(stream, "PNG")
    rows: dict[int, list[Word]] = {}
    for word in ask(stream.getvalue()).words:
        rows.setdefault(((word.box.y0 + word.box.y1) // 2 - _MARGIN // 2) // _STEP, []).append(word)
    return ["".join(word.text for word in sorted(rows.get(n, ()), key=_left)) for n in range(len(parts))]


def _left(word: Word) -> int:
    return word.box.x0


def _number(text: str, shape: float) -> str:
    """A raised number as it was read, "" where it is none; `shape` is its width in heights.

    A bracket may be read as 1, or not at all.

    >>> _number("119]", 1.7), _number("119]", 2.2), _number("4,6", 1.5), _number("]-", 1.0)
    ('[19]', '[119]', '4,6', '')
    """
    if text.strip("[]") and text.startswith("[") != text.endswith("]"):
        bare = text.strip("[]")
        likely = {bare, bare[1:] if text[0] == "1" else bare, bare[:-1] if text[-1] == "1" else bare} - {""}
        text = min((f"[{one}]" for one in sorted(likely)), key=lambda one: abs(_wide(one) - shape))
    return text if _NUMBER.fullmatch(text) else ""


def _wide(text: str) -> float:
    """Return the width of a number in brackets, in heights of it."""
    return sum(0.55 if char.isdigit() else 0.3 for char in text) - 0.1
