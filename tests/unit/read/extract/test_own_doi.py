"""The paper's own DOI is told where it is asked for, and not where another's is."""

from __future__ import annotations

import pytest

from kag.evaluate.answers.score import extractive
from kag.questions.file import Question
from kag.read.library import open_library
from kag.read.paper import PaperGraph
from tests.unit.corpus.runs import make_run

OWN = "10.5555/ice.2020.1"


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    folder = tmp_path_factory.mktemp("doi")
    make_run(folder, "ice", doi=OWN)
    (one,) = open_library(folder).values()
    return one


@pytest.mark.parametrize("question", ["doi?", "whats the doi please", "digital object identifier of this article"])
def test_its_own(paper: PaperGraph, question: str) -> None:
    assert extractive()(Question("q", question), paper).value == OWN


@pytest.mark.parametrize("question", ["doi of the Kos paper that is cited", "What is the DOI of the data set?"])
def test_of_something_else(paper: PaperGraph, question: str) -> None:
    given = extractive()(Question("q", question), paper)
    assert OWN not in (given.value or "") + " ".join(claim.text for claim in given.claims)
