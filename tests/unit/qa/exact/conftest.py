"""The small paper of the tests, indexed once, and questions put to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kag.core.evidence import Answer
from kag.indexing.batch import find_papers, index_all
from kag.qa.answering import answer
from kag.qa.checking.verify import verify
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from tests.papers import write_paper

Ask = Callable[[str], Answer]


@pytest.fixture(scope="session")
def ice(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    """`tests.papers` as a graph."""
    folder = tmp_path_factory.mktemp("answering")
    write_paper(folder / "in" / "ice")
    (outcome,) = index_all(find_papers([folder / "in" / "ice"], folder / "runs"), workers=1)
    assert outcome.run is not None
    return PaperGraph.load(Path(outcome.run))


@pytest.fixture(scope="session")
def ask(ice: PaperGraph) -> Ask:
    """Answers that have been verified on their way."""

    def put(text: str) -> Answer:
        given = answer(Question("q", text), ice)
        assert verify(given, {ice.id: ice}).issues == ()
        assert given.mode in ("exact", "passages")
        assert not given.dropped
        assert not (given.claims and given.passages)
        return given

    return put
