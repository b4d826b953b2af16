"""A `kag` command as a person gives it, run in this process: a process of its own would import everything again."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from kag.cli import ending
from kag.cli.main import main


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command came to: its exit code and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, stdin: str = "", **environment: str) -> Finished:
    """Run `kag` with these arguments, without the caller's own `KAG_` settings."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        _environment(environment),
        patch.object(ending, "_end_in_order", lambda: None),  # handlers of signals would stay for other tests
        patch("sys.stdin", io.StringIO(stdin)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Finished(code, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@contextmanager
def _environment(more: dict[str, str]) -> Iterator[None]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("KAG_") or name == "KAG_STRICT"}
    with patch.dict(os.environ, own | more, clear=True):
        yield
