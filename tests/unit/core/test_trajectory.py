"""A step is on record whatever is in it, as JSON that every reader takes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kag.core.trajectory import Step, Trajectory, as_json

RING: list[Any] = []
RING.append(RING)


def strict(line: str) -> Any:
    line.encode()
    return json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (float("nan"), "nan"),
        ([float("-inf"), 1.5], ["-inf", 1.5]),
        (10**5000, "<int>"),
        ({1: object, None: {2, 1}}, {"1": "<type>", "None": [1, 2]}),
        ("\ud800 \u00e9", "? \u00e9"),
        ({"\udfff": b"ab"}, {"?": "<bytes>"}),
        ((1, (2,)), [1, [2]]),
    ],
    ids=["nan", "inf", "digits", "names", "half a pair", "bytes", "tuples"],
)
def test_odd_values_are_named(value: Any, kept: Any) -> None:
    lines: list[str] = []
    trajectory = Trajectory(lines.append)
    trajectory.append(Step("tool", "take", data={"args": [value]}))
    trajectory.append(Step("note", "end"))
    assert "".join(lines) == trajectory.to_jsonl()
    first, last = map(strict, lines)
    assert first["args"] == [kept]
    assert last["name"] == "end"


def test_what_has_no_end_is_cut() -> None:
    assert str(as_json(RING)).count("[") == 100
    assert strict(Step("tool", "take", data={"args": RING}).to_json(1))["step"] == 1
