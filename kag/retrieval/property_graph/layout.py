"""Where the nodes of a small graph stand on a picture: near what they are linked to, the same every time.

Springs along edges, repulsion between all (Fruchterman and Reingold, "Graph drawing by force-directed placement",
1991), from a spiral in the order of the nodes; there is no chance in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kag.retrieval.property_graph.elements import GraphSnapshot

Point = tuple[float, float]
ROUNDS, WORK = 150, 1_500_000
"""Rounds at most, and pairs of nodes that are looked at in all rounds together, about."""
GOLDEN = math.pi * (3 - math.sqrt(5))
PULL = 0.15
"""How far a node goes to the middle in a round, of its way there and of the round's warmth: parts stay together."""


def placed(snapshot: GraphSnapshot, width: float = 1000.0, height: float = 700.0) -> dict[str, Point]:
    """A place within the width and height for each node; edges to nodes that are not there do nothing."""
    names = list(dict.fromkeys(snapshot.node_ids))
    order = {name: place for place, name in enumerate(names)}
    pairs = sorted(
        {
            (min(a, b), max(a, b))
            for edge in snapshot.edges
            if (a := order.get(edge.source, -1)) >= 0 and (b := order.get(edge.target, -1)) >= 0 and a != b
        }
    )
    xs = [math.sqrt(place + 0.5) * math.cos(place * GOLDEN) for place in range(len(names))]
    ys = [math.sqrt(place + 0.5) * math.sin(place * GOLDEN) for place in range(len(names))]
    rounds = min(ROUNDS, WORK // max(1, len(names) ** 2))
    for number in range(rounds):
        _round(xs, ys, pairs, 0.6 * (1 - number / rounds))
    return dict(zip(names, _stretched(xs, ys, width, height), strict=True))


def _round(xs: list[float], ys: list[float], pairs: Sequence[tuple[int, int]], warmth: float) -> None:
    """All nodes a step on: no further than the warmth allows. Linked nodes are to be about one apart."""
    size = len(xs)
    dx, dy = [-PULL * x for x in xs], [-PULL * y for y in ys]
    for one in range(size):
        x, y = xs[one], ys[one]
        for other in range(one + 1, size):
            ax, ay = x - xs[other], y - ys[other]
            far = ax * ax + ay * ay or 1e-9
            if far < 64.0:
                push = 1.0 / far
                dx[one] += ax * push
                dy[one] += ay * push
                dx[other] -= ax * push
                dy[other] -= ay * push
    for one, other in pairs:
        ax, ay = xs[one] - xs[other], ys[one] - ys[other]
        pull = math.hypot(ax, ay)
        dx[one] -= ax * pull
        dy[one] -= ay * pull
        dx[other] += ax * pull
        dy[other] += ay * pull
    for one in range(size):
        length = math.hypot(dx[one], dy[one]) or 1e-9
        step = min(length, warmth) / length
        xs[one] += dx[one] * step
        ys[one] += dy[one] * step


def _stretched(xs: Sequence[float], ys: Sequence[float], width: float, height: float) -> list[Point]:
    """The places spread over the picture, rounded to whole tenths so that machines agree."""
    if not xs:
        return []
    left, top = min(xs), min(ys)
    wide, high = (max(xs) - left) or 1.0, (max(ys) - top) or 1.0
    alone_x, alone_y = (0.5 if max(values) == min(values) else 0.0 for values in (xs, ys))
    margin = 70.0
    return [
        (
            round(margin + ((x - left) / wide + alone_x) * (width - 2 * margin), 1),
            round(margin + ((y - top) / high + alone_y) * (height - 2 * margin), 1),
        )
        for x, y in zip(xs, ys, strict=True)
    ]
