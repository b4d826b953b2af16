"""Rates: "a day" in the quotes is no "an hour" in the claim."""

from __future__ import annotations

from collections.abc import Iterator

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.parts import Sides, is_same
from kag.read.checking.rules.words import Word

_PER = frozenset(("a", "an", "per", "each", "every", "/"))
_TIMES = frozenset(
    [
        "second",
        "minute",
        "hour",
        "day",
        "night",
        "week",
        "month",
        "season",
        "summer",
        "winter",
        "year",
        "decade",
        "century",
        "generation",
    ]
)
_NAMED = frozenset(("hourly", "daily", "weekly", "monthly", "yearly", "annually", "annual"))


def rate_findings(sides: Sides) -> Iterator[Finding]:
    """A time that the claim gives for a rate where the quotes give another one."""
    printed = {rate.text.lower(): rate for part in sides.quoted for rate in _rates(part.words)}
    for rate in _rates(sides.claim):
        if printed and not any(is_same(rate.stem, other.stem) for other in printed.values()):
            other = next(iter(printed))
            yield Finding("rate", f"{rate.text!r} is {other!r} in the quotes", contradicts=True)


def _rates(text: tuple[Word, ...]) -> Iterator[Word]:
    for at, word in enumerate(text):
        low = word.text.lower()
        if low in _NAMED or (low in _TIMES and at and text[at - 1].text.lower() in _PER):
            yield word
