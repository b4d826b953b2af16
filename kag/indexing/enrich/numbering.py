"""What the numbers cited in a paper say about its list when the list itself is not at hand.

A reference list counts from 1 without gaps, and most lists are in the order of first citing. Numbers that count
something else do neither.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

_COVERED = 0.7  # of 1..n must be cited for n to be the length of the list
_SLACK = 3  # numbers that may be missing where the next new one is cited


def list_length(cited: Iterable[int]) -> int:
    """The largest n cited such that most of 1..n are cited; 0 when there is none.

    >>> list_length([1, 2, 3, 4, 90])
    4
    """
    numbers = sorted(set(cited))
    return max((n for reached, n in enumerate(numbers, 1) if reached >= _COVERED * n), default=0)


def in_order(cited: Sequence[tuple[int, ...]]) -> float:
    """Share of the new numbers, in the order of citing, that follow the largest before them without a jump.

    >>> in_order([(1, 2), (3,), (1,), (9,)])
    0.75
    """
    seen: set[int] = set()
    top = fitting = 0
    for numbers in cited:
        for number in numbers:
            if number not in seen:
                seen.add(number)
                fitting += top < number <= top + _SLACK
                top = max(top, number)
    return fitting / len(seen) if seen else 0.0


def following(cited: Sequence[tuple[int, ...]]) -> list[int]:
    """Positions of the call-outs in the longest run that counts upwards, and of those that go back behind it."""
    tops: list[int] = []  # the smallest number in which a run of each length ends
    ends: list[int] = []  # and where it does
    before: list[int] = [-1] * len(cited)
    for position, numbers in enumerate(cited):
        length = bisect_left(tops, max(numbers))
        if length == len(tops):
            tops.append(0)
            ends.append(0)
        elif tops[length] == max(numbers):
            continue  # the first place that cites a number is the one that counts
        before[position] = ends[length - 1] if length else -1
        tops[length], ends[length] = max(numbers), position
    run = set()
    last = ends[-1] if ends else -1
    while last >= 0:
        run.add(last)
        last = before[last]
    kept, top = [], 0
    for position, numbers in enumerate(cited):
        if position in run or max(numbers) <= top:
            kept.append(position)
            top = max(top, *numbers)
    return kept
