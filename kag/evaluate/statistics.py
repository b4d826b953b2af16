"""Figures with intervals by drawing again with replacement (bootstrap), and tables of them in Markdown.

F1 is over papers, means are over questions and runs. Renderings of the same paper are drawn together, because they are
not independent. The draws are fixed by a seed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

DRAWS = 2000
SEED = 20_240_229
LEVEL = 0.95
Key = TypeVar("Key", bound=Hashable)
Counts = tuple[int, int, int]  # right, wrong, missing


@dataclass(frozen=True, slots=True)
class Score:
    """A metric over papers. `value` is F1 or recall, summed over papers (micro); `macro` its mean over them.

    `low` and `high` bound the 95 % interval of `value`; `papers` have something to score.
    """

    precision: float
    recall: float
    f1: float
    value: float
    macro: float
    low: float
    high: float
    right: int
    wrong: int
    missing: int
    papers: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One value minus another on the same papers, its interval, and the share of draws in which it is above 0."""

    value: float
    low: float
    high: float
    above: float

    @property
    def sign(self) -> str:
        """`+` or `-` when the interval leaves out 0, `=` otherwise."""
        return "+" if self.low > 0 else "-" if self.high < 0 else "="


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions; `low` and `high` bound its 95 % interval."""

    value: float
    low: float
    high: float


def score(papers: Mapping[str, Counts], *, share: bool) -> Score:
    """The score of one metric from each paper's counts, something of which must be above 0.

    `share` makes recall its value instead of F1. Papers are units by the part of their name before `__`.
    """
    table = _table(papers)
    right, wrong, missing = (int(total) for total in table.sum(axis=0))
    values = [micro([counts], share=share) for counts in papers.values() if any(counts)]
    low, high = _interval(_values(_draws(len(table)) @ table, share))
    return Score(
        precision=_ratio(right, right + wrong),
        recall=_ratio(right, right + missing),
        f1=_ratio(2 * right, 2 * right + wrong + missing),
        value=micro([(right, wrong, missing)], share=share),
        macro=sum(values) / len(values),
        low=low,
        high=high,
        right=right,
        wrong=wrong,
        missing=missing,
        papers=len(values),
    )


def spread(rows: Mapping[str, Sequence[float]], value: Callable[[Sequence[float]], float]) -> tuple[float, float]:
    """The 95 % interval of a value of sums: each unit has a row of numbers (all of one length), units are drawn."""
    if not rows:
        return 0.0, 0.0
    table = np.array(list(rows.values()), dtype=float)
    return _interval(np.array([value(total) for total in (_draws(len(table)) @ table).tolist()]))


def difference(these: Mapping[str, Counts], others: Mapping[str, Counts], *, share: bool) -> Difference:
    """`these` minus `others`, paired: the same papers are drawn on both sides; those that one side lacks are out."""
    both = [name for name in these if name in others]
    one, two = (_table({name: side[name] for name in both}) for side in (these, others))
    draws = _draws(len(one))
    drawn = _values(draws @ one, share) - _values(draws @ two, share)
    low, high = _interval(drawn)
    value = micro([these[name] for name in both], share=share) - micro([others[name] for name in both], share=share)
    return Difference(value, low, high, float((drawn[~np.isnan(drawn)] > 0).mean()))


def means(columns: Mapping[Key, Sequence[float]]) -> dict[Key, Mean]:
    """The mean of each column, which have a value a question; questions are drawn the same for all."""
    if not columns:
        return {}
    table = np.array(list(columns.values()), dtype=float).T
    drawn = _draws(len(table)) @ table / len(table)
    bounds = (_interval(column) for column in drawn.T)
    return {
        name: Mean(float(value), *edges) for name, value, edges in zip(columns, table.mean(axis=0), bounds, strict=True)
    }


def _table(papers: Mapping[str, Counts]) -> Any:
    """Counts by unit (units, 3), renderings of one paper summed."""
    units: dict[str, list[Counts]] = {}
    for name, counts in papers.items():
        units.setdefault(name.split("__")[0], []).append(counts)
    return np.array([np.sum(counts, axis=0) for counts in units.values()], dtype=float).reshape(-1, 3)


@lru_cache(maxsize=1)
def _draws(units: int) -> Any:
    """Return how often each unit is drawn (draws, units)."""
    return np.random.default_rng(SEED).multinomial(units, [1 / units] * units, size=DRAWS).astype(float)


def _values(counts: Any, share: bool) -> Any:
    """F1, or recall, of rows of counts (n, 3); not a number where nothing is asked or found."""
    right, wrong, missing = counts[:, 0], counts[:, 1], counts[:, 2]
    over, under = (right, right + missing) if share else (2 * right, 2 * right + wrong + missing)
    return np.divide(over, under, out=np.full_like(right, np.nan), where=under > 0)


def _interval(drawn: Any) -> tuple[float, float]:
    edge = (1 - LEVEL) / 2
    low, high = np.nanquantile(drawn, [edge, 1 - edge])
    return float(low), float(high)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def micro(counts: Sequence[Counts], *, share: bool) -> float:
    """F1, or recall, of counts summed; 0 where nothing is right."""
    right, wrong, missing = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
    return _ratio(right, right + missing) if share else _ratio(2 * right, 2 * right + wrong + missing)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with columns of even width, numbers to the right.

    >>> print(table(["name", "F1"], [["a", "0.5"]]))
    | name |  F1 |
    |------|----:|
    | a    | 0.5 |
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    pad = [str.ljust, *[str.rjust] * (len(widths) - 1)]
    drawn = [
        "| " + " | ".join(put(cell, w) for put, cell, w in zip(pad, line, widths, strict=True)) + " |" for line in lines
    ]
    rule = "|" + "|".join("-" * (w + 2) if n == 0 else "-" * (w + 1) + ":" for n, w in enumerate(widths)) + "|"
    return "\n".join([drawn[0], rule, *drawn[1:]])


def shown(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows of values by column: four digits behind the point, `-` for None, blanks for underscores."""
    return table(
        [name.replace("_", " ") for name in rows[0]], [[_cell(value) for value in row.values()] for row in rows]
    )


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value).replace("_", " ")
