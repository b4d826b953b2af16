"""The graph engine beside what anybody would do by hand: look at all, and compare; and what a load may be."""

from __future__ import annotations

import gc
from itertools import product
from typing import Any

import pytest

from kag.core.errors import BadValue, UnknownNode
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from kag.retrieval.property_graph.engine import GraphEngine

NODES = (
    Node("a", "T", {"size": 1, "kind": "x"}),
    Node("b", "T", {"size": 2, "kind": "x"}),
    Node("c", "U", {"size": 1, "kind": "y"}),
    Node("d", "U", {}),
)
EDGES = (
    Link("1", "to", "a", "b", {"w": 1}),
    Link("2", "to", "a", "b", {"w": 2}),
    Link("3", "back", "a", "b", {"w": 1}),
    Link("4", "to", "b", "c", {"w": 1, "v": 1}),
    Link("5", "back", "c", "a", {}),
    Link("6", "to", "c", "c", {"w": 1}),
)


@pytest.fixture
def graph() -> GraphEngine:
    return GraphEngine(GraphSnapshot(NODES, EDGES))


@pytest.mark.parametrize("indexed", [(), ("size",), ("size", "kind")])
def test_nodes_are_found_as_by_looking_at_all(indexed: tuple[str, ...]) -> None:
    graph = GraphEngine(GraphSnapshot(NODES, EDGES), indexed=indexed)
    for label, size, kind in product(("", "T", "U", "V"), (None, 1, 2, 3), (None, "x", "y")):
        props = {name: value for name, value in (("size", size), ("kind", kind)) if value is not None}
        wanted = [n.id for n in NODES if label in ("", n.label) and all(n.props.get(k) == v for k, v in props.items())]
        assert sorted(graph.find_nodes(label, props)) == wanted


def test_edges_are_found_as_by_looking_at_all(graph: GraphEngine) -> None:
    ends = ("", "a", "b", "c", "d")
    for label, source, target, w in product(("", "to", "back", "none"), ends, ends, (None, 1, 2)):
        props = {} if w is None else {"w": w}
        wanted = [
            e.id
            for e in EDGES
            if label in ("", e.label)
            and source in ("", e.source)
            and target in ("", e.target)
            and (w is None or e.props.get("w") == w)
        ]
        assert sorted(graph.find_edges(label, source, target, props)) == wanted


def test_what_is_there_and_what_is_not(graph: GraphEngine) -> None:
    assert ("a" in graph, "e" in graph, len(graph)) == (True, False, 4)
    assert (graph.get_node("a"), graph.get_node("1")) == (NODES[0], None)
    assert (graph.get_edge("1"), graph.get_edge("a")) == (EDGES[0], None)
    assert (tuple(graph.nodes), tuple(graph.edges)) == (NODES, EDGES)


def test_ids_count_from_one_and_pass_over_those_in_use() -> None:
    graph = GraphEngine(GraphSnapshot((Node("n2", "T"),)))
    assert [graph.create_node("T") for _ in range(3)] == ["n1", "n3", "n4"]
    assert [graph.create_edge("to", "n1", "n3") for _ in range(2)] == ["e1", "e2"]
    assert graph.create_edge("to", "n1", "n3", id="mine") == "mine"


def test_updates_set_and_drop(graph: GraphEngine) -> None:
    graph.update_node("d", {"size": 9})
    graph.update_node("d", {"size": 9}, label="U")
    graph.update_edge("5", {})
    graph.update_edge("4", {"w": 1}, drop=["u"])
    assert graph.node("d").props == {"size": 9}
    graph.update_edge("4", {"w": 3}, drop=["v"])
    assert graph.edge("4").props == {"w": 3}
    graph.update_node("a", drop=["size", "kind"])
    assert graph.node("a") == Node("a", "T")


def test_a_load_switches_the_collector_back_on() -> None:
    graph = GraphEngine()
    graph.create_node("T", id="old")
    graph.load(NODES, EDGES)
    assert len(graph) == 5
    assert gc.isenabled()
    gc.disable()
    try:
        graph.load([Node("late", "T")])
        assert not gc.isenabled(), "who has switched it off keeps it so"
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("nodes", "edges", "error"),
    [
        ([Node("a", "T")], [], BadValue),
        ([Node("line\nend", "T")], [], BadValue),
        ([], [Link("1", "to", "a", "b")], BadValue),
        ([], [Link("x", "to", "a", "nobody")], UnknownNode),
        ([], [Link("x", "to", "nobody", "a")], UnknownNode),
    ],
)
def test_what_cannot_be_loaded(graph: GraphEngine, nodes: list[Node], edges: list[Link], error: type) -> None:
    with pytest.raises(error):
        graph.load(nodes, edges)
    assert gc.isenabled()


@pytest.mark.parametrize(
    "ask",
    [
        lambda g: list(g.edges_of("nobody")),
        lambda g: g.neighbors("nobody"),
        lambda g: g.breadth_first(["a", "nobody"]),
        lambda g: g.depth_first("nobody"),
        lambda g: g.shortest_path("a", "nobody"),
        lambda g: g.shortest_path("nobody", "a"),
        lambda g: g.along(["nobody"], ("to",)),
        lambda g: g.any_of([["nobody"]]),
        lambda g: g.ways(["nobody"], ("to",)),
        lambda g: g.slice_of(["nobody"]),
        lambda g: g.edge("a"),
    ],
)
def test_whoever_is_not_there_is_told(graph: GraphEngine, ask: Any) -> None:
    with pytest.raises(UnknownNode):
        ask(graph)
