"""The graph in columns says what a dictionary of its edges says, before it is saved and after."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.core.errors import BadValue, RunError, UnknownNode
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import Edge, Node
from kag.retrieval.vectors import names_of, open_array

NAMES = st.sampled_from("abcdef")
PROPS = st.sampled_from([{}, {"places": ((1, 2), (3, 4)), "cell": "Älv"}, {"scores": {"topic": 0.5}, "shared": ()}])
EDGES = st.builds(Edge, NAMES, NAMES, st.sampled_from("xyz"), st.sampled_from([0.1, 1.0]), PROPS)
LISTS = st.lists(EDGES.filter(lambda edge: edge.source != edge.target), max_size=25)
NODES = [
    Node(name, "table" if name in "ad" else "document", {"year": 1998} if name == "b" else {}) for name in "abcdefg"
]


def by_id(edges) -> list[Edge]:
    return sorted(edges, key=lambda edge: (edge.source, edge.target, edge.label))


def _rank(edge: Edge, node: str) -> tuple[float, str, str]:
    return edge.weight, edge.other(node), edge.label


class Plain:
    """The same graph as a dictionary: of edges with the same ends and label the last counts."""

    def __init__(self, nodes: Iterable[Node], edges: Iterable[Edge]) -> None:
        self.nodes = list(nodes)
        self.edges = list({(edge.source, edge.target, edge.label): edge for edge in edges}.values())

    def edges_of(self, node: str, labels: frozenset[str] | None = None) -> list[Edge]:
        here = [edge for edge in self.edges if node in (edge.source, edge.target)]
        return [edge for edge in here if labels is None or edge.label in labels]

    def neighbours(self, node: str, labels: frozenset[str] | None = None) -> set[str]:
        return {edge.other(node) for edge in self.edges_of(node, labels)}


def check(graph: CompactGraph, wanted: Plain) -> None:
    assert list(graph.nodes) == list(wanted.nodes)
    assert (len(graph), "a" in graph, "z" in graph) == (7, True, False)
    assert by_id(graph.edges) == by_id(wanted.edges)
    for labels in (None, frozenset("x"), frozenset("q")):
        for node in "abcdefgz":
            assert by_id(graph.edges_of(node, labels)) == by_id(wanted.edges_of(node, labels))
            assert set(graph.neighbours(node, labels)) == set(wanted.neighbours(node, labels))
            best = sorted(wanted.edges_of(node, labels), key=lambda edge: (-edge.weight, edge.other(node), edge.label))
            for most in (1, 3, 99):
                assert [_rank(edge, node) for edge in graph.strongest(node, most, labels)] == [
                    _rank(edge, node) for edge in best[:most]
                ]
        owners, others, weights = graph.ends(graph.places("dza"), labels)
        rows = zip(["da"[owner] for owner in owners], graph.names(others), weights.tolist(), strict=True)
        edges = [(node, edge.other(node), edge.weight) for node in "da" for edge in wanted.edges_of(node, labels)]
        assert sorted(rows) == sorted(edges)


@settings(max_examples=40, deadline=None)
@given(edges=LISTS)
def test_columns_say_what_a_dictionary_says(edges: list[Edge], tmp_path_factory) -> None:
    graph, wanted = CompactGraph(NODES, edges), Plain(NODES, edges)
    check(graph, wanted)
    assert sum(graph.label_counts().values()) == len(list(wanted.edges))
    folder = tmp_path_factory.mktemp("graph") / "saved"
    graph.save(folder)
    again = CompactGraph.load(folder)
    check(again, wanted)
    assert list(CompactGraph(again.nodes, again.edges).edges) == list(graph.edges)


@settings(max_examples=60, deadline=None)
@given(
    edges=LISTS, more=LISTS, there=st.permutations("abcdef"), gone=st.integers(0, 4), lost=st.sets(st.integers(0, 24))
)
def test_a_change_is_what_making_it_anew_is(
    edges: list[Edge], more: list[Edge], there: list[str], gone: int, lost: set[int], tmp_path_factory
) -> None:
    folder = tmp_path_factory.mktemp("graph") / "saved"
    CompactGraph([node for node in NODES if node.id != "g"], edges).save(folder)
    before = CompactGraph.load(folder)
    numbered = dict(before.numbered(frozenset("xyz")))
    assert list(numbered.values()) == list(before.edges)
    assert list(before.numbered(frozenset("y"))) == [one for one in numbered.items() if one[1].label == "y"]
    lost &= numbered.keys()
    names = {*there[gone:], "g"}
    nodes = [node for node in NODES if node.id in names]
    fresh = [edge for edge in more if {edge.source, edge.target} <= names]
    kept = [edge for number, edge in numbered.items() if number not in lost and {edge.source, edge.target} <= names]
    changed, anew = before.changed(nodes, fresh, lost), CompactGraph(nodes, [*kept, *fresh])
    assert list(changed.nodes) == list(anew.nodes)
    assert list(changed.edges) == list(anew.edges)
    assert all(list(changed.edges_of(name)) == list(anew.edges_of(name)) for name in "abcdefg")
    assert list(before.edges) == list(numbered.values()), "the graph itself is as it was"


def test_edges_come_in_the_order_in_which_they_were_added() -> None:
    edges = [Edge("c", "a", "x"), Edge("a", "b", "y"), Edge("b", "c", "x"), Edge("c", "a", "z")]
    graph = CompactGraph(NODES, edges)
    assert list(graph.edges) == edges
    assert [edge.label for edge in graph.edges_of("a")] == ["x", "y", "z"]
    assert graph.neighbours("a") == ("c", "b")


def test_the_last_of_two_with_the_same_ends_and_label_counts() -> None:
    graph = CompactGraph(NODES, [Edge("a", "b", "x", 1.0, {"n": 1}), Edge("b", "a", "x"), Edge("a", "b", "x", 2.0)])
    assert [(edge.source, edge.weight, dict(edge.props)) for edge in graph.edges] == [("b", 1.0, {}), ("a", 2.0, {})]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UnknownNode):
        CompactGraph(NODES, [Edge("a", "z", "x")])
    with pytest.raises(UnknownNode):
        CompactGraph(NODES).node("z")
    for edge in (Edge("a", "a", "x"), Edge("a", "b", "x", 0.0), Edge("a", "b", "x", float("nan"))):
        with pytest.raises(BadValue):
            CompactGraph(NODES, [edge])


@pytest.mark.parametrize("file", ["nodes.json", "source.npy", "starts.npy", "props.bin"])
def test_a_damaged_graph_is_refused(file: str, tmp_path: Path) -> None:
    CompactGraph(NODES, [Edge("a", "b", "x", 1.0, {"n": 1})]).save(tmp_path / "saved")
    path = tmp_path / "saved" / file
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(RunError, match="holds no"):
        CompactGraph.load(tmp_path / "saved")


@pytest.mark.parametrize(
    "array",
    [
        np.arange(7),
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.zeros((0, 384), dtype=np.float32),
        np.zeros(0, dtype=np.uint8),
        np.array([[1.5]]),
    ],
)
def test_what_numpy_saves_comes_back(array, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", array)
    found = open_array(tmp_path / "a.npy", array.dtype.str, array.ndim)
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert (found == array).all()
    assert not found.flags.writeable or not found.size


def test_what_is_damaged_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    np.save(file, np.arange(9))
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole + b"x", whole[:20], b"", whole.replace(b"NUMPY", b"NUMPI")):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"a\.npy"):
            open_array(file, "<i8")
    np.save(file, np.array(["words"], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a\.npy"):
        open_array(file, "|O")


@pytest.mark.parametrize(
    "shape", ["(4611686018427387904, 4)", "(0, 99999999999999999999)", "(9, 1, 1)", "(9,)", "(-9, 1)"]
)
@pytest.mark.parametrize("kind", ["<i8", "<i9", "<f8", "|S8"])
def test_a_header_that_no_file_of_ours_has_is_refused(shape: str, kind: str, tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    np.save(file, np.arange(9).reshape(9, 1))
    data = file.read_bytes().replace(b"(9, 1)", shape.encode()).replace(b"<i8", kind.encode())
    file.write_bytes(data[: 127 + len(data) - 200].rstrip(b"\n").ljust(127) + b"\n" + data[-72:])
    with pytest.raises(ValueError, match=r"a\.npy"):
        open_array(file, "<i8", 2)


@pytest.mark.parametrize("value", [None, 5, [5], ["a", None], [["a"]]])
def test_what_is_no_list_of_names_is_refused(value: object) -> None:
    assert names_of(["a", "b"]) == ["a", "b"]
    with pytest.raises(ValueError, match="names"):
        names_of(value)


def test_many_threads_open_at_once(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(50))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: int(open_array(tmp_path / "a.npy", "<i8")[49]), range(400)))
    assert set(found) == {49}
