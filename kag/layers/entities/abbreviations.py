"""Abbreviations where they are defined: "long form (LF)" and "LF (long form)".

Which words a short form stands for is told by its letters (`kag.layers.entities.alignment`), or by usage where it
shares few of them (`kag.layers.entities.conventions`). One letter alone is a short form only where it is used again
and is no name of a panel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kag.layers.entities.alignment import ENOUGH, align
from kag.layers.entities.conventions import usual
from kag.text.sentences import sentences

USUAL = 0.9
"""How sure a short form is that is usual for the word before it."""

_SHORT = re.compile(
    r"[^\W_](?:[^\s()\[\],;:=]|,(?=[^\s,;])|\([^\s()]*\)|(?<=\w) (?=[A-Z0-9]|(?:alpha|beta|gamma|kappa)\b)"
    r"|(?<=\b[A-Z]\.) (?=[a-z]{3}))*+"
)
_LAST = re.compile(r"([^\s()\[\],;]+)\s*\Z")
_MARK = re.compile(r"[()\[\]]")
_SISTER = re.compile(r"(?:,? (?:and|or)|[,/]) ?([^\s,;/]+)")
_CAPITALS = re.compile("[A-Z].*[A-Z]")
_AFTER = re.compile(r":| ?= ?\d| (?:and|or) ")
_TOKEN = re.compile(r"(?<!\S)([^\W\d_])[^\W\d_]*-\Z")
_DIGIT = re.compile(r"\d")
_LONE = re.compile("[B-HJ-Z]")
_TWO_WORDS = re.compile(
    r"(?:\b(?!(?:the|and|or|of|in|an?|is|are|was|were|for|with)\b)([a-zA-Z][\w-]{2,}) )?\b([a-zA-Z][\w-]{2,}) ?\Z"
)
_STOP = re.compile("[,;]")
_LOCANT = re.compile(r"(?:(?<=\s)|(?<=^))(?:[\d,'′()NO-]*\d[\d,'′()NO-]*|(?i:alpha|beta|gamma)(?:-\d)?)-\Z")
_LETTER = re.compile(r"[^\W_]")
_NO_SHORT = re.compile(
    r"(?:[Ff]igs?|[Ff]igure|[Tt]ables?|[Ee]qs?|[Rr]efs?|[Ss]ee|e\.?g|i\.?e|cf|vs|ii|iii|iv|vi|I[IV]+|VI+)\.?"
    r"|(?:mean|range|median|all|both|or|and|es|control|controls|left|right|in|of|the|to|by|from|with|at|on|as)"
    r"|\d.*[=<>].*|.*[=<>%].*|[\d.,:/-]+"
)
_FARTHEST = 300  # characters before a short form
_LONGEST = 20  # letters and digits of a short form


class Pair(NamedTuple):
    """A short form and its long form as spans of characters; `score` is in [0, 1]."""

    short: tuple[int, int]
    long: tuple[int, int]
    score: float

    @property
    def lone(self) -> bool:
        """Whether the short form is one letter: it means other things elsewhere, so its uses are not followed."""
        return self.short[1] - self.short[0] == 1


def find_abbreviations(text: str) -> list[Pair]:
    """The definitions in a text, in order.

    >>> text = "We used magnetic resonance imaging (MRI) and CT (computed tomography)."
    >>> [(text[slice(*one.short)], text[slice(*one.long)]) for one in find_abbreviations(text)]
    [('MRI', 'magnetic resonance imaging'), ('CT', 'computed tomography')]
    """
    found: list[Pair] = []
    before = 0
    for start, end in sentences(text):
        reach = before if text[start] in "([" else start  # "the Aircraft Corp. (BAC)" is no end of a sentence
        for first, last in _brackets(text, start, end):
            found += _forms(text, reach if first == start + 1 else start, first, last)
        before = start
    return sorted(found)


def _brackets(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """What stands between brackets that belong together, without them; brackets may stand in brackets."""
    found: list[tuple[int, int]] = []
    opened: list[int] = []
    for match in _MARK.finditer(text, start, end):
        if match[0] in "([":
            opened.append(match.end())
        elif opened:
            found.append((opened.pop(), match.start()))
    return found


def _forms(text: str, sentence: int, first: int, last: int) -> Iterator[Pair]:
    """What a bracket defines: it holds the short form, the long one that stands behind its short one, or both."""
    inner = _SHORT.match(text, first, last)
    if inner and _alone(text, inner, last) and (pair := _pair(text, inner.span(), sentence, first - 1)):
        yield pair
        other = _SISTER.match(text, inner.end(), last)
        if other and _unnumbered(other[1]) == _unnumbered(inner[0]) != inner[0]:
            yield pair._replace(short=other.span(1))
        return
    if pair := _lone(text, sentence, first, last):
        yield pair
        return
    at = text.rfind(", ", first, last) + 2
    if at > first + 2 and is_short(text[at:last]) and (pair := _pair(text, (at, last), first, at - 2)):
        yield pair
        return
    before = _LAST.search(text, max(sentence, first - 20), first - 1)
    worded = before and (" " in text[first:last].strip() or _CAPITALS.search(before[1]))
    if before and worded and is_short(before[1]):
        pair = _pair(text, before.span(1), first, _until(text, first, last))
        if pair and not text[first : pair.long[0]].strip():
            yield pair


def _alone(text: str, inner: re.Match[str], last: int) -> bool:
    """Whether what stands first in a bracket is a short form, by itself or before what is no part of it."""
    ends = inner.end() == last or text[inner.end()] in ",;"
    more = not ends and _CAPITALS.search(inner[0]) and _AFTER.match(text, inner.end(), last)
    return bool(ends or more) and is_short(inner[0])


def _unnumbered(short: str) -> str:
    return _DIGIT.sub("", short)


def _lone(text: str, sentence: int, first: int, last: int) -> Pair | None:
    """One capital letter that begins the word before it, is used again, and is no name of a panel or of a list."""
    letter = text[first:last]
    if letter.isalpha() and (begin := usual(text, letter, sentence, len(text[: first - 1].rstrip()))) is not None:
        return Pair((first, last), (begin, len(text[: first - 1].rstrip())), USUAL)
    before = _TWO_WORDS.search(text, sentence, first - 1)
    if not before or not _LONE.fullmatch(letter) or any(f"({chr(ord(letter) + n)})" in text for n in (-1, 1)):
        return None
    at = next((one for one in (2, 1) if (before[one] or "")[:1].upper() == letter), 0)
    if not at or not re.search(rf"(?<![\w(.-]){letter}(?![\w).'’-])", text):
        return None
    return Pair((first, last), (before.start(at), before.end(2)), ENOUGH)


def _until(text: str, first: int, last: int) -> int:
    end = _STOP.search(text, first, last)
    return end.start() if end else last


@lru_cache(maxsize=4096)
def is_short(text: str) -> bool:
    """Whether a text may be a short form.

    >>> [is_short(one) for one in ("MRI", "IL-2", "p53", "Fig. 2", "n = 5", "see")]
    [True, True, True, False, False, False]
    """
    letters = _LETTER.findall(text)
    if re.fullmatch("[A-Z][+-]", text):
        return True
    if not 2 <= len(letters) <= _LONGEST or len(text.split()) > 2 or _NO_SHORT.fullmatch(text):
        return False
    if not any(one.isalpha() for one in letters) or re.match(r"(?i:figs?|tables?|refs?|eqs?|see|ref)\b", text):
        return False
    return any(one.isupper() for one in letters) or (len(letters) <= 6 and len(text.split()) == 1)


def _pair(text: str, short: tuple[int, int], first: int, last: int) -> Pair | None:
    """The best long form of a short form between two places, which ends at the later one."""
    last = first + len(text[first:last].rstrip(" \n\t\"”'’,:-"))
    first = max(first, last - _FARTHEST)
    surface = text[slice(*short)]
    if (begin := usual(text, surface, first, last)) is not None:
        return Pair(short, (begin, last), USUAL)
    found = align(text, surface, first, last)
    if found is None:
        return None
    begin = found.start
    # "site-specifically labelled (sL)" begins with the whole word, not behind its hyphen
    if (token := _TOKEN.search(text, first, begin)) and token[1].lower() == surface[0].lower():
        begin = token.start()
    if locant := _LOCANT.search(text, max(first, begin - 12), begin):
        begin = locant.start()
    long = text[begin:last]
    uneven = any(long.count(one) != long.count(other) for one, other in ("()", "[]"))
    if uneven or len(long) <= len(surface) or surface.lower() in long.lower().split():
        return None
    return Pair(short, (begin, last), min(1.0, found.score))
