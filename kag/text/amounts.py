"""Amounts as tables print them: signs of money, commas, a percent sign, brackets for what is below nought."""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_AMOUNT = re.compile(
    rf"(?P<sign>[-−–]\s?)?(?:US|[A-Z])?[$€£¥]?\s?(?P<open>\(\s?)?(?:[$€£¥]\s?)?(?P<minus>[-−–]\s?)?"
    rf"(?P<number>{_NUMBER})(?![\d,]*\d)\s?%?(?P<close>\s?\)(?:\s?%)?)?"
)
_MARK = re.compile(r"\s*(?:\(\s?[\da-z]\s?\)|[*†‡§]+|[a-zA-Z])?\s*\)?\s*")  # of a footnote, or a bracket left over


def amount(cell: str) -> Fraction | None:
    """The number that a cell is, None where it is none, or more than one.

    >>> str(amount("$(31.5)")), str(amount("1,234 %")), str(amount("—"))
    ('-63/2', '1234', 'None')
    """
    match = _AMOUNT.match(cell.strip())
    return _value(match) if match and _MARK.fullmatch(cell.strip(), match.end()) else None


def first_amount(text: str) -> Fraction | None:
    """The first number of a text.

    >>> str(first_amount("(5,062) in 2019"))
    '-5062'
    """
    match = _AMOUNT.search(text)
    return _value(match) if match else None


def _value(match: re.Match[str]) -> Fraction:
    below = match["sign"] or match["minus"] or (match["open"] and match["close"])
    number = Fraction(match["number"].replace(",", ""))
    return -number if below else number
