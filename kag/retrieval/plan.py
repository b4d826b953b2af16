"""One pipeline for every retrieval method: rewrite, seed, expand, rank, merge, compress, gather. A method is a `Plan`,
a value.

Seeds keep their order. Unless a plan says otherwise they all come before what was expanded from them, so that it never
finds less within its first k than the same plan without expansion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from kag.retrieval.chunking import Bundle, Hit, Query

Rewrite = Callable[[Query, Any], Sequence[Query]]
Seed = Callable[[Query, Any, int], Sequence[Hit]]
Expand = Callable[[Query, Sequence[Hit], Any], Sequence[Hit]]
Rank = Callable[[Query, Sequence[Hit], Any], Sequence[Hit]]
Merge = Callable[[Query, Sequence[Hit], Sequence[Hit], Any], Sequence[Hit]]
Compress = Callable[[Query, Bundle, Any], Bundle]
Gather = Callable[[Query, Sequence[Sequence[Hit]], Any], Sequence[Hit]]


def _same(query: Query, index: Any) -> Sequence[Query]:
    return (query,)


def _nothing(query: Query, seeds: Sequence[Hit], index: Any) -> Sequence[Hit]:
    return ()


def _as_found(query: Query, hits: Sequence[Hit], index: Any) -> Sequence[Hit]:
    return hits


def _seeds_first(query: Query, seeds: Sequence[Hit], hits: Sequence[Hit], index: Any) -> Sequence[Hit]:
    known = {hit.chunk for hit in seeds}
    return (*seeds, *(hit for hit in hits if hit.chunk not in known))


def _whole(query: Query, bundle: Bundle, index: Any) -> Bundle:
    return bundle


def _in_turn(query: Query, rankings: Sequence[Sequence[Hit]], index: Any) -> Sequence[Hit]:
    first: dict[str, Hit] = {}
    for hit in chain.from_iterable(rankings):
        first.setdefault(hit.chunk, hit)
    return tuple(first.values())


@dataclass(frozen=True, slots=True)
class Plan:
    """A retrieval plan: `k` seeds and `more` expanded hits for each rewritten query; with `total` that many hits in
    all.

    `merge` puts the seeds and what was found from them in one order, in which each chunk stands once: seeds first if it
    is not given. It may look at more seeds than are given. `gather` does the same for the hits of all queries: those
    of the first one first if it is not given.
    """

    name: str
    seed: Seed
    k: int = 10
    more: int = 0
    total: int = 0
    rewrite: Rewrite = _same
    expand: Expand = _nothing
    rank: Rank = _as_found
    merge: Merge = _seeds_first
    compress: Compress = _whole
    gather: Gather = _in_turn


def retrieve(query: Query, index: Any, plan: Plan) -> Bundle:
    """Run a plan on an index; a chunk is compressed for the first query that found it."""
    queries = tuple(plan.rewrite(query, index))
    rankings = [_ranking(rewritten, index, plan) for rewritten in queries]
    hits = tuple(plan.gather(query, rankings, index))[: plan.total or None]
    left, notes = {hit.chunk: hit for hit in hits}, dict[str, str]()
    for rewritten, ranking in zip(queries, rankings, strict=True):
        own = tuple(left.pop(hit.chunk) for hit in ranking if hit.chunk in left)
        notes.update(plan.compress(rewritten, Bundle(own), index).notes)
    return Bundle(hits, {hit.chunk: notes[hit.chunk] for hit in hits if hit.chunk in notes})


def _ranking(query: Query, index: Any, plan: Plan) -> Sequence[Hit]:
    seeds = tuple(plan.seed(query, index, plan.k))[: plan.k]
    found = plan.rank(query, plan.expand(query, seeds, index), index)
    hits = tuple(plan.merge(query, seeds, found, index))
    return hits if plan.total else hits[: len(seeds) + plan.more]
