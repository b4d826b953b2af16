"""What is read from questions, from tables of many wordings, and that no word is lost on the way."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.qa.questions.papers import KnownPaper
from kag.qa.questions.reader import Known, read_question
from kag.qa.questions.structured_query import Query
from tests.growth import linear
from tests.unit.qa.questions import told
from tests.unit.qa.questions.told import table

FOLDER = Path(__file__).parent
MODIFIED = table("modifiers.txt")
LIBRARY = Known(
    papers=(
        KnownPaper("ice", "Sensors under river ice"),
        KnownPaper("snow", "Snow on rivers in spring"),
        KnownPaper("fog", "Fog on rivers"),
    ),
    many=True,
)


def said(question: str, known: Known | None = None) -> str:
    queries = read_question(question, known or Known()).queries
    return " + ".join(map(told.query, queries)) or "none"


@pytest.mark.parametrize(("expected", "question"), table("wishes.txt"))
def test_one_paper(expected: str, question: str) -> None:
    assert said(question) == expected


@pytest.mark.parametrize(("expected", "question"), table("library.txt"))
def test_a_library(expected: str, question: str) -> None:
    assert said(question, LIBRARY) == expected


@pytest.mark.parametrize("question", (FOLDER / "unread.txt").read_text(encoding="utf-8").splitlines())
def test_what_is_not_read_whole_is_not_read(question: str) -> None:
    reading = read_question(question)
    assert not reading.queries
    assert reading.unspent


@pytest.mark.parametrize(("expected", "question"), MODIFIED)
def test_a_word_that_changes_the_answer_is_in_the_query_or_leaves_none(expected: str, question: str) -> None:
    assert said(question) == expected


MODIFIERS = (
    "only not never first last other most fewest mainly almost every twice once more less exactly neither except "
    "before after without both third recent partly rarely possibly wrongly together alone"
)
PLAIN = (
    "Which references are cited in the Introduction?",
    "Which sections cite reference 7?",
    "How many figures does section 2 contain?",
    "What is the title of reference 3?",
    "In which sections is Figure 2 mentioned?",
    "Who are the authors of reference 2?",
    "Is reference 4 cited in the Methods?",
    "What did Kay write in 1989?",
    "Which references are from Nature?",
    "Which groups appear in Table 2?",
    "Which item is older, Kay 1997 or Lee 2001?",
    "What is the affiliation of the second author?",
    "Does the Introduction cite anything?",
    "What does the caption of the flow chart figure say?",
    "Which references have Kay as the first author?",
    "Reference 14 is cited in which sections?",
    "For reference 23, find the journal and the volume.",
    "dates: received, revised, accepted?",
)


@settings(max_examples=120, deadline=None)
@given(question=st.sampled_from(PLAIN), word=st.sampled_from(MODIFIERS.split()), place=st.integers(0, 12))
def test_a_modifier_put_in_anywhere_is_never_lost(question: str, word: str, place: int) -> None:
    plain = read_question(question).queries
    words = question.split()
    place = min(place, len(words) - 1)
    queries = read_question(" ".join([*words[:place], word, *words[place:]])).queries
    assert plain
    assert queries != plain


def unmodified(question: str) -> tuple[Query, ...]:
    """What a question wishes for without its modifiers."""
    return read_question(
        " ".join(word for word in question.rstrip("?").split() if word not in MODIFIERS.split())
    ).queries


CHANGED = [
    question
    for expected, question in MODIFIED
    if expected != "none" and unmodified(question) not in ((), read_question(question).queries)
]


@settings(max_examples=80, deadline=None)
@given(question=st.sampled_from(CHANGED), data=st.data())
def test_shuffled_modifiers_never_give_the_wish_without_them(question: str, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(question.rstrip("?").split()))
    assert read_question(" ".join(shuffled)).queries != unmodified(question)


def test_titles_of_the_paper_are_known_without_marks() -> None:
    question = "Which references does Labelling of peptides cite?"
    assert said(question) == "none"
    known = Known(titles=("Labelling of peptides",))
    assert said(question, known) == "reference(cited in [section(is 'Labelling of peptides'/title)])"


def test_what_is_quoted_stays_as_it_is() -> None:
    question = "Which subsections does the section \"Editors' Summary (s) of refs. and what's next\" have?"
    assert "Editors' Summary (s) of refs. and what's next" in said(question)


def test_the_order_of_conditions_in_words_does_not_matter() -> None:
    parts = ("of 2009", "by Kay", "without a DOI")
    read = {
        frozenset(read_question(f"Which references {' '.join(order)} are cited in the Methods?").queries[0].where)
        for order in permutations(parts)
    }
    assert len(read) == 1


@pytest.mark.parametrize(
    "question", ["", "?", "@", "\x00", "(" * 4000, "a " * 4000, '"' * 999, "Fig. " * 900, "and " * 70]
)
def test_no_question_breaks_the_grammar(question: str) -> None:
    assert not read_question(question).queries


@pytest.mark.parametrize(
    "part",
    [
        "works by A. B. Kay and ",
        "in section 2 ",
        "that cite references ",
        "Kay-Lee ",
        "the first of ",
        "A ",
        "is cited ",
    ],
)
def test_reading_takes_time_in_proportion(part: str) -> None:
    question = "Which references are cited "
    assert linear(lambda text: read_question(question + text), (part * 500)[:1000])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which references are cited almost everywhere?", True),
        ("What does Figure 2 not show?", True),
        ("How many words does the abstract have?", True),
        ("Which studies were excluded?", False),
        ("How many mice died?", False),
        ("Which references are cited in the Introduction?", False),
    ],
)
def test_what_is_asked_of_the_print_alone(question: str, expected: bool) -> None:
    assert read_question(question).of_print == expected
