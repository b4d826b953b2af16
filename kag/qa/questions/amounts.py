"""Numbers, bounds, times and years in a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.qa.questions.structured_query import MANY, Condition
from kag.qa.questions.words import Read, Words, called, rule, said

Bounds = tuple[int, int]
"""The least and the greatest number, both possible."""

_YEAR = re.compile(r"((?:1[5-9]|20)\d\d)")
_YEARS = re.compile(r"((?:1[5-9]|20)\d\d)[-–—]((?:1[5-9]|20)\d\d)")
_DECADE = re.compile(r"((?:1[5-9]|20)\d0)s")
_LATER = "or|and later|after|newer|onwards|more"
_EARLIER = "or|and earlier|before|older"


@called("number")
@rule
def number(words: Words, at: int) -> Iterator[Read[int]]:
    yield from ((int(value), end) for value, end in words.of("numbers", at))
    if re.fullmatch(r"\d{1,4}", words.low(at)) and not _YEAR.fullmatch(words.low(at)):
        yield int(words.low(at)), at + 1


@called("bounds")
@rule
def bounds(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """ "more than two", "at least 3", "five or more", "exactly one", "no", "several"; "two" alone is exactly two."""
    yield from ((_bounded(way, many), end) for (way, many), end in said(words, at, "{bounds} <number>"))
    yield from ((_bounded(way, 1), end) for (way,), end in said(words, at, "{bounds} a|an"))
    yield from ((_bounded(way, many), end) for (many, way), end in said(words, at, "<number> {behind}"))
    yield from (((many, many), end) for (many,), end in said(words, at, "<number>"))
    yield from (((0, 0), end) for _, end in said(words, at, "{negations.no}"))
    yield from (((2, MANY), end) for _, end in said(words, at, "several|multiple"))
    yield from (((1, MANY), end) for _, end in said(words, at, "some|any"))


def _bounded(way: str, many: int) -> Bounds:
    low, high = way.split()
    return (0 if low == "*" else many + int(low), MANY if high == "*" else many + int(high))


@rule
def times(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """ "more than once", "at least three times", "twice", "only once"."""
    yield from ((_bounded(way, int(value)), end) for (way, value), end in said(words, at, "{bounds} {times}"))
    yield from (((int(value), int(value)), end) for (value,), end in said(words, at, "{times}"))
    yield from ((found, end) for (found,), end in said(words, at, "<bounds> time|times"))
    yield from (((2, MANY), end) for _, end in said(words, at, "repeatedly"))


@called("dated")
@rule
def dated(words: Words, at: int) -> Iterator[Read[Condition]]:
    """ "before 2010", "between 2000 and 2005", "from the 1990s", "in 1999 or later", "(2009)"."""
    for (low, high), end in said(words, at, "between|from <year> and|to|until|through <year>"):
        yield _years(low[0], high[1]), end
    yield from ((_years(*found), end) for (found,), end in said(words, at, "( <year> )"))
    yield from ((one, end) for (one,), end in said(words, at, "from|of <dated>"))
    for (way, (low, high)), end in said(words, at, "{years} the|year|years* <year>"):
        if way == "0 0":
            yield from (
                (_years(low, MANY), last) for _, last in [*said(words, end, _LATER), *said(words, end, "onwards|on")]
            )
            yield from ((_years(1, high), last) for _, last in said(words, end, _EARLIER))
            yield from (
                (_years(low, more[1]), last) for (more,), last in said(words, end, "or <year>") if more[0] == high + 1
            )
        after, before = _bounded(way, 0)
        first, last_year = (high if after > 0 else low) + after, (low if before < 0 else high) + before
        yield _years(1 if way[0] == "*" else first, MANY if way[-1] == "*" else last_year), end


@called("year")
@rule
def _year(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """The first and the last year of "1999", "1999-2004", "the 1990s"."""
    for pattern, more in ((_YEAR, 0), (_YEARS, 0), (_DECADE, 9)):
        if match := pattern.fullmatch(words.low(at)):
            yield (int(match[1]), int(match[match.lastindex or 1]) + more), at + 1


def _years(low: int, high: int) -> Condition:
    return Condition("year", low=low, high=high)
