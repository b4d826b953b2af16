"""All output of commands: text, data and progress. Names and titles are untrusted: control characters are shown.

Control characters (escape sequences among them), marks that turn the direction of writing, and characters that show
nothing are made visible, so that a title can neither colour, retitle or clear a terminal nor look like another one.
Secrets (`kag/core/secrets.py`) are not shown. Progress is a bar with rate and remaining time; where there is no
terminal, a line every few seconds.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from kag.core.display import pace
from kag.core.secrets import hide_secrets, safe_json

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""A text with all that a terminal would obey, or not show, written out; line breaks and tabs stay.

    >>> visible("ice\x1b[31m \u202eecalg")
    'ice\\u001b[31m \\u202eecalg'
    """
    return _UNSEEN.sub(_written, text)


def _written(match: re.Match[str]) -> str:
    """As JSON writes it, so that JSON which is made visible stays JSON."""
    return "\\u007f" if match[0] == "\x7f" else json.dumps(match[0])[1:-1]


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print for people: results to standard output, with `err` progress and notes to standard error."""
    click.echo(visible(hide_secrets(str(text))), err=err, nl=nl)


def note(text: str) -> None:
    """Print a note that is not an error."""
    say(f"note: {text}", err=True)


def complain(message: str, hint: str = "") -> None:
    """Say what went wrong and how to put it right."""
    say(f"error: {message}" + (f"\n  {hint}" if hint else ""), err=True)


def emit(parts: str | Iterable[str]) -> None:
    """Write data for a program or a file as UTF-8, byte for byte, unless a terminal would have to show it."""
    for part in (parts,) if isinstance(parts, str) else parts:
        if sys.stdout.isatty():
            click.echo(visible(part), nl=False)
        else:
            sys.stdout.buffer.write(part.encode("utf-8", "replace"))


def emit_to(out: Path | None, text: str | Iterable[str]) -> None:
    """Write data to a file, or to standard output where none is named."""
    if out is None:
        emit(text)
        return
    from kag.core.files import write_output

    write_output(out, text if isinstance(text, str) else "".join(text))


def emit_json(value: Any) -> None:
    """Write a value as JSON, two blanks deep; what a terminal would obey is escaped, which JSON reads as the same."""
    click.echo(visible(safe_json(value, ensure_ascii=False, indent=2)))


def one_line(text: str) -> str:
    """A text on one line, without what a terminal would obey."""
    return "".join(char for char in " ".join(text.split()) if char.isprintable())


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
