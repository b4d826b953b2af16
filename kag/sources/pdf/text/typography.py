"""How lines and paragraphs are set: types, levels of headings, display formulas, and notes at the foot of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kag.core.types import Ground
from kag.sources.pdf.file.content import PageContent
from kag.sources.pdf.text.lines import Line


class Type(NamedTuple):
    """The type of a line, which separates headings of one level from those of another."""

    size: float
    bold: bool
    italic: bool
    caps: bool
    font: str


@dataclass(frozen=True, slots=True)
class Level:
    """The level of a heading from 1, and what it rests on."""

    level: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the file's own outline: level from 1, title, page from 1 (0: unknown), height on it in points."""

    level: int
    title: str
    page: int
    y: float | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph as set: its lines and its page, and what it is of the front matter, if anything."""

    page: int
    lines: tuple[Line, ...]
    role: str = ""

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@lru_cache(maxsize=8192)
def type_of(line: Line) -> Type:
    """The type of a line; capitals count where all its letters are. It is asked many times of the lines of a paper."""
    caps = line.text.isupper() and sum(map(str.isalpha, line.text)) >= 4
    # Small capitals are set in two sizes, and the larger is the line's.
    size = max(word.size for word in line.words if any(map(str.isalpha, word.text))) if caps else line.size
    return Type(round(size * 2) / 2, line.bold, line.italic, caps, line.font.name)


def body_type(lines: Sequence[Line]) -> Type:
    """The type in which most characters are set; the largest of those set often, since lists are set smaller."""
    count: Counter[Type] = Counter()
    for line in lines:
        count[type_of(line)._replace(caps=False)] += len(line.text)
    if not count:
        return Type(10.0, bold=False, italic=False, caps=False, font="")
    most = max(count.values())
    return max((key for key in count if count[key] >= 0.25 * most), key=lambda key: (key.size, count[key], key))


_MATH_FACE = re.compile(
    r"(?<![a-z])(?:cm(?:mi|sy|ex|bsy|mib)|ms[ab]m|mt(?:mi|sy|ex|2)|rmtmi|eu[fsrm]m|lasy|stmary|wasy|txsy|txmi|pxsy|pxmi)"
    r"|math|symbol(?!ogy)|euclid|mathematicalpi|universalmath",
    re.I,
)
_MATH_SIGN = re.compile(r"[=+−<>≤≥≈≠±×÷·∑∏∫∂∇√∞∈∉⊂⊆∪∩→←⇒∀∃αβγδεζηθικλμνξπρστυφχψω|^*/\\[\]{}()]")
_NUMBER = re.compile(r"\(\s*(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?\s*\)\s*$")
_WORD = re.compile(r"[^\W\d_]{4,}")
_MATHS = 0.45  # share of the characters that are set in a face of mathematics
_LONGEST = 400  # characters of a formula
_MARK = re.compile(r"^(?:[*†‡§¶#‖]|\d{1,2}\s?(?=[^\W\d_]|http))")
_FOOT = 0.55  # of the page's height: notes stand below


def is_formula(paragraph: Paragraph) -> bool:
    """Whether a paragraph is a display formula: mostly signs, or a number behind it and hardly a word."""
    text = paragraph.text
    if len(text) > _LONGEST or len(text) < 3:
        return False
    words = [word for line in paragraph.lines for word in line.words]
    size = sum(len(word.text) for word in words)
    maths = sum(len(word.text) for word in words if _MATH_FACE.search(word.font.name))
    signs = len(_MATH_SIGN.findall(text))
    spoken = sum(len(word) for word in _WORD.findall(text))
    if not signs or spoken > 0.35 * size:
        return False
    numbered = is_numbered(paragraph)
    equal = bool(re.search(r"[=<>≤≥≈∝→:]", text))
    return maths >= _MATHS * size or (numbered and equal) or (equal and signs >= 0.2 * size and spoken < 0.1 * size)


def is_numbered(paragraph: Paragraph) -> bool:
    """Whether a number in brackets ends a paragraph."""
    return bool(_NUMBER.search(paragraph.text))


def is_footnote(paragraph: Paragraph, page: PageContent, body: Type) -> bool:
    """Whether a paragraph is a note at the foot of its page: small print low on it that begins with a mark."""
    first = paragraph.lines[0]
    if first.size > body.size - 0.9 or first.rect.y0 < _FOOT * page.height:
        return False
    word = first.words[0]
    raised = word.size < 0.86 * first.size and word.base < first.base - 0.1 * first.size
    return bool(_MARK.match(paragraph.text)) and (raised or not word.text[:1].isdigit())
