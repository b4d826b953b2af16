"""What questions on a library ask for, read from their words alone."""

from __future__ import annotations

import pytest

from kag.qa.questions.papers import KnownPaper
from kag.qa.questions.reader import Known, read_question
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Query

LIBRARY = Known(papers=(KnownPaper("fog"),), many=True)


def read(question: str) -> Query | None:
    queries = read_question(question, LIBRARY).queries
    return queries[0] if len(queries) == 1 else None


def conditions(query: Query | None) -> list[Condition]:
    assert query is not None
    flat = [part for one in query.where for part in (one.conditions if isinstance(one, AnyOf) else (one,))]
    return [one for one in flat if isinstance(one, Condition)]


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("in 1999", 1999, 1999),
        ("since 1999", 1999, MANY),
        ("after 1999", 2000, MANY),
        ("before 1999", 1, 1998),
        ("between 1990 and 1999", 1990, 1999),
        ("in the 1990s", 1990, 1999),
    ],
)
def test_years(question: str, low: int, high: int) -> None:
    query = read(f"Which papers were published {question}?")
    assert [(one.low, one.high) for one in conditions(query)] == [(low, high)]


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("a table", 1, MANY),
        ("an equation", 1, MANY),
        ("a single table", 1, 1),
        ("one table", 1, 1),
        ("two tables", 2, 2),
        ("at least a table", 1, MANY),
    ],
)
def test_a_thing_is_one_or_more_of_it(words: str, low: int, high: int) -> None:
    query = read(f"How many papers have {words}?")
    assert [(one.relation, one.low, one.high) for one in conditions(query)] == [("holds", low, high)]


@pytest.mark.parametrize(
    "question",
    [
        "Which papers hate tables?",
        "Which figures are blue?",
        "How many of the patients died?",
    ],
)
def test_a_word_that_is_not_understood_leaves_no_wish(question: str) -> None:
    assert read(question) is None
