"""The largest or smallest value of a kind: what a superlative asks for, looked up over all passages and table rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kag.read.extract.ranking import Scored
from kag.read.passage_index import SearchIndex
from kag.text.quantities import Quantity, find_quantities

_MOST = re.compile(
    r"\b(?:longest|highest|largest|greatest|maxim(?:um|al)|biggest|strongest|fastest|oldest|heaviest|hottest|widest"
    r"|deepest)\b", re.I)  # fmt: skip
_LEAST = re.compile(r"\b(?:shortest|lowest|smallest|minim(?:um|al)|weakest|slowest|youngest|lightest|coldest)\b", re.I)
_OF_WHICH = re.compile(  # "which country had the highest rate" asks for a country, and no rate
    r"\W*(?:in |at |for |of )?(?:which|what)(?: of the)? (?:[\w-]+ ){1,3}?(?:had|has|have|shows?|showed|reach(?:es|ed)?"
    r"|gets?|got|gives?|gave|takes?|took|needs?|needed)\b"
    r"|\W*(?:the )?(?:[\w-]+ ){1,2}(?:with|having) (?:the )?[a-z]+est\b",
    re.I,
)
_ON_TOPIC = 0.6  # of the best sentence's fit
_LOOKED_AT = 60  # sentences


@dataclass(frozen=True, slots=True)
class Extreme:
    """A value and the sentence that prints it."""

    sentence: Scored
    quantity: Quantity


def is_superlative(question: str) -> bool:
    """Whether the largest or smallest of something is asked for."""
    return bool(_MOST.search(question) or _LEAST.search(question))


def asks_which(question: str) -> bool:
    """Whether the thing is asked for that has most or least, and not how much.

    >>> asks_which("Which lake had the highest level?"), asks_which("Which level was the highest?")
    (True, False)
    """
    return bool(_OF_WHICH.match(question))


def extreme(question: str, ranked: Sequence[Scored], index: SearchIndex) -> Extreme | None:
    """The value asked for, of all in the sentences on the topic; None unless most have the same unit.

    Where a sentence on the topic itself says "longest" and prints values, only such sentences are looked at.
    """
    best = max((one.fit for one in ranked), default=0.0)
    near = [one for one in ranked[:_LOOKED_AT] if one.fit >= _ON_TOPIC * best]
    sign = _MOST if _MOST.search(question) else _LEAST
    found = [(one, quantity) for one in near for quantity in _values(one, index)]
    units = Counter(quantity.unit_canonical for _, quantity in found)
    if not units:
        return None
    unit, number = min(units.items(), key=lambda item: (-item[1], item[0]))
    same = [(one, quantity) for one, quantity in found if quantity.unit_canonical == unit]
    said = [pair for pair in same if sign.search(index.passages[pair[0].number].text, pair[0].start, pair[0].end)]
    if not unit or (number < 2 and not said) or 2 * number <= len(found):
        return None
    turn = 1 if sign is _MOST else -1
    sentence, quantity = max(said or same, key=lambda pair: turn * (pair[1].value or 0.0))
    return Extreme(sentence, quantity)


def _values(one: Scored, index: SearchIndex) -> list[Quantity]:
    text = index.passages[one.number].text[one.start : one.end]
    return [quantity for quantity in find_quantities(text) if quantity.value is not None and not quantity.bound]
