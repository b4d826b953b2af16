"""Ways through a property graph: breadth first in bounded hops, and personalised PageRank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kag.core.errors import BadValue, MissingExtra
from kag.retrieval.property_graph.compact import CompactGraph

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("numpy is not installed", hint="Run: pip install 'kag-papers'") from error

Array = np.ndarray[Any, np.dtype[Any]]
ROUNDS = 100  # of power iteration at most


def within_hops(
    graph: CompactGraph,
    starts: Iterable[str],
    hops: int,
    labels: frozenset[str] | None = None,
    limit: int | None = None,
) -> dict[str, int]:
    """The nodes within so many hops of the starts and how many hops away each is, the nearest first.

    Edges are walked both ways. `limit` bounds how many nodes come back, the starts among them.
    """
    reached = _reached(graph, starts, hops, labels, limit)
    return dict(zip(graph.names(reached), reached.values(), strict=True))


def _reached(
    graph: CompactGraph, starts: Iterable[str], hops: int, labels: frozenset[str] | None, limit: int | None
) -> dict[int, int]:
    """`within_hops` with nodes as numbers."""
    border = graph.places(starts)
    reached = dict.fromkeys(border.tolist(), 0)
    for hop in range(1, hops + 1):
        others = dict.fromkeys(graph.ends(border, labels)[1].tolist())
        fresh = [other for other in others if other not in reached]
        if limit is not None:
            fresh = fresh[: max(limit - len(reached), 0)]
        reached.update(dict.fromkeys(fresh, hop))
        border = np.array(fresh, dtype=np.int64)
    return reached


def personalised_pagerank(
    graph: CompactGraph,
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
    places = np.fromiter(_reached(graph, starts, hops, labels, limit), dtype=np.int64)
    begin = np.zeros(len(places))
    begin[: len(starts)] = list(starts.values())
    begin /= begin.sum()
    shares = _stationary(begin, _steps(graph, places, labels), damping, tolerance)
    return dict(zip(graph.names(places), shares.tolist(), strict=True))


def _steps(graph: CompactGraph, places: Array, labels: frozenset[str] | None) -> tuple[Array, Array, Array]:
    """The edges between nodes given by number, each both ways: positions in `places` from and to, and weights."""
    source, others, weight = graph.ends(places, labels)
    positions = np.zeros(len(graph), dtype=np.int64)  # zeros cost nothing where they are not touched
    positions[places] = np.arange(1, len(places) + 1)
    target = positions[others] - 1
    inside = target >= 0
    return source[inside], target[inside], weight[inside]


def _stationary(begin: Array, steps: tuple[Array, Array, Array], damping: float, tolerance: float) -> Array:
    """The shares by power iteration; what a node without edges holds goes back to where the walk began."""
    source, target, weight = steps
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
