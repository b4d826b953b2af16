"""English month names, fiscal years and Roman numerals."""

from __future__ import annotations

_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
MONTH = rf"(?:(?:{'|'.join(_NAMES)})\b|(?:{'|'.join(name[:3] for name in _NAMES)}|Sept)\b\.?)"
"""Source of an expression: an English month in full, or short with its point if there is one; nothing is captured."""

FISCAL = r"F(?:Y\s?)?'?"
"""Source of an expression: what stands before the two figures of a year of accounts ("FY19", "F'19")."""


def month_number(name: str) -> int:
    """Return the month of the year of a match of `MONTH`, from 1.

    >>> month_number("Sept."), month_number("MAY")
    (9, 5)
    """
    return [one[:3].lower() for one in _NAMES].index(name[:3].lower()) + 1


_ROMAN_TENS, _ROMAN_ONES = ("", "X", "XX", "XXX"), ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
ROMANS = tuple(ten + one for ten in _ROMAN_TENS for one in _ROMAN_ONES)
"""All below forty, each at the place of its value; the first is empty."""


def value_of(roman: str) -> int:
    """Return the value of a Roman number in capitals; 0 if it is not one.

    >>> value_of("XIV"), value_of("IIX")
    (14, 0)
    """
    return ROMANS.index(roman) if roman in ROMANS else 0
