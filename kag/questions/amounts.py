"""Numbers, bounds, times and years in a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.questions.wish import MANY, Condition
from kag.questions.words import Read, Words, rule

Bounds = tuple[int, int]
"""The least and the greatest number, both possible."""

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_YEARS = re.compile(r"((?:1[5-9]|20)\d\d)[-–—]((?:1[5-9]|20)\d\d)")
_DECADE = re.compile(r"((?:1[5-9]|20)\d0)s")


@rule
def number(words: Words, at: int) -> Iterator[Read[int]]:
    yield from ((int(value), end) for value, end in words.of("numbers", at))
    if re.fullmatch(r"\d{1,4}", words.low(at)) and not _YEAR.fullmatch(words.low(at)):
        yield int(words.low(at)), at + 1


@rule
def bounds(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """ "more than two", "at least 3", "five or more", "exactly one", "no", "several"; "two" alone is exactly two."""
    for said, end in words.of("bounds", at):
        for many, last in [*number(words, end), *_article(words, end)]:
            yield _bounded(said, many), last
    for many, end in number(words, at):
        for said, last in words.of("behind", end):
            yield _bounded(said, many), last
        yield (many, many), end
    for value, end in words.of("negations", at):
        if value == "no":
            yield (0, 0), end
    if words.low(at) in ("several", "multiple"):
        yield (2, MANY), at + 1
    if words.says(("some",), at) or words.says(("any",), at):
        yield (1, MANY), at + 1


def _article(words: Words, at: int) -> Iterator[Read[int]]:
    if words.low(at) in ("a", "an"):
        yield 1, at + 1


def _bounded(said: str, many: int) -> Bounds:
    low, high = said.split()
    return (0 if low == "*" else many + int(low), MANY if high == "*" else many + int(high))


@rule
def times(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """ "more than once", "at least three times", "twice", "only once"."""
    for said, end in words.of("bounds", at):
        for value, last in words.of("times", end):
            yield _bounded(said, int(value)), last
    for value, end in words.of("times", at):
        yield (int(value), int(value)), end
    for found, end in bounds(words, at):
        if words.low(end) in ("time", "times"):
            yield found, end + 1
    if words.says(("several", "times"), at) or words.says(("repeatedly",), at):
        yield (2, MANY), at + (2 if words.low(at) == "several" else 1)


@rule
def dated(words: Words, at: int) -> Iterator[Read[Condition]]:
    """ "before 2010", "between 2000 and 2005", "from the 1990s", "in 1999 or later", "(2009)"."""
    if words.low(at) in ("between", "from") and words.low(at + 2) in ("and", "to", "until", "through"):
        low, high = words.low(at + 1), words.low(at + 3)
        if _YEAR.fullmatch(low) and _YEAR.fullmatch(high):
            yield _years(int(low), int(high)), at + 4
    if words.low(at) in ("from", "of") and words.of("years", at + 1):
        yield from dated(words, at + 1)
    for said, end in words.of("years", at):
        start = words.skip(end, "the", "year", "years")
        text = words.low(start)
        if _YEAR.fullmatch(text):
            yield from _behind(words, said, int(text), start + 1)
        elif match := _YEARS.fullmatch(text):
            yield _years(int(match[1]), int(match[2])), start + 1
        elif match := _DECADE.fullmatch(text):
            first, last = int(match[1]), int(match[1]) + (99 if match[1].endswith("00") else 9)
            low, high = _bounded(said, 0)
            if said == "0 0":
                yield _years(first, last), start + 1
            else:
                yield (_years(first + max(low, 0) * 10, MANY) if high == MANY else _years(1, first - 1)), start + 1
    if words.low(at) == "(" and _YEAR.fullmatch(words.low(at + 1)) and words.low(at + 2) == ")":
        yield _years(int(words.low(at + 1)), int(words.low(at + 1))), at + 3


def _behind(words: Words, said: str, year: int, end: int) -> Iterator[Read[Condition]]:
    later = (("or", "later"), ("or", "after"), ("or", "newer"), ("onwards",), ("onward",), ("on",), ("and", "later"))
    earlier = (("or", "earlier"), ("or", "before"), ("or", "older"), ("and", "earlier"))
    if said == "0 0":
        for phrase in later:
            if words.says(phrase, end):
                yield _years(year, MANY), end + len(phrase)
        for phrase in earlier:
            if words.says(phrase, end):
                yield _years(1, year), end + len(phrase)
        if words.low(end) == "or" and _YEAR.fullmatch(words.low(end + 1)) and int(words.low(end + 1)) == year + 1:
            yield _years(year, year + 1), end + 2
    low, high = _bounded(said, year)
    yield _years(max(low, 1), high), end


def _years(low: int, high: int) -> Condition:
    return Condition("year", low=low, high=high)
