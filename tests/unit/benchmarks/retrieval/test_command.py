"""Figures of rankings against values worked out by hand, and the command over a small set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("tantivy")

from scripts.benchmarks.retrieval import command
from scripts.benchmarks.retrieval.command import Run, part_of, retrieval, row, scores_of
from scripts.benchmarks.retrieval.sets import Need, RetrievalQuestion, read_retrieval_set
from tests.unit.benchmarks.retrieval.places import ByWords, write_ottqa

EITHER = RetrievalQuestion("either", "?", (Need("table", frozenset("ab")), Need("passage", frozenset("p"))))
ALL = RetrievalQuestion("all", "?", (Need("passages", frozenset("xyz"), True),))


@pytest.mark.parametrize(
    ("question", "ranking", "recall", "mrr"),
    [
        (EITHER, "oabp", 1, 1 / 2),
        (EITHER, "oab", 1 / 2, 1 / 2),
        (ALL, "xoz", 2 / 3, 1),
        (ALL, "oo", 0, 0),
        (ALL, "", 0, 0),
    ],
)
def test_recall_is_over_needs_and_mrr_the_first_that_serves(
    question: RetrievalQuestion, ranking: str, recall: float, mrr: float
) -> None:
    assert scores_of(question, {4: list(ranking)}) == {"recall@4": pytest.approx(recall), "mrr@4": mrr}


def test_a_difference_is_of_the_same_questions() -> None:
    runs = [Run("base", {"recall@5": [0.0, 1.0]}, (0.1, 0.2)), Run("more", {"recall@5": [1.0, 1.0]}, (0.1, 0.3))]
    found = row(runs[1], runs, "base")
    assert found["recall@5 minus base"].startswith("+0.500 (")
    assert found["p50/p99 ms"] == "300.0/300.0"


def test_the_command_keeps_its_index_and_shows_plans_and_variants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ByWords()
    monkeypatch.setattr(command, "BgeSmall", lambda: words)
    places = write_ottqa(tmp_path / "places")
    words_of_command = [str(places), "--plan", "sage", "--k", "2", "--k", "5", "--index", str(tmp_path / "kept")]
    shown = CliRunner().invoke(retrieval, [*words_of_command, "--ablate", "4", "--json", str(tmp_path / "f.json")])
    assert shown.exit_code == 0, shown.output
    figures = json.loads((tmp_path / "f.json").read_text())
    plans, variants = figures["places: 8 questions"], figures["places, variants: 4 questions"]
    assert set(plans) == {"hybrid", "sage", "sage, text and metadata only"}
    assert sum(plans["sage"]["recall@5"]) >= sum(plans["sage, text and metadata only"]["recall@5"])
    assert "sage, without likeness" in variants
    asked = words.asked
    again = CliRunner().invoke(retrieval, words_of_command)
    assert (again.exit_code, words.asked - asked < asked) == (0, True)


def test_halves_share_no_question_and_samples_are_the_same(tmp_path: Path) -> None:
    data = read_retrieval_set(write_ottqa(tmp_path / "places"))
    halves = [{question.id for question in part_of(data, half).questions} for half in ("dev", "test")]
    assert (halves[0] & halves[1], len(halves[0] | halves[1])) == (set(), 8)
    assert part_of(data, sample=3) == part_of(data, sample=3)
