"""Figures of rankings against values worked out by hand, and the command over a small set."""

from __future__ import annotations

import pytest

pytest.importorskip("tantivy")

from scripts.benchmarks.retrieval.command import Run, row, scores_of
from scripts.benchmarks.retrieval.sets import Need, RetrievalQuestion

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
