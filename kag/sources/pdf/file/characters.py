"""Characters to words as set: runs of one font on one baseline without a blank.

pdfium (pypdfium2, BSD-3 and Apache-2.0) is asked for each character.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from sys import intern
from typing import Any, NamedTuple

import pypdfium2.raw as c

from kag.sources.pdf.file.content import Character, Font, View, Word
from kag.sources.pdf.file.letters import ACCENTS, composed, symbol, with_lone_accents
from kag.sources.pdf.file.visibility import Run

MAX_GLYPHS = 200_000
"""Characters that a page may have; the densest printed ones have some 15,000."""
SMALLEST = 0.2
"""Points of the smallest type that is read; forms that draw each other set theirs ever smaller."""
_BLANK = frozenset(" \t\r\n\x00\u00a0\u2002\u2003\u2009\u200a\u200b\u202f\u2028\u3000")
_HYPHENS = frozenset("\x02\ufffe\u00ad")  # what pdfium gives for a hyphen at a line's end, and the soft one
_BOLD = re.compile(
    r"bold|black|heavy|semibold|demi|(?<![a-z])(?:cmbx|cmssbx|sfbx|sfsx|ecbx|ecsx)|lin(?:libertine|biolinum)tb|[-,](?:smbd|bd|hv|blk|dm)(?![a-z]{3})|-b$|\.b\+?|medi\b|nimbusromno9l-medi",
    re.I,
)
_PLAIN = re.compile(r"regular|roman|book|light|medium|-r$|regu$|(?<![a-z])(?:cmr|sfrm|ecrm)\d", re.I)
_ITALIC = re.compile(r"ital|obli|slant|(?<![a-z])(?:cmti|cmmi|cmsl|sfti|ecti)|-i$|\.i\+?", re.I)
_SYMBOL_FONT = re.compile(r"symbol", re.I)
_MONO = re.compile(r"mono|courier|consol|typewriter|(?<![a-z])(?:cmtt|sftt|ectt)", re.I)
_FORCE_BOLD = 1 << 18  # PDF 32000-1, table 123
_ITALIC_FLAG = 1 << 6
_NONE, _LINE_END, _BLANKS = range(3)  # what is between two characters
_THIN = 0.105  # type sizes; kerning parts letters by less
_NO_FONT = Font("", bold=False, italic=False, mono=False)


class Words(NamedTuple):
    """The words of a page in the file's own order.

    `concealed` are those that no reader sees, `unmapped` is the share of characters without meaning, `angles` how many
    run in which direction (degrees).
    """

    upright: tuple[Word, ...]
    turned: tuple[Word, ...]
    concealed: tuple[Word, ...]
    unmapped: float
    angles: Mapping[int, int]


class _Style(NamedTuple):
    size: float
    font: Font
    angle: int
    invisible: bool


_NO_STYLE = _Style(0.0, _NO_FONT, 0, invisible=False)


Conceal = Callable[[Sequence[Run]], Set[int]]
"""Which of the words of a page no reader sees, by their places."""


def read_words(raw: Any, view: View, conceal: Conceal) -> Words:
    """The words of a text page of pdfium, as it is seen."""
    found: list[tuple[int, Run]] = []
    unmapped = seen = 0
    angles: Counter[int] = Counter()
    same: dict[float, float] = {}  # the words of a line share their heights
    for style, chars, spaced, made in _Reader(raw, view).runs():
        if style.size < SMALLEST:
            continue
        seen += len(chars)
        angles[style.angle] += len(chars)
        word = _word(style, chars, spaced, same)
        if not word.text.isascii():
            unmapped += sum(1 for char in chars if char[0] == "\ufffd" or unicodedata.category(char[0]) == "Co")
        found.append((style.angle, Run(made or 0, style.invisible, word)))
    hidden = conceal([run for _, run in found])
    upright = [run.word for n, (angle, run) in enumerate(found) if not angle and n not in hidden]
    turned = tuple(run.word for n, (angle, run) in enumerate(found) if angle and n not in hidden)
    concealed = tuple(run.word for n, (_, run) in enumerate(found) if n in hidden)
    share = unmapped / seen if seen else 0.0
    return Words(tuple(with_lone_accents(upright)), turned, concealed, share, angles)


def _quick(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of pdfium that takes and gives bare addresses: it is asked for each character."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_AT, _N = ctypes.c_void_p, ctypes.c_int
_code_of = _quick(c.FPDFText_GetUnicode, ctypes.c_uint, _AT, _N)
_object_of = _quick(c.FPDFText_GetTextObject, _AT, _AT, _N)
_origin_of = _quick(c.FPDFText_GetCharOrigin, _N, _AT, _N, _AT, _AT)
_font_of = _quick(c.FPDFTextObj_GetFont, _AT, _AT)
_mode_of = _quick(c.FPDFTextObj_GetTextRenderMode, _N, _AT)
_box_of = _quick(c.FPDFText_GetLooseCharBox, _N, _AT, _N, _AT)


class _Reader:
    """Reads a text page character by character; one use."""

    def __init__(self, raw: Any, view: View) -> None:
        self.raw, self.view = raw, view
        self.fonts: dict[int, Font] = {}
        self.styles: dict[int | None, _Style] = {}  # by text object
        self.kinds: dict[tuple[Any, ...], _Style] = {}  # by what they are made of
        self.matrix = c.FS_MATRIX()

    def runs(self) -> Iterator[tuple[_Style, list[Character], bool, int | None]]:
        """Runs of characters of one object without a blank, their style, whether a blank is before them, the object."""
        run: list[Character] = []
        style: _Style | None = None
        whose: int | None = None
        spaced = True
        end = begin = base = 0.0  # of the character before
        for own, char, blank, cut, made in self._characters():
            if not run:
                spaced = bool(blank)
            else:
                # The letters of a ligature all have its box.
                gap = 0.0 if abs(char[1] - begin) < 0.01 else char[1] - end
                drop = abs(char[5] - base)
                apart = not own.angle and (drop > 0.1 * own.size or not -0.6 * own.size <= gap <= 0.22 * own.size)
                thin = gap > _THIN * own.size and drop < 0.1 * own.size and _parts(run, char, own.size)
                if style and (blank or cut or apart or thin):
                    yield style, run, spaced, whose
                    far = 0.18
                    if blank == _LINE_END and 0.1 * own.size < drop:  # pdfium sees a new line in what is raised
                        blank, far = _NONE, 0.1
                    spaced = bool(blank) or thin or gap > far * own.size or drop > 0.6 * max(own.size, style.size)
                    run = []
            style, whose = own, made
            _, begin, _, end, _, base = char
            run.append(char)
        if run and style:
            yield style, run, spaced, whose

    def _characters(self) -> Iterator[tuple[_Style, Character, int, bool, int | None]]:
        """Return the characters except blanks: style, gap before, start of another object, object."""
        raw = ctypes.cast(self.raw, ctypes.c_void_p).value
        view = self.view
        sideways, sx, across, sy, down = view.sideways, view.sx, view.x0, view.sy, view.y0
        place, edges = array("d", (0.0, 0.0)), array("f", (0.0, 0.0, 0.0, 0.0))  # x and y; left, top, right, bottom
        at_x, at_edges = place.buffer_info()[0], edges.buffer_info()[0]
        at_y = at_x + place.itemsize
        known = self.styles
        own, last, blank, high = _NO_STYLE, -1, _BLANKS, 0
        foot = head = y0 = y1 = base = 0.0
        for i in range(min(c.FPDFText_CountChars(self.raw), MAX_GLYPHS)):
            code = _code_of(raw, i)
            if 0xD800 <= code < 0xDC00:  # the first half of a character beyond 16 bits; the other one comes next
                high = code
                continue
            if 0xDC00 <= code < 0xE000 and high:
                code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00
            high = 0
            text = _LETTERS[code] if code < 128 else _letter(code)
            if not text:
                blank = max(blank, _LINE_END if code in (10, 13) else _BLANKS)
                continue
            made = _object_of(raw, i)
            cut = made != last
            if cut:
                own, last = known.get(made) or self._style(made, i), made
            _box_of(raw, i, at_edges)
            left, top, right, bottom = edges
            x0, x1, low, up = (top, bottom, left, right) if sideways else (left, right, bottom, top)
            x0, x1 = sx * x0 + across, sx * x1 + across
            if x0 > x1:
                x0, x1 = x1, x0
            if cut or low != foot or up != head:  # else it stands on the same baseline, and is as high
                foot, head = low, up
                _origin_of(raw, i, at_x, at_y)
                y0, y1 = sorted((sy * low + down, sy * up + down))
                base = sy * place[not sideways] + down
                if not own.angle:  # some fonts claim absurd heights; no letter reaches further from its baseline
                    y0, y1 = max(y0, base - 1.1 * own.size), min(y1, base + 0.4 * own.size)
            yield own, (text, x0, y0, x1, y1, base), blank, cut, made
            blank = _NONE

    def _style(self, made: int | None, i: int) -> _Style:
        """Size, font and direction of a character; all characters of one object of the file share them."""
        matrix, raw = self.matrix, self.raw
        c.FPDFText_GetMatrix(raw, i, matrix)
        font = _font_of(made) if made else None
        hidden = bool(made) and _mode_of(made) == c.FPDF_TEXTRENDERMODE_INVISIBLE
        key = (font, hidden, c.FPDFText_GetFontSize(raw, i), matrix.a, matrix.b, matrix.c, matrix.d)
        known = self.kinds.get(key)
        if known is None:
            origin, along = self.view(0, 0), self.view(matrix.a, matrix.b)
            angle = round(math.degrees(math.atan2(origin[1] - along[1], along[0] - origin[0])) / 15) * 15 % 360
            size = round(key[2] * math.hypot(matrix.c, matrix.d), 2)
            known = self.kinds[key] = _Style(size, self._font(font), angle, hidden)
        self.styles[made] = known
        return known

    def _font(self, font: int | None) -> Font:
        known = self.fonts.get(font or 0)
        if known is None:
            self.fonts[font or 0] = known = _font(ctypes.cast(font, c.FPDF_FONT)) if font else _NO_FONT
        return known


def _parts(run: list[Character], char: Character, size: float) -> bool:
    """Whether a thin gap is a blank: before a unit ("6 mm"), or where small letters touch but for it."""
    before, after = run[-1][0], char[0]
    touch = len(run) > 1 and run[-1][1] - run[-2][3] < 0.03 * size
    if before.isdigit():
        return after.isalpha() and (touch or len(run) == 1)
    return touch and before.islower() and (after.islower() or after.isdigit() or after == "(")


def _letter(code: int) -> str:
    """Return the character of a code; "" for a blank and for an invalid one. Italic letters of formulas are letters."""
    char = chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    if char in _HYPHENS:
        return "-"
    if "\U0001d400" <= char < "\U0001d800":
        return unicodedata.normalize("NFKC", char)
    return "" if char in _BLANK or char < " " else char


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


_LETTERS = tuple(map(_letter, range(128)))


def _word(style: _Style, chars: list[Character], spaced: bool, same: dict[float, float]) -> Word:
    """A word; `same` holds the heights met so far."""
    text = "".join([char[0] for char in chars])
    if len(chars) > 1 and not ACCENTS.isdisjoint(text):
        chars = composed(chars)
        text = "".join([char[0] for char in chars])
    _, x0s, y0s, x1s, y1s, bases = zip(*chars, strict=True)
    y0, y1, base = min(y0s), max(y1s), bases[0]
    edges = x0s
    if not text.isascii():
        text, edges = _spelled(chars, is_symbol=bool(_SYMBOL_FONT.search(style.font.name)))
    y0, y1, base = same.setdefault(y0, y0), same.setdefault(y1, y1), same.setdefault(base, base)
    return Word(intern(text), min(x0s), y0, max(x1s), y1, base, style.size, style.font, spaced, edges)


def _spelled(chars: list[Character], *, is_symbol: bool) -> tuple[str, tuple[float, ...]]:
    """Replace ligatures by their letters; each letter keeps the left edge of the printed one.

    Characters of a symbol font that have its own codes only are read by the Symbol encoding.
    """
    letters: list[tuple[str, float]] = []
    for text, edge, *_ in chars:
        text = symbol(text) if is_symbol else text
        whole = unicodedata.normalize("NFKC", text) if "\ufb00" <= text <= "\ufb06" else text
        letters += ((letter, edge) for letter in whole)
    return "".join(letter for letter, _ in letters), tuple(edge for _, edge in letters)
