"""Why a hit was found: its places in the rankings by words and by meaning, and the edge that led to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kag.retrieval.chunk import Hit, Query
from kag.retrieval.graph.links import place_texts
from kag.retrieval.index import Index
from kag.retrieval.property_graph.property_graph import Edge
from kag.retrieval.retrieve import Found, reachable
from kag.retrieval.steps.seed import DEEP, bm25, dense


@dataclass(frozen=True, slots=True)
class Reason:
    """Places in the two rankings, from 1, and the scores there; None behind the first 100 or without vectors.

    `edge` is the strongest that led to the hit; `places` are the stretches of the edge's source that made it.
    """

    words: tuple[int, float] | None = None
    vectors: tuple[int, float] | None = None
    edge: Edge | None = None
    places: tuple[str, ...] = ()


def reasons(found: Found, index: Index) -> tuple[Reason, ...]:
    """The reason of each hit, in their order."""
    query = Query(found.query, found.documents)
    index, _ = reachable(index, query)
    with index.whole():
        words, vectors = (_ranked(seed(query, index, DEEP)) for seed in (bm25, dense))
        return tuple(_reason(hit, index, words.get(hit.chunk), vectors.get(hit.chunk)) for hit in found.hits)


def _ranked(hits: Sequence[Hit]) -> dict[str, tuple[int, float]]:
    return {hit.chunk: (place, hit.score) for place, hit in enumerate(hits, start=1)}


def _reason(hit: Hit, index: Index, words: tuple[int, float] | None, vectors: tuple[int, float] | None) -> Reason:
    label, _, begin = hit.via.partition(" from ")
    edges = index.edges.edges_of(begin, frozenset((label,))) if index.edges is not None and begin else ()
    edge = max((edge for edge in edges if edge.other(begin) == hit.chunk), key=lambda edge: edge.weight, default=None)
    places = place_texts(index.chunks[edge.source], edge.props) if edge else ()
    return Reason(words, vectors, edge, places)
