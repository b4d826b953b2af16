"""What a claim says that its other words prove: a mean by its terms, a value or a "yes" by the sentence beside it."""

from __future__ import annotations

import re

from kag.read.checking.arithmetic import RULES
from kag.text.amounts import first_amount

_COMPUTED = re.compile(
    rf"\b(?P<so>the (?P<what>{'|'.join(RULES)}) of )[^\n]{{1,300}}?\((?P<terms>[^()]*(?:\([^()]*\)[^()]*)*)\)"
    r"(?P<told> is (?P<value>[-−]?\d+(?:\.\d+)?)%?)\.?$"
)
_OUTRIGHT = re.compile(r": (?:yes|no)\.$")
_LEAD = re.compile(r"The paper says (?P<said>[^:\n]{1,80}): (?P<rest>.+)$", re.S)
_ASIDE = re.compile(r"(?<=[\w%)])\s?\([^()]*\)")  # "31 (4)"; of "(31)" the brackets tell that it is below nought


def without_computed(text: str) -> str:
    """A claim without the mean, sum or change that its listed terms come to, where they do; the terms are left to be
    checked.

    >>> without_computed("Table 1: the mean of Depth (31, 22, 14) is 22.33.")
    'Table 1: Depth (31, 22, 14).'
    >>> without_computed("Table 1: the mean of Depth (31, 22, 14) is 23.33.")
    'Table 1: the mean of Depth (31, 22, 14) is 23.33.'
    >>> without_computed("Table 1: the change of Depth (31 in 2018, (22) in 2019) is -53.")
    'Table 1: Depth (31 in 2018, (22) in 2019).'
    """
    found = _COMPUTED.search(text)
    if not found:
        return text
    terms = [first_amount(_ASIDE.sub("", cell)) for cell in re.split(r",\s", found["terms"])]
    known, told = [term for term in terms if term is not None], first_amount(found["value"])
    value = RULES[found["what"]](known) if known else None
    places = len(found["value"].partition(".")[2])
    if value is None or told is None or round(value, places) != told:
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
