"""Which words a short form stands for: its letters aligned with those of the text before it.

As Schwartz and Hearst (2003), from right to left, but by the best of all alignments, with the order of strategies of
Ab3P (Sohn et al. 2008).
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
    """Where the long form begins, and the mean score of a letter."""

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
    """What of a short form is looked for: letters and digits in small letters, a sign at the end.

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
        said = _MARKS.get(letter, ())
        here += [(word[0], n) for n, word in enumerate(words) if said and low[slice(*word)].startswith(said)]
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
    """What a letter at a place is worth: most at the beginning of a word."""
    if at == word[0]:
        if _little(low, word):
            return LITTLE
        return 1.0 if at == 0 or low[at - 1].isspace() else 0.9
    return INSIDE


def _together(at: int, n: int, there: int, m: int) -> float:
    """What it is worth besides that the next letter follows at once, or in the same word."""
    return NEXT if there == at + 1 else SAME if n == m else 0.0


def _skipped(low: str, words: list[tuple[int, int]], n: int, m: int) -> float:
    """What it costs to pass over the words between two."""
    return sum(_fare(low, word) for word in words[n + 1 : m])


def _little(low: str, word: tuple[int, int]) -> bool:
    """Whether a word is one of those that a short form may leave out."""
    return low[slice(*word)] in _PASSED


def _fare(low: str, word: tuple[int, int]) -> float:
    if _little(low, word):
        return 0.1
    return JOINED if low[word[0] - 1] == "-" else PASSED
