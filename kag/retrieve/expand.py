"""From seeds to what is near them in the graph, and both in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kag.errors import BadValue
from kag.graph.property_graph import Edge, PropertyGraph
from kag.graph.walk import personalised_pagerank
from kag.retrieve.chunk import Hit, Query
from kag.retrieve.index import Index
from kag.retrieve.links import PAIRING, place_texts
from kag.retrieve.plan import Expand, Merge
from kag.retrieve.rank import MEANING, Scorer

BEGIN = 10  # hits of a hop from which the next one goes on


@dataclass(frozen=True, slots=True)
class ExpandOptions:
    """How far to walk: `hops` from the first `seeds`, over edges of these `labels` (all if None), `fan` from a chunk.

    With `pairs` a chunk that another one names is scored together with it, else alone. `meaning` is how much of a
    score is the vectors'.
    """

    hops: int = 1
    seeds: int = 10
    fan: int = 60
    labels: frozenset[str] | None = None
    pairs: bool = True
    meaning: float = MEANING

    def __post_init__(self) -> None:
        if not 1 <= self.hops <= 3 or self.seeds < 1 or self.fan < 1 or not 0 <= self.meaning <= 1:
            raise BadValue("no such expansion", hint="Take 1 to 3 hops, at least 1 seed and 1 edge, meaning 0 to 1.")


ONE_HOP = ExpandOptions()


def neighbours(options: ExpandOptions = ONE_HOP) -> Expand:
    """An expansion over the index's graph: hits with their scores, the best first, and the edge that led to each."""

    def expand(query: Query, seeds: Sequence[Hit], index: Index) -> Sequence[Hit]:
        graph: PropertyGraph | None = index.edges
        if graph is None or not seeds:
            return ()
        scorer, allowed = Scorer(query, index, options.meaning), index.within(query.scope)
        found: dict[str, Hit] = {}
        begin = [hit.chunk for hit in seeds[: options.seeds]]
        known = set(begin)
        for _ in range(options.hops):
            reached = _hop(begin, graph, index, scorer, options)
            for hit in reached:
                if hit.chunk not in found and hit.chunk in index.chunks and (allowed is None or hit.chunk in allowed):
                    found[hit.chunk] = hit
            begin = [hit.chunk for hit in reached if hit.chunk not in known][:BEGIN]
            known.update(begin)
        return _ordered(found.values())

    return expand


def _hop(
    begin: Sequence[str], graph: PropertyGraph, index: Index, scorer: Scorer, options: ExpandOptions
) -> Sequence[Hit]:
    """What one step reaches from these chunks: each once, by its best edge."""
    best: dict[str, Hit] = {}
    for name in begin:
        for edge in _strongest(graph.edges_of(name, options.labels), name, options.fan):
            other = edge.other(name)
            if other not in index.chunks:
                continue
            score = _score(edge, name, index, scorer, options.pairs)
            if other not in best or score > best[other].score:
                best[other] = Hit(other, score, f"{edge.label} from {name}")
    return _ordered(best.values())


def _score(edge: Edge, seed: str, index: Index, scorer: Scorer, pairs: bool) -> float:
    other = edge.other(seed)
    if not pairs or edge.label not in PAIRING:
        return scorer.alone(other)
    places = place_texts(index.chunks[edge.source], edge.props)
    return scorer.together(edge.source, edge.target, places)


def _strongest(edges: Iterable[Edge], name: str, count: int) -> Sequence[Edge]:
    return sorted(edges, key=lambda edge: (-edge.weight, edge.other(name), edge.label))[:count]


def _ordered(hits: Iterable[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk))


def in_order(head: float = 0.5, meaning: float = MEANING) -> Merge:
    """A merge by score: the first `head` of the seeds, then whichever is next best of seeds and expanded hits.

    Seeds keep their order: one counts as much as the best of those behind it, so it never waits for its score.
    """

    def merge(query: Query, seeds: Sequence[Hit], found: Sequence[Hit], index: Index) -> Sequence[Hit]:
        if not found or not seeds:
            return (*seeds, *found)
        scorer = Scorer(query, index, meaning)
        first = max(1, round(head * len(seeds)))
        scores = [scorer.alone(hit.chunk) for hit in seeds]
        return (*seeds[:first], *_merged(seeds[first:], scores[first:], found))

    return merge


def _merged(seeds: Sequence[Hit], scores: Sequence[float], found: Sequence[Hit]) -> Iterator[Hit]:
    behind = list(scores)
    for place in reversed(range(len(behind) - 1)):
        behind[place] = max(behind[place], behind[place + 1])
    at = 0
    for place, hit in enumerate(seeds):
        while at < len(found) and found[at].score > behind[place]:
            yield found[at]
            at += 1
        yield hit
    yield from found[at:]


def paths(damping: float = 0.85, hops: int = 2) -> Expand:
    """An expansion by personalised PageRank: seeds are where the walk begins again, by their scores."""

    def expand(query: Query, seeds: Sequence[Hit], index: Index) -> Sequence[Hit]:
        if index.edges is None:
            return ()
        restart = {hit.chunk: max(hit.score, 0.0) for hit in seeds}
        shares = personalised_pagerank(index.edges, restart, damping=damping, hops=hops)
        allowed = index.within(query.scope)
        within = index.chunks if allowed is None else allowed
        hits = (Hit(name, share, "paths") for name, share in shares.items() if name in within and name in index.chunks)
        return [hit for hit in _ordered(hits) if hit.chunk not in restart]

    return expand
