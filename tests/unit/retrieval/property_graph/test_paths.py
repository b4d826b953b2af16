"""Ways through a graph with editing, and slices of it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kag.core.errors import BadValue
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import BY_DEGREE, Cut, Edge, Link, Node
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.paths import personalised_pagerank, within_hops


def built(*edges: str, alone: str = "") -> GraphEngine:
    """A graph of edges such as `a-to>b`."""
    graph = GraphEngine()
    for edge in edges:
        source, _, rest = edge.partition("-")
        label, _, target = rest.partition(">")
        for name in (source, target):
            if name not in graph:
                graph.create_node("T", id=name)
        graph.create_edge(label, source, target)
    for name in alone:
        graph.create_node("T", id=name)
    return graph


def test_neighbours_by_direction_and_label() -> None:
    graph = built("a-x>b", "a-y>c", "d-x>a", "a-x>b")
    assert graph.neighbors("a") == ("b", "c", "d")
    assert graph.neighbors("a", direction="in") == ("d",)
    assert graph.neighbors("a", direction="out", edge_labels=["x"]) == ("b",)


def test_breadth_first_tells_hops() -> None:
    graph = built("a-x>b", "b-x>c", "c-x>d", "a-y>e")
    assert graph.breadth_first(["a"], depth=2) == {"a": 0, "b": 1, "e": 1, "c": 2}
    assert graph.breadth_first(["d"], direction="in", edge_labels=["x"]) == {"d": 0, "c": 1, "b": 2, "a": 3}


def test_depth_first_goes_down_first() -> None:
    graph = built("a-x>b", "a-x>e", "b-x>c", "b-x>d", "d-x>a")
    assert list(graph.depth_first("a")) == ["a", "b", "c", "d", "e"]


def test_a_long_chain_needs_no_recursion() -> None:
    graph = GraphEngine()
    graph.load((Node(str(n), "T") for n in range(5_000)), (Link(str(n), "x", str(n), str(n + 1)) for n in range(4_999)))
    assert len(list(graph.depth_first("0"))) == 5_000
    path = graph.shortest_path("0", "4999")
    assert path is not None
    assert len(path) == 5_000
    assert graph.circles() == ()


def test_the_shortest_way_is_shortest() -> None:
    graph = built("a-x>b", "b-x>c", "c-x>d", "a-y>e", "e-y>d", alone="z")
    assert graph.shortest_path("a", "d") == ("a", "e", "d")
    assert graph.shortest_path("a", "d", edge_labels=["x"]) == ("a", "b", "c", "d")
    assert graph.shortest_path("d", "a", direction="out") is None
    assert graph.shortest_path("d", "a", direction="in") == ("d", "e", "a")
    assert graph.shortest_path("a", "a") == ("a",)
    assert graph.shortest_path("a", "z") is None
    links = graph.shortest_links("a", "d")
    assert links is not None
    assert [link.label for link in links] == ["y", "y"]


def test_of_several_links_a_way_takes_one_that_was_asked_for() -> None:
    """Neighbours are walked without their links; which link led there is looked up, by label and direction."""
    graph = built("a-x>b", "a-y>b", "c-x>b", "b-y>c", "b-z>b", "c-y>d")
    for labels, direction, way in (
        (None, "out", ("e1", "e4", "e6")),
        (["y"], "out", ("e2", "e4", "e6")),
        (["x", "y"], "both", ("e1", "e4", "e6")),
        (["x"], "both", None),
    ):
        links = graph.shortest_links("a", "d", edge_labels=labels, direction=direction)
        assert (links and tuple(link.id for link in links)) == way
    assert [link.id for link in graph.shortest_links("d", "a", direction="in") or ()] == ["e6", "e4", "e1"]
    assert [link.id for link in graph.shortest_links("a", "c", edge_labels=["x"]) or ()] == ["e1", "e3"]
    assert list(graph.depth_first("a", edge_labels=["y"])) == ["a", "b", "c", "d"]
    assert graph.breadth_first(["b"], direction="in", edge_labels=["x"]) == {"b": 0, "a": 1, "c": 1}
    assert graph.neighbors("b", edge_labels=["z"]) == ("b",)


@pytest.mark.parametrize("seed", range(20))
def test_the_shortest_way_is_as_long_as_breadth_first_says(seed: int) -> None:
    chance = random.Random(seed)
    graph = GraphEngine()
    graph.load([Node(str(n), "T") for n in range(40)])
    for _ in range(60):
        graph.create_edge(chance.choice("xy"), str(chance.randrange(40)), str(chance.randrange(40)))
    for direction in ("out", "in", "both"):
        hops = graph.breadth_first(["0"], direction=direction)
        for node in graph.tables.nodes:
            path = graph.shortest_path("0", node, direction=direction)
            assert (len(path) - 1 if path else None) == hops.get(node)


def test_along_a_path_of_labels() -> None:
    graph = built("drug-inhibits>protein", "gene-encodes>protein", "gene-in>way", "other-inhibits>protein")
    assert graph.along(["drug"], ("inhibits", "^encodes", "in")) == ("way",)
    assert graph.along(["drug"], ("inhibits", "^inhibits")) == ("other",)
    assert graph.along(["drug"], ("*",)) == ("protein",)


def test_circles_are_named_with_all_their_members() -> None:
    graph = built("a-x>b", "b-x>c", "c-x>a", "c-x>d", "e-x>e", "d-y>a", "f-x>g", "g-x>f")
    assert {frozenset(part) for part in graph.circles(["x"])} == {frozenset("abc"), frozenset("e"), frozenset("fg")}
    assert {frozenset(part) for part in graph.circles()} == {frozenset("abcd"), frozenset("e"), frozenset("fg")}


def star() -> GraphEngine:
    """A hub h with 20 leaves, seed s at the hub's side, and a chain s - n1 - n2."""
    graph = built("s-x>h", "s-x>n1", "n1-x>n2")
    for n in range(20):
        graph.create_node("T", id=f"leaf{n}")
        graph.create_edge("x", "h", f"leaf{n}")
    return graph


def test_an_oversized_slice_keeps_what_is_near() -> None:
    graph = star()
    assert graph.subgraph(["s"], depth=2, max_nodes=3).node_ids == ("s", "h", "n1")
    assert graph.subgraph(["s"], depth=3, max_nodes=2, cut=BY_DEGREE).node_ids == ("s", "h")


def test_equally_near_nodes_are_cut_by_relevance() -> None:
    graph = star()
    wanted = Cut(relevance=lambda node: 1.0 if node.id in ("leaf7", "n2") else 0.0)
    assert graph.subgraph(["s"], depth=2, max_nodes=5, cut=wanted).node_ids == ("s", "h", "n1", "n2", "leaf7") or (
        graph.subgraph(["s"], depth=2, max_nodes=5, cut=wanted).node_ids == ("s", "h", "n1", "leaf7", "n2")
    )


def test_a_cut_at_random_is_the_same_for_the_same_seed() -> None:
    graph = star()
    one, two, other = (graph.subgraph(["s"], depth=2, max_nodes=8, cut=Cut("random", seed=s)) for s in (1, 1, 2))
    assert one == two != other
    assert one.node_ids[0] == "s"


def test_a_slice_holds_the_links_between_its_nodes_and_no_others() -> None:
    graph = built("a-x>b", "b-x>a", "a-y>b", "b-x>b", "b-x>c")
    found = graph.subgraph(["a"], depth=1)
    assert {edge.id for edge in found.edges} == {"e1", "e2", "e3", "e4"}
    assert {edge.id for edge in graph.subgraph(["a"], edge_labels=["y"]).edges} == {"e3"}
    assert graph.slice_of(["b", "c"]).node_ids == ("b", "c")


@pytest.mark.parametrize("seed", range(10))
def test_the_links_of_a_slice_are_all_that_there_are(seed: int) -> None:
    chance = random.Random(seed)
    graph = GraphEngine()
    graph.load([Node(str(n), "T") for n in range(12)])
    for _ in range(40):
        graph.create_edge("x", str(min(chance.randrange(12), chance.randrange(12))), str(chance.randrange(12)))
    kept = [str(n) for n in chance.sample(range(12), 6)]
    wanted = {edge.id for edge in graph.edges if edge.source in kept and edge.target in kept}
    found = graph.slice_of(kept).edges
    assert {edge.id for edge in found} == wanted
    assert len(found) == len(wanted)


def test_ways_are_kept_whole() -> None:
    graph = built("s-x>a", "s-x>b", "a-y>t", "b-y>u", "b-y>v", "s-y>w")
    assert graph.ways(["s"], ("x", "y")).node_ids == ("s", "a", "t", "b", "u", "v")
    assert graph.ways(["s"], ("x", "y"), max_nodes=4).node_ids == ("s", "a", "t")
    found = graph.ways(["s"], ("x", "y"), only=["u"])
    assert (found.node_ids, [edge.label for edge in found.edges]) == (("s", "b", "u"), ["x", "y"])
    assert graph.ways(["t"], ("^y", "^x")).node_ids == ("t", "a", "s") or (
        set(graph.ways(["t"], ("^y", "^x")).node_ids) == {"t", "a", "s"}
    )


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
