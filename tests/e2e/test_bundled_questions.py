"""The questions of the bundled papers, answered without a model: what the graph holds is answered exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.evaluate.answers.gold import read_gold
from kag.evaluate.answers.score import Marked, answer_all, results
from kag.qa.exact.compose import look_up
from kag.qa.library import open_library
from kag.qa.paper import PaperGraph
from tests.conftest import BUNDLED

PAPERS = sorted(path.parent.name for path in BUNDLED.glob("*/questions.json"))
EXACT = {"structural", "citation", "cross_ref", "bibliography"}


@pytest.fixture(scope="module")
def marks(bundled_runs: Path) -> tuple[Marked, ...]:
    found: list[Marked] = []
    for name in PAPERS:
        golds = read_gold(BUNDLED / name / "questions.json")
        run = next(bundled_runs.glob(f"{name}_*"))
        found += answer_all(golds, run)
    return tuple(found)


def test_structure_links_and_entries_are_answered_exactly(marks: tuple[Marked, ...]) -> None:
    asked = [one for one in marks if one.type in EXACT]
    assert len(asked) >= 12
    assert [(one.question, one.value, one.gold) for one in asked if not one.right] == []


def test_every_answer_verifies(marks: tuple[Marked, ...]) -> None:
    assert len(marks) == 30
    assert [one.question for one in marks if one.issues] == []


def test_results_count_what_was_marked(marks: tuple[Marked, ...]) -> None:
    found = results(marks)
    assert found["all"].asked == len(marks) == sum(one.asked for name, one in found.items() if name != "all")
    assert found["structural"].exact == 1.0
    assert found["structural"].verified == found["structural"].found


def test_questions_on_the_text_are_left_to_the_text(bundled_runs: Path) -> None:
    library = open_library(bundled_runs)
    for name in PAPERS:
        paper: PaperGraph = library[name]
        for question, _ in read_gold(BUNDLED / name / "questions.json"):
            if question.type in ("content", "unanswerable"):
                assert look_up(question, paper) is None, question.text
