"""Questions without a model: what a question names is shown as it is printed, above the ranked passages."""

from __future__ import annotations

import pytest

from kag.core.evidence import Answer
from kag.qa.answering import answer
from kag.qa.checking.verify import verify
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from tests.unit.qa.papers import Maker


@pytest.fixture(scope="module")
def paper() -> PaperGraph:
    make = Maker()
    make.section("s_1", "1 Results")
    make.add("b_1", "doco:Paragraph", "Ice data were funded by nobody and are available to nobody else.", "s_1")
    make.add("b_2", "doco:Figure", "0 10 20", "s_1", floatNumber="1", floatLabel="Fig. 1")
    make.add("b_3", "deo:Caption", "Fig. 1. Losses by month.", "s_1")
    make.link("b_3", "kag:describes", "b_2")
    make.add("b_4", "deo:Caption", "Table 2. Depths.", "s_1")
    make.add("b_5", "doco:Table", "Site | Depth\nUpper | 3", "s_1", floatNumber="2", floatLabel="Table 2")
    make.link("b_4", "kag:describes", "b_5")
    make.add("b_6", "doco:Paragraph", "Data availability: all logs are at Zenodo.", "s_1")
    make.section("s_2", "Funding and thanks")
    make.add("b_7", "doco:Paragraph", "Paid by the River Board.", "s_2")
    make.section("s_3", "What we would do next", types="FutureWork")
    make.add("b_8", "doco:Paragraph", "Deeper lakes come first.", "s_3")
    return make.paper()


def ask(paper: PaperGraph, text: str) -> Answer:
    given = answer(Question("q", text), paper)
    assert verify(given, {paper.id: paper}).issues == ()
    return given


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who funded the ice work?", "Paid by the River Board."),
        ("Is the data available?", "Data availability: all logs are at Zenodo."),
        ("What future work do they plan?", "Deeper lakes come first."),
        ("Why is the curve of Figure 1 steep in winter?", "Fig. 1. Losses by month."),
        ("Why is Table 2 so short?", "Table 2. Depths.\nSite | Depth\nUpper | 3"),
    ],
)
def test_what_a_question_names_is_shown_first(paper: PaperGraph, question: str, text: str) -> None:
    given = ask(paper, question)
    assert (given.mode, given.found) == ("passages", False)
    assert given.passages[0].text == text


def test_other_questions_get_ranked_passages(paper: PaperGraph) -> None:
    assert ask(paper, "What is nobody?").passages[0].text.startswith("Ice data were funded by nobody")


@pytest.mark.parametrize(
    "question",
    ["How many figures are there, and why do sensors fail?", "How many deep figures are there?"],
)
def test_a_question_of_which_a_part_or_a_word_is_not_read_has_no_exact_answer(paper: PaperGraph, question: str) -> None:
    assert ask(paper, question).mode == "passages"


def test_a_question_may_name_the_paper_itself(paper: PaperGraph) -> None:
    assert ask(paper, f"How many figures does “{paper.id}” have?").value == 1
