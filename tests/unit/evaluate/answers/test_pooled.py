"""Questions put to all articles together."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from kag.cli.main import cli
from kag.evaluate.answers.pooled import Pooled, pooled, pooled_rows

ARTICLES = [
    {
        "doc_id": "roofs",
        "paragraphs": ["Roofs are old here.", "Moss splits slate in 12 days.", "Nothing else is known of it."],
        "questions": [{"question": "What does moss split?", "answer": "slate", "evidence": [1]}],
    },
    {
        "doc_id": "ice",
        "paragraphs": ["Ice hides sensors.", "Rivers freeze in winter.", "Snow hides sensors as well."],
        "questions": [{"question": "What hides sensors under snow?", "answer": "Ice", "evidence": [1]}],
    },
]


def test_evidence_is_looked_for_in_all_articles(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_text("\n".join(map(json.dumps, ARTICLES)) + "\n", encoding="utf-8")
    moss, ice = pooled(file)
    assert (moss.ours, moss.plain, moss.right, moss.silent, moss.silent_without) == (1, 1, True, False, True)
    assert (ice.ours, ice.plain, ice.right, ice.silent_without) == (3, 0, True, True)
    shown = CliRunner().invoke(cli, ["evaluate", "passages", str(file), "--pool"])
    assert shown.exit_code == 0
    assert "best sentence of the right article" in shown.output


def test_figures_are_shares() -> None:
    found = [Pooled(0, 1, 3, True, 2, 3, False, True), Pooled(1, 4, 0, False, 0, 0, True, True)]
    development, other, everything = pooled_rows(found)
    assert (development["recall@1"], development["bm25@1"], development["bm25@3"]) == (1.0, 0.0, 1.0)
    assert (other["recall@3"], other["recall@5"], other["wrongly silent"]) == (0.0, 1.0, 1.0)
    assert everything["silent without the article"] == 1.0
