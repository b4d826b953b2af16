"""One pipeline for every retrieval method: rewrite, seed, expand, rank, compress. A method is a `Plan`, a value.

Seeds stay first and in their order, so a plan that expands never finds less within its first k than the same
plan without expansion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kag.retrieve.chunk import Bundle, Hit, Query

Rewrite = Callable[[Query, Any], Sequence[Query]]
Seed = Callable[[Query, Any, int], Sequence[Hit]]
Expand = Callable[[Query, Sequence[Hit], Any], Sequence[Hit]]
Rank = Callable[[Query, Sequence[Hit], Any], Sequence[Hit]]
Merge = Callable[[Query, Sequence[Hit], Sequence[Hit], Any], Sequence[Hit]]
Compress = Callable[[Query, Bundle, Any], Bundle]


def _same(query: Query, index: Any) -> Sequence[Query]:
    return (query,)


def _nothing(query: Query, seeds: Sequence[Hit], index: Any) -> Sequence[Hit]:
    return ()


def _as_found(query: Query, hits: Sequence[Hit], index: Any) -> Sequence[Hit]:
    return hits


def _seeds_first(query: Query, seeds: Sequence[Hit], found: Sequence[Hit], index: Any) -> Sequence[Hit]:
    return (*seeds, *found)


def _whole(query: Query, bundle: Bundle, index: Any) -> Bundle:
    return bundle


@dataclass(frozen=True, slots=True)
class Plan:
    """How to retrieve: `k` seeds and `more` expanded hits for each rewritten query, `total` of them if it is not 0.

    `merge` puts seeds and expanded hits in one order; seeds first if it is not given.
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


def retrieve(query: Query, index: Any, plan: Plan) -> Bundle:
    """Run a plan on an index; the first rewritten query's hits come first."""
    bundle = Bundle()
    for rewritten in plan.rewrite(query, index):
        seeds = tuple(plan.seed(rewritten, index, plan.k))[: plan.k]
        known = {hit.chunk for hit in seeds}
        around = [hit for hit in plan.expand(rewritten, seeds, index) if hit.chunk not in known]
        found = tuple(plan.rank(rewritten, around, index))[: plan.more]
        hits = tuple(plan.merge(rewritten, seeds, found, index))[: plan.total or None]
        bundle = bundle.merged(plan.compress(rewritten, Bundle(hits), index))
    return bundle
