"""Numbers, bounds, times and years as a question says them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import kag.qa.questions.reader  # noqa: F401 - makes all rules known
from kag.qa.questions.amounts import bounds, dated, number, times
from kag.qa.questions.structured_query import MANY
from kag.qa.questions.words import Words, split


def read(rule: Callable[[Words, int], list[Any]], text: str) -> list[Any]:
    """What a rule reads of a whole text."""
    words = Words(tuple(split(text)))
    return [value for value, end in rule(words, 0) if end == len(words.words)]


@pytest.mark.parametrize(
    ("text", "found"),
    [("two", [2]), ("12", [12]), ("1234", [1234]), ("12345", []), ("1999", []), ("2100", [2100]), ("0", [0])],
)
def test_numbers(text: str, found: list[int]) -> None:
    assert read(number, text) == found


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("more than two", 3, MANY), ("over 3", 4, MANY), ("at least 3", 3, MANY), ("five or more", 5, MANY),
        ("five or fewer", 0, 5), ("3 or less", 0, 3), ("at most 3", 0, 3), ("up to 3", 0, 3), ("under 3", 0, 2),
        ("fewer than 3", 0, 2), ("no more than 3", 0, 3), ("exactly one", 1, 1), ("only two", 2, 2), ("two", 2, 2),
        ("more than a", 2, MANY), ("at least a", 1, MANY), ("no", 0, 0), ("several", 2, MANY), ("multiple", 2, MANY),
        ("some", 1, MANY), ("any", 1, MANY),
    ],
)  # fmt: skip
def test_bounds(text: str, low: int, high: int) -> None:
    assert read(bounds, text) == [(low, high)]


@pytest.mark.parametrize("text", ["a", "1999", "at least several", "12345"])
def test_what_bounds_nothing(text: str) -> None:
    assert read(bounds, text) == []


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("once", 1, 1), ("twice", 2, 2), ("only once", 1, 1), ("more than once", 2, MANY), ("3 times", 3, 3),
        ("at least three times", 3, MANY), ("at least twice", 2, MANY), ("fewer than twice", 0, 1), ("one time", 1, 1),
        ("no times", 0, 0), ("several times", 2, MANY), ("repeatedly", 2, MANY),
    ],
)  # fmt: skip
def test_times(text: str, low: int, high: int) -> None:
    assert read(times, text) == [(low, high)]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("in 2010", 2010, 2010), ("of 2010", 2010, 2010), ("in the year 2010", 2010, 2010), ("( 2009 )", 2009, 2009),
        ("before 2010", 1, 2009), ("after 2010", 2011, MANY), ("since 2010", 2010, MANY), ("until 2010", 1, 2010),
        ("later than 2010", 2011, MANY), ("no later than 2010", 1, 2010), ("not before 2010", 2010, MANY),
        ("between 2000 and 2005", 2000, 2005), ("from 2000 to 2005", 2000, 2005), ("from 1999 until 2004", 1999, 2004),
        ("in 1999-2004", 1999, 2004), ("before 1999-2004", 1, 1998), ("after 1999-2004", 2005, MANY),
        ("in the 1990s", 1990, 1999), ("before the 1990s", 1, 1989), ("after the 1990s", 2000, MANY),
        ("between 1990s and 2000s", 1990, 2009), ("from before 2010", 1, 2009),
        ("in 1999 or later", 1999, MANY), ("in 1999 onwards", 1999, MANY), ("from 1999 on", 1999, MANY),
        ("in 1999 or earlier", 1, 1999), ("in 2010 or older", 1, 2010), ("in 1999 or 2000", 1999, 2000),
        ("in 1500", 1500, 1500), ("in 2099", 2099, 2099),
    ],
)  # fmt: skip
def test_years(text: str, low: int, high: int) -> None:
    assert [(one.relation, one.low, one.high, one.negated) for one in read(dated, text)] == [("year", low, high, False)]


@pytest.mark.parametrize("text", ["2010", "in 1499", "in 2100", "in 1999 or 2001", "in 12", "before"])
def test_what_is_no_time(text: str) -> None:
    assert read(dated, text) == []
