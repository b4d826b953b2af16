"""Roman numbers, as sections, tables and lists have them."""

from __future__ import annotations

_TENS, _ONES = ("", "X", "XX", "XXX"), ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
ROMANS = tuple(ten + one for ten in _TENS for one in _ONES)
"""All below forty, each at the place of its value; the first is empty."""


def value_of(roman: str) -> int:
    """What a Roman number in capitals comes to; 0 for what is none.

    >>> value_of("XIV"), value_of("IIX")
    (14, 0)
    """
    return ROMANS.index(roman) if roman in ROMANS else 0
