"""Nodes, edges and what lies between them."""

from __future__ import annotations

import pytest

from kag.core.errors import BadValue, UnknownNode
from kag.retrieval.property_graph.property_graph import Edge, Node, PropertyGraph


def path_graph() -> PropertyGraph:
    edges = (Edge("a", "b", "next"), Edge("b", "c", "next"), Edge("c", "a", "cites", 0.5))
    return PropertyGraph((Node(name) for name in "abcd"), edges)


def test_edges_are_seen_from_both_ends() -> None:
    graph = path_graph()
    assert graph.neighbours("a") == ("b", "c")
    assert graph.neighbours("c", frozenset(["cites"])) == ("a",)
    assert graph.neighbours("d") == graph.neighbours("nobody") == ()


def test_an_edge_with_the_same_ends_and_label_takes_the_place_of_the_old_one() -> None:
    graph = path_graph()
    graph.add_edge(Edge("a", "b", "next", 7.0))
    graph.add_edge(Edge("a", "b", "cites"))
    assert [(edge.label, edge.weight) for edge in graph.edges_of("a") if edge.target == "b"] == [
        ("next", 7.0),
        ("cites", 1.0),
    ]
    assert len(list(graph.edges)) == 4


def test_a_new_node_keeps_the_edges_of_the_old_one() -> None:
    graph = path_graph()
    graph.add_node(Node("b", "paper", {"year": 2001}))
    assert graph.node("b").props["year"] == 2001
    assert graph.neighbours("b") == ("a", "c")
    assert len(graph) == 4


@pytest.mark.parametrize(
    ("edge", "error"),
    [
        (Edge("a", "z", "next"), UnknownNode),
        (Edge("a", "a", "next"), BadValue),
        (Edge("a", "b", "x", 0.0), BadValue),
        (Edge("a", "b", "x", float("nan")), BadValue),
    ],
)
def test_edges_that_cannot_be(edge: Edge, error: type[Exception]) -> None:
    graph = path_graph()
    with pytest.raises(error):
        graph.add_edge(edge)
    assert len(list(graph.edges)) == 3


def test_unknown_nodes_are_refused() -> None:
    with pytest.raises(UnknownNode):
        path_graph().node("z")
