"""Somebody in the loop of an agent: calls are run, refused, or run with other arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kag.core.tool import guard, tool, toolset
from kag.core.trajectory import Trajectory


class Search:
    @tool
    def find(self, query: str, limit: int = 3) -> dict[str, Any]:
        """Find things."""
        return {"ok": True, "query": query, "limit": limit}


@pytest.mark.parametrize(
    ("decision", "result", "ran"),
    [
        (True, {"ok": True, "query": "ice", "limit": 5}, {"query": "ice", "limit": 5}),
        ({"query": "snow"}, {"ok": True, "query": "snow", "limit": 3}, {"query": "snow"}),
        (False, None, {"query": "ice", "limit": 5}),
    ],
)
def test_each_call_is_decided_on(decision: bool | Mapping[str, Any], result: object, ran: object) -> None:
    asked: list[tuple[str, Mapping[str, Any]]] = []

    def approve(name: str, arguments: Mapping[str, Any]) -> bool | Mapping[str, Any]:
        asked.append((name, arguments))
        return decision

    trajectory = Trajectory()
    (offered,) = toolset(Search())
    found = guard(offered, trajectory, approve).call("ice", limit=5)
    assert asked == [("find", {"query": "ice", "limit": 5})]
    assert found == result or found["code"] == "denied"
    (step,) = trajectory
    assert step.data["kwargs"] == ran
    assert step.ok is (decision is not False)


def test_a_call_that_does_not_fit_is_told_and_nobody_is_asked() -> None:
    (offered,) = toolset(Search())
    found = guard(offered, Trajectory(), lambda name, arguments: pytest.fail("asked")).call(colour="red")
    assert found["code"] == "bad_call"
