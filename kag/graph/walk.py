"""Ways through a property graph: breadth first in bounded hops, and personalised PageRank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kag.errors import BadValue, MissingExtra
from kag.graph.property_graph import Graph

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("numpy is not installed", hint="Run: pip install 'kag-papers[retrieve]'") from error

Array = np.ndarray[Any, np.dtype[Any]]
ROUNDS = 100  # of power iteration at most


def within_hops(
    graph: Graph,
    starts: Iterable[str],
    hops: int,
    labels: frozenset[str] | None = None,
    limit: int | None = None,
) -> dict[str, int]:
    """The nodes within so many hops of the starts and how many hops away each is, the nearest first.

    Edges are walked both ways. `limit` bounds how many nodes come back, the starts among them.
    """
    reached = {start: 0 for start in starts if start in graph}
    border = list(reached)
    for hop in range(1, hops + 1):
        following: list[str] = []
        for node in border:
            for other in graph.neighbours(node, labels):
                if limit is not None and len(reached) >= limit:
                    return reached
                if other not in reached:
                    reached[other] = hop
                    following.append(other)
        border = following
    return reached


def personalised_pagerank(
    graph: Graph,
    restart: Mapping[str, float],
    *,
    damping: float = 0.85,
    labels: frozenset[str] | None = None,
    hops: int = 3,
    limit: int = 20_000,
    tolerance: float = 1e-9,
) -> dict[str, float]:
    """How much of a random walk that begins again at the `restart` nodes (by weight) is spent on each node.

    The walk takes edges both ways by their weight, and stays on the part of the graph within `hops` of where it
    begins (at most `limit` nodes), so that its cost does not grow with the graph. Shares add up to 1. Haveliwala,
    "Topic-sensitive PageRank" (2002). Raises `BadValue` for a negative weight or a damping outside 0 to 1.
    """
    if not 0 <= damping < 1 or any(weight < 0 for weight in restart.values()):
        raise BadValue("no such walk", hint="Damping is at least 0 and below 1, weights are not negative.")
    starts = {node: weight for node, weight in restart.items() if weight > 0 and node in graph}
    if not starts:
        return {}
    places = {node: place for place, node in enumerate(within_hops(graph, starts, hops, labels, limit))}
    begin = np.zeros(len(places))
    begin[[places[node] for node in starts]] = list(starts.values())
    begin /= begin.sum()
    steps = [
        (places[node], places[other], edge.weight)
        for node in places
        for edge in graph.edges_of(node, labels)
        if (other := edge.other(node)) in places
    ]
    return dict(zip(places, _stationary(begin, steps, damping, tolerance).tolist(), strict=True))


def _stationary(begin: Array, steps: list[tuple[int, int, float]], damping: float, tolerance: float) -> Array:
    """The shares by power iteration; what a node without edges holds goes back to where the walk began."""
    table = np.array(steps, dtype=float).reshape(-1, 3)
    source, target, weight = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]
    leaving = np.bincount(source, weight, minlength=len(begin))
    share = weight / leaving[source]
    rank = begin
    for _ in range(ROUNDS):
        moved = np.bincount(target, rank[source] * share, minlength=len(begin))
        following: Array = damping * (moved + rank[leaving == 0].sum() * begin) + (1 - damping) * begin
        if np.abs(following - rank).sum() < tolerance:
            return following
        rank = following
    return rank
