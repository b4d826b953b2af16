"""Pages without text, read by tesseract, in the form in which pages with text come: `read_scans`.

A picture tells no type sizes and no faces. Both are measured line by line, and made even over the paper, so that body
text is one type, and headings stand out from it as they do in print.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from statistics import median

from kag.core.errors import SourceError
from kag.core.types import Repair
from kag.sources.pdf.file.content import Font, PageContent, Rect, Word
from kag.sources.pdf.file.drawing import Drawn
from kag.sources.pdf.file.render import PagePicture, PdfPages
from kag.sources.pdf.scans.ink import SetLine, darkness
from kag.sources.pdf.scans.layout_detector import NAME, figures_seen, is_there
from kag.sources.pdf.scans.lost_numbers import ONLY, with_numbers
from kag.sources.pdf.scans.tesseract import SCALE, Pixels, Reading, read_only, read_words, version
from kag.sources.pdf.scans.tesseract import Word as Read

SURE = 30.0
"""Confidence in percent from which short words count: below are specks, and letters of pictures."""

WORKERS = 4  # pages read at one time
_FEW = 40  # letters; a scan with a stamp or a number on it has fewer
_COVERED, _UNMAPPED = 0.4, 0.3  # share of a page that pictures cover; share of characters that have no meaning
_OFTEN, _HALF, _MANY = frozenset("eaionrts"), 0.4, 300  # letters; their share of a text; letters that tell

_DEEP = frozenset("gjpqyQ,;()[]{}/|çµ")
_LOW = frozenset("acemnorsuvwxzgpqyµ")  # letters without anything above the small ones' height
_CAP, _SMALL, _DEPTH = 0.72, 0.52, 0.21  # heights in type sizes: capitals, small letters, what hangs below the line
_EVEN = 1.09  # sizes that differ by less than this factor are one
_BOLD = 1.2  # ink of a bold line beside that of body text
_RAISED = frozenset("0123456789,-–*†‡§[]")
_SMALLER, _HIGHER = 0.8, 0.2  # a raised word: at most this size, at least so far over the baseline, in the line's size
_SHORT, _ENOUGH = re.compile(r"[^\W_]"), 3
_NUMBER = re.compile(r"[\[(]?\d{1,3}[\]).,:]{0,2}")
_LEVEL, _HANGS = 0.35, 3.0  # how far a number may be off its line, and before it, in the line's size
_BLANK = 0.3  # a blank, in the line's size
_RULE = 4.0  # points: a rectangle that is flatter, and long, is a rule
_LONG = 6  # times as long as it is thick


@dataclass(frozen=True, slots=True)
class ScanLine:
    """A line of words: baseline and type size in pixels, and how dark its small letters are."""

    words: tuple[Read, ...]
    base: float
    size: float
    ink: float

    @property
    def letters(self) -> int:
        return sum(len(word.text) for word in self.words)


@dataclass(frozen=True, slots=True)
class Scan:
    """A page as read and measured; `size` is in points, `points` those of a pixel.

    `figures` are those that were seen on the picture, in shares of its width and height.
    """

    number: int
    size: tuple[float, float]
    points: float
    lines: tuple[ScanLine, ...]
    drawn: tuple[Pixels, ...]
    figures: tuple[Rect, ...] = ()


def read_scans(
    pages: Sequence[PageContent], pdf: PdfPages, language: str = "eng"
) -> tuple[list[PageContent], list[Repair]]:
    """The pages of a PDF, those without text read from their pictures; and what was done about which page.

    A page that tesseract does not read (it may not be installed) stays as it is, and that is told.
    """
    asked = scans_among(pages)
    found = dict(zip(asked, _scans(pdf, asked, language), strict=True))
    scans = [one for one in found.values() if isinstance(one, Scan)]
    read = dict(zip((scan.number for scan in scans), contents(scans), strict=True))
    return [read.get(page.number, page) for page in pages], [_repair(number, one) for number, one in found.items()]


def _scans(pdf: PdfPages, numbers: Sequence[int], language: str) -> Iterator[Scan | SourceError]:
    """Each page as read, or why it was not. Pages are drawn here, some at a time, and read by threads.

    No thread but the caller's takes `PDFIUM`, which the caller may hold.
    """
    with ThreadPoolExecutor(WORKERS) as pool:
        for start in range(0, len(numbers), WORKERS):
            drawn = [_picture(pdf, number) for number in numbers[start : start + WORKERS]]
            yield from pool.map(partial(_tried, language=language), drawn)


_Picture = tuple[PagePicture, int, tuple[float, float]]


def _picture(pdf: PdfPages, number: int) -> _Picture | SourceError:
    try:
        return pdf.picture(number, SCALE), number, pdf.size(number)
    except SourceError as error:
        return error


def _tried(page: _Picture | SourceError, language: str) -> Scan | SourceError:
    if isinstance(page, SourceError):
        return page
    picture, number, size = page
    try:
        scan = measured(picture, read_words(picture.png, language), number, size, partial(read_only, only=ONLY))
        return replace(scan, figures=tuple(figures_seen(picture.png)))
    except SourceError as error:
        return error


def _repair(number: int, found: Scan | SourceError) -> Repair:
    if isinstance(found, Scan):
        seen = f", figures seen by {NAME}" if is_there() else ""
        return Repair(number, 0, "a page without text", f"read by {version()}{seen}")
    return Repair(number, 0, f"a page without text: {found.message}", "page left as a picture")


def scans_among(pages: Sequence[PageContent]) -> list[int]:
    """The numbers of the pages to be read from their pictures.

    In a file without text each page is one on which something is drawn: letters may be drawn as paths.
    """
    bare = all(_letters(page) < _FEW for page in pages)
    return [page.number for page in pages if is_scan(page) or (bare and page.drawn)]


def is_scan(page: PageContent) -> bool:
    """Whether a page is a picture of itself, or a text whose characters mean nothing."""
    if page.unmapped > _UNMAPPED or is_garbled([word.text for word in page.words]):
        return True
    whole = page.width * page.height
    pictures = sum((made.x1 - made.x0) * (made.y1 - made.y0) for made in page.drawn if made.kind == "image")
    return _letters(page) < _FEW and pictures > _COVERED * whole


def is_garbled(words: Sequence[str]) -> bool:
    """Whether the letters of a page are not those that are printed, as where a font's table of letters is wrong.

    In any language that is written in Latin letters, eight of them make half of a text; where letters stand for others
    the eight make a quarter.

    >>> is_garbled(["7KLV", "SDSHU", "FRQWDLQV"] * 30), is_garbled(["This", "paper", "holds"] * 30)
    (True, False)
    """
    letters = [char for word in words for char in word.lower() if char.isalpha()]
    latin = sum(map(str.isascii, letters))
    if len(letters) < _MANY or 2 * latin < len(letters):
        return False
    return sum(map(_OFTEN.__contains__, letters)) < _HALF * latin


def _letters(page: PageContent) -> int:
    return sum(len(word.text) for word in page.words)


def measured(
    picture: PagePicture,
    reading: Reading,
    number: int,
    size: tuple[float, float],
    ask: Callable[[bytes], Reading] | None = None,
) -> Scan:
    """Return the lines read from a picture of a page of `size` points, with their type.

    `ask` reads a picture of numbers; where it is given, lost ones are searched for.
    """
    sure = [word for word in reading.words if word.confidence >= SURE or len(_SHORT.findall(word.text)) >= _ENOUGH]
    groups = [tuple(line) for _, line in groupby(sure, key=lambda word: (word.block, word.paragraph, word.line))]
    set_in = [_type(words) for words in groups]
    if ask:
        sets = [SetLine(words, *own) for words, own in zip(groups, set_in, strict=True)]
        groups = [tuple(words) for words in with_numbers(picture.png, sets, ask)]
    bands = [[_band(word, *own) for word in words] for words, own in zip(groups, set_in, strict=True)]
    dark = darkness(picture.png, bands)
    lines = [ScanLine(words, *own, ink) for words, own, ink in zip(groups, set_in, dark, strict=True)]
    return Scan(number, size, 1 / picture.scale, tuple(_numbered(lines)), reading.drawn)


def contents(scans: Sequence[Scan]) -> list[PageContent]:
    """Scanned pages of one paper as pages with text have it, in points; type sizes are made even over all of them."""
    lines = [(line.size * scan.points, line.ink, line.letters) for scan in scans for line in scan.lines]
    sizes = _evened([(size, letters) for size, _, letters in lines])
    ink = _median([(ink, letters) for _, ink, letters in lines])
    return [_content(scan, sizes, ink) for scan in scans]


def _type(words: Sequence[Read]) -> tuple[float, float]:
    """Baseline and type size of a line, in pixels."""
    sizes = [size for word in words if (size := _size(word)) > 0]
    size = median(sizes) if sizes else median(word.box.y1 - word.box.y0 for word in words)
    bottoms = [word.box.y1 for word in words if not _DEEP & set(word.text)]
    base = median(bottoms) if bottoms else median(word.box.y1 for word in words) - _DEPTH * size
    return float(base), float(size)


def _numbered(lines: Sequence[ScanLine]) -> list[ScanLine]:
    """Numbers that hang in front of a list, which tesseract reads as a column of their own, put before their lines."""
    numbers = [line for line in lines if len(line.words) == 1 and _NUMBER.fullmatch(line.words[0].text)]
    before: dict[int, ScanLine] = {}
    for number in numbers:
        found = [
            (line.words[0].box.x0 - number.words[0].box.x1, n)
            for n, line in enumerate(lines)
            if line not in numbers and abs(line.base - number.base) < _LEVEL * line.size
        ]
        gaps = [(gap, n) for gap, n in found if 0 < gap < _HANGS * lines[n].size and n not in before]
        if gaps:
            before[min(gaps)[1]] = number
    taken = set(before.values())
    return [
        replace(line, words=(*before[n].words, *line.words)) if n in before else line
        for n, line in enumerate(lines)
        if line not in taken
    ]


def _size(word: Read) -> float:
    """Return the type size of a word by its letters, in pixels; 0 if they do not show it."""
    letters = set(word.text)
    if not any(map(str.isalnum, word.text)):
        return 0.0
    high = _SMALL if all(char in _LOW or not char.isalnum() for char in letters) else _CAP
    return (word.box.y1 - word.box.y0) / (high + (_DEPTH if letters & _DEEP else 0.0))


def _band(word: Read, base: float, size: float) -> tuple[int, int, int, int]:
    """Return the band of a word's small letters: outside it, the share of ink depends on its letters."""
    return word.box.x0, round(base - _SMALL * size), word.box.x1, round(base)


def _median(values: Sequence[tuple[float, int]]) -> float:
    """The value at the middle of all letters; 0 where there are none."""
    half, seen = sum(letters for _, letters in values) / 2, 0
    for value, letters in sorted(values):
        seen += letters
        if seen >= half:
            return value
    return 0.0


def _evened(sizes: Sequence[tuple[float, int]]) -> dict[float, float]:
    """Each size and the one it is taken for: time and again the one that most letters are near, for all near it."""
    found: dict[float, float] = {}
    rest = sorted(sizes)
    while rest:
        near = [[one for one in rest if size / _EVEN < one[0] < size * _EVEN] for size, _ in rest]
        group = max(near, key=lambda group: sum(letters for _, letters in group))
        found |= {size: round(_median(group), 1) for size, _ in group}
        rest = [one for one in rest if one[0] not in found]
    return found


def _content(scan: Scan, sizes: dict[float, float], ink: float) -> PageContent:
    words = [word for line in scan.lines for word in _words(line, scan.points, sizes[line.size * scan.points], ink)]
    drawn = tuple(_drawn(box, scan.points) for box in scan.drawn)
    wide, high = scan.size
    drawn += tuple(Drawn("image", x0 * wide, y0 * high, x1 * wide, y1 * high) for x0, y0, x1, y1 in scan.figures)
    return PageContent(scan.number, *scan.size, tuple(words), (), drawn)


def _words(line: ScanLine, points: float, size: float, ink: float) -> Iterator[Word]:
    """The words of a line as set, in points: bold where it is darker, raised where they are small and high."""
    font = Font("", bold=line.ink > _BOLD * ink, italic=False, mono=False)
    for n, word in enumerate(line.words):
        x0, y0, x1, y1 = (edge * points for edge in _reaching(word, line, n))
        own, base = size, line.base * points
        if _is_raised(word, line):
            own, base = round(_size(word) * points, 1), y1
        spaced = not (n and own < size and x0 - line.words[n - 1].box.x1 * points < _BLANK * size)
        step = (x1 - x0) / len(word.text)
        edges = tuple(x0 + n * step for n in range(len(word.text)))
        yield Word(word.text, x0, y0, x1, y1, base, own, font, spaced, edges)


def _reaching(word: Read, line: ScanLine, n: int) -> Pixels:
    """Return the box of a word; the number of a list item extends to its text, because the gap is not a column's."""
    if n or len(line.words) < 2 or not _NUMBER.fullmatch(word.text):
        return word.box
    gap = line.words[1].box.x0 - word.box.x1
    reach = max(gap - _BLANK * line.size, 0) if gap < _HANGS * line.size else 0
    return word.box._replace(x1=round(word.box.x1 + reach))


def _is_raised(word: Read, line: ScanLine) -> bool:
    if not _RAISED.issuperset(word.text):
        return False
    return 0 < _size(word) < _SMALLER * line.size and word.box.y1 < line.base - _HIGHER * line.size


def _drawn(box: Pixels, points: float) -> Drawn:
    """A rule, thin as it was drawn, or a picture."""
    x0, y0, x1, y1 = (edge * points for edge in box)
    if y1 - y0 < _RULE and x1 - x0 > _LONG * (y1 - y0):
        middle = (y0 + y1) / 2
        return Drawn("path", x0, middle - 0.25, x1, middle + 0.25)
    if x1 - x0 < _RULE and y1 - y0 > _LONG * (x1 - x0):
        middle = (x0 + x1) / 2
        return Drawn("path", middle - 0.25, y0, middle + 0.25, y1)
    return Drawn("image", x0, y0, x1, y1)
