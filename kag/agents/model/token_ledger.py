"""`Ledger`: one row for each call to a model, and totals that count nothing twice."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["main", "sub", "vision", "judge"]
Priced = Literal[True, False, "local", "policy"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call to a model.

    `tokens_in` is the whole prompt, of which `cache_read` came from the provider's prompt cache and
    `cache_write` went into it. `measured` is false where the provider did not report tokens: they, and so
    the price, were then reckoned from the text (4 characters each). `usd` is what the call cost, or what it
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
        """What it took in few numbers: calls, tokens, US dollars (as recorded when replayed), calls without a price."""
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
