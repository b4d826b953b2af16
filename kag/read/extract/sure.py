"""How likely a ranked sentence answers a question: a logistic over features of the answer, as fitted.

The weights are those that `scripts/fit_confidence.py` prints; what they were fitted on stands in reports/fitted.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kag.read.extract.asking import Asked
from kag.read.extract.kin import kin_of
from kag.read.extract.ranking import Scored, is_defined
from kag.read.extract.values import value_in
from kag.read.passage_index import SearchIndex

_MANY = 8  # telling words of a long question
WIDEST = 3.0  # a margin above this says no more
LEAST, HIGHEST = 0.02, 0.95  # a ranked sentence is never as sure as a look-up in the graph


@dataclass(frozen=True, slots=True)
class Features:
    """What tells of an answer whether it is right, each between about 0 and 1.

    `cover`: the share of the question's words, by their rarity, in the sentence. `fit`: how much of what can be asked
    of a sentence it has. `margin`: how far it is ahead of the next passage's best. `absent`: the share of the
    question's words that the paper prints nowhere, nor others for the same. `row`: it is a row of a table or a
    caption. `near`: the share of the question's telling words in the sentence and the one before, `focus`:
    of those for the very thing that is asked for. `value`: it prints the one number or date that is asked for.
    `many`: how many telling words the question has, of eight: a short one is found in more sentences,
    but for one that says what the term asked for is.
    """

    cover: float
    fit: float
    margin: float
    absent: float
    row: float
    near: float
    focus: float
    value: float
    many: float


WEIGHTS = Features(cover=0.9, fit=2.8, margin=1.25, absent=0.0, row=0.9, near=0.4, focus=0.75, value=0.75, many=1.2)
INTERCEPT = -3.67


def features(ranked: Sequence[Scored], one: Scored, need: Asked, index: SearchIndex) -> Features:
    """The features of one of the ranked sentences."""
    rival = next((other for other in ranked if other.number != one.number), None)
    margin = min(max(one.score - rival.score, 0.0), WIDEST) if rival else WIDEST
    passage = index.passages[one.number]
    return Features(
        cover=one.cover,
        fit=min(one.fit, 1.2),
        margin=margin / WIDEST,
        absent=absent(need, index),
        row=float(passage.kind in ("table", "caption")),
        near=_near(need, one),
        focus=sum(word in one.words for word in need.focus) / len(need.focus) if need.focus else 0.5,
        value=float(bool(value_in(passage.text[one.start : one.end], need))),
        many=1.0
        if is_defined(need.term, passage.text, one.start, one.end)
        else min(len(_telling(need)), _MANY) / _MANY,
    )


def _near(need: Asked, one: Scored) -> float:
    """The share of the question's telling words, each as much as the other, in a sentence or the one before it."""
    telling = _telling(need)
    return sum(word in one.words for word in telling) / len(telling)


def _telling(need: Asked) -> list[str]:
    return [word for word, weight in need.words.items() if weight == 1] or list(need.words)


def confidence(ranked: Sequence[Scored], one: Scored, need: Asked, index: SearchIndex) -> float:
    """How likely a sentence holds the answer, 0 to 1, two places."""
    return probability(features(ranked, one, need, index), WEIGHTS, INTERCEPT)


def probability(found: Features, weights: Features, intercept: float) -> float:
    """The logistic of features, within what a sentence can reach."""
    odds = intercept + sum(getattr(weights, name) * getattr(found, name) for name in Features.__slots__)
    return round(min(max(1 / (1 + math.exp(-odds)), LEAST), HIGHEST), 2)


def absent(need: Asked, index: SearchIndex) -> float:
    """The share of a question's words, by weight, that are nowhere in the paper, and no others for the same."""
    whole = sum(need.content.values()) or 1.0
    missing = (weight for word, weight in need.content.items() if not is_printed(word, index))
    return sum(missing) / whole


def is_printed(word: str, index: SearchIndex) -> bool:
    """Whether a paper prints a word in any form, or another for the same."""
    return bool(index.forms(word)) or any(index.forms(one) for one in kin_of(word))
