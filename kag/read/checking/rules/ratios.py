"""Ratios told from either side: "A has twice as many as B" is "B has half as many as A", and not the other way."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.number import Number
from kag.read.checking.rules.parts import Part, Sides
from kag.read.checking.rules.roles import order_around, than
from kag.read.checking.rules.words import Word

_NEAR = 0.02  # how far off one the product of two ratios may be
_BEFORE = 10  # words before the second "as" where the ratio stands


def ratio_findings(sides: Sides) -> Iterator[Finding]:
    """A ratio that the claim gives of the second of two to the first, the quotes of the first to the second."""
    ratio = _ratio(sides.claim)
    for part in sides.quoted if ratio else ():
        other = _ratio(part.words)
        if ratio and other and _is_turned(sides, part) and not _is_inverse(ratio, other):
            reason = f"the two that are compared have changed places around {ratio.text!r}"
            yield Finding("comparison", reason, contradicts=True)


def is_inverse(number: Number, sides: Sides) -> bool:
    """Whether a number is a printed ratio told from the other side."""
    ratios = ((part, _ratio(part.words)) for part in sides.quoted if number.word == _ratio(sides.claim))
    return any(other and _is_turned(sides, part) and _is_inverse(number.word, other) for part, other in ratios)


def _is_turned(sides: Sides, part: Part) -> bool:
    here, there = than(sides.claim), than(part.words)
    return here is not None and there is not None and order_around(sides, here, part, there) < 0


def _ratio(text: tuple[Word, ...]) -> Word | None:
    """The number before "as many ... as", as a part of one or a multiple."""
    border = than(text)
    near = text[max(0, (border or 0) - _BEFORE) : border] if border is not None and text[border].text == "as" else ()
    return next((word for word in near if word.is_number and word.unit in ("x", "%")), None)


def _is_inverse(one: Word, other: Word) -> bool:
    return isclose(_times(one) * _times(other), 1.0, rel_tol=_NEAR)


def _times(word: Word) -> float:
    return (word.value or 0.0) / (100 if word.unit == "%" else 1)
