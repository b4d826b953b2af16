"""Numbers that are not printed, and follow from those that are: sums, differences, ratios, shares, what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, permutations
from math import isclose

from kag.read.checking.rules.lexicon import lexicon
from kag.read.checking.rules.number import ROUNDED, TEN, Number, printed_numbers
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.words import Word, has_near

_LIST = 3  # numbers from which on a list is summed up
_FAR = 2  # how far a ratio may be from its bound
_MOST = 60  # numbers of one sentence that are put together


def left_over(sides: Sides, printed: Sequence[Number]) -> tuple[Number, ...]:
    """What printed shares and counts leave of their whole, each as if it were printed of the same.

    "98.1 % was intact" leaves 1.9 %, "16 of 18 were settled" 2. Only where one side speaks of what is gone or is not
    so, and the other one does not.
    """
    rest = lexicon().near["rest"]
    claim, quoted = (any(word.is_denial for word in text) or has_near(text, rest) for text in _both(sides))
    if not (claim or quoted) or _is_told_alike(sides):
        return ()
    return tuple(_left_over([one for one in printed if one.quoted and one.place >= 0 and not one.is_cell]))


def _is_told_alike(sides: Sides) -> bool:
    """Whether both sides say the same of what is there or gone: "98 % was intact", "2 % was intact"."""
    claim, quoted = (
        {word.stem for word in text if word.is_denial or has_near((word,), lexicon().near["rest"])}
        for text in _both(sides)
    )
    return bool(claim) and claim == quoted


def leaves_over(sides: Sides, text: Sequence[Word]) -> bool:
    """Whether a part of the claim has a number that is what another one leaves of its whole, and is not printed."""
    said = [word for word in text if word.is_number]
    printed = tuple(printed_numbers(sides)) if said else ()
    known = {one.word.printed for one in printed if one.quoted}
    rest = {(one.word.printed, one.word.unit) for one in left_over(sides, printed)}
    return any(word.printed not in known and (word.printed, word.unit) in rest for word in said)


def _both(sides: Sides) -> Iterator[tuple[Word, ...]]:
    yield sides.claim
    yield tuple(word for part in sides.quoted for word in part.words)


def _left_over(printed: Sequence[Number]) -> Iterator[Number]:
    for one in printed:
        if one.word.unit == "%" and 0 < one.word.printed < 100:
            yield _of(one, 100 - one.word.printed)
        for whole in printed if _is_count(one) else ():
            if _is_count(whole) and whole.place == one.place and whole.word.printed > one.word.printed:
                yield _of(one, whole.word.printed - one.word.printed)


def _is_count(number: Number) -> bool:
    return not number.word.unit and not number.word.is_year and number.word.printed == int(number.word.printed)


def _of(one: Number, value: float) -> Number:
    places = len(one.word.text.partition(".")[2].rstrip(" %"))
    value = round(value, places)
    return replace(one, word=replace(one.word, value=value, printed=value, spread=None), bound=-one.bound)


def is_derived(number: Number, printed: Sequence[Number], said: Sequence[Number]) -> bool:
    """Whether a number is the sum, difference, ratio or share of two in one sentence, or in the claim itself."""
    small = number.word.printed < TEN and not number.word.unit and not number.compares
    if small:
        return False  # small numbers are too often sums
    own = [one for one in said if one.word != number.word]
    if len(own) >= 2 and any(_follows(number, one, other) for one, other in permutations(own[:_MOST], 2)):
        return True
    stated = [one for one in printed if one.quoted and one.place >= 0 and not one.is_cell]
    for _, group in groupby(stated, key=lambda one: one.place):
        together = list(group)[:_MOST]
        if any(_follows(number, one, other) for one, other in permutations(together, 2)):
            return True
        terms = [one.word.printed for one in together if one.word.unit == number.word.unit and not one.word.is_year]
        if len(terms) >= _LIST and _is_about(number, sum(terms)):
            return True
    return False


def _follows(number: Number, one: Number, other: Number) -> bool:
    """Whether a number is what two others come to."""
    unit, first, second = number.word.unit, one.word.value or 0.0, other.word.value or 0.0
    alike = one.word.unit == other.word.unit
    found: list[float] = []
    if unit == one.word.unit == other.word.unit:
        found += [one.word.printed + other.word.printed, one.word.printed - other.word.printed]
    if other.word.unit == "x" and one.word.unit == unit:
        found.append(one.word.printed * second)  # "600 mg twice a day"
    if not second or not alike:
        return any(_is_about(number, value) for value in found)
    found += [first / second] if unit in ("", "x") else []
    if unit == "x" and number.bound:
        times = first / second / number.word.printed  # "more than tenfold" for 16
        return 1 <= times**number.bound < _FAR or any(_is_about(number, value) for value in found)
    found += [100 * first / second] if unit == "%" and first <= second else []
    found += [100 * abs(first - second) / second] if unit == "%" and number.compares else []
    return any(_is_about(number, value) for value in found)


def _is_about(number: Number, value: float) -> bool:
    digits = len(number.word.text.partition(".")[2].rstrip(" %")) if "." in number.word.text else 0
    said = number.word.printed
    return isclose(said, round(value, digits)) or (number.about and isclose(said, value, rel_tol=ROUNDED))
