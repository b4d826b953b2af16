"""Seeds and what was found from them in one order, so that no more seeds are given up than the evidence pays for.

Two rules guard the seeds. Of the first n hits, for every n, a share are seeds. And a hit overtakes a seed only if it
scores higher than that seed and every one behind it: what the question alone would have found next is never beaten by
less. The order does not depend on how many hits are asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from kag.retrieval.chunk import Hit, Query
from kag.retrieval.index import Index
from kag.retrieval.plan import Gather, Merge
from kag.retrieval.steps.rank import CREDIT, MEANING, Scorer, credited
from kag.retrieval.steps.seed import fused

HEAD = 0.5


def in_order(head: float = HEAD, meaning: float = MEANING) -> Merge:
    """A merge by score; of any number of first hits at least the share `head`, 0 to 1, are seeds in their order."""

    def merge(query: Query, seeds: Sequence[Hit], found: Sequence[Hit], index: Index) -> Sequence[Hit]:
        if not found or not seeds:
            return (*seeds, *found)
        scorer = Scorer(query, index, meaning)
        return tuple(_merged(seeds, [scorer.alone(hit.chunk) for hit in seeds], found, head))

    return merge


def _merged(seeds: Sequence[Hit], scores: Sequence[float], found: Sequence[Hit], head: float) -> Iterator[Hit]:
    """Each chunk once; a seed counts as much as the best of it and those behind it."""
    worth = list(scores)
    for place in reversed(range(len(worth) - 1)):
        worth[place] = max(worth[place], worth[place + 1])
    left, right = deque(zip(seeds, worth, strict=True)), deque(found)
    given: set[str] = set()
    kept = 0
    while left or right:
        owed = kept < head * (len(given) + 1)
        if left and (left[0][0].chunk in given or owed or not right or right[0].score <= left[0][1]):
            hit, _ = left.popleft()
            kept += hit.chunk not in given
        else:
            hit = right.popleft()
        if hit.chunk not in given:
            given.add(hit.chunk)
            yield hit


def agreed(credit: float = CREDIT, head: float = HEAD, meaning: float = MEANING) -> Gather:
    """A gathering in which the first ranking's hits are the seeds: the others' earn up to `credit` by how high they
    stand in how many of them, by reciprocal rank fusion.
    """
    rank, merge = credited(credit, meaning), in_order(head, meaning)

    def gather(query: Query, rankings: Sequence[Sequence[Hit]], index: Index) -> Sequence[Hit]:
        first, *others = rankings
        return merge(query, first, rank(query, fused(others), index), index)

    return gather
