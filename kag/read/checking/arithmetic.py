"""What printed numbers come to: one table of rules, by which a claim is reckoned and by which it is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

CHANGE, PERCENT_CHANGE, MEAN, SUM = "change", "percentage change", "mean", "sum"
PERCENTAGE, RATIO, DIFFERENCE = "percentage", "ratio", "difference"
_PLACES = 2  # behind the point

RULES: dict[str, Callable[[Sequence[Fraction]], Fraction | None]] = {
    CHANGE: lambda terms: terms[-1] - terms[0],
    PERCENT_CHANGE: lambda terms: (terms[-1] - terms[0]) * 100 / abs(terms[0]) if terms[0] else None,
    MEAN: lambda terms: sum(terms, Fraction(0)) / len(terms),
    SUM: lambda terms: sum(terms, Fraction(0)),
    PERCENTAGE: lambda terms: terms[0] * 100 / terms[-1] if terms[-1] else None,
    RATIO: lambda terms: terms[0] / terms[-1] if terms[-1] else None,
    DIFFERENCE: lambda terms: terms[0] - terms[-1],
}
"""By name, what terms come to in their order, earlier years first; None where it would be divided by nothing."""


def reckoned(what: str, terms: Sequence[Fraction]) -> str:
    """What terms come to, to two places; "" where it would be divided by nothing.

    >>> reckoned("change", [Fraction(3), Fraction("1.5")]), reckoned("percentage change", [Fraction(3), Fraction(4)])
    ('-1.5', '33.33')
    """
    value = RULES[what](terms)
    return "" if value is None else f"{float(round(value, _PLACES)):.{_PLACES}f}".rstrip("0").rstrip(".")
