"""Which question is put to which paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import EvidenceError
from kag.qa.answer_batch import assign
from kag.qa.library import Library
from kag.qa.questions.file import Question


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
