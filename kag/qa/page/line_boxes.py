"""Where the lines of a quote are printed: its letters found again in the lines of the page.

Runs keep the boxes of blocks. The lines of a PDF are read from the file itself, and a quote is found in those of its
node's boxes by its letters and digits alone, so that hyphens at line ends, ligatures and raised numbers do not matter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kag.core.errors import SourceError
from kag.sources.pdf.read import printed_in

_ROOM = 6  # thousandths of the page that a line may stand out of its node's box
_ENDS = 24  # letters of the beginning and the end of a quote by which it is found where its middle differs


class Line(NamedTuple):
    """A printed line: its words, and its box in thousandths of the page."""

    text: str
    box: tuple[int, int, int, int]


Lines = Mapping[int, Sequence[Line]]
"""The lines of pages by the number of the page, in reading order."""


def pdf_lines(path: Path) -> dict[int, list[Line]]:
    """The lines of a PDF; none where it has no text that can be read."""
    found: dict[int, list[Line]] = {}
    try:
        for line in printed_in(path).lines:
            found.setdefault(line.page, []).append(
                Line(line.text, (line.box.x0, line.box.y0, line.box.x1, line.box.y1))
            )
    except SourceError:
        return {}
    return found


def quote_places(quote: str, places: Iterable[Sequence[int]], lines: Lines) -> list[list[int]]:
    """The places (page and box) of the lines that print a quote, among those in its node's places; [] if none do.

    The first and the last one begin and end about where the quote does.
    """
    within = [(place[0], line) for place in places for line in lines.get(place[0], ()) if _is_in(line.box, place[1:])]
    letters, owners = "", []
    for number, (_, line) in enumerate(within):
        part = _letters(line.text)
        letters += part
        owners += [(number, at / len(part), (at + 1) / len(part)) for at in range(len(part))]
    start, end = _span(letters, _letters(quote))
    found: dict[int, list[float]] = {}
    for number, low, high in owners[start:end]:
        found.setdefault(number, [low, high])[1] = high
    return [_part(*within[number], *share) for number, share in found.items()]


def _span(letters: str, wanted: str) -> tuple[int, int]:
    """Where the letters of a quote stand; by its ends where its middle is set in another way."""
    at = letters.find(wanted)
    if not wanted or at >= 0:
        return at, at + len(wanted)
    first, last = letters.find(wanted[:_ENDS]), letters.find(wanted[-_ENDS:])
    near = len(wanted) // 4 + _ENDS
    whole = last + _ENDS - first
    return (first, last + _ENDS) if 0 <= first <= last and abs(whole - len(wanted)) < near else (0, 0)


def _part(page: int, line: Line, low: float, high: float) -> list[int]:
    x0, y0, x1, y1 = line.box
    return [page, round(x0 + low * (x1 - x0)), y0, round(x0 + high * (x1 - x0)), y1]


def _is_in(box: Sequence[int], outer: Sequence[int]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] - _ROOM <= x <= outer[2] + _ROOM and outer[1] - _ROOM <= y <= outer[3] + _ROOM


def _letters(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())
