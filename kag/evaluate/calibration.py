"""Whether confidences mean what they say: reliability by bins, and the expected calibration error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers whose confidence is from `low` to `high`: their weight, mean confidence, and the share that is right."""

    low: float
    high: float
    answers: float
    confidence: float
    right: float


Rated = tuple[float, bool, float]  # confidence, whether it is right, weight


def reliability(answers: Iterable[Rated], bins: int = BINS) -> list[Bin]:
    """The bins that have answers, in order."""
    groups: dict[int, list[Rated]] = {}
    for one in answers:
        groups.setdefault(min(int(one[0] * bins), bins - 1), []).append(one)
    return [_bin(at, groups[at], bins) for at in sorted(groups)]


def expected_error(answers: Sequence[Rated], bins: int = BINS) -> float:
    """The mean distance of confidence and share right over bins, by how many answers are in each; 0 of none.

    >>> expected_error([(0.9, True, 1.0), (0.9, False, 1.0)])
    0.4
    """
    found = reliability(answers, bins)
    total = sum(one.answers for one in found)
    return round(sum(one.answers * abs(one.confidence - one.right) for one in found) / total, 4) if total else 0.0


def _bin(at: int, group: Sequence[Rated], bins: int) -> Bin:
    weight = sum(one[2] for one in group)
    mean = sum(one[0] * one[2] for one in group) / weight
    right = sum(one[2] for one in group if one[1]) / weight
    return Bin(at / bins, (at + 1) / bins, weight, mean, right)
