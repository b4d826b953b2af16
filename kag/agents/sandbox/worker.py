"""`Worker`: the process an agent's code runs in, kept as bytes after each step, so that a step can be undone."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pydantic_monty as monty

from kag.agents.sandbox.marshalling import PRELUDE, Prepared, plain
from kag.core.errors import SandboxError
from kag.core.workers import never_fork

__all__ = ["Limits", "Worker", "monty", "original"]

INPUTS = 64 << 20  # characters of the inputs, each value in them counted as 16 more
UNCOUNTED = 2**31  # calls that Monty lets through; they are counted on this side, a step at a time
GRACE = 10.0  # seconds after which a worker that does not keep its own limits is killed

# The same clock and the same random numbers in each run, so that a recorded run can be replayed.
FROZEN: monty.OSPolicy = {
    "datetime": datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC),
    "sleep": "zero",
    "random_start": {"seed": 0},
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a step: seconds of its own, seconds of its tools, bytes of memory, characters of output, calls.

    A name that nobody knows counts as a call: it is looked up on this side.
    """

    seconds: float = 10.0
    tool_seconds: float = 300.0
    memory: int = 512 << 20
    output: int = 1 << 20
    tool_calls: int = 100_000


class Worker:
    """One session in one worker process. Each worker has its own pool of one, so nothing is shared between runs.

    `kept` is the session as bytes after the last step that was kept, None before the first start.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool: monty.Monty | None = None
        self._session: monty.MontySession | None = None
        self._given: dict[str, Any] = {}  # the inputs that are inside, distinguished by identity
        self._set: frozenset[str] = frozenset()  # the names that the last step set somewhere
        self.kept: bytes | None = None

    @property
    def pid(self) -> int | None:
        """The process id of the worker, None when there is none."""
        return self._session.worker_pid if self._session else None

    def start(self) -> monty.MontySession:
        """The running session: from the kept state when there is one, else new. Raises `SandboxError`."""
        if self._session is None:
            try:
                self._session = self._open()
            except (monty.MontyError, RuntimeError, OSError, ValueError) as error:
                self.close()
                raise SandboxError(
                    f"the sandbox cannot start: {str(error).splitlines()[0]}",
                    hint="Check that pydantic-monty's worker may run here.",
                ) from error
        return self._session

    def _open(self) -> monty.MontySession:
        if self._pool is None:
            never_fork()  # its threads do not exist in a forked process, which would wait for them forever
            deadline = self._limits.seconds + GRACE
            self._pool = monty.Monty(min_processes=1, max_processes=1, request_timeout=deadline).__enter__()
        session = self._pool.checkout(
            limits={
                "max_feed_duration_secs": self._limits.seconds,
                "max_memory": self._limits.memory,
                "max_suspensions": UNCOUNTED,
            },
            os_policy=FROZEN,
        ).__enter__()
        if self.kept is None:
            session.feed_run(PRELUDE)
            self.kept = session.dump()
        else:
            session.load_session(self.kept)
        return session

    def close(self) -> None:
        """End session and process; `kept` stays."""
        self._drop()
        if self._pool is not None:
            self._pool.__exit__(None, None, None)
            self._pool = None

    def give(self, inputs: Mapping[str, Any]) -> None:
        """Set the inputs that are new or other objects than before; a step's own changes to the rest stay.

        Raises `SandboxError` when they are no JSON values or do not fit.
        """
        new = {name: value for name, value in inputs.items() if self._given.get(name, self) is not value}
        if not new:
            return
        try:
            self.start().feed_run("None", inputs=plain(new, INPUTS))
        except (monty.MontyError, TypeError, ValueError) as error:
            raise SandboxError(
                f"the inputs {', '.join(new)} cannot go into the sandbox: {error}",
                hint="Give JSON values that fit into the memory limit.",
            ) from error
        if self.keep():
            self._given.update(new)

    def begin(self, step: Prepared, names: Sequence[str], write: Callable[[str, str], None]) -> monty.SyncSnapshot:
        """Start a step; the names are functions it may call, `write(stream, text)` receives what it prints.

        A function whose name an earlier step has set to something else has it back: nothing else could undo that.
        """
        lookup = dict.fromkeys((*names, *map(_alias, names)), _answered_by_hand)
        lost = sorted(self._set.intersection(names))
        if lost:
            self.start().feed_run("\n".join(f"{name} = {_alias(name)}" for name in lost), external_lookup=lookup)
        self._set = step.names
        return self.start().feed_start(step.code, external_lookup=lookup, print_callback=write)

    def keep(self) -> bool:
        """Keep the session as it is now; False when it cannot be, or would not take another step."""
        try:
            session = self.start()
            session.feed_run("None")
            self.kept = session.dump()
        except (monty.MontyError, RuntimeError):
            return False
        return True

    def undo(self) -> None:
        """Go back to the session as last kept, in a worker that is sound. Raises `SandboxError`."""
        self._drop()
        self.start()

    def abandon(self) -> None:
        """Leave a step in its middle; the next one goes on from the session as last kept."""
        self._drop()

    def _drop(self) -> None:
        if self._session is not None:
            self._session.__exit__(None, None, None)
            self._session = None


def _alias(name: str) -> str:
    """The name under which a function is found when its own is taken."""
    return f"__kag_{name}__"


def original(name: str) -> str:
    """The name of a function that is called by its own or its other name."""
    return name.removeprefix("__kag_").removesuffix("__") if name.startswith("__kag_") else name


def _answered_by_hand(*_args: Any, **_kwargs: Any) -> None:
    """Stand in for a tool inside the sandbox; the interpreter answers each call."""
    raise AssertionError("a tool call was not answered")
