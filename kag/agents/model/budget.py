"""`Budget`: what a run may spend; `Ledger`: what each call took; `Cassette`: the calls of a run on file.

Limits describe the run and not the bill: a replayed call is charged as it was when it was recorded, so a
replayed run stops where the recorded one stopped. What was truly paid is in the ledger, one row for each call.

A cassette has one JSON object a line: {"key": "<sha256 of the request>", "model", "request", "response"}. A replay is
strict: a request that was not recorded is an error that says where it differs. Pictures are kept as their hash, and
values of secret environment variables are not kept at all.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kag.agents.model.options import ModelOptions
from kag.agents.sandbox.marshalling import legible
from kag.core.errors import BudgetExceeded, ModelError, RunError
from kag.core.secrets import without_secrets

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
        return cls(options.max_usd, options.token_limit, options.max_calls, options.max_seconds)


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


Mode = Literal["replay", "record", "auto"]
Json = dict[str, Any]


class Cassette:
    """Recorded calls by request. Threads may share it.

    `replay` answers from the file alone, `record` writes a new file, `auto` answers from the file and
    records what is missing. A request that was recorded several times is answered in the order of recording,
    each answer once. Raises `RunError` when the file is missing, in the way or broken.
    """

    def __init__(self, path: Path, mode: Mode = "replay") -> None:
        self.path, self.mode = path, mode
        self._lock = threading.Lock()
        if mode == "replay" and not path.is_file():
            raise RunError(f"{path}: no such cassette", hint="record it first")
        if mode == "record" and path.exists() and path.stat().st_size:
            raise RunError(f"{path}: holds a recording already", hint="replay it, or record to another file")
        self._waiting = list(_read(path)) if path.is_file() and mode != "record" else []
        self._played = 0

    def find(self, request: Json) -> Json | None:
        """The recorded response, or None when it is to be fetched; `request` is in canonical form.

        Raises `ModelError` when replaying and there is none.
        """
        key = digest(request)
        with self._lock:
            for place, row in enumerate(self._waiting):
                if row["key"] == key:
                    self._played += 1
                    return dict(self._waiting.pop(place)["response"])
            if self.mode == "replay":
                raise self._miss(request)
        return None

    def add(self, request: Json, response: Json) -> None:
        """Write one call down; nothing is written when replaying."""
        if self.mode == "replay":
            return
        row = {"key": digest(request), "model": request["model"], "request": request, "response": response}
        line = json.dumps(row, ensure_ascii=False) + "\n"
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line)

    def _miss(self, request: Json) -> ModelError:
        where = f"{self.path}: call {self._played + 1} was not recorded"
        hint = "record again: the prompt, the tools, their results or the model have changed"
        if not self._waiting:
            return ModelError(f"{where}: all {self._played} recorded calls were replayed", hint=hint)
        asked = _text(request)
        nearest = max(self._waiting, key=lambda row: _shared(asked, _text(row["request"])))
        return ModelError(f"{where}; {first_difference(nearest['request'], request)}", hint=hint)


def cassette_for(options: ModelOptions, kept: Path, *, resumed: bool = False) -> Cassette:
    """The recorded calls that options ask for, else those of the file `kept`, which an interrupted run resumes from.

    `resumed` says that the run was interrupted: its own recording is then continued.
    """
    if options.replay:
        return Cassette(options.replay, "replay")
    if options.record:
        return Cassette(options.record, "auto" if resumed else "record")
    return Cassette(kept, "auto")


def canonical(request: Json) -> Json:
    """A request or response as JSON values in the form that is kept: UTF-8, pictures as hashes, no secrets."""
    kept: Json = without_secrets(_without_media(request))
    return kept


def digest(request: Json) -> str:
    """SHA-256 of a request in canonical form, as 64 hex digits."""
    return hashlib.sha256(_text(request).encode()).hexdigest()


def first_difference(recorded: Any, asked: Any, path: str = "request") -> str:
    """Describe the first difference between two JSON values."""
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in sorted(recorded.keys() | asked.keys()):
            if recorded.get(name) != asked.get(name):
                return first_difference(recorded.get(name), asked.get(name), f"{path}.{name}")
    if isinstance(recorded, list) and isinstance(asked, list):
        for place, (old, new) in enumerate(zip(recorded, asked, strict=False)):
            if old != new:
                return first_difference(old, new, f"{path}[{place}]")
        return f"{path} has {len(asked)} entries instead of {len(recorded)}"
    if isinstance(recorded, str) and isinstance(asked, str):
        at = _shared(recorded, asked)
        start = max(0, at - 20)
        return f"{path} differs at character {at}: recorded {_cut(recorded, start)}, now {_cut(asked, start)}"
    return f"{path}: recorded {_cut(json.dumps(recorded), 0)}, now {_cut(json.dumps(asked), 0)}"


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _cut(text: str, start: int) -> str:
    return repr(text[start : start + 60])


def _text(request: Json) -> str:
    return json.dumps(request, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _without_media(value: Any) -> Any:
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, list):
        return [_without_media(item) for item in value]
    if not isinstance(value, dict):
        return value
    cleaned = {name: _without_media(item) for name, item in value.items()}
    if "media_type" in value and isinstance(value.get("data"), str):
        cleaned["data"] = "sha256:" + hashlib.sha256(value["data"].encode()).hexdigest()
    return cleaned


def _read(path: Path) -> Iterator[Json]:
    text = path.read_text(encoding="utf-8")
    whole, _, broken = text.rpartition("\n")
    if broken:  # a recording that was killed while it wrote: what came before is good
        with path.open("r+", encoding="utf-8") as file:
            file.truncate(len((whole + "\n").encode()) if whole else 0)
    for number, line in enumerate(whole.split("\n") if whole else (), start=1):
        try:
            row = json.loads(line)
            sound = row["key"] == digest(row["request"]) and isinstance(row["response"], dict)
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise RunError(f"{path}: line {number} is not a recorded call", hint="record again")
        yield row
