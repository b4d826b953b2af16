"""Which of the ranked sentences of many papers answer a question, and how sure each is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from kag.read.across.pool import Pool, held
from kag.read.extract.asking import Asked
from kag.read.extract.content import FIT, picked
from kag.read.extract.ranking import Scored
from kag.read.extract.replies import FLOAT
from kag.search.index import Index

# All fitted on the questions of half of the articles of COVID-QA, in one corpus with other papers.
HELD = 0.6  # what it counts that the paper has the words of the question somewhere
ENOUGH = 0.8  # below it the best sentence is of a paper that is about something else
ABOUT = 0.75  # of the words of a topic, by rarity, that a paper has anywhere which is told to be on it
CLAIMS = 5
CLOSE = 0.75  # of the best score: an answer as well
_STRENGTH, _SHARE, _LATER, _INTERCEPT = 1.3, 3.4, -2.1, -4.85

Sure = tuple[Scored, float]  # a sentence and its confidence


def chosen(
    part: str, need: Asked, ranked: Sequence[Scored], pool: Pool, index: Index, most: int = CLAIMS
) -> tuple[tuple[Sure, ...], str]:
    """The sentences to answer with, the best first and then those near it, and the value asked for, or "".

    Nothing when the best sentence and its paper together have too little of the question. A confidence is how often
    such a sentence was of the one passage that is known to hold the answer, 0 to 1, among the questions that this was
    fitted on; for sentences behind the first it is too low where several papers say it.
    """
    has = next((has for _, has, _ in _rated(need, ranked[:1], pool, index)), 0.0)
    if has < ENOUGH:
        return (), ""
    first, value = picked(part, need, ranked, pool.index, least=0.0, choose=lambda best: best[:1])
    if not first:
        return (), ""
    best = first[0][0]
    near = [one for one in spread(ranked, 2 * most) if one.number != best.number]
    others = [one for one, _ in enough(need, near, pool, index)]
    highest = max(ranked[0].score, best.score)
    later = ((one, _confidence(has, one.score / highest, _LATER)) for one in others[: most - 1])
    return ((best, _confidence(has, 1.0)), *later), value


def enough(need: Asked, ranked: Iterable[Scored], pool: Pool, index: Index) -> tuple[Sure, ...]:
    """The sentences that each have enough of the question, whatever the others have."""
    return tuple((one, _confidence(has, 1.0)) for one, has, _ in _rated(need, ranked, pool, index) if has >= ENOUGH)


def one_by_one(need: Asked, ranked: Iterable[Scored], pool: Pool, index: Index, *, named: bool) -> tuple[Sure, ...]:
    """The sentences that say enough on a topic, each for its paper; of a paper that was `named` less is needed."""
    rated = _rated(need, ranked, pool, index)
    told = ((one, has) for one, has, share in rated if (one.fit >= FIT if named else has >= ENOUGH and share >= ABOUT))
    return tuple((one, _confidence(has, 1.0)) for one, has in told)


def _rated(need: Asked, ranked: Iterable[Scored], pool: Pool, index: Index) -> Iterator[tuple[Scored, float, float]]:
    """Sentences with how much of a question each has together with its paper, and its paper alone."""
    shares: dict[str, float] = {}
    for one in ranked:
        paper = pool.papers[one.number]
        if paper not in shares:
            shares[paper] = held(need, paper, index)
        yield one, one.fit + HELD * shares[paper], shares[paper]


def prints_floats(question: str, sentence: str) -> bool:
    """Whether a sentence prints all figures and tables that a question names: of another one it says nothing of them.

    >>> prints_floats("What does Table 4 show?", "Table 1 lists herons."), prints_floats("Figure 2?", "Fig. 2b: reeds")
    (False, True)
    """
    return _floats(question) <= _floats(sentence)


def _floats(text: str) -> set[tuple[str, str]]:
    return {(found["kind"][:3].lower(), found["number"].lower()) for found in FLOAT.finditer(text)}


def spread(ranked: Sequence[Scored], most: int = CLAIMS) -> tuple[Scored, ...]:
    """The best sentence of each passage, up to `most`, that is nearly as good as the best of all."""
    best: dict[int, Scored] = {}
    for one in ranked:
        if one.score >= CLOSE * ranked[0].score:
            best.setdefault(one.number, one)
    return tuple(best.values())[:most]


def _confidence(strength: float, share: float, later: float = 0.0) -> float:
    odds = _STRENGTH * strength + _SHARE * share + later + _INTERCEPT
    return round(1 / (1 + math.exp(-odds)), 2)
