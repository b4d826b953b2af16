"""Paths through a graph: breadth first, depth first, the shortest, along labels, components, personalised PageRank.

Those of a graph with editing come in the order in which links were added. None uses recursion: a graph may be one
long chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from kag.core.errors import BadValue
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import Direction, Link
from kag.retrieval.property_graph.tables import Tables

Labels = frozenset[str] | None


def neighbours(graph: Tables, node: str, direction: Direction, labels: Labels) -> tuple[str, ...]:
    """The nodes at the other ends of a node's links, each once."""
    return tuple(dict.fromkeys(graph.beside(node, direction, labels)))


def breadth_first(
    graph: Tables,
    starts: Iterable[str],
    direction: Direction,
    labels: Labels,
    depth: int | None,
    limit: int | None = None,
    exact: bool = False,
) -> dict[str, int]:
    """The nodes within reach and how many hops away each is, the nearest first.

    With `limit`, no ring is begun once so many are reached; with `exact`, it is left there, so that a hub costs little.
    """
    reached = {node: 0 for node in starts if node in graph.nodes}
    border, hop = list(reached), 0
    while border and (depth is None or hop < depth) and (limit is None or len(reached) < limit):
        hop += 1
        fresh = []
        for node in border:
            for other in graph.beside(node, direction, labels):
                if other not in reached:
                    reached[other] = hop
                    fresh.append(other)
                    if exact and limit is not None and len(reached) >= limit:
                        return reached
        border = fresh
    return reached


def depth_first(graph: Tables, start: str, direction: Direction, labels: Labels) -> Iterator[str]:
    """The nodes within reach, each before those that are reached through it."""
    if start not in graph.nodes:
        return
    seen = {start}
    yield start
    stack = [graph.beside(start, direction, labels)]
    while stack:
        other = next((node for node in stack[-1] if node not in seen), None)
        if other is None:
            stack.pop()
            continue
        seen.add(other)
        yield other
        stack.append(graph.beside(other, direction, labels))


OPPOSITE: dict[Direction, Direction] = {"in": "out", "out": "in", "both": "both"}


def shortest(graph: Tables, start: str, end: str, direction: Direction, labels: Labels) -> tuple[Link, ...] | None:
    """The links of a shortest way, searched from both ends; None where there is none, () from a node to itself."""
    if start not in graph.nodes or end not in graph.nodes:
        return None
    if start == end:
        return ()
    sides: list[dict[str, str]] = [{start: start}, {end: end}]
    borders, ways = [[start], [end]], (direction, OPPOSITE[direction])
    while borders[0] and borders[1]:
        side = 0 if len(borders[0]) <= len(borders[1]) else 1
        borders[side], met = _ring(graph, borders[side], sides[side], sides[1 - side], ways[side], labels)
        if met is not None:
            nodes = (*reversed(_back(sides[0], met)), *_back(sides[1], met)[1:])
            return tuple(_link(graph, one, other, direction, labels) for one, other in pairwise(nodes))
    return None


def _ring(
    graph: Tables,
    border: Sequence[str],
    mine: dict[str, str],
    theirs: dict[str, str],
    direction: Direction,
    labels: Labels,
) -> tuple[list[str], str | None]:
    """The next ring of one side, and where it met the other side, if it did."""
    fresh: list[str] = []
    for node in border:
        for other in graph.beside(node, direction, labels):
            if other not in mine:
                mine[other] = node
                if other in theirs:
                    return fresh, other
                fresh.append(other)
    return fresh, None


def _back(side: dict[str, str], node: str) -> list[str]:
    """A node and those on its way back to where its side began."""
    found = [node]
    while side[node] != node:
        node = side[node]
        found.append(node)
    return found


def _link(graph: Tables, one: str, other: str, direction: Direction, labels: Labels) -> Link:
    """The first link by which a way in a direction leads from one node to another."""
    out = graph.links_between(one, other) if direction != "in" else ()
    into = graph.links_between(other, one) if direction != "out" else ()
    return next(link for link in chain(out, into) if labels is None or link.label in labels)


def along(graph: Tables, starts: Iterable[str], path: Sequence[str]) -> tuple[str, ...]:
    """The nodes at the end of a path of labels, each once; `^label` is walked against its direction, `*` is any label.

    No step goes back to the nodes that the walk began at.
    """
    begun = dict.fromkeys(node for node in starts if node in graph.nodes)
    at: dict[str, None] = dict(begun)
    for step in path:
        direction: Direction = "in" if step.startswith("^") else "out"
        label = step.removeprefix("^")
        labels = None if label == "*" else frozenset((label,))
        found: dict[str, None] = {}
        for node in at:
            found.update(dict.fromkeys(neighbours(graph, node, direction, labels)))
        at = {node: None for node in found if node not in begun}
    return tuple(at)


def components(graph: Tables, labels: Labels = None) -> tuple[tuple[str, ...], ...]:
    """Return the connected components, ignoring directions: the largest first, then by the order of their first
    nodes."""
    seen: set[str] = set()
    found = []
    for node in graph.nodes:
        if node not in seen:
            part = tuple(breadth_first(graph, (node,), "both", labels, None))
            seen.update(part)
            found.append(part)
    return tuple(sorted(found, key=len, reverse=True))


def circles(graph: Tables, labels: Labels) -> tuple[tuple[str, ...], ...]:
    """The sets of nodes on a common circle of links: strongly connected ones, and those that link to themselves.

    Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion.
    """
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: dict[str, None] = {}
    found: list[tuple[str, ...]] = []
    for root in graph.nodes:
        if root in order:
            continue
        work = [(root, graph.links_at(root, "out", labels))]
        order[root] = low[root] = len(order)
        open_nodes[root] = None
        while work:
            node, rest = work[-1]
            following = _descend(node, rest, order, low, open_nodes)
            if following is not None:
                order[following] = low[following] = len(order)
                open_nodes[following] = None
                work.append((following, graph.links_at(following, "out", labels)))
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == order[node]:
                found.extend(_closed(graph, node, open_nodes, labels))
    return tuple(found)


def _descend(
    node: str, rest: Iterator[Link], order: dict[str, int], low: dict[str, int], open_nodes: dict[str, None]
) -> str | None:
    """The next node that was not seen; on the way there, how far back this one reaches."""
    for link in rest:
        if link.target not in order:
            return link.target
        if link.target in open_nodes:
            low[node] = min(low[node], order[link.target])
    return None


def _closed(graph: Tables, node: str, open_nodes: dict[str, None], labels: Labels) -> Iterator[tuple[str, ...]]:
    """The set that a node closes, where it is a circle."""
    part = []
    while True:
        last, _ = open_nodes.popitem()
        part.append(last)
        if last == node:
            break
    itself = any(link.target == node for link in graph.links_at(node, "out", labels))
    if len(part) > 1 or itself:
        yield tuple(reversed(part))


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
    """Return the share of time of a random walk with restarts at the `restart` nodes (by weight) at each node.

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
