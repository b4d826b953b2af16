"""Where retrieval begins: the chunks nearest to a question by words, by meaning, and by both.

FLAT is what every other plan is measured against. What was computed about the last questions to an index is
remembered, so that the stages of a plan do it once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from kag.retrieval.chunk import Hit, Query
from kag.retrieval.index import Index
from kag.retrieval.meaning.arrays import Vectors
from kag.retrieval.plan import Plan, Seed

T = TypeVar("T")
QUESTIONS = 8  # that are remembered: a question and its variants

_Known = dict[tuple[int, Query], dict[Hashable, Any]]
_KNOWN: WeakKeyDictionary[Index, _Known] = WeakKeyDictionary()


def remembered(query: Query, index: Index, what: Hashable, make: Callable[[], T]) -> T:
    """What `make` gives, made once for a question as long as the index does not change; it may not hold the index."""
    questions = _KNOWN.setdefault(index, {})
    known = questions.setdefault((index.changes, query), {})
    for old in list(questions)[:-QUESTIONS]:
        questions.pop(old, None)
    if what not in known:
        known[what] = make()
    value: T = known[what]
    return value


def vector_of(query: Query, index: Index) -> Vectors:
    """The question's vector; raises `MissingExtra` where the index has no embedder."""

    def embedded() -> Vectors:
        row: Vectors = index.embedder([query.text])[0]
        return row

    return remembered(query, index, "vector", embedded)


DEEP = 100  # hits of each ranking that a fusion looks at, at least
CONSTANT = 60  # of reciprocal rank fusion: how little the first places differ


def bm25(query: Query, index: Index, k: int) -> Sequence[Hit]:
    """The k best chunks by words."""
    return _known(index.sparse.search(query.text, k, query.scope), index)


def dense(query: Query, index: Index, k: int) -> Sequence[Hit]:
    """The k nearest chunks by vectors; none where the index has no vectors."""
    if index.vectors is None:
        return ()
    return _known(index.vectors.search(vector_of(query, index), k, index.within(query.scope)), index)


def deep(seed: Seed, query: Query, index: Index, k: int = DEEP) -> Sequence[Hit]:
    """A ranking of at least `DEEP` hits, made once for a question."""
    return remembered(query, index, (seed, max(k, DEEP)), lambda: seed(query, index, max(k, DEEP)))


def reciprocal_rank(query: Query, index: Index, k: int) -> Sequence[Hit]:
    """Both rankings: a chunk scores the sum of 1 / (60 + its place in each).

    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (2009).
    """
    return fused(deep(seed, query, index, k) for seed in (bm25, dense))[:k]


def fused(rankings: Iterable[Sequence[Hit]]) -> Sequence[Hit]:
    """All rankings as one: a chunk scores the sum of 1 / (60 + its place in each), and keeps how it was found first."""
    scores: dict[str, float] = {}
    via: dict[str, str] = {}
    for ranking in rankings:
        for place, hit in enumerate(ranking, start=1):
            scores[hit.chunk] = scores.get(hit.chunk, 0.0) + 1 / (CONSTANT + place)
            via.setdefault(hit.chunk, hit.via)
    return [Hit(hit.chunk, hit.score, via[hit.chunk]) for hit in _best(scores, len(scores))]


def mixed(weight: float = 0.5) -> Seed:
    """Both rankings by their scores, each stretched to 0 to 1: `weight` of the vectors', the rest of the words'."""

    def seed(query: Query, index: Index, k: int) -> Sequence[Hit]:
        scores: dict[str, float] = {}
        for one, share in ((bm25, 1 - weight), (dense, weight)):
            for name, score in _stretched(deep(one, query, index, k)).items():
                scores[name] = scores.get(name, 0.0) + share * score
        return _best(scores, k)

    return seed


FLAT: Mapping[str, Plan] = {
    plan.name: plan
    for plan in (
        Plan("bm25", bm25),
        Plan("dense", dense),
        Plan("hybrid", reciprocal_rank),
        Plan("hybrid_linear", mixed()),
    )
}


def _stretched(hits: Sequence[Hit]) -> dict[str, float]:
    """The scores with the best as 1 and the last as 0; equals are all 1."""
    if not hits:
        return {}
    least, most = hits[-1].score, hits[0].score
    span = most - least
    return {hit.chunk: (hit.score - least) / span if span > 0 else 1.0 for hit in hits}


def _best(scores: Mapping[str, float], k: int) -> Sequence[Hit]:
    return _hits(sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k])


def _known(found: Sequence[tuple[str, float]], index: Index) -> tuple[Hit, ...]:
    """The hits that the index has: an engine may be a change ahead of it."""
    return _hits([hit for hit in found if hit[0] in index.chunks])


def _hits(found: Sequence[tuple[str, float]]) -> tuple[Hit, ...]:
    return tuple(Hit(name, score) for name, score in found)
