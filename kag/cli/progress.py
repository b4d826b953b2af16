"""Progress at the terminal: a bar with rate and remaining time; elsewhere a line every few seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kag.cli.terminal import one_line, say
from kag.core.display import pace

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

EVERY = 5.0  # seconds between two lines where there is no terminal


class ShownProgress:
    """Shows how far work is; call it as a `kag.core.display.Progress`.

    The bar is drawn after each item and not by a thread: without threads, worker processes start faster.
    """

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()
        self._what = ""
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that `done` of `total` are done; nothing for a single item, nor a line more often than `EVERY` seconds.

        A new `what` starts a new count.
        """
        if what != self._what:
            self._restart(what)
        if sys.stderr.isatty():
            self._draw(done, total, "")
        elif total > 1 and time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            say(f"{done} of {total} {what}{self._pace(done, total)}", err=True)

    def item(self, name: str, state: str, done: int, total: int) -> None:
        """Show one finished item by name; without a terminal it gets its own line."""
        if sys.stderr.isatty():
            self._draw(done, total, name)
        else:
            say(f"[{done}/{total}] {name}: {state}{self._pace(done, total)}", err=True)

    def _restart(self, what: str) -> None:
        self._what = what
        if self._task is None:
            return
        self._start = self._last = time.monotonic()
        if self._bar is not None:
            self._bar.stop()
        self._bar = self._task = None

    def _pace(self, done: int, total: int) -> str:
        """Rate and remaining time, once the work takes long enough to wait for."""
        seconds = time.monotonic() - self._start
        return f" ({pace(done, total, seconds)})" if seconds >= EVERY and total > 1 else ""

    def _draw(self, done: int, total: int, name: str) -> None:
        if self._bar is None:
            self._bar = _bar()
            self._bar.start()
            self._task = self._bar.add_task("", total=total, what=self._what or "papers", name="", pace="")
        words = pace(done, total, time.monotonic() - self._start)
        shown: dict[str, Any] = {"name": one_line(name)[:40], "pace": words}
        if self._task is not None:
            self._bar.update(self._task, completed=done, total=total, refresh=True, **shown)


def _bar() -> Progress:
    """Names come from papers: they are never read as markup."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    fields = ("what", "pace", "name")
    what, speed, name = (TextColumn(f"{{task.fields[{field}]}}", markup=False) for field in fields)
    return Progress(
        what, BarColumn(), MofNCompleteColumn(), speed, name, console=Console(stderr=True), auto_refresh=False
    )
