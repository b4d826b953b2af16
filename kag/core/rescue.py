"""A step that fails leaves its element as printed, or its facts out, and is reported; the paper is still indexed.

Each case is a bug of kag: it is listed under `rescued` in `summary.json`. With the environment variable `KAG_STRICT`,
as in tests, the error is raised. Lack of memory is always raised.
"""

from __future__ import annotations

import errno
import os
import traceback
from dataclasses import dataclass
from pathlib import Path

STRICT = "KAG_STRICT"
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Rescued:
    """A block or node that a step failed on, empty for all of them; the step, and the type of the error."""

    element: str
    step: str
    problem: str


def rescued(element: str, step: str, error: Exception) -> Rescued:
    """Record the cost of an error; raises it if rescue is off."""
    if os.environ.get(STRICT) or wants_memory(error):
        raise error
    return Rescued(element, step, type(error).__name__)


def wants_memory(error: BaseException) -> bool:
    """Whether there was no memory: libraries that are granted none raise it, or stumble over it with another error."""
    seen: BaseException | None = error
    while seen is not None and not _is_want(seen):
        seen = seen.__cause__ or seen.__context__
    return seen is not None


def _is_want(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def fault(error: BaseException) -> str:
    """An unforeseen error in one line, with the last place in kag that it came through: what a report of it needs."""
    text = f"{type(error).__name__}: {error}"
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_ROOT / "kag")
    ]
    return f"{text} ({Path(own[-1].filename).relative_to(_ROOT).as_posix()}, line {own[-1].lineno})" if own else text
