"""Abbreviations where they are defined: "long form (LF)" and "LF (long form)".

The letters of a short form show which words it stands for (`kag.layers.entities.alignment`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kag.layers.entities.alignment import align
from kag.text.sentences import sentences

_SHORT = re.compile(
    r"[^\W_](?:[^\s()\[\],;:=]|,(?=[^\s,;])|\([^\s()]*\)|(?<=\w) (?=[A-Z0-9]|(?:alpha|beta|gamma|kappa)\b)"
    r"|(?<=\b[A-Z]\.) (?=[a-z]{3}))*+"
)
_LAST = re.compile(r"([^\s()\[\],;]+)\s*\Z")
_MARK = re.compile(r"[()\[\]]")
_CAPITALS = re.compile("[A-Z].*[A-Z]")
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
    """Whether what stands first in a bracket is a short form, alone or before a comma or semicolon."""
    return (inner.end() == last or text[inner.end()] in ",;") and is_short(inner[0])


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
    found = align(text, surface, first, last)
    if found is None:
        return None
    begin = found.start
    if locant := _LOCANT.search(text, max(first, begin - 12), begin):
        begin = locant.start()
    long = text[begin:last]
    uneven = any(long.count(one) != long.count(other) for one, other in ("()", "[]"))
    if uneven or len(long) <= len(surface) or surface.lower() in long.lower().split():
        return None
    return Pair(short, (begin, last), min(1.0, found.score))
