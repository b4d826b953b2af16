"""The figures of answered questions: the spread over repeats, and JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from kag.evaluate.answers.score import Marked, Summary, as_json, spread

RIGHT = Marked("q1", "content", "p", "SECRET question", True, None, True, 0, "SECRET gold", "SECRET value", tokens=100)
WRONG = replace(RIGHT, question="q2", right=False, issues=1, tokens=300, stopped="budget")


def summary(*repeats: tuple[Marked, ...]) -> Summary:
    return Summary("set", "model m, mode agent", 3, repeats)


def test_the_spread_is_over_repeats() -> None:
    better = (RIGHT, replace(WRONG, right=True, issues=0, stopped=""))
    found = {row["figure"]: row for row in spread(summary((RIGHT, WRONG), better, better))}
    exact = found["exact"]
    assert (exact["repeats"], exact["least"], exact["most"]) == (3, 0.5, 1.0)
    assert exact["mean"] == pytest.approx(5 / 6)
    assert exact["sd"] == pytest.approx(0.2357, abs=1e-4)
    assert (found["verified"]["least"], found["tokens"]["mean"], found["stopped"]["most"]) == (0.5, 400, 0.5)
    assert found["marked alike"]["mean"] == 0.5
    assert "hints" not in found


def test_one_run_has_no_spread() -> None:
    assert spread(summary((RIGHT, WRONG))) == []


def test_the_json_holds_every_mark() -> None:
    row = json.loads(json.dumps(as_json(summary((RIGHT, WRONG)))))
    assert [one["value"] for one in row["questions"][0]] == ["SECRET value", "SECRET value"]
    assert row["types"][-1]["exact"] == 0.5
