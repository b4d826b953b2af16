"""`Budget`: what a run may spend, and the stop before it would spend more; `Ledger`: what each call took.

Limits describe the run and not the bill: a replayed call is charged as it was when it was recorded, so a
replayed run stops where the recorded one stopped. What was truly paid is in the ledger, one row for each call.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kag.core.errors import BudgetExceeded

if TYPE_CHECKING:
    from kag.agents.model.options import Spending

Role = Literal["main", "sub", "vision", "judge"]
Priced = Literal[True, False, "local", "policy"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call to a model.

    `tokens_in` is the whole prompt, of which `cache_read` came from the provider's prompt cache and
    `cache_write` went into it. `measured` is false where the provider did not report tokens: they, and so
    the price, were then estimated from the text (4 characters each). `usd` is what the call cost, or what it
    cost when it was recorded if `replayed`. `priced` says where `usd` is from: True the price list, False
    unknown (`usd` is None), "local" a server of one's own without a key, "policy" rules and no model.
    `finish` is why the reply ended; a call that brought no reply has `error` instead, a slug such as
    "rate_limit". `attempts` counts requests sent (0 when replayed), `ms` the time with all waits.
    """

    role: Role
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    cache_read: int = 0
    cache_write: int = 0
    measured: bool = True
    usd: float | None = 0.0
    priced: Priced = True
    replayed: bool = False
    finish: str = ""
    error: str = ""
    attempts: int = 1
    ms: int = 0

    @property
    def paid(self) -> float:
        """US dollars spent on this call now."""
        return 0.0 if self.replayed else self.usd or 0.0


class Ledger:
    """The calls of one run in the order they ended. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: list[Call] = []

    def add(self, call: Call) -> None:
        with self._lock:
            self._rows.append(call)

    @property
    def rows(self) -> tuple[Call, ...]:
        with self._lock:
            return tuple(self._rows)

    def usage(self) -> dict[str, float]:
        """Return the totals: calls, tokens, US dollars (as recorded when replayed), calls without a price."""
        sums = totals(self.rows)
        usage = {name: sums[name] for name in ("calls", "tokens_in", "tokens_out")}
        usage["usd"] = round(sums["usd"] + sums["usd_replayed"], 9)
        return usage | ({"unpriced": sums["unpriced"]} if sums["unpriced"] else {})

    def summary(self) -> dict[str, Any]:
        """Totals as JSON values for `summary.json`, and the same for each role and each model."""
        rows = self.rows
        roles, models = sorted({row.role for row in rows}), sorted({row.model for row in rows})
        return {
            **totals(rows),
            "by_role": {role: totals([row for row in rows if row.role == role]) for role in roles},
            "by_model": {model: totals([row for row in rows if row.model == model]) for model in models},
        }


def totals(rows: Sequence[Call]) -> dict[str, Any]:
    """Sums over calls: `usd` is what was paid now, `usd_replayed` what replayed calls cost when recorded.

    `unpriced` counts calls whose price is not known: with any of them `usd` is a lower bound.
    """
    return {
        "calls": len(rows),
        "replayed": sum(row.replayed for row in rows),
        "failed": sum(bool(row.error) for row in rows),
        "tokens_in": sum(row.tokens_in for row in rows),
        "tokens_out": sum(row.tokens_out for row in rows),
        "cache_read": sum(row.cache_read for row in rows),
        "cache_write": sum(row.cache_write for row in rows),
        "usd": round(math.fsum(row.paid for row in rows), 9),
        "usd_replayed": round(math.fsum(row.usd or 0.0 for row in rows if row.replayed), 9),
        "unpriced": sum(row.usd is None for row in rows),
    }


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds of one run; None is no bound.

    `usd` and `tokens` (prompt and reply) count all models together; `calls` counts calls to any model,
    `seconds` wall clock since the budget was opened.
    """

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, options: Spending) -> Limits:
        """The limits that options name."""
        return cls(options.max_usd, options.max_tokens, options.max_calls, options.max_seconds)


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a call: tokens of prompt and reply, and US dollars."""

    tokens: int = 0
    usd: float = 0.0

    def __add__(self, cost: Cost) -> Cost:
        return Cost(self.tokens + cost.tokens, self.usd + cost.usd)


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
        """Return the amounts charged so far: `usd`, `tokens`, `calls`."""
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
