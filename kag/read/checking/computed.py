"""Numbers that a claim computes from others: "the mean of Depth (31, 22, 14) is 22.33." is true by its own terms."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

_COMPUTED = re.compile(
    r"\bthe (?P<what>mean"
    r"|sum) of [^\n]{1,300}?\((?P<terms>[^()]*(?:\([^()]*\)[^()]*)*)\) is (?P<value>-?\d+(?:\.\d+)?)\.?$"
)
_TERM = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?")


def computed(text: str, known: Collection[str]) -> set[str]:
    """The number that a claim says its listed terms come to, where they do and all stand in the evidence.

    `known` are the numbers of the evidence, in one spelling.

    >>> computed("Table 1: the mean of Depth (31, 22, 14) is 22.33.", {"31", "22", "14"})
    {'22.33'}
    """
    found = _COMPUTED.search(text)
    if not found:
        return set()
    cells = [re.sub(r"\([^()]*\)", "", cell) for cell in re.split(r",\s", found["terms"])]
    terms = [match[0].replace(",", "").replace("−", "-") for cell in cells if (match := _TERM.search(cell))]
    if not terms or not all(_plain(term) in known for term in terms):
        return set()
    total = sum(map(Fraction, terms), Fraction(0))
    value = total / len(terms) if found["what"] == "mean" else total
    places = len(found["value"].partition(".")[2])
    return {_plain(found["value"])} if round(float(value), places) == float(found["value"]) else set()


def _plain(number: str) -> str:
    """One spelling, as `kag.read.checking.support.numbers` has it, of a number without its sign."""
    bare = number.lstrip("-")
    whole, point, rest = bare.partition(".")
    return f"{whole.lstrip('0') or '0'}.{rest.rstrip('0')}".rstrip(".") if point else bare.lstrip("0") or "0"
