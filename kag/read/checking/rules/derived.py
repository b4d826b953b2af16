"""Numbers that nobody printed and that those printed prove: sums, differences, ratios, shares, what is left of a whole."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose

from kag.read.checking.rules.number import ROUNDED, TEN, Number


def is_rest(number: Number, printed: Sequence[Number]) -> bool:
    """Whether a share is what another one leaves of a whole, of which a claim tells that it is not so."""
    return number.word.unit == "%" and any(
        one.word.unit == "%" and isclose(number.word.printed, 100 - one.word.printed) for one in printed
    )


def is_derived(number: Number, printed: Sequence[Number]) -> bool:
    """Whether a number is the sum, difference or ratio of two in one sentence, or their share in percent."""
    said = number.word.printed
    if said < TEN and not number.word.unit and not number.compares:
        return False  # small numbers are too often sums
    digits = len(number.word.text.partition(".")[2].rstrip(" %")) if "." in number.word.text else 0
    for one in printed:
        for other in printed:
            if (
                one is other
                or one.place < 0
                or one.place != other.place
                or one.is_cell
                or not one.quoted
                or not other.word.printed
            ):
                continue
            first, second = one.word.printed, other.word.printed
            found = [first + second, first - second] if number.word.unit == one.word.unit == other.word.unit else []
            found += [first / second] if number.word.unit in ("", "x") else []
            found += [100 * first / second] if number.word.unit == "%" and first <= second else []
            found += [100 * abs(first - second) / second] if number.word.unit == "%" and number.compares else []
            if any(
                isclose(said, round(value, digits)) or (number.about and isclose(said, value, rel_tol=ROUNDED))
                for value in found
            ):
                return True
    return False
