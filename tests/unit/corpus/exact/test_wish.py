"""What questions on a library ask for, read from their words alone."""

from __future__ import annotations

import pytest

from kag.corpus.exact.marks import find_marks
from kag.corpus.exact.wish import read_wish
from tests.growth import linear


@pytest.mark.parametrize(
    ("question", "ask", "target", "kinds"),
    [
        ("How many tables are there in the corpus?", "count", "table", []),
        ("Which papers have more than three figures?", "list", "paper", ["having"]),
        ("Which papers without tables cite Kay (1999)?", "list", "paper", ["having", "cites"]),
        ("Which journals are cited most often?", "rank", "journal", []),
        ("What are the top 5 most cited works from 2004?", "rank", "work", ["year"]),
        ("Which works are cited by at least two papers?", "list", "work", ["having"]),
        ("List all papers by van den Berg.", "list", "paper", ["author"]),
        ("Which papers published between 1999 and 2004 have a Results section?", "list", "paper", ["role", "year"]),
        ("Which figures have a caption that mentions frost?", "list", "figure", ["caption"]),
        ("How many articles contain 3 tables or more?", "count", "paper", ["having"]),
        ("Which papers lack a conclusion?", "list", "paper", ["role"]),
        ("How often is Kay et al. 1999 cited?", "count", "mention", ["cites"]),
    ],
)
def test_the_parts_of_a_wish(question: str, ask: str, target: str, kinds: list[str]) -> None:
    wish = read_wish(find_marks(question, ())[0])
    assert wish is not None
    assert (wish.ask, wish.target, [one.kind for one in wish.filters]) == (ask, target, kinds)


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("in 1999", 1999, 1999),
        ("since 1999", 1999, 2999),
        ("after 1999", 2000, 2999),
        ("before 1999", 0, 1998),
        ("between 1990 and 1999", 1990, 1999),
        ("in the 1990s", 1990, 1999),
    ],
)
def test_years(question: str, low: int, high: int) -> None:
    wish = read_wish(f"Which papers were published {question}?")
    assert wish is not None
    assert [(one.low, one.high) for one in wish.filters] == [(low, high)]


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("a table", 1, 2999),
        ("an equation", 1, 2999),
        ("a single table", 1, 1),
        ("one table", 1, 1),
        ("two tables", 2, 2),
        ("at least a table", 1, 2999),
    ],
)
def test_a_thing_is_one_or_more_of_it(words: str, low: int, high: int) -> None:
    wish = read_wish(f"How many papers have {words}?")
    assert wish is not None
    assert [(one.kind, one.low, one.high) for one in wish.filters] == [("having", low, high)]


@pytest.mark.parametrize(
    "question",
    [
        "Which papers hate tables?",
        "Which figures are blue?",
        "How many of the patients died?",
        "Which papers are not cited?",
    ],
)
def test_a_word_that_is_not_understood_leaves_no_wish(question: str) -> None:
    assert read_wish(question) is None


@pytest.mark.parametrize(
    "part", ["works by A. B. Kay and ", "@q0 and ", "Kay-Lee ", "have no ", "in the ", "A", "is cited "]
)
def test_reading_takes_time_in_proportion(part: str) -> None:
    assert linear(lambda text: read_wish(find_marks(f"Which papers cite {text}", ())[0]), (part * 2000)[:2000])
