"""Progress of long work: how much is done, how fast, and how long the rest will take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

Progress = Callable[[str, int, int], None]
"""Called after each item with what is counted ("papers"), how many are done and how many there are."""


def quiet(what: str, done: int, total: int) -> None:
    """Report nothing."""


def counted(items: Iterable[Item], what: str, total: int, progress: Progress) -> Iterator[Item]:
    """Yield the items; each is reported as done when the next one is asked for."""
    for done, item in enumerate(items, start=1):
        yield item
        progress(what, done, total)


def seconds_left(done: int, total: int, seconds: float) -> float:
    """Seconds that the rest will take at the rate so far; 0 while nothing is done."""
    return seconds / done * max(0, total - done) if done else 0.0


def pace(done: int, total: int, seconds: float) -> str:
    """Rate and remaining time as people read them; empty while nothing is done.

    >>> pace(30, 90, 10.0)
    '3.0 per second, 20 s left'
    >>> pace(5, 500, 100.0)
    '3.0 per minute, 2.8 h left'
    """
    if not done or seconds <= 0:
        return ""
    rate = done / seconds
    speed = f"{rate:.1f} per second" if rate >= 1 else f"{60 * rate:.1f} per minute"
    return speed if done >= total else f"{speed}, {duration(seconds_left(done, total, seconds))} left"


def duration(seconds: float) -> str:
    """A length of time in its largest fitting unit.

    >>> duration(42), duration(600), duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
