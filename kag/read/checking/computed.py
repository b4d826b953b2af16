"""What a claim says that its other words prove: a mean by its terms, a value or a "yes" by the sentence beside it."""

from __future__ import annotations

import re
from fractions import Fraction

_COMPUTED = re.compile(
    r"\b(?P<so>the (?P<what>mean|sum) of )[^\n]{1,300}?\((?P<terms>[^()]*(?:\([^()]*\)[^()]*)*)\)"
    r"(?P<told> is (?P<value>[-−]?\d+(?:\.\d+)?))\.?$"
)
_OUTRIGHT = re.compile(r": (?:yes|no)\.$")
_LEAD = re.compile(r"The paper says (?P<said>[^:\n]{1,80}): (?P<rest>.+)$", re.S)
_TERM = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?")


def without_computed(text: str) -> str:
    """A claim without the mean or sum that its listed terms come to, where they do; the terms are left to be checked.

    >>> without_computed("Table 1: the mean of Depth (31, 22, 14) is 22.33.")
    'Table 1: Depth (31, 22, 14).'
    >>> without_computed("Table 1: the mean of Depth (31, 22, 14) is 23.33.")
    'Table 1: the mean of Depth (31, 22, 14) is 23.33.'
    """
    found = _COMPUTED.search(text)
    if not found:
        return text
    cells = [re.sub(r"\([^()]*\)", "", cell) for cell in re.split(r",\s", found["terms"])]
    terms = [_number(match[0]) for cell in cells if (match := _TERM.search(cell))]
    if not terms:
        return text
    total = sum(terms, Fraction(0))
    value, told = total / len(terms) if found["what"] == "mean" else total, _number(found["value"])
    places = len(found["value"].partition(".")[2])
    if round(value, places) != told:
        return text
    return text[: found.start("so")] + text[found.end("so") : found.start("told")] + text[found.end("told") :]


def without_lead(text: str) -> str:
    """A claim without what it says beforehand where that stands in it: "The paper says 144 days: ...", "...: yes."

    >>> without_lead("The paper says 144 days: The network lived for 144 days.")
    'The network lived for 144 days.'
    >>> without_lead("The paper says 99 days: The network lived for 144 days.")
    'The paper says 99 days: The network lived for 144 days.'
    """
    text = _OUTRIGHT.sub(".", text)
    found = _LEAD.match(text)
    return found["rest"] if found and found["said"] in found["rest"] else text


def _number(text: str) -> Fraction:
    return Fraction(text.replace(",", "").replace("−", "-"))
