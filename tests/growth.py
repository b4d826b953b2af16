"""Whether work grows with the length of its text, and not with the square: no clock's absolute figure is asserted."""

from __future__ import annotations

import time
from collections.abc import Callable

GROWTH = 8  # four times the text may take so many times as long; a square would take sixteen
SLACK = 0.2  # seconds that are noise


def linear(work: Callable[[str], object], text: str) -> bool:
    """Whether work on a text takes no more than its share beyond work on its first quarter."""
    quarter = min(_seconds(work, text[: len(text) // 4]) for _ in range(2))
    return _seconds(work, text) <= GROWTH * quarter + SLACK


def _seconds(work: Callable[[str], object], text: str) -> float:
    begin = time.process_time()
    work(text)
    return time.process_time() - begin
