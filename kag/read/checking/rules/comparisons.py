"""Comparisons whose two numbers, or whose whole column, the evidence prints: the greater one is the greater one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.read.checking.rules.directions import turns
from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.number import Number, printed_numbers
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.roles import than
from kag.read.checking.rules.words import Word

_TIMES = frozenset(("s", "a"))  # units of which the lesser number is the faster
_PLACING = frozenset(("at", "in", "on", "during", "after", "before"))
_SUBJECT = 2  # how much more it says that a number is of what the claim begins with
_SCALES = frozenset(("amount", "length", "age", "speed"))


def comparison_findings(sides: Sides) -> Iterator[Finding]:
    """Of two compared in the claim, the one said to be greater is the less by the numbers printed of them."""
    border = than(sides.claim)
    turn = next((turn for turn in turns(sides.claim) if turn.scale in _SCALES), None)
    if border is None or turn is None or turn.at > border or turn.text in ("over half", "under half"):
        return
    numbers = [number for number in printed_numbers(sides) if not number.word.is_year]
    first, second = (side - _common(numbers) for side in _pair(sides, border))
    alone = first - frozenset(word for number in numbers if number.zone & second for word in number.zone)
    pairs = [
        (one, other)
        for one in _of(numbers, first, second)
        for other in _of(numbers, second, alone)
        if _alike(one, other)
    ]
    faster = -1 if turn.scale == "speed" and pairs and pairs[0][0].word.unit in _TIMES else 1
    subject = next((word.stem for word in sides.claim[: turn.at] if word.carries), "")
    best = max((_shared(one, other, subject) for one, other in pairs), default=0)
    chosen = [(one, other) for one, other in pairs if _shared(one, other, subject) == best]
    if chosen and all(_side(one, other) != turn.side * faster for one, other in chosen):
        one, other = chosen[0]
        reason = f"{turn.text!r} does not fit {one.word.text!r} and {other.word.text!r}"
        yield Finding("comparison", reason, contradicts=True)


def _pair(sides: Sides, border: int) -> tuple[frozenset[str], frozenset[str]]:
    """The words of each of the two compared that the other one has not."""
    left, right = _stems(sides.claim[:border]), _stems(_second(sides.claim[border:]))
    return left - right, right - left


def _second(text: Sequence[Word]) -> Sequence[Word]:
    """What the first is compared with, without where and when: "than the bog at noon"."""
    named = next((at for at, word in enumerate(text) if at and (word.carries or word.is_number)), 0)
    return text[: next((at for at in range(named, len(text)) if text[at].text.lower() in _PLACING), len(text))]


def _common(numbers: Sequence[Number]) -> frozenset[str]:
    """The words that all numbers of one unit in a sentence have, which tell none from the others."""
    found: set[str] = set()
    for unit, place in {(number.word.unit, number.place) for number in numbers if not number.is_cell}:
        zones = [number.zone for number in numbers if (number.word.unit, number.place) == (unit, place)]
        if len(zones) > 1:
            found |= frozenset.intersection(*zones)
    return frozenset(found)


def _stems(text: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.stem for word in text if word.carries or word.is_year)


def _of(numbers: Sequence[Number], own: frozenset[str], others: frozenset[str]) -> list[Number]:
    """The numbers that belong to one of the two and not to the other."""
    return [number for number in numbers if number.zone & own and not number.zone & others]


def _alike(one: Number, other: Number) -> bool:
    return one.word.unit == other.word.unit and one.is_cell == other.is_cell


def _shared(one: Number, other: Number, subject: str) -> int:
    return len(one.zone | other.zone) + len(one.zone & other.zone) + _SUBJECT * (subject in one.zone)


def _side(one: Number, other: Number) -> int:
    first, second = one.word.value or 0.0, other.word.value or 0.0
    return (first > second) - (first < second)
