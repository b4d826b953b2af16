"""What is answered to many questions on a library, held as it was: value, claims, and where each is printed.

`answers.jsonl` has a line a question; null where the graphs do not answer. What is meant is written into it with
`KAG_UPDATE_GOLDEN=1`, and its difference is to be read.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kag.core.evidence import Answer, Claim
from kag.corpus.exact import answer_by_schema
from kag.corpus.store import Corpus, open_corpus
from kag.qa.checking.verify import verify
from kag.qa.questions.file import Question
from tests.unit.corpus.runs import indexed, make_run, put

pytestmark = pytest.mark.slow

FILE = Path(__file__).with_name("answers.jsonl")
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
PARTS = 12  # tests, each of a part of the questions
BUNDLED = ("reservoir_sensors", "urban_pollinators", "zirconium_tracers")
TEST_DATA = Path(__file__).resolve().parents[4] / "test_data"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The three bundled papers, and three small ones, one of which cites another."""
    folder = tmp_path_factory.mktemp("held")
    citing = "Lima A, Berg J. Sensors under river ice. Rivers. 2019;9:1-12. doi:10.5555/ice.2019.7."
    runs = [
        make_run(folder, "ice", doi="10.5555/ice.2019.7"),
        make_run(folder, "snow", cites=citing),
        make_run(folder, "fog", cites="Müller K. Frost on lakes. Lakes. 1978;2:5-9."),
        *(indexed(folder / "bundled" / name, TEST_DATA / name, name) for name in BUNDLED),
    ]
    put(folder / "corpus", *runs)
    return open_corpus(folder / "corpus")


def shown(answer: Answer | None) -> Any:
    """An answer as it is held."""
    if answer is None:
        return None
    return {
        "value": answer.value,
        "papers": list(answer.papers),
        "claims": [_claim(claim) for claim in answer.claims],
        "dropped": [one.text for one in answer.dropped],
    }


def _claim(claim: Claim) -> list[Any]:
    places = [f"{one.node.rpartition('/doc/')[2]} {one.start}-{one.end}" for one in claim.evidence]
    return [claim.text, claim.count, claim.confidence, *places]


def answered(library: Corpus, rows: list[Any]) -> list[tuple[Any, Answer | None]]:
    """Each row as it would be held now, and the answer to its question."""
    answers = [(row["question"], answer_by_schema(Question("q", row["question"]), library)) for row in rows]
    return [({"question": text, "answer": shown(one)}, one) for text, one in answers]


@pytest.mark.skipif("KAG_UPDATE_GOLDEN" not in os.environ, reason="what is held is not to be written")
def test_what_is_held_is_written(library: Corpus) -> None:
    now = [row for row, _ in answered(library, ROWS)]
    FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in now), encoding="utf-8")


@pytest.mark.parametrize("part", range(PARTS))
def test_every_question_is_answered_as_before(library: Corpus, part: int) -> None:
    rows = ROWS[part::PARTS]
    now = answered(library, rows)
    assert [(row, old) for (row, _), old in zip(now, rows, strict=True) if row != old] == []
    papers = library.library()
    assert [row["question"] for row, one in now if one and not verify(one, papers).conforms] == []


def test_many_questions_are_held() -> None:
    assert len(ROWS) >= 300
