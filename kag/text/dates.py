"""English number words, month names, fiscal years and Roman numerals."""

from __future__ import annotations

from collections.abc import Iterable

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


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {word: number for number, word in enumerate(_ONES.split())}
"""Number words below a hundred with their values."""
NUMBER_WORDS |= {word: 10 * number for number, word in enumerate(_TENS.split(), start=2)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
"""Words that multiply the number before them."""


def number_of(words: Iterable[str]) -> float:
    """Return the value of number words in order; other words count nothing.

    >>> number_of("three hundred and twenty one".split()), number_of(["half"])
    (321, 0.5)
    """
    total = part = 0.0
    for word in words:
        if word in SCALES:
            part = (part or 1) * SCALES[word]
            if SCALES[word] >= 1000:
                total, part = total + part, 0
        else:
            part += 0.5 if word == "half" else NUMBER_WORDS.get(word, 0)
    value = total + part
    return int(value) if value == int(value) else value
