"""From seeds to what is near them in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kag.core.errors import BadValue
from kag.retrieval.chunking import Hit, Query
from kag.retrieval.graph.links import MENTION, PAIRING, place_texts
from kag.retrieval.index import Index
from kag.retrieval.plan import Expand
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import Edge
from kag.retrieval.property_graph.paths import personalised_pagerank
from kag.retrieval.steps.rank import MEANING, Scorer

WALKED = 60  # chunks that a walk gives
REACH = 2_000  # chunks that a walk stays on, the nearest
BEGIN = 10  # hits of a hop from which the next one goes on
DOUBT = 0.15  # what a pair loses where a text names the other: it names much in passing, a cell little


@dataclass(frozen=True, slots=True)
class ExpandOptions:
    """How far to walk: `hops` from the first `seeds`, over edges of these `labels` (all if None), `fan` from a chunk.

    With `pairs` a chunk that another one names is scored together with it, less what its label is in `doubts`. Any
    other counts alone, but for the share `related` of its score, that of the chunk it is found from: what is like
    something good is good (the cluster hypothesis; Jardine and van Rijsbergen, 1971). Where one document alone is asked
    all chunks are alike by belonging to it, and none is related. `meaning` is how much of a score is the vectors'.
    """

    hops: int = 1
    seeds: int = 7
    fan: int = 30
    labels: frozenset[str] | None = None
    pairs: bool = True
    doubts: Mapping[str, float] = field(default_factory=lambda: {MENTION: DOUBT})
    related: float = 0.2
    meaning: float = MEANING

    def __post_init__(self) -> None:
        if (
            not 1 <= self.hops <= 3
            or self.seeds < 1
            or self.fan < 1
            or not 0 <= self.meaning <= 1
            or not 0 <= self.related <= 1
        ):
            raise BadValue(
                "no such expansion",
                hint="Take 1 to 3 hops, at least 1 seed and 1 edge, meaning and related from 0 to 1.",
            )


ONE_HOP = ExpandOptions()


def neighbours(options: ExpandOptions = ONE_HOP) -> Expand:
    """An expansion over the index's graph: hits with their scores, the best first, and the edge that led to each."""

    def expand(query: Query, seeds: Sequence[Hit], index: Index) -> Sequence[Hit]:
        graph = index.edges
        if graph is None or not seeds:
            return ()
        scorer, allowed = Scorer(query, index, options.meaning), index.within(query.scope)
        here = options if index.spans(query.scope) else replace(options, related=0.0)
        found: dict[str, Hit] = {}
        begin = [hit.chunk for hit in seeds[: options.seeds]]
        known = set(begin)
        for _ in range(options.hops):
            reached = _hop(begin, graph, index, scorer, here)
            for hit in reached:
                if hit.chunk not in found and hit.chunk in index.chunks and (allowed is None or hit.chunk in allowed):
                    found[hit.chunk] = hit
            begin = [hit.chunk for hit in reached if hit.chunk not in known][:BEGIN]
            known.update(begin)
        return _ordered(found.values())

    return expand


def _hop(
    begin: Sequence[str], graph: CompactGraph, index: Index, scorer: Scorer, options: ExpandOptions
) -> Sequence[Hit]:
    """Return the chunks that one step reaches from these: each once, by its best edge."""
    best: dict[str, Hit] = {}
    reached = {name: graph.strongest(name, options.fan, options.labels) for name in begin}
    scorer.hold({*begin, *(edge.other(name) for name, edges in reached.items() for edge in edges)})
    for name, edges in reached.items():
        for edge in edges:
            other = edge.other(name)
            if other not in index.chunks:
                continue
            score = _score(edge, name, index, scorer, options)
            if other not in best or score > best[other].score:
                best[other] = Hit(other, score, f"{edge.label} from {name}")
    return _ordered(best.values())


def _score(edge: Edge, seed: str, index: Index, scorer: Scorer, options: ExpandOptions) -> float:
    other = edge.other(seed)
    if options.pairs and edge.label in PAIRING:
        places = place_texts(index.chunks[edge.source], edge.props)
        return scorer.together(edge.source, edge.target, places) - options.doubts.get(edge.label, 0.0)
    return (1 - options.related) * scorer.alone(other) + options.related * scorer.alone(seed)


def _ordered(hits: Iterable[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk))


def paths(damping: float = 0.85, hops: int = 2, seeds: int = 10, most: int = WALKED) -> Expand:
    """An expansion by personalised PageRank: the first seeds are where the walk begins again, by their scores. The
    `most` chunks where it is most of the time, seeds among them."""

    def expand(query: Query, places: Sequence[Hit], index: Index) -> Sequence[Hit]:
        if index.edges is None:
            return ()
        restart = {hit.chunk: max(hit.score, 0.0) for hit in places[:seeds]}
        shares = personalised_pagerank(index.edges, restart, damping=damping, hops=hops, limit=REACH)
        allowed = index.within(query.scope)
        within = index.chunks if allowed is None else allowed
        best = sorted((-share, name) for name, share in shares.items() if name in within and name in index.chunks)
        return [Hit(name, -share, "paths") for share, name in best[:most]]

    return expand
