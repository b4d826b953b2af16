"""What questions on a library ask for, read from their words alone."""

from __future__ import annotations

import pytest

from kag.qa.questions.papers import KnownPaper
from kag.qa.questions.reader import Known, read_question
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Query
from tests.growth import linear

LIBRARY = Known(papers=(KnownPaper("fog"),), many=True)


def read(question: str) -> Query | None:
    queries = read_question(question, LIBRARY).queries
    return queries[0] if len(queries) == 1 else None


def conditions(query: Query | None) -> list[Condition]:
    assert query is not None
    flat = [part for one in query.where for part in (one.conditions if isinstance(one, AnyOf) else (one,))]
    return [one for one in flat if isinstance(one, Condition)]


@pytest.mark.parametrize(
    ("question", "ask", "kind", "relations"),
    [
        ("How many tables are there in the corpus?", "count", "table", []),
        ("Which papers have more than three figures?", "list", "paper", ["holds"]),
        ("Which papers without tables cite Kay (1999)?", "list", "paper", ["holds", "cites"]),
        ("Which journals are cited most often?", "list", "journal", []),
        ("What are the top 5 most cited works from 2004?", "list", "work", ["year"]),
        ("Which works are cited by at least two papers?", "list", "work", ["cited in"]),
        ("List all papers by van den Berg.", "list", "paper", ["author"]),
        ("Which papers published between 1999 and 2004 have a Results section?", "list", "paper", ["year", "holds"]),
        ("Which figures have a caption that mentions frost?", "list", "figure", ["title"]),
        ("Which papers lack a conclusion?", "list", "paper", ["holds"]),
        ("How often is Kay et al. 1999 cited?", "count", "mention", ["cites"]),
    ],
)
def test_the_parts_of_a_wish(question: str, ask: str, kind: str, relations: list[str]) -> None:
    query = read(question)
    assert query is not None
    assert (query.ask, query.kind, [one.relation for one in conditions(query)]) == (ask, kind, relations)


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


@pytest.mark.parametrize(
    "part", ["works by A. B. Kay and ", '"a" and ', "Kay-Lee ", "have no ", "in the ", "A", "is cited "]
)
def test_reading_takes_time_in_proportion(part: str) -> None:
    assert linear(lambda text: read(f"Which papers cite {text}"), (part * 2000)[:2000])
