"""Questions without a model: what a question names is shown as it is printed, above the ranked passages."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import EvidenceError
from kag.core.evidence import Answer
from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.qa import library as reading
from kag.qa.answer_batch import assign
from kag.qa.answering import answer
from kag.qa.checking.verify import verify
from kag.qa.library import Library, open_library
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from tests.papers import write_paper
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


def test_the_papers_asked_for_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "OPEN", 2)
    pages = write_paper(tmp_path / "pages")
    for name in ("fog", "ice", "snow"):
        write_run(tmp_path / "runs", name, index_paper(pages, paper_id=name).files)
    library = open_library(tmp_path / "runs")
    fog, ice = library["fog"], library["ice"]
    assert library["fog"] is fog
    assert library["snow"].id == "snow"  # ice was asked for longest ago, and goes
    assert library["fog"] is fog
    assert library["ice"] is not ice
    assert library["ice"].title == ice.title
    assert len(library) == 3


def library(*names: str) -> Library:
    return Library({name: Path(name) for name in names})


def questions(*papers: str) -> list[Question]:
    return [Question(f"q{number}", "What?", paper) for number, paper in enumerate(papers, start=1)]


def put(*given: object) -> list[tuple[str, str]]:
    return [(one.question.id, one.paper) for one in assign(*given)]  # type: ignore[arg-type]


def test_one_run_is_asked_what_is_about_it_or_about_none() -> None:
    asked = questions("ice", "", "ice_ocr", "snow")
    assert put(asked, library("ice_ocr")) == [("q1", "ice_ocr"), ("q2", "ice_ocr"), ("q3", "ice_ocr")]


def test_with_a_paper_one_run_is_asked_whatever_it_is_called() -> None:
    assert put(questions("ice", "", "snow"), library("x"), "snow") == [("q3", "x")]


def test_in_a_library_the_question_names_its_paper() -> None:
    many = library("ice", "ice_2", "snow_ocr")
    assert put(questions("ice", "snow"), many) == [("q1", "ice"), ("q2", "snow_ocr")]
    assert put(questions("ice", "snow"), many, "snow") == [("q2", "snow_ocr")]


@pytest.mark.parametrize(
    ("papers", "runs", "paper", "words"),
    [
        (["fog"], ["ice"], None, "no question is about 'ice'"),
        (["ice"], ["ice"], "fog", "no question is about 'fog'"),
        (["ice"], ["ice_1", "ice_2"], None, "several papers begin so"),
        (["fog"], ["ice", "snow"], None, "there is none of that name"),
    ],
)
def test_what_is_not_clear_is_an_error(papers: list[str], runs: list[str], paper: str | None, words: str) -> None:
    with pytest.raises(EvidenceError) as raised:
        assign(questions(*papers), library(*runs), paper)
    assert words in raised.value.message
    assert raised.value.hint


def test_a_question_without_a_paper_is_put_to_all_of_several() -> None:
    assert put(questions("", "ice"), library("ice", "snow"), None) == [("q1", ""), ("q2", "ice")]


def test_an_error_names_some_of_many_papers() -> None:
    with pytest.raises(EvidenceError) as raised:
        assign(questions("fog"), library(*(f"ice{number:02}" for number in range(12))), None)
    assert raised.value.hint == f"Papers here: {', '.join(f'ice{number:02}' for number in range(10))}, and more."
