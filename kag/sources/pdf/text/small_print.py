"""Paragraphs that are none: display formulas, and notes at the foot of a page."""

from __future__ import annotations

import re

from kag.sources.pdf.file.content import PageContent
from kag.sources.pdf.text.typography import Paragraph, Type

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
    """Whether a paragraph is a formula that stands by itself: mostly signs, or a number behind it and hardly a word."""
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
