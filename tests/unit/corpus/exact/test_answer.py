"""Questions on a library of three papers, answered from their graphs, and what is no such question."""

from __future__ import annotations

import pytest

from kag.core.evidence import Answer
from kag.corpus.exact import answer_by_schema
from kag.corpus.store import Corpus
from kag.qa.checking.verify import verify
from kag.qa.questions.file import Question


def asked(corpus: Corpus, question: str) -> Answer | None:
    return answer_by_schema(Question("q", question), corpus)


@pytest.mark.parametrize(
    ("question", "papers"),
    [
        ('Which papers cite "Ice on rivers"?', ["fog", "ice", "snow"]),
        ('Who cites "Frost on lakes"?', ["fog"]),
        ('Which papers cite both "Ice on rivers" and "Frost on lakes"?', ["fog"]),
        ('Which papers cite "Ice on rivers" but not "Frost on lakes"?', ["ice", "snow"]),
        ('Which papers do not cite "Frost on lakes"?', ["ice", "snow"]),
        ('Which papers cite "Frost on lakes" or "Sensors under river ice"?', ["fog", "snow"]),
        ("Which papers cite Muller (1978)?", ["fog"]),
        ("List the papers that cite a work by Müller from 1978.", ["fog"]),
        ("Which papers cite works published before 1980?", ["fog"]),
        ("By which papers is 10.5555/ice.2019.7 cited?", ["snow"]),
        ("Which papers cite Frost on lakes?", ["fog"]),
        ("Which papers have a Methods section?", ["fog", "ice", "snow"]),
        ("Which papers have at least 4 references?", ["fog", "snow"]),
        ("Which paper has the fewest references?", ["ice"]),
        ("Which references does fog cite from after 1990?", ["fog"]),
    ],
)
def test_the_papers_that_answer(corpus: Corpus, question: str, papers: list[str]) -> None:
    answer = asked(corpus, question)
    assert answer is not None
    assert list(answer.papers) == papers
    assert verify(answer, corpus.library()).conforms


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many papers are there?", 3),
        ("How many references are there in the library?", 11),
        ("How many references does snow have?", 4),
        ("How many figures are there?", 3),
        ('How many papers cite "Frost on lakes"?', 1),
        ('How many papers cite "Snow on rivers"?', 3),
        ("How many papers have no equations?", 0),
        ("How many papers have a reference?", 3),
        ("How many times is Müller (1978) cited?", 0),
    ],
)
def test_numbers_have_one_place_for_each_thing(corpus: Corpus, question: str, number: int) -> None:
    answer = asked(corpus, question)
    assert answer is not None
    assert answer.value == number
    assert sum(len(claim.evidence) for claim in answer.claims) == number
    assert verify(answer, corpus.library()).conforms


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (
            "What are the first two references of fog?",
            ["[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9.", "[2] Roe E. Snow on rivers. Rivers. 2000;4:10-19."],
        ),
        ("Which papers cite more than one work of 1999?", []),
        ("How many references of snow have a DOI?", 1),
        ("Which has more references, fog or ice?", ["Sensors under river ice"]),
        ('What is the year of "Ice on rivers"?', "1999"),
        ('Does fog cite "Frost on lakes"?', "yes"),
        ('Does ice cite "Frost on lakes"?', "no"),
        ("Which tables does the paper fog have?", ["Table 1. Losses by site."]),
        ("Who are the authors of fog?", ["Ana Lima", "Jon Berg"]),
        ("What is the title of each paper?", ["Sensors under river ice"] * 3),  # of those here, not of those cited
        ("What is the DOI of each paper?", ["Sensors under river ice: 10.5555/ice.2019.7"]),
        (
            "What are the titles of the papers cited in fog?",
            ["Ice on rivers", "Fog on rivers", "Frost on lakes", "Snow on rivers"],
        ),
        ("What is the caption of the first table of fog?", "Table 1. Losses by site."),
    ],
)
def test_a_modifier_is_part_of_the_answer(corpus: Corpus, question: str, value: object) -> None:
    answer = asked(corpus, question)
    assert answer is not None
    assert answer.value == value
    assert verify(answer, corpus.library()).conforms


def test_papers_that_do_not_say_are_counted(corpus: Corpus) -> None:
    answer = asked(corpus, "What is the DOI of each paper?")
    assert answer is not None
    assert answer.label.endswith("; 2 papers do not say")


def test_works_are_ranked_by_who_cites_them(corpus: Corpus) -> None:
    answer = asked(corpus, "Which work is cited by most papers?")
    assert answer is not None
    assert [claim.count for claim in answer.claims] == [None, 3]
    assert answer.value == ["[2] Roe E. Snow on rivers. Rivers. 2000;4:10-19."]
    assert verify(answer, corpus.library()).conforms


def test_one_number_for_each_paper(corpus: Corpus) -> None:
    answer = asked(corpus, "How many references does each paper have?")
    assert answer is not None
    assert sorted(answer.value.values()) == [3, 4, 4]
    assert verify(answer, corpus.library()).conforms


def test_where_in_a_paper_a_work_is_cited(corpus: Corpus) -> None:
    answer = asked(corpus, 'Which section of fog cites "Snow on rivers"?')
    assert answer is not None
    assert answer.value == ["1 Introduction"]
    assert any(place.quote == "[1, 2]" or "2" in place.quote for place in answer.claims[0].evidence)


def test_what_nobody_cites_is_an_answer_with_searches(corpus: Corpus) -> None:
    answer = asked(corpus, 'Which papers cite "Dust on the moons of Saturn"?')
    assert answer is not None
    assert not answer.claims
    assert answer.value == []
    assert any("Dust on the moons of Saturn" in search for search in answer.searches)
    assert verify(answer, corpus.library()).conforms


def test_the_query_is_told(corpus: Corpus) -> None:
    answer = asked(corpus, 'Which papers cite "Ice on rivers"?')
    assert answer is not None
    assert any(search.startswith("SPARQL: PREFIX") for search in answer.searches)


@pytest.mark.parametrize(
    "question",
    [
        "Why do rivers freeze?",
        "Which papers discuss ice?",
        'Which papers agree with "Ice on rivers"?',
        "Which papers never cite anybody on Tuesdays?",
        "How many sensors failed?",
        "Which papers were published in 1950?",  # they do not say
        "How many papers were published in 1950?",
        'Which papers cite "rivers"?',  # part of several titles
        "Which papers cite 10.5555/nobody.knows.this?",  # entries often print no DOI
        "Which papers cite the best work on rivers?",
        "What is the page of each paper?",
        "",
        "?",
    ],
)
def test_what_the_graphs_do_not_answer_is_left_alone(corpus: Corpus, question: str) -> None:
    assert asked(corpus, question) is None


def test_one_number_for_each_section_by_its_paper_where_several_have_its_name(corpus: Corpus) -> None:
    answer = asked(corpus, "For each section, how many references does it cite?")
    assert answer is not None
    assert isinstance(answer.value, dict)
    introductions = {name for name in answer.value if name.startswith("1 Introduction")}
    assert introductions == {f"1 Introduction ({paper})" for paper in ("fog", "ice", "snow")}
    assert verify(answer, corpus.library()).conforms


@pytest.mark.parametrize(
    ("question", "papers"),
    [
        ('In which papers is "Snow on rivers" cited in the Introduction?', ["fog", "ice", "snow"]),
        ('Which papers cite "Snow on rivers" in the Methods?', []),
        ('Which papers do not cite "Frost on lakes" in the Introduction?', ["fog", "ice", "snow"]),
    ],
)
def test_where_in_papers_a_work_is_cited(corpus: Corpus, question: str, papers: list[str]) -> None:
    answer = asked(corpus, question)
    assert answer is not None
    assert sorted(answer.papers) == papers
    assert verify(answer, corpus.library()).conforms
