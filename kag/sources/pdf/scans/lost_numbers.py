"""Numbers on a page's picture that tesseract takes for specks: raised ones, and those that hang before entries.

They are found by where they stand (`raised`, `hanging`), put on one sheet below each other, enlarged, and read again.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence

from PIL import Image

from kag.sources.pdf.scans.hanging import counting, find_hanging, put_before
from kag.sources.pdf.scans.ink import SetLine
from kag.sources.pdf.scans.raised import find_raised, put_raised
from kag.sources.pdf.scans.tesseract import Reading, Word

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
    """What is on some pictures, put below each other on a sheet; "" for one on which nothing is."""
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
    """How wide a number in brackets is, in heights of these."""
    return sum(0.55 if char.isdigit() else 0.3 for char in text) - 0.1
