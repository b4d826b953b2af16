"""`Budget`: what a run may spend, shared by all its models, and the stop before it would spend more.

Limits describe the run and not the bill: a replayed call is charged as it was when it was recorded, so a
replayed run stops where the recorded one stopped. What was truly paid is in the ledger.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kag.core.errors import BudgetExceeded


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds of one run; None is no bound.

    `usd` and `tokens` (prompt and reply) count all models together; `calls` counts calls to any model,
    `seconds` wall clock since the budget was opened, `iterations` rounds of the agent loop.
    """

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None
    iterations: int | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call takes: tokens of prompt and reply, and US dollars."""

    tokens: int = 0
    usd: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.tokens + other.tokens, self.usd + other.usd)


class Budget:
    """The meter of one run. Threads may share it."""

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.limits = limits or Limits()
        self._clock, self._sleep = clock, sleep
        self._started = clock()
        self._lock = threading.Lock()
        self._calls = 0
        self._costs: list[float] = []
        self._tokens = 0
        self._held: dict[int, Cost] = {}

    @contextmanager
    def call(self, expected: Cost) -> Iterator[Callable[[Cost], None]]:
        """Hold `expected` while a call runs; the function that comes back charges what it really took.

        `expected` is the least the call will take (its prompt), so that calls made at the same time cannot
        pass a limit together. Raises `BudgetExceeded` before the call when it would begin beyond a limit.
        """
        with self._lock:
            self._refuse_beyond(expected)
            self._calls += 1
            ticket = self._calls
            self._held[ticket] = expected
        try:
            yield self._charge
        finally:
            with self._lock:
                del self._held[ticket]

    def seconds_left(self) -> float:
        """Seconds until the limit on time; infinite without one."""
        limit = self.limits.seconds
        return math.inf if limit is None else limit - (self._clock() - self._started)

    def wait(self, seconds: float) -> None:
        """Sleep, or raise `BudgetExceeded` at once when the time would be over before that."""
        left = self.seconds_left()
        if seconds >= left:
            raise _reached("seconds", self.limits.seconds, f"{seconds:g} to wait and {max(0.0, left):.0f} left")
        self._sleep(seconds)

    def spent(self) -> dict[str, float]:
        """What was charged so far: `usd`, `tokens`, `calls`."""
        with self._lock:
            return {"usd": round(math.fsum(self._costs), 9), "tokens": self._tokens, "calls": self._calls}

    def _charge(self, cost: Cost) -> None:
        with self._lock:
            self._tokens += cost.tokens
            self._costs.append(cost.usd)

    def _refuse_beyond(self, expected: Cost) -> None:
        held = sum(self._held.values(), Cost())
        tokens, usd = self._tokens + held.tokens, math.fsum(self._costs) + held.usd
        _refuse(self._calls, 1, self.limits.calls, "calls")
        _refuse(tokens, expected.tokens, self.limits.tokens, "tokens")
        _refuse(usd, expected.usd, self.limits.usd, "USD")
        if self.seconds_left() <= 0:
            raise _reached("seconds", self.limits.seconds, "the time is over")


def _refuse(spent: float, needed: float, limit: float | None, unit: str) -> None:
    if limit is not None and (spent >= limit or spent + needed > limit):
        raise _reached(unit, limit, f"{spent:g} spent or under way, the next call needs at least {needed:g}")


def _reached(unit: str, limit: float | None, why: str) -> BudgetExceeded:
    return BudgetExceeded(f"the run's limit of {limit:g} {unit} is reached: {why}", hint=f"allow more {unit}")
