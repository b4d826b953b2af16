"""A candidate for a mention, and which candidates stand when several want the same words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Spot(NamedTuple):
    """Characters from `start` to before `end` of one text, its kind, how sure, and what found it."""

    start: int
    end: int
    kind: str
    score: float
    rule: str


def standing(spots: Iterable[Spot]) -> list[Spot]:
    """The spots that stand: the surest first, of equally sure ones the longest; none overlaps another.

    >>> standing([Spot(0, 4, "gene", 0.9, "a"), Spot(2, 8, "term", 0.5, "b"), Spot(9, 11, "place", 0.4, "c")])
    [Spot(start=0, end=4, kind='gene', score=0.9, rule='a'), Spot(start=9, end=11, kind='place', score=0.4, rule='c')]
    """
    kept: list[Spot] = []
    taken: set[int] = set()
    for one in sorted(set(spots), key=lambda spot: (-round(spot.score, 2), spot.start - spot.end, spot)):
        if one.end > one.start and taken.isdisjoint(range(one.start, one.end)):
            taken.update(range(one.start, one.end))
            kept.append(one)
    return sorted(kept)
