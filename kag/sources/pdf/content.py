"""What a PDF's page holds: words as set, pictures and lines as drawn, and nothing interpreted yet.

All coordinates are points (1/72 inch) from the top left corner of the page as a reader sees it. pdfium (pypdfium2,
BSD-3 and Apache-2.0) reads the file; each word is a run of characters of one font on one baseline without a blank.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as c

from kag.sources.pdf.drawing import Drawn, Place, drawn_on

MAX_GLYPHS = 200_000
"""Characters that a page may have; the densest printed ones have some 15,000."""
_BLANK = frozenset(" \t\r\n\x00\u00a0\u2002\u2003\u2009\u200a\u200b\u202f\u2028\u3000")
_HYPHENS = frozenset("\x02\ufffe\u00ad")  # what pdfium gives for a hyphen at a line's end, and the soft one
_BOLD = re.compile(
    r"bold|black|heavy|semibold|demi|(?<![a-z])(?:cmbx|cmssbx|sfbx|ecbx)|[-,](?:smbd|bd|hv|blk|dm)(?![a-z]{3})|-b$|\.b\+?|medi\b|nimbusromno9l-medi",
    re.I,
)
_PLAIN = re.compile(r"regular|roman|book|light|medium|-r$|regu$|(?<![a-z])(?:cmr|sfrm|ecrm)\d", re.I)
_ITALIC = re.compile(r"ital|obli|slant|(?<![a-z])(?:cmti|cmmi|cmsl|sfti|ecti)|-i$|\.i\+?", re.I)
_MONO = re.compile(r"mono|courier|consol|typewriter|(?<![a-z])(?:cmtt|sftt|ectt)", re.I)
_ACCENTS = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "ˇ": "\u030c",
            "˚": "\u030a", "¯": "\u0304", "˙": "\u0307", "˘": "\u0306", "˝": "\u030b", "˛": "\u0328"}  # fmt: skip
_FORCE_BOLD = 1 << 18  # PDF 32000-1, table 123
_ITALIC_FLAG = 1 << 6


class Rect(NamedTuple):
    """A rectangle in points, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


class Font(NamedTuple):
    """A typeface as the file names it."""

    name: str
    bold: bool
    italic: bool
    mono: bool


class Word(NamedTuple):
    """Characters of one font on one baseline. `edges` are their left edges; `spaced`: a blank is before it."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    font: Font
    spaced: bool
    edges: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page: size in points, words in the file's own order, what is drawn.

    `turned` are words that do not run from left to right; `unmapped` the share of characters that the file gives
    no meaning for; `hidden` the number that it shows to nobody; `quarter` by how many right angles the page was turned
    so that its text is upright; `glyphs` how many characters there are, of which `MAX_GLYPHS` are read.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    turned: tuple[Word, ...]
    drawn: tuple[Drawn, ...]
    unmapped: float = 0.0
    hidden: int = 0
    quarter: int = 0
    glyphs: int = 0

    @property
    def sheet(self) -> tuple[float, float]:
        """Width and height of the page as the file shows it."""
        return (self.height, self.width) if self.quarter else (self.width, self.height)

    def on_sheet(self, rect: Rect) -> Rect:
        """A rectangle of the page's text on the page as the file shows it."""
        if self.quarter == 1:
            return Rect(rect.y0, self.width - rect.x1, rect.y1, self.width - rect.x0)
        if self.quarter == 3:
            return Rect(self.height - rect.y1, rect.x0, self.height - rect.y0, rect.x1)
        return rect


def read_page(page: pdfium.PdfPage, number: int) -> PageContent:
    """All that a page holds. A page whose text runs up or down is read as if it were turned upright."""
    place, width, height = _view(page)
    text = page.get_textpage()
    try:
        glyphs = c.FPDFText_CountChars(text.raw)
        reader = _Reader(text.raw, place)
        words, turned, unmapped, hidden = reader.read()
        quarter = _quarter(reader.angles)
        if quarter:
            place, width, height = _turned_view(place, width, height, quarter)
            words, turned, unmapped, hidden = _Reader(text.raw, place).read()
    finally:
        text.close()
    drawn = tuple(drawn_on(page.raw, place, width, height))
    return PageContent(
        number, width, height, tuple(words), tuple(turned), drawn, unmapped, hidden, quarter, glyphs=glyphs
    )


def _quarter(angles: Mapping[int, int]) -> int:
    """1 where most characters of a page run upwards, 3 where most run downwards, else 0."""
    if max(angles.get(90, 0), angles.get(270, 0)) <= 2 * angles.get(0, 0):
        return 0
    return 1 if angles.get(90, 0) >= angles.get(270, 0) else 3


def _turned_view(place: Place, width: float, height: float, quarter: int) -> tuple[Place, float, float]:
    """The page as seen with the head turned to the text."""
    if quarter == 1:
        return lambda x, y: (height - place(x, y)[1], place(x, y)[0]), height, width
    return lambda x, y: (place(x, y)[1], width - place(x, y)[0]), height, width


def _view(page: pdfium.PdfPage) -> tuple[Place, float, float]:
    """From the file's coordinates (origin bottom left, before rotation) to those of the page as seen."""
    left, bottom, right, top = page.get_bbox()  # what of the crop box lies on the sheet
    wide, high = right - left, top - bottom
    turn = page.get_rotation() % 360
    if turn == 90:
        return lambda x, y: (y - bottom, x - left), high, wide
    if turn == 180:
        return lambda x, y: (right - x, y - bottom), wide, high
    if turn == 270:
        return lambda x, y: (top - y, right - x), high, wide
    return lambda x, y: (x - left, top - y), wide, high


class _Char(NamedTuple):
    """A character where it is printed, in points; `base` is its baseline."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float


class _Style(NamedTuple):
    size: float
    font: Font
    angle: int
    invisible: bool


class _Reader:
    """Reads a text page character by character; one use."""

    def __init__(self, raw: Any, place: Place) -> None:
        self.raw = raw
        self.place = place
        self.fonts: dict[int, Font] = {}
        self.styles: dict[int | None, _Style] = {}
        self.matrix = c.FS_MATRIX()
        self.angles: Counter[int] = Counter()  # characters by the direction they run in, in degrees

    def read(self) -> tuple[list[Word], list[Word], float, int]:
        """Words upright and turned, the share of characters without meaning, the number of hidden ones."""
        upright: list[Word] = []
        turned: list[Word] = []
        unmapped = hidden = seen = 0
        for style, chars, spaced in self._runs():
            seen += len(chars)
            self.angles[style.angle] += len(chars)
            unmapped += sum(1 for char in chars if char.text == "\ufffd" or "\ue000" <= char.text < "\uf900")
            hidden += len(chars) * style.invisible
            word = _word(style, chars, spaced)
            (turned if style.angle else upright).append(word)
        return _with_lone_accents(upright), turned, unmapped / seen if seen else 0.0, hidden

    def _runs(self) -> Iterator[tuple[_Style, list[_Char], bool]]:
        """Runs of characters of one style without a blank, and whether one is before them."""
        run: list[_Char] = []
        style: _Style | None = None
        spaced = True
        for own, char, blank in self._chars():
            gap, drop = _step(run[-1], char) if run else (0.0, 0.0)
            apart = not own.angle and (drop > 0.1 * own.size or not -0.6 * own.size <= gap <= 0.22 * own.size)
            if run and style and (blank or own is not style or apart):
                yield style, run, spaced
                spaced = blank or gap > 0.18 * own.size or drop > 0.6 * own.size
                run = []
            elif not run:
                spaced = blank
            style = own
            run.append(char)
        if run and style:
            yield style, run, spaced

    def _chars(self) -> Iterator[tuple[_Style, _Char, bool]]:
        """The characters that are no blanks, with their style and whether a blank comes before."""
        raw, place = self.raw, self.place
        x, y, rect = ctypes.c_double(), ctypes.c_double(), c.FS_RECTF()
        at_x, at_y, at_rect = ctypes.byref(x), ctypes.byref(y), ctypes.byref(rect)
        blank = True
        for i in range(min(c.FPDFText_CountChars(raw), MAX_GLYPHS)):
            text = _letter(c.FPDFText_GetUnicode(raw, i))
            if not text:
                blank = True
                continue
            own = self._style(c.FPDFText_GetTextObject(raw, i), i)
            c.FPDFText_GetCharOrigin(raw, i, at_x, at_y)
            c.FPDFText_GetLooseCharBox(raw, i, at_rect)
            (x0, y0), (x1, y1) = place(rect.left, rect.top), place(rect.right, rect.bottom)
            base = place(x.value, y.value)[1]
            x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
            if not own.angle:  # some fonts claim absurd heights; no letter reaches further than this from its baseline
                y0, y1 = max(y0, base - 1.1 * own.size), min(y1, base + 0.4 * own.size)
            yield own, _Char(text, x0, y0, x1, y1, base), blank
            blank = False

    def _style(self, made: Any, i: int) -> _Style:
        """Size, font and direction of a character; all characters of one object of the file share them."""
        key = ctypes.cast(made, ctypes.c_void_p).value
        known = self.styles.get(key)
        if known is None:
            matrix = self.matrix
            c.FPDFText_GetMatrix(self.raw, i, ctypes.byref(matrix))
            origin, along = self.place(0, 0), self.place(matrix.a, matrix.b)
            angle = round(math.degrees(math.atan2(origin[1] - along[1], along[0] - origin[0])) / 15) * 15 % 360
            size = c.FPDFText_GetFontSize(self.raw, i) * math.hypot(matrix.c, matrix.d)
            invisible = bool(key) and c.FPDFTextObj_GetTextRenderMode(made) == c.FPDF_TEXTRENDERMODE_INVISIBLE
            known = self.styles[key] = _Style(round(size, 2), self._font(made if key else None), angle, invisible)
        return known

    def _font(self, made: Any) -> Font:
        font = c.FPDFTextObj_GetFont(made) if made else None
        key = ctypes.cast(font, ctypes.c_void_p).value if font else 0
        known = self.fonts.get(key or 0)
        if known is None:
            known = self.fonts[key or 0] = _font(font) if key else Font("", bold=False, italic=False, mono=False)
        return known


def _letter(code: int) -> str:
    """The character of a code; "" for a blank and for what is no character."""
    char = chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    if char in _HYPHENS:
        return "-"
    return "" if char in _BLANK or char < " " else char


def _step(last: _Char, char: _Char) -> tuple[float, float]:
    """The space between two characters, and how far apart their baselines are."""
    # The letters of a ligature all have its box.
    gap = 0.0 if abs(char.x0 - last.x0) < 0.01 else char.x0 - last.x1
    return gap, abs(char.base - last.base)


def _font(font: Any) -> Font:
    buffer = ctypes.create_string_buffer(256)
    c.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.value.decode("utf-8", "replace").partition("+")
    base = name[2] or name[0]
    flags = c.FPDFFont_GetFlags(font)
    bold = bool(_BOLD.search(base))
    if not bold and not _PLAIN.search(base):  # the name says nothing
        bold = c.FPDFFont_GetWeight(font) >= 700 or (flags > 0 and bool(flags & _FORCE_BOLD))
    italic = bool(_ITALIC.search(base)) or (flags > 0 and bool(flags & _ITALIC_FLAG))
    return Font(base, bold=bold, italic=italic, mono=bool(_MONO.search(base)))


def _word(style: _Style, chars: list[_Char], spaced: bool) -> Word:
    if len(chars) > 1 and any(char.text in _ACCENTS for char in chars):
        chars = _composed(chars)
    text, edges = "".join(char.text for char in chars), tuple(char.x0 for char in chars)
    if not text.isascii():
        text, edges = _spelled(chars)
    x0, y0 = min(char.x0 for char in chars), min(char.y0 for char in chars)
    x1, y1 = max(char.x1 for char in chars), max(char.y1 for char in chars)
    return Word(text, x0, y0, x1, y1, chars[0].base, style.size, style.font, spaced, edges)


def _spelled(chars: list[_Char]) -> tuple[str, tuple[float, ...]]:
    """Ligatures as the letters they stand for; each letter keeps the left edge of what it was printed as."""
    letters: list[tuple[str, float]] = []
    for char in chars:
        whole = unicodedata.normalize("NFKC", char.text) if "\ufb00" <= char.text <= "\ufb06" else char.text
        letters += ((letter, char.x0) for letter in whole)
    return "".join(letter for letter, _ in letters), tuple(edge for _, edge in letters)


def _composed(chars: list[_Char]) -> list[_Char]:
    """Accents that are drawn over a letter, as TeX's old fonts do, with that letter as one character."""
    found: list[_Char] = []
    waiting: _Char | None = None
    for char in chars:
        if waiting is not None:
            whole = _accented(char.text, waiting.text)
            if char.text.isalpha() and len(whole) == 1 and waiting.x0 < char.x1 and waiting.x1 > char.x0:
                found.append(char._replace(text=whole))
                waiting = None
                continue
            found.append(waiting)
            waiting = None
        if char.text in _ACCENTS:
            waiting = char
        else:
            found.append(char)
    return [*found, waiting] if waiting is not None else found


def _accented(letter: str, accent: str) -> str:
    """A letter with an accent as one character, two where Unicode has none; the dotless ı is an i below an accent."""
    return unicodedata.normalize("NFC", {"ı": "i", "ȷ": "j"}.get(letter, letter) + _ACCENTS[accent])


def _with_lone_accents(words: list[Word]) -> list[Word]:
    """Accents that stand as words of their own put on the letter that they are drawn over."""
    if not any(word.text in _ACCENTS for word in words):
        return words
    found = list(words)
    for n, word in enumerate(words):
        if word.text not in _ACCENTS:
            continue
        middle = (word.x0 + word.x1) / 2
        for m in (n - 1, n + 1, n - 2, n + 2):
            near = found[m] if 0 <= m < len(found) else None
            if near is None or not near.text or near.text in _ACCENTS or abs(near.base - word.base) > near.size:
                continue
            ends = (*near.edges[1:], near.x1)
            at = next((k for k, edge in enumerate(near.edges) if edge - 0.5 <= middle <= ends[k] + 0.5), None)
            if at is not None and near.text[at].isalpha() and len(whole := _accented(near.text[at], word.text)) == 1:
                found[m] = near._replace(text=near.text[:at] + whole + near.text[at + 1 :])
                found[n] = word._replace(text="")
                break
    glued = []
    for n, word in enumerate(found):
        if word.text:
            # What the accent parted is one word again.
            parted = n and not found[n - 1].text and not words[n - 1].spaced
            glued.append(word._replace(spaced=False) if parted else word)
    return glued
