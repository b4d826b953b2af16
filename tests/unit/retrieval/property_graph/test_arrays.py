"""A graph handed to libraries for whole-graph algorithms: the same nodes and edges, in the same order."""

from __future__ import annotations

import pytest

from kag.retrieval.property_graph.arrays import to_igraph, to_rustworkx
from kag.retrieval.property_graph.engine import GraphEngine


@pytest.fixture
def graph() -> GraphEngine:
    graph = GraphEngine()
    for name in "abc":
        graph.create_node("T", id=name)
    for source, target in ("ab", "ab", "bc"):
        graph.create_edge("to", source, target)
    return graph


def test_rustworkx(graph: GraphEngine) -> None:
    pytest.importorskip("rustworkx")
    found = to_rustworkx(graph)
    assert [node.id for node in found.nodes()] == ["a", "b", "c"]
    assert [edge.id for edge in found.edges()] == ["e1", "e2", "e3"]
    assert found.edge_list() == [(0, 1), (0, 1), (1, 2)]


def test_igraph(graph: GraphEngine) -> None:
    pytest.importorskip("igraph")
    found = to_igraph(graph)
    assert found.vs["name"] == ["a", "b", "c"]
    assert found.es["label"] == ["to", "to", "to"]
    assert found.get_edgelist() == [(0, 1), (0, 1), (1, 2)]
