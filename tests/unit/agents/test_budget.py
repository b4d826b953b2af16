"""Each limit stops the call that would go beyond it, and no other."""

from __future__ import annotations

import math
import threading

import pytest

from kag.agents.model.budget import Budget, Cost, Limits
from kag.core.errors import BudgetExceeded


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def spend(budget: Budget, cost: Cost, expected: Cost | None = None) -> None:
    with budget.call(expected or Cost()) as charge:
        charge(cost)


@pytest.mark.parametrize(
    ("limits", "cost", "unit"),
    [
        (Limits(usd=0.3), Cost(10, 0.1), "USD"),
        (Limits(tokens=300), Cost(100, 0.1), "tokens"),
        (Limits(calls=3), Cost(100, 0.1), "calls"),
    ],
)
def test_the_fourth_call_is_refused_and_three_are_not(limits: Limits, cost: Cost, unit: str) -> None:
    budget = Budget(limits)
    for _ in range(3):
        spend(budget, cost)
    with pytest.raises(BudgetExceeded, match=f"limit of .* {unit} is reached") as stop:
        spend(budget, cost)
    assert (stop.value.code, stop.value.exit_code) == ("budget", 3)
    assert budget.spent()["calls"] == 3


def test_a_call_whose_prompt_alone_would_pass_the_limit_is_refused_before_it_starts() -> None:
    budget = Budget(Limits(tokens=1000))
    spend(budget, Cost(600))
    with pytest.raises(BudgetExceeded, match="needs at least 401"):
        spend(budget, Cost(1), expected=Cost(401))
    spend(budget, Cost(400), expected=Cost(400))
    assert budget.spent()["tokens"] == 1000


def test_time_is_measured_from_the_opening() -> None:
    clock = Clock()
    budget = Budget(Limits(seconds=60), clock=clock, sleep=clock.sleep)
    spend(budget, Cost())
    budget.wait(59)
    spend(budget, Cost())
    assert budget.seconds_left() == 1
    with pytest.raises(BudgetExceeded, match="5 to wait and 1 left"):
        budget.wait(5)
    assert clock.now == 159, "a wait that cannot be is not begun"
    clock.now += 1
    with pytest.raises(BudgetExceeded, match="seconds"):
        spend(budget, Cost())


def test_without_limits_nothing_stops() -> None:
    budget = Budget()
    for _ in range(100):
        spend(budget, Cost(10**9, 1e6))
    assert budget.seconds_left() == math.inf


def test_a_failed_call_gives_back_what_it_held() -> None:
    budget = Budget(Limits(tokens=100))
    with pytest.raises(RuntimeError), budget.call(Cost(90)):
        raise RuntimeError("connection lost")
    spend(budget, Cost(90), expected=Cost(90))
    assert budget.spent()["tokens"] == 90


def test_calls_under_way_at_the_same_time_cannot_pass_the_limit_together() -> None:
    budget = Budget(Limits(tokens=100))
    barrier, outcomes = threading.Barrier(8), []

    def work() -> None:
        barrier.wait()
        try:
            with budget.call(Cost(30)) as charge:
                done.wait()
                charge(Cost(30))
            outcomes.append("done")
        except BudgetExceeded:
            outcomes.append("stopped")
            stopped.release()

    done, stopped = threading.Event(), threading.Semaphore(0)
    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    refused = [stopped.acquire(timeout=10) for _ in range(5)]
    done.set()
    for thread in threads:
        thread.join()
    assert all(refused)
    assert sorted(outcomes) == ["done"] * 3 + ["stopped"] * 5
    assert budget.spent()["tokens"] == 90
