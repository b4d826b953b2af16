"""Paired tests over questions: sign permutations (Fisher), corrected for their number (Holm 1979)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kag.evaluate.statistics import SEED, Key, means

PERMUTATIONS = 10_000
_ROWS = 500  # permutations made at once


@dataclass(frozen=True, slots=True)
class Paired:
    """The mean of one value minus another on the same questions, and its 95 % interval.

    `p` is how often signs thrown by chance give a mean as far from 0 (two-sided), `holm` the same corrected for the
    other tests of its family; `better` and `worse` count questions.
    """

    value: float
    low: float
    high: float
    p: float
    holm: float
    better: int
    worse: int

    def corrected(self, holm: float) -> Paired:
        """The same test with its corrected p."""
        return replace(self, holm=holm)


def paired(these: Mapping[Key, Sequence[float]], others: Mapping[Key, Sequence[float]]) -> dict[Key, Paired]:
    """`these` minus `others` in the columns that both have; each column has a value for the same questions.

    The test is Fisher's: under no difference each question's sign is as likely as the other.
    """
    names = [name for name in these if name in others]
    if not names:
        return {}
    table = np.array([these[name] for name in names]) - np.array([others[name] for name in names])
    table = np.round(table.T, 12)  # what differs only in the last digit is equal
    drawn = means({name: column.tolist() for name, column in zip(names, table.T, strict=True)})
    chance = _chance(table)
    return {
        name: Paired(one.value, one.low, one.high, p, p, int((column > 0).sum()), int((column < 0).sum()))
        for (name, one), column, p in zip(drawn.items(), table.T, chance, strict=True)
    }


def _chance(table: Any) -> list[float]:
    """For each column of differences (questions, columns): the share of sign permutations as extreme as it."""
    draw = np.random.default_rng(SEED)
    observed = np.abs(table.sum(axis=0)) - 1e-9
    extreme = np.ones(table.shape[1])  # the table itself is one of its permutations
    for _ in range(PERMUTATIONS // _ROWS):
        signs = 2.0 * draw.integers(0, 2, size=(_ROWS, len(table)), dtype=np.int8) - 1.0
        extreme += (np.abs(signs @ table) >= observed).sum(axis=0)
    shares: list[float] = (extreme / (PERMUTATIONS + 1)).tolist()
    return shares


def holm(tests: Mapping[Key, float]) -> dict[Key, float]:
    """The p of each test corrected for their number (Holm 1979): the least times n, the next times n - 1, and so on.

    >>> holm({"a": 0.01, "b": 0.5, "c": 0.02})
    {'a': 0.03, 'c': 0.04, 'b': 0.5}
    """
    found: dict[Key, float] = {}
    least = 0.0
    for place, (name, p) in enumerate(sorted(tests.items(), key=lambda item: item[1])):
        least = max(least, min(1.0, p * (len(tests) - place)))
        found[name] = least
    return found
