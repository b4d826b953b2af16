"""How far a word of denial reaches: "not" to the end of its clause, "without" to the end of its phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kag.read.checking.rules.lexicon import lexicon
from kag.read.checking.rules.words import Word, phrases_at

_BORDERS = frozenset(
    (
        ";",
        ":",
        ".",
        "?",
        "!",
        "(",
        ")",
        "|",
        "but",
        "whereas",
        "while",
        "although",
        "though",
        "however",
        "because",
        "yet",
        "since",
        "which",
        "who",
        "unlike",
    )
)
BOUNDS = ("more", "less", "fewer")
_WITHIN = (("which", "of"), ("whom", "of"), ("yet", "not"))  # what ends no clause behind these words
_PHRASE_ENDS = frozenset(
    (
        ",",
        "in",
        "at",
        "for",
        "were",
        "was",
        "had",
        "has",
        "is",
        "are",
        "to",
        "by",
        "on",
        "than",
        "from",
        "during",
        "after",
        "before",
        "did",
        "that",
        "when",
        "and",
    )
)
_DIFFERING = frozenset(("differ", "similar", "same"))  # what is denied is that, and nothing behind it
_FOCUS = 2  # words behind a denial that it is about
REACH = 3  # words of meaning that one denial reaches
_LONGEST = 6  # words that "without" reaches


@dataclass(frozen=True, slots=True)
class Denial:
    """A word of denial: the words from `start` to `end` are denied, and `focus` are the first that carry meaning."""

    at: int
    start: int
    end: int
    focus: tuple[int, ...]
    whole: bool = False  # "none", which denies all that its clause says


@lru_cache(maxsize=4096)
def denials_of(text: tuple[Word, ...]) -> tuple[Denial, ...]:
    """The denials of a text, in order."""
    found = []
    for at in range(len(text)):
        reach, length = _denial(text, at)
        if reach:
            start = at + length
            end = _end(text, start, reach)
            focus = [index for index in range(start, end) if text[index].carries][:_FOCUS]
            found.append(Denial(at, start, end, tuple(focus), reach == "whole"))
    return tuple(found)


def is_denied(text: tuple[Word, ...], at: int) -> bool:
    """Whether a word is said not to be so: denied once, and not twice, by what stands near before it."""
    return sum(denial.start <= at < denial.end and is_near(text, denial, at) for denial in denials_of(text)) % 2 == 1


def is_near(text: tuple[Word, ...], denial: Denial, at: int) -> bool:
    return denial.whole or sum(word.carries for word in text[denial.start : at]) < REACH


def is_turned(text: tuple[Word, ...], at: int) -> bool:
    """Whether a word is what is denied first, and so turned into its opposite: "did not fall", "no clear fall"."""
    turning = (
        denial.start <= at < denial.end
        and (denial.whole or sum(map(_is_told, text[denial.start : at])) < _FOCUS)
        and not any(word.stem in _DIFFERING for word in text[denial.start : at])
        for denial in denials_of(text)
    )
    return sum(turning) % 2 == 1


def _is_told(word: Word) -> bool:
    """Whether a word has a meaning, and does not only say how: "does not reliably and accurately show"."""
    return word.carries and not word.text.endswith("ly")


def clause_of(text: tuple[Word, ...], denial: Denial) -> tuple[int, int]:
    """Where the clause that holds a denial begins and ends."""
    start = next((at + 1 for at in range(denial.at - 1, -1, -1) if text[at].text.lower() in _BORDERS), 0)
    return start, max(denial.end, denial.at + 1)


def _denial(text: tuple[Word, ...], at: int) -> tuple[str, int]:
    """How far a denial that begins here reaches, and its number of words; "" where none begins."""
    word = text[at].text.lower()
    if word.endswith("n't"):
        return "forward", 1
    found = phrases_at(text, at, lexicon().denials, stems=False)
    length = len(found)
    if not length:
        return "", 0
    then = text[at + 1].text.lower() if at + 1 < len(text) else ""
    if word == "not" and at and text[at - 1].text.lower() == "or":
        return "", 0
    if word == "not" and then in ("only", "just", "merely"):
        return "", 0
    if word == "not" and at and text[at - 1].text.lower() in ("but", "and", ",") and _is_inserted(text, at):
        return "phrase", length
    if word == "no" and (then in (".", ",", ":") or (at + 1 < len(text) and text[at + 1].is_number)):
        return "", 0
    if word in ("no", "not") and (then in BOUNDS or then.endswith("er")) and _is_bound(text, at + 2):
        return "", 0
    if word in ("no", "none") and at and text[at - 1].text.lower() in ("or", "with"):
        return "phrase", length
    return lexicon().denials[found], length


def _is_inserted(text: tuple[Word, ...], at: int) -> bool:
    """Whether a denial stands between commas: "rain, but not wind, was"."""
    return any(word.text == "," for word in text[at + 2 : at + 2 + REACH])


def _is_bound(text: tuple[Word, ...], at: int) -> bool:
    """Whether "no more" goes on as a bound: "no more than 1.2 g", "no longer than a minute"."""
    behind = [word.text.lower() for word in text[at : at + 2]]
    return behind[:1] == ["than"] and (
        behind[1:] in (["a"], ["an"]) or any(word.is_number for word in text[at + 1 : at + 2])
    )


def _end(text: Sequence[Word], start: int, reach: str) -> int:
    index = start
    while index < len(text):
        low = text[index].text.lower()
        if low in ("no", "nor") and index > start:
            return index  # which denies anew
        if (low in _BORDERS and (low, text[index - 1].text.lower()) not in _WITHIN) or (
            low == "," and _begins_clause(text, index + 1)
        ):
            return index
        if reach == "phrase" and (low in _PHRASE_ENDS or index - start >= _LONGEST):
            return index
        index += 1
    return index


def _begins_clause(text: Sequence[Word], at: int) -> bool:
    return at < len(text) and text[at].text.lower() in (
        "and",
        "but",
        "so",
        "with",
        "it",
        "we",
        "they",
        "the",
        "this",
        "these",
        "both",
        "yet",
        "nor",
        "all",
    )
