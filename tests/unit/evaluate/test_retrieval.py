"""Scores of search plans on judged questions: the metrics, the file of judgements, the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import SourceError
from kag.evaluate.retrieval import missing, read_judgements, score_plan
from kag.retrieval.chunking import Chunk
from kag.retrieval.index import Index

CHUNKS = (
    Chunk("c1", "Sensors fail under river ice.", document="ice", sources=("http://x/doc/ice/b_p001_0001",)),
    Chunk("c2", "Moss cools roofs.", document="moss", sources=("http://x/doc/moss/b_p001_0001",)),
    Chunk("c3", "Moss on river stones.", document="moss", sources=("http://x/doc/moss/b_p001_0002",)),
)


def written(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "judged.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("relevant", "papers", "wanted"),
    [
        (["ice/b_p001_0001"], [], {"recall@1": 1.0, "recall@3": 1.0, "mrr": 1.0, "ndcg@1": 1.0}),
        (["http://x/doc/ice/b_p001_0001", "c3"], [], {"recall@1": 0.5, "recall@3": 1.0, "mrr": 1.0}),
        (["moss"], [], {"recall@1": 0.0, "recall@3": 1.0, "mrr": 0.5}),
        (["ice"], ["moss"], {"recall@3": 0.0, "mrr": 0.0, "ndcg@3": 0.0}),
    ],
)
def test_metrics_of_one_question(
    relevant: list[str], papers: list[str], wanted: dict[str, float], tmp_path: Path
) -> None:
    row = {"id": "q", "question": "Which sensors fail under river ice?", "relevant": relevant, "papers": papers}
    found = score_plan(read_judgements(written(tmp_path, row)), Index.build(CHUNKS), "bm25", (1, 3))
    assert {name: found.values[name][0] for name in wanted} == wanted


def test_what_no_chunk_covers_is_reported(tmp_path: Path) -> None:
    row = {"id": "q", "question": "Ice?", "relevant": ["ice", "fog/b_p001_0001"]}
    assert missing(read_judgements(written(tmp_path, row)), Index.build(CHUNKS)) == ("fog/b_p001_0001",)


@pytest.mark.parametrize("row", [{"id": "q"}, {"id": "q", "question": "Ice?", "relevant": []}])
def test_a_line_of_another_form_is_rejected_with_its_number(row: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="line 1"):
        read_judgements(written(tmp_path, row))


def test_the_command_scores_plans_of_a_corpus(bundled_runs: Path, tmp_path: Path) -> None:
    root = str(tmp_path / "library")
    for words in (["add", str(bundled_runs)], ["index"]):
        assert CliRunner().invoke(cli, ["corpus", *words, "--corpus", root]).exit_code == 0
    row = {"id": "q", "question": "bees in gardens", "relevant": ["urban_pollinators"]}
    command = ["evaluate", "retrieval", str(written(tmp_path, row)), "--corpus", root, "--plan", "bm25"]
    told = CliRunner().invoke(cli, [*command, "--json", str(tmp_path / "o.json")])
    assert told.exit_code == 0, told.output
    assert "recall@5" in told.stdout
    assert json.loads((tmp_path / "o.json").read_text())["bm25"]["mrr"] == {"q": 1.0}
