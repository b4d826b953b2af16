"""Whether work grows with the length of its text, and not with the square: no clock's absolute figure is asserted."""

from __future__ import annotations

import time
from collections.abc import Callable

GROWTH = 8  # four times the text may take so many times as long; a square would take sixteen
SLACK = 0.2  # seconds that are noise


def linear(work: Callable[[str], object], text: str) -> bool:
    """Whether work on a text takes no more than its share beyond work on its first quarter."""
    return grows_linearly(lambda size: work(text[:size]), len(text))


def grows_linearly(work: Callable[[int], object], size: int, slack: float = SLACK) -> bool:
    """Whether work of a size takes no more than its share beyond work of a quarter of it; `slack` in seconds."""
    quarter = min(_seconds(work, size // 4) for _ in range(2))
    return _seconds(work, size) <= GROWTH * quarter + slack


def _seconds(work: Callable[[int], object], size: int) -> float:
    begin = time.process_time()
    work(size)
    return time.process_time() - begin
