"""How likely a ranked sentence answers a question: a logistic over features of the answer, as fitted.

The weights are those that `scripts/fit_confidence.py` prints; what they were fitted on stands in reports/fitted.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeVar

from kag.read.extract.asking import Asked
from kag.read.extract.doubts import asks_relation, asks_theirs, is_beside, is_unsaid, lists_none, only_leads, own_share
from kag.read.extract.ranking import Scored
from kag.read.extract.reread import heard
from kag.read.extract.values import value_in
from kag.read.passage_index import SearchIndex

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
_RAREST = 4  # words
WIDEST = 3.0  # a margin above this says no more
LEAST, HIGHEST = 0.02, 0.96  # a ranked sentence is never as sure as a look-up in the graph


@dataclass(frozen=True, slots=True)
class Features:
    """What tells of an answer whether it is right, each between about 0 and 1.

    `cover`: the share of the question's words, by their rarity, in the sentence. `fit`: how much of what can be asked
    of a sentence it has. `margin`: how far it is ahead of the next passage's best. `focus`: the share of the words for
    the very thing that is asked for in it and in the sentence before. `value`: `cover`, where it prints the one number
    or date that is asked for: of a sentence on something else a number says little. `rare`: how rare the words of the
    question are that it has, the four rarest. `own`: how many words of the question are of its own subject, or whether
    the sentence defines it. The others speak against it: it lacks what such an answer must have (`unsaid`), says where
    the answer stands or what is meant to be done (`leads`), tells of a change where a size is asked for (`beside`), has
    no list where several are asked for (`unlisted`), and the question is about what "they" do (`theirs`), or how things
    hang together (`relation`). Where sentences are read again, what the reader says of it (`read`), and how far that is
    ahead of other passages (`ahead`).
    """

    cover: float
    fit: float
    margin: float
    focus: float
    value: float
    rare: float
    own: float
    unsaid: float
    leads: float
    beside: float
    theirs: float
    unlisted: float
    relation: float
    read: float
    ahead: float


WEIGHTS = Features(
    cover=1.5, fit=2.7, margin=1.2, focus=0.6, value=2.4, rare=1.15, own=2.95, unsaid=-1.55, leads=-0.75, beside=-1.7,
    theirs=-0.75, unlisted=-0.8, relation=-1.25, read=0.0, ahead=0.0,
)  # fmt: skip
INTERCEPT = -6.35
READ_WEIGHTS = Features(  # where sentences are read again
    cover=-0.65, fit=2.35, margin=0.9, focus=0.75, value=1.5, rare=0.2, own=1.65, unsaid=-1.9, leads=-0.65, beside=-1.1,
    theirs=-0.8, unlisted=-0.6, relation=-0.6, read=0.75, ahead=1.05,
)  # fmt: skip
READ_INTERCEPT = -3.6
WRONG = 2.0  # what a wrong answer weighs in the fit: it takes more for a half, and what is above it holds more often


def features(ranked: Sequence[Scored], one: Scored, need: Asked, index: SearchIndex) -> Features:
    """The features of one of the ranked sentences."""
    rival = next((other for other in ranked if other.number != one.number), None)
    margin = min(max(one.score - rival.score, 0.0), WIDEST) if rival else WIDEST
    passage = index.passages[one.number]
    text = passage.text[one.start : one.end]
    read, ahead = heard(ranked, one, need, index)
    return Features(
        cover=one.cover,
        fit=min(one.fit, 1.2),
        margin=margin / WIDEST,
        focus=sum(word in one.words for word in need.focus) / len(need.focus) if need.focus else 0.5,
        value=one.cover if value_in(text, need) else 0.0,
        rare=_rarity(need, one, index),
        own=own_share(need, text),
        unsaid=float(is_unsaid(need, one, passage)),
        leads=float(only_leads(text)),
        beside=float(is_beside(need, text)),
        theirs=float(asks_theirs(need)),
        unlisted=float(lists_none(need, text)),
        relation=float(asks_relation(need)),
        read=read,
        ahead=ahead,
    )


def _rarity(need: Asked, one: Scored, index: SearchIndex) -> float:
    """How rare the question's words in a sentence and the one before are, the four rarest, of what four can be."""
    held = sorted((need.words[word] * index.idf(word) for word in one.words if word in need.words), reverse=True)
    return sum(held[:_RAREST]) / (_RAREST * index.rarest)


def confidence(ranked: Sequence[Scored], one: Scored, need: Asked, index: SearchIndex) -> float:
    """How likely a sentence holds the answer, 0 to 1, two places."""
    fitted = (READ_WEIGHTS, READ_INTERCEPT) if index.reader else (WEIGHTS, INTERCEPT)
    return probability(features(ranked, one, need, index), *fitted)


def probability(found: Features, weights: Features, intercept: float) -> float:
    """The logistic of features, as it is told, within what a sentence can reach."""
    told = logistic(as_told(weighed(found, weights, intercept)))
    return round(min(max(told, LEAST), HIGHEST), 2)


def weighed(found: T, weights: T, intercept: float) -> float:
    """The log-odds of features, both being of one dataclass of numbers."""
    told: float = sum(getattr(weights, one.name) * getattr(found, one.name) for one in fields(weights))
    return intercept + told


def logistic(odds: float) -> float:
    """A likelihood by its log-odds."""
    return 1 / (1 + math.exp(-odds))


def as_told(odds: float) -> float:
    """Logarithms of odds as they are told: above a half what a wrong answer weighs more is given back, so that a told
    share is that of right answers; those of a half and less stay as fitted, a guess.

    >>> round(1 / (1 + math.exp(-as_told(0.1))), 2), as_told(-0.1)
    (0.69, -0.1)
    """
    return odds + math.log(WRONG) if odds > 0 else odds


def as_guess(confidence: float) -> float:
    """A confidence as it is told to a reader: what is no more than a guess is told between a third and a half, for what
    keeps it below a half, the weight of wrong answers, makes it look worse than it is.

    >>> as_guess(0.2), as_guess(0.5), as_guess(0.9)
    (0.4, 0.5, 0.9)
    """
    return confidence if confidence > 0.5 else round((1 + confidence) / 3, 2)
