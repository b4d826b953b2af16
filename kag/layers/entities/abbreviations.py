"""Abbreviations where they are defined: "long form (LF)" and "LF (long form)".

Letters of the short form are aligned with the text before it, as by Schwartz and Hearst (2003), but by the best of all
alignments, with the order of strategies of Ab3P (Sohn et al. 2008).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kag.text.sentences import sentences

ENOUGH = 0.6
"""The least mean score of a letter."""

INSIDE, SAME, NEXT, PASSED, JOINED, LITTLE = 0.45, 0.4, 0.45, 0.75, 0.35, 0.8

_LETTER = re.compile(r"[^\W_]")
_WORD = re.compile(r"[^\W_]+")
# what a sign or a digit may be called, at the beginning of a word
_MARKS = {
    "+": ("positive",),
    "-": ("negative",),
    "1": ("first", "one", "single", "mono"),
    "2": ("two", "second", "double", "di", "bi"),
    "3": ("three", "third", "triple", "tri"),
    "4": ("four", "fourth", "tetra", "quadr"),
    "α": ("alpha",),
    "β": ("beta",),
    "γ": ("gamma",),
    "δ": ("delta",),
    "κ": ("kappa",),
}
_PASSED = frozenset(
    re.findall(r"\w+", "a an and as at by de des du et for from in into la le of on or the to und von with")
)


class Aligned(NamedTuple):
    """An alignment: the start of the long form, and the mean score of a letter."""

    score: float
    start: int


def align(text: str, surface: str, first: int, last: int) -> Aligned | None:
    """The best place for a short form before `last`, not before `first`; None where there is none."""
    letters = letters_of(surface)
    words = [match.span() for match in _WORD.finditer(text, first, last)]
    words = words[-min(len(letters) + 5, 2 * len(letters)) - 2 :]
    if not words or len(letters) < 2:
        return None
    low = text[:last].lower()
    low = low if len(low) == last else text[:last]  # a few letters have small forms of another length
    found = _straight(low, letters, words)
    return found if found and found.score >= ENOUGH else None


def letters_of(surface: str) -> str:
    """Return the letters of a short form to search for: lower-case letters and digits, and a sign at the end.

    >>> [letters_of(one) for one in ("ROIs", "IL-2", "MuSK+")]
    ['roi', 'il2', 'musk+']
    """
    letters = "".join(_LETTER.findall(surface)).lower()
    if re.fullmatch(r".*[A-Z]s", surface):  # a plural
        letters = letters[:-1]
    return letters + surface[-1] if surface[-1] in "+-" else letters


def _straight(low: str, letters: str, words: list[tuple[int, int]]) -> Aligned | None:
    """The best alignment in the order of the text."""
    places: list[list[tuple[int, int]]] = []  # for each letter: place, number of its word
    for letter in letters:
        here = [(at, n) for n, word in enumerate(words) for at in range(*word) if low[at] == letter]
        names = _MARKS.get(letter, ())
        here += [(word[0], n) for n, word in enumerate(words) if names and low[slice(*word)].startswith(names)]
        if here or letter.isalpha():
            places.append(here)
    best: dict[tuple[int, int], float] = {}
    if len(places) < 2:
        return None
    for at, n in places[-1]:
        best[at, n] = _worth(low, at, words[n]) - _skipped(low, words, n, len(words))
    for these in reversed(places[:-1]):
        ahead, best = best, {}
        for at, n in these:
            options = [
                value + _worth(low, at, words[n]) - _skipped(low, words, n, m) + _together(at, n, there, m)
                for (there, m), value in ahead.items()
                if there > at
            ]
            if options:
                best[at, n] = max(options)
    starts = [
        Aligned(round(value / len(letters), 6), at)
        for (at, n), value in best.items()
        if at == words[n][0] and not _little(low, words[n])
    ]
    return max(starts, default=None)


def _worth(low: str, at: int, word: tuple[int, int]) -> float:
    """Score a letter by its place: highest at the beginning of a word."""
    if at == word[0]:
        if _little(low, word):
            return LITTLE
        return 1.0 if at == 0 or low[at - 1].isspace() else 0.9
    return INSIDE


def _together(at: int, n: int, there: int, m: int) -> float:
    """Score two letters that follow each other at once, or are in the same word."""
    return NEXT if there == at + 1 else SAME if n == m else 0.0


def _skipped(low: str, words: list[tuple[int, int]], n: int, m: int) -> float:
    """Return the cost of the words skipped between two letters."""
    return sum(_fare(low, word) for word in words[n + 1 : m])


def _little(low: str, word: tuple[int, int]) -> bool:
    """Whether a word is one of those that a short form may leave out."""
    return low[slice(*word)] in _PASSED


def _fare(low: str, word: tuple[int, int]) -> float:
    if _little(low, word):
        return 0.1
    return JOINED if low[word[0] - 1] == "-" else PASSED


_SHORT = re.compile(
    r"[^\W_](?:[^\s()\[\],;:=]|,(?=[^\s,;])|\([^\s()]*\)|(?<=\w) (?=[A-Z0-9]|(?:alpha|beta|gamma|kappa)\b)"
    r"|(?<=\b[A-Z]\.) (?=[a-z]{3}))*+"
)
_LAST = re.compile(r"([^\s()\[\],;]+)\s*\Z")
_MARK = re.compile(r"[()\[\]]")
_CAPITALS = re.compile("[A-Z].*[A-Z]")
_STOP = re.compile("[,;]")
_LOCANT = re.compile(r"(?:(?<=\s)|(?<=^))(?:[\d,'′()NO-]*\d[\d,'′()NO-]*|(?i:alpha|beta|gamma)(?:-\d)?)-\Z")
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
    """Yield the content of matching brackets, which may be nested."""
    found: list[tuple[int, int]] = []
    opened: list[int] = []
    for match in _MARK.finditer(text, start, end):
        if match[0] in "([":
            opened.append(match.end())
        elif opened:
            found.append((opened.pop(), match.start()))
    return found


def _forms(text: str, sentence: int, first: int, last: int) -> Iterator[Pair]:
    """Return the definitions of a bracket: it holds the short form, the long form behind its short one, or both."""
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
    if not any(letter.isalpha() for letter in letters) or re.match(r"(?i:figs?|tables?|refs?|eqs?|see|ref)\b", text):
        return False
    return any(letter.isupper() for letter in letters) or (len(letters) <= 6 and len(text.split()) == 1)


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
