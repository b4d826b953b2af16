"""Evidence recall: the place of the first passage that holds a gold quote or block."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import SourceError
from kag.core.evidence import Passage
from kag.evaluate.retrieval import EvidenceQuestion, evidence_recall, holds, read_evidence_questions
from kag.qa.paper import PaperGraph
from tests.unit.qa.exact.conftest import ice  # noqa: F401

SITES = "Twelve sites were chosen along the river."


@pytest.mark.parametrize(
    ("quote", "block", "held"),
    [
        (SITES, "", True),
        ("twelve sites chosen here, river", "", True),  # four of five words
        ("Sensors fail under ice in spring", "", False),
        ("", "b_p002_0004", True),
        ("", "b_p002_0005", False),
    ],
)
def test_a_passage_holds_most_words_of_a_quote_or_prints_the_block(quote: str, block: str, held: bool) -> None:
    passage = Passage("ice", ("http://x/ice/b_p002_0004",), "Paragraph", "", 2, SITES, 0, 5)
    asked = EvidenceQuestion("ice", "?", (quote,) if quote else (), (block,) if block else ())
    assert holds(passage, asked) is held


def test_recall_counts_ranks(ice: PaperGraph) -> None:  # noqa: F811
    questions = [
        EvidenceQuestion("ice", "Which sites were chosen along the river?", (SITES,)),
        EvidenceQuestion("ice", "What melts tungsten?", (SITES,)),
        EvidenceQuestion("snow", "Where?", (SITES,)),
    ]
    found = evidence_recall(questions, {"ice": ice})
    assert (found.ranks, found.unasked) == ((1, None), 1)
    assert found.rows() == [{"questions": 2, "recall@1": 0.5, "recall@3": 0.5, "recall@5": 0.5, "recall@10": 0.5}]
    assert found.as_json()["questions"][1] == {"paper": "ice", "question": "What melts tungsten?", "rank": None}


def test_questions_are_read_with_quotes_or_blocks(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    rows = [{"paper": "a", "question": "x", "quotes": ["y"]}, {"paper": "a", "question": "z", "evidence": ["b_1"]}]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert read_evidence_questions(file) == (
        EvidenceQuestion("a", "x", ("y",)),
        EvidenceQuestion("a", "z", (), ("b_1",)),
    )
    file.write_text('{"paper": "a"}', encoding="utf-8")
    with pytest.raises(SourceError, match="question"):
        read_evidence_questions(file)


def test_the_command_prints_recalls_and_writes_ranks(bundled_runs: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "q.jsonl", tmp_path / "out.json"
    row = {"paper": "urban_pollinators", "question": "How was flower cover estimated?", "evidence": ["b_p001_0019"]}
    file.write_text(json.dumps(row), encoding="utf-8")
    done = CliRunner().invoke(cli, ["evaluate", "passages", str(file), str(bundled_runs), "--json", str(out)])
    assert done.exit_code == 0, done.output
    assert "recall@5" in done.output
    assert json.loads(out.read_text(encoding="utf-8"))["figures"]["questions"] == 1
