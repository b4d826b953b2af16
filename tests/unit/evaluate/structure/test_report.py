"""What is told: tables that add up, worst cases with the words around them, reports without any words of papers."""

from __future__ import annotations

import json
import re
from pathlib import Path

from kag.evaluate.structure.report import (
    SHOWN,
    Summary,
    as_json,
    compare_summaries,
    score_table,
    summarise,
    worst_cases,
)
from kag.evaluate.structure.runs import evaluate
from kag.evaluate.structure.score import METRICS

BUNDLED = Path(__file__).parents[4] / "test_data"


def test_scores_have_a_row_a_metric(good: Summary) -> None:
    assert list(good.scores) == list(METRICS)
    lines = score_table(good).splitlines()
    assert len(lines) == len(METRICS) + 2
    assert len({len(line) for line in lines}) == 1
    assert re.fullmatch(r"\| citations +\| 1\.0000 \| 1\.0000-1\.0000 \|.*\| +149 \| +0 \| +0 \| +3 \|", lines[2 + 5])


def test_a_metric_can_be_chosen(bundled_runs: Path) -> None:
    only = summarise("x", evaluate(BUNDLED, bundled_runs), ["order", "citations"])
    assert list(only.scores) == ["order", "citations"]


def test_the_worst_come_first_and_are_told_in_words(bad: Summary) -> None:
    cases = [case for case in bad.worst if case.metric == "citations"]
    assert [case.paper for case in cases] == ["reservoir_sensors"]
    missing, wrong = (next(one for one in cases[0].examples if one.startswith(kind)) for kind in ("missing", "wrong"))
    assert "-> [1] “[1] P. Aldous" in missing
    assert "-> [2] “[2] " in wrong
    captions = [case for case in bad.worst if case.metric == "captions"]
    assert [case.missing for case in captions] == sorted((case.missing for case in captions), reverse=True)
    assert max(len(example) for case in bad.worst for example in case.examples) < 3 * SHOWN
    assert worst_cases(bad.evaluation.papers, ["order"], 3) == []
    assert len(worst_cases(bad.evaluation.papers, ["captions"], 1)) == 1


def test_a_difference_has_a_sign(good: Summary, bad: Summary) -> None:
    found = compare_summaries(bad, good)
    assert found["captions"].value == -1.0
    assert found["captions"].sign == "-"
    assert (found["headings"].value, found["headings"].sign) == (0.0, "=")


def test_json_holds_the_same_figures(bad: Summary) -> None:
    row = json.loads(json.dumps(as_json(bad)))
    assert row["total"]["captions"]["value"] == 0.0
    assert row["papers"]["reservoir_sensors"]["citations"]["wrong"] == len(
        bad.evaluation.papers[0].compared["citations"].wrong
    )
    assert row["worst"][0]["examples"]
