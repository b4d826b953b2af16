"""One bad element costs that element, never the paper: what makes a step fail is found, set aside and told.

Every use is a fault of kag, so each is told (`rescued` in `summary.json`, a note of `kag index`), and where the
environment variable `KAG_STRICT` is set, as in the tests, nothing is rescued and the fault is raised.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Element = TypeVar("Element")
Result = TypeVar("Result")

STRICT = "KAG_STRICT"
MOST = 20  # elements that one step may lose; a step that fails on more is broken itself


@dataclass(frozen=True, slots=True)
class Rescued:
    """A block or node that a step failed on, empty for all of them; the step, and the type of the error."""

    element: str
    step: str
    problem: str


def rescued(element: str, step: str, error: Exception) -> Rescued:
    """What an error cost; raises it where nothing is to be rescued."""
    if os.environ.get(STRICT):
        raise error
    return Rescued(element, step, type(error).__name__)


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
            if os.environ.get(STRICT) or len(aside) == MOST:
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
