"""The element that makes a step fail is set aside and reported; the paper is still indexed.

Each case is a bug of kag: it is listed under `rescued` in `summary.json`. With the environment variable `KAG_STRICT`,
as in tests, the error is raised. Lack of memory is always raised.
"""

from __future__ import annotations

import errno
import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Element = TypeVar("Element")
Result = TypeVar("Result")

STRICT = "KAG_STRICT"
MOST = 20  # elements that one step may lose; a step that fails on more is broken itself
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


def spare(
    work: Callable[[Sequence[Element]], Result], elements: Sequence[Element]
) -> tuple[Result, list[tuple[Element, Exception]]]:
    """The result of `work` on all elements but those it fails on, and these with their errors.

    An element is found as the last of the shortest beginning of the list that `work` fails on, so a step that fails
    is done again some `log2(elements)` times for each. Raises what `work` raises when it fails without elements, or
    on more than `MOST` of them.
    """
    aside: list[tuple[Element, Exception]] = []
    while True:
        try:
            return work(elements), aside
        except Exception as error:
            if os.environ.get(STRICT) or len(aside) == MOST or wants_memory(error):
                raise
            place, own = _culprit(work, elements, error)
        aside.append((elements[place], own))
        elements = [*elements[:place], *elements[place + 1 :]]


def _culprit(
    work: Callable[[Sequence[Element]], Result], elements: Sequence[Element], error: Exception
) -> tuple[int, Exception]:
    """The place of the last element of the shortest beginning that fails, and its error."""
    work([])
    good, bad = 0, len(elements)
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            work(elements[:middle])
            good = middle
        except Exception as found:
            bad, error = middle, found
    return bad - 1, error
