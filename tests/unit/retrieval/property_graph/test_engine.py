"""The graph engine: edits, finding, transactions."""

from __future__ import annotations

from typing import Any

import pytest

from kag.core.errors import BadValue, UnknownNode
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from kag.retrieval.property_graph.engine import GraphEngine


@pytest.fixture
def graph() -> GraphEngine:
    """a -> b twice by `to`, b -> c by `to`, c -> a by `back`, and d alone."""
    graph = GraphEngine()
    for name in "abcd":
        graph.create_node("Thing", {"name": name.upper()}, id=name)
    for label, source, target in [("to", "a", "b"), ("to", "a", "b"), ("to", "b", "c"), ("back", "c", "a")]:
        graph.create_edge(label, source, target)
    return graph


def in_one_step(graph: GraphEngine, *edges: str) -> None:
    with graph.transaction():
        for edge in edges:
            graph.delete_edge(edge)


def test_ids_that_are_free_are_made() -> None:
    graph = GraphEngine()
    graph.create_node("A", id="n1")
    assert graph.create_node("A") == "n2"
    assert graph.create_node("A") == "n3"


def test_an_update_sets_drops_and_relabels(graph: GraphEngine) -> None:
    graph.update_node("a", {"size": 3, "name": "Anna"}, drop=["missing"])
    graph.update_node("a", drop=["size"], label="Person")
    assert graph.node("a") == Node("a", "Person", {"name": "Anna"})
    assert graph.find_nodes("Person") == ("a",)
    assert graph.find_nodes("Thing") == ("b", "c", "d")


def test_an_edge_to_itself_is_told_once() -> None:
    graph = GraphEngine()
    graph.create_node("A", id="a")
    graph.create_edge("sees", "a", "a")
    assert len(list(graph.edges_of("a"))) == 1
    assert len(list(graph.edges_of("a", direction="in"))) == 1
    graph.delete_node("a")
    assert not len(graph)
    assert not list(graph.edges)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda g: g.create_node(""),
        lambda g: g.create_node("A", id="a"),
        lambda g: g.create_node("A", id="x" * 5000),
        lambda g: g.create_node("A", id="line\nend"),
        lambda g: g.create_node("A", {"f": float("nan")}),
        lambda g: g.create_node("A", {"f": {1: 2}}),
        lambda g: g.create_node("A", {"f": object()}),
        lambda g: g.create_edge("to", "a", "nobody"),
        lambda g: g.create_edge("to", "a", "b", id="e1"),
        lambda g: g.update_node("nobody", {}),
        lambda g: g.delete_edge("e99"),
        lambda g: g.neighbors("nobody"),
        lambda g: g.subgraph(["nobody"]),
        lambda g: g.subgraph(["a"], depth=-1),
        lambda g: g.load([Node("a", "A")]),
        lambda g: g.load([], [Link("e1", "to", "a", "b")]),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(graph: GraphEngine, wrong: Any) -> None:
    before = graph.snapshot()
    with pytest.raises((BadValue, UnknownNode)) as caught:
        wrong(graph)
    assert caught.value.hint
    assert graph.snapshot() == before


def test_a_nest_that_is_too_deep_is_refused() -> None:
    nest: list[Any] = []
    for _ in range(100_000):
        nest = [nest]
    with pytest.raises(BadValue):
        GraphEngine().create_node("A", {"nest": nest})


def test_properties_are_copies() -> None:
    graph, given = GraphEngine(), {"list": [1]}
    graph.create_node("A", given, id="a")
    given["list"].append(2)
    assert graph.node("a").props == {"list": [1]}


def test_nodes_are_found_by_values_of_their_type(graph: GraphEngine) -> None:
    for name, value in (("t", True), ("one", 1), ("text", "1"), ("none", None), ("list", [1])):
        graph.create_node("V", {"value": value}, id=name)
    graph.index("value")
    assert graph.find_nodes(props={"value": "1"}) == ("text",)
    assert graph.find_nodes(props={"value": None}) == ("none",)
    assert graph.find_nodes(props={"value": [1]}) == ("list",)
    graph.update_node("text", {"value": "2"})
    assert graph.find_nodes(props={"value": "1"}) == ()
    assert graph.find_nodes("V", {"value": "2"}) == ("text",)


def test_edges_are_found_by_label_after_edits(graph: GraphEngine) -> None:
    assert graph.find_edges("back") == ("e4",)
    graph.create_edge("back", "d", "a", {"why": "x"})
    graph.delete_edge("e4")
    assert graph.find_edges("back") == ("e5",)
    assert graph.find_edges(props={"why": "x"}) == ("e5",)


def test_a_transaction_that_fails_changes_nothing(graph: GraphEngine) -> None:
    before = graph.snapshot()
    with pytest.raises(UnknownNode):
        in_one_step(graph, "e3", "e4", "e3")
    assert graph.snapshot() == before


def test_one_transaction_inside_another_fails_alone(graph: GraphEngine) -> None:
    with graph.transaction():
        graph.delete_edge("e1")
        with pytest.raises(UnknownNode):
            in_one_step(graph, "e2", "e1")
    assert sorted(edge.id for edge in graph.edges) == ["e2", "e3", "e4"]


def test_a_listener_is_called_once_for_a_transaction_and_not_for_one_that_failed(graph: GraphEngine) -> None:
    seen: list[list[tuple[str, str]]] = []
    end = graph.listen(lambda step: seen.append([(change.kind, change.id) for change in step]))
    with graph.transaction():
        graph.create_node("Thing", id="x")
        graph.create_edge("to", "x", "a", id="f")
    with pytest.raises(UnknownNode):
        in_one_step(graph, "e1", "e1")
    end()
    graph.delete_edge("e1")
    assert seen == [[("node", "x"), ("edge", "f")]]


def test_slices_are_sets() -> None:
    a, b, c = (Node(name, "T") for name in "abc")
    ab, bc = Link("1", "to", "a", "b"), Link("2", "to", "b", "c")
    left, right = GraphSnapshot((a, b), (ab,)), GraphSnapshot((b, c), (bc,))
    assert left & right == GraphSnapshot((b,))
    assert left | right == GraphSnapshot((a, b, c), (ab, bc))
    assert (left | right) - GraphSnapshot((a,)) == GraphSnapshot((b, c), (bc,))


def test_several_edges_between_two_nodes_come_and_go_alone() -> None:
    graph = GraphEngine()
    a, b = graph.create_node("T"), graph.create_node("T")
    names = [graph.create_edge("knows", a, b) for _ in range(3)] + [graph.create_edge("knows", b, a)]
    assert graph.find_edges(source=a, target=b) == tuple(names[:3])
    assert [edge.id for edge in graph.edges_of(a)] == names
    graph.update_edge(names[1], {"since": 3})
    assert graph.edge(names[1]) in list(graph.edges_of(b, direction="in"))
    graph.delete_edge(names[0]), graph.delete_edge(names[2])
    assert [edge.id for edge in graph.edges_of(a)] == [names[1], names[3]]
    graph.delete_node(b)
    assert not graph.tables.leaving
    assert not graph.tables.coming


def test_a_slice_of_hubs_looks_links_up() -> None:
    """Two hubs with a thousand leaves each: only what is between the wanted nodes is met."""
    graph = GraphEngine()
    for hub in ("x", "y"):
        graph.create_node("Hub", id=hub)
    for n in range(1000):
        leaf = graph.create_node("Leaf", id=f"l{n}")
        graph.create_edge("has", "x", leaf), graph.create_edge("has", leaf, "y")
    graph.create_edge("near", "x", "y"), graph.create_edge("near", "x", "x")
    found = graph.slice_of(["y", "l7", "x"])
    assert [(edge.label, edge.source, edge.target) for edge in found.edges] == [
        ("has", "l7", "y"),
        ("near", "x", "y"),
        ("has", "x", "l7"),
        ("near", "x", "x"),
    ]
    assert [edge.label for edge in graph.slice_of(["y", "l7", "x"], ["near"]).edges] == ["near", "near"]
