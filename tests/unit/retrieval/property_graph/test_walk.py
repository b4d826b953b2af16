"""Hops and PageRank, against graphs whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from kag.core.errors import BadValue
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import Edge, Node
from kag.retrieval.property_graph.paths import personalised_pagerank, within_hops


def line(length: int) -> CompactGraph:
    edges = (Edge(str(number), str(number + 1), "next") for number in range(length - 1))
    return CompactGraph((Node(str(number)) for number in range(length)), edges)


def test_hops_are_bounded_and_the_nearest_come_first() -> None:
    assert within_hops(line(6), ["2"], 2) == {"2": 0, "1": 1, "3": 1, "0": 2, "4": 2}
    assert list(within_hops(line(6), ["2"], 2)) == ["2", "1", "3", "0", "4"]
    assert within_hops(line(6), ["2", "unknown"], 0) == {"2": 0}


def test_hops_follow_labels_and_stop_at_the_limit() -> None:
    graph = CompactGraph(line(4).nodes, [*line(4).edges, Edge("0", "3", "cites")])
    assert within_hops(graph, ["0"], 3, frozenset(["cites"])) == {"0": 0, "3": 1}
    assert list(within_hops(graph, ["0"], 3, limit=2)) == ["0", "1"]


def test_pagerank_is_the_solution_of_its_equation_within_its_hops() -> None:
    """x = (1 - d) begin + d M x, solved directly; M has the steps between nodes that the hops reach."""
    links = [(number, (number * step + 1) % 12) for number in range(12) for step in (2, 5)]
    edges = [Edge(f"n{a}", f"n{b}", "x", 1.0 + (a + b) % 3) for a, b in links if a != b]
    graph = CompactGraph((Node(f"n{number}") for number in range(12)), edges)
    shares = personalised_pagerank(graph, {"n3": 1.0, "n1": 3.0}, hops=1)
    names = list(within_hops(graph, ["n3", "n1"], 1))
    assert list(shares) == names
    assert 2 < len(names) < 12
    moves = np.zeros((len(names), len(names)))
    for column, name in enumerate(names):
        for edge in graph.edges_of(name):
            if edge.other(name) in names:
                moves[names.index(edge.other(name)), column] += edge.weight
    moves /= moves.sum(axis=0)
    begin = np.array([0.25, 0.75, *[0.0] * (len(names) - 2)])
    wanted = np.linalg.solve(np.eye(len(names)) - 0.85 * moves, 0.15 * begin)
    assert list(shares.values()) == pytest.approx(wanted.tolist(), abs=1e-6)


def test_pagerank_of_a_lonely_node_stays_there() -> None:
    graph = CompactGraph([Node("a"), Node("b")])
    assert personalised_pagerank(graph, {"a": 1.0}) == {"a": pytest.approx(1.0)}
    assert personalised_pagerank(graph, {"z": 1.0}) == {}


@pytest.mark.parametrize(("restart", "damping"), [({"0": -1.0}, 0.5), ({"0": 1.0}, 1.0), ({"0": 1.0}, -0.1)])
def test_walks_that_cannot_be(restart: dict[str, float], damping: float) -> None:
    with pytest.raises(BadValue):
        personalised_pagerank(line(2), restart, damping=damping)
