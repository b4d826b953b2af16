"""Sentences that lean on their neighbours, and are quoted with them: what "this" is, what "in addition" goes on with.

>>> leans("This suggests that the lakes are alike."), leans("This study was paid for by the town.")
(True, False)
>>> goes_on("In addition, prompt sharing is needed."), goes_on("Of all reeds the tallest grew here.")
(True, False)
"""

from __future__ import annotations

import re
from dataclasses import replace

from kag.read.extract.asking import Asked
from kag.read.extract.ranking import Scored
from kag.read.passage_index import SearchIndex
from kag.text.sentences import sentences

_LEADING = 8  # words of a sentence that says something itself
_TOLD_ALONE = frozenset({"date", "person", "place"})  # kinds of answer that one sentence gives, as those with numbers
_VERB = (
    r"(?:is|are|was|were|ha[sd]|have|will|would|can|could|may|might|must|should|did|does|do"
    r"|(?:also |then |thus |only |further |eventually |usually |probably |likely )?[a-z]+(?:(?<![sui])s|ed))\b"
)
_LEANS = re.compile(  # its subject, or when it was, stands in the sentence before
    r"\W*(?:(?:however|moreover|thus|therefore|hence|furthermore|also|in turn),? )?"
    rf"(?:(?:this|they|such) {_VERB}|these\b|the (?:former|latter)\b|both of them\b"
    r"|(?:on|at|in|during) (?:the same|that|those) (?:day|date|time|year|month|week|period)s?\b"
    r"|(?:of|among) (?:these|those|them|the remaining|the rest)\b)",
    re.I,
)
_GOES_ON = re.compile(r"\W*(?:in addition|additionally|furthermore|moreover|besides|it also|they also),?\s", re.I)


def leans(text: str) -> bool:
    """Whether a sentence cannot be understood without the one before it."""
    return bool(_LEANS.match(text))


def goes_on(text: str) -> bool:
    """Whether a sentence goes on with what the one before it says."""
    return leans(text) or bool(_GOES_ON.match(text))


def with_neighbours(one: Scored, need: Asked, index: SearchIndex) -> Scored:
    """A sentence with the one before, where it leans on it, and with the one behind, where that goes on with what is
    asked for openly, or has the reason that it lacks."""
    passage = index.passages[one.number]
    if passage.kind != "paragraph":
        return one
    kind = need.needed
    if kind is not None and kind.near and not one.has_kind:
        return _with_reason(one, need, index)
    spans = sentences(passage.text)
    before = [start for start, end in spans if end <= one.start]
    behind = [(start, end) for start, end in spans if start >= one.end]
    if before and leans(passage.text[one.start : one.end]):
        one = replace(one, start=before[-1])
    if behind and _is_open(need) and goes_on(passage.text[slice(*behind[0])]):
        one = replace(one, end=behind[0][1])
    return one


def _is_open(need: Asked) -> bool:
    """Whether a question asks for more than a value, a name or a day."""
    return not (need.is_number or need.counted or need.kind in _TOLD_ALONE)


def _with_reason(one: Scored, need: Asked, index: SearchIndex) -> Scored:
    """A sentence with the neighbour that has what the question needs and it has not: the reason.

    "Thus" points to the sentence before; else the reason is looked for behind, over a short sentence that leads to it.
    """
    kind = need.needed
    assert kind is not None, "asked for by the caller"
    text = index.passages[one.number].text
    spans = sentences(text)
    before = [start for start, end in spans if end <= one.start]
    behind = [(start, end) for start, end in spans if start >= one.end]
    if kind.back and kind.back.search(text, one.start, one.end) and before:
        return replace(one, start=before[-1])
    if not behind or (
        before and kind.has_it(text[before[-1] : one.start]) and not kind.has_it(text[slice(*behind[0])])
    ):
        return replace(one, start=before[-1]) if before else one
    last = next((end for start, end in behind[:3] if len(text[start:end].split()) >= _LEADING), behind[0][1])
    return replace(one, end=last)
