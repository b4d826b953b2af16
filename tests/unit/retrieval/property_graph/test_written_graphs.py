"""Round trips: a graph that is written and read is the same graph."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import Dataset

from kag.core.errors import BadValue
from kag.retrieval.property_graph.as_cypher import to_cypher, to_tables
from kag.retrieval.property_graph.as_graphml import from_graphml, to_graphml
from kag.retrieval.property_graph.as_json import from_json, from_json_ld, from_records, to_csv, to_json, to_json_ld
from kag.retrieval.property_graph.elements import LONGEST_NAME, GraphSnapshot, Link, Node, checked_name

pytestmark = pytest.mark.slow


def _named(text: str) -> bool:
    try:
        return bool(checked_name(text, "id"))
    except BadValue:
        return False


NAMES = st.text(min_size=1, max_size=8).filter(_named)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)
PROPS = st.dictionaries(NAMES, VALUES, max_size=3)


@st.composite
def snapshots(draw: st.DrawFn, labels: st.SearchStrategy[str] = NAMES) -> GraphSnapshot:
    ids = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    nodes = [Node(name, draw(labels), draw(PROPS)) for name in ids]
    links = [
        Link(name, draw(labels), draw(st.sampled_from(ids)), draw(st.sampled_from(ids)), draw(PROPS))
        for name in draw(st.lists(NAMES, max_size=5, unique=True))
    ]
    return GraphSnapshot(tuple(nodes), tuple(links)).canonical()


HARD = GraphSnapshot(
    (
        Node("a", "Task", {"name": "Ää <&> \"q\" 'p'\r\n\t\x00\ufffe", "size": 2**70, "f": 1.5, "t": True, "n": None}),
        Node("b c/ü", "Task", {"label": "other", "type": "x", "list": [1, "a", None, {"k": []}], "empty": ""}),
    ),
    (Link("1", "to", "a", "b c/ü", {"w": 1}), Link("2", "to", "a", "b c/ü", {"w": 1}), Link("3", "to", "a", "a")),
)


def strict(snapshot: GraphSnapshot) -> str:
    """Equal only where 1, 1.0 and true are told apart."""
    return to_json(snapshot)


@settings(max_examples=40, deadline=None)
@given(snapshots())
def test_json(snapshot: GraphSnapshot) -> None:
    assert strict(from_json(to_json(snapshot))) == strict(snapshot)


@settings(max_examples=40, deadline=None)
@given(snapshots())
def test_graphml(snapshot: GraphSnapshot) -> None:
    assert strict(from_graphml(to_graphml(snapshot)).canonical()) == strict(snapshot)


@settings(max_examples=40, deadline=None)
@given(snapshots())
def test_json_ld(snapshot: GraphSnapshot) -> None:
    assert strict(from_json_ld(to_json_ld(snapshot)).canonical()) == strict(snapshot)


@pytest.mark.parametrize(
    ("write", "read"),
    [
        (to_json, from_json),
        (to_graphml, from_graphml),
        (to_json_ld, from_json_ld),
    ],
)
def test_hard_values_and_two_equal_edges(write: Any, read: Any) -> None:
    assert strict(read(write(HARD))) == strict(HARD)
    assert write(HARD) == write(GraphSnapshot(HARD.nodes[::-1], HARD.edges[::-1]))


def test_json_ld_is_rdf() -> None:
    graph = Dataset()
    graph.parse(data=to_json_ld(HARD), format="json-ld")
    assert len(list(graph.quads())) == 5 * 2 + 3 * 2  # type and properties of five, two ends of three


@settings(max_examples=15, deadline=None)
@given(snapshots(st.sampled_from(["Task", "Data", "to"])))
def test_ladybug_gives_back_what_it_was_given(snapshot: GraphSnapshot) -> None:
    ladybug = pytest.importorskip("ladybug")
    with tempfile.TemporaryDirectory() as folder:
        assert strict(_through(ladybug, snapshot, Path(folder))) == strict(snapshot)


def _through(ladybug: Any, snapshot: GraphSnapshot, folder: Path) -> GraphSnapshot:
    store = ladybug.Connection(ladybug.Database(str(folder / "db")))
    nodes, edges = [], []
    tables = to_tables(snapshot)
    for table in tables:
        (folder / table.file).write_text(table.csv, encoding="utf-8", newline="")
        if table.declaration:
            store.execute(table.declaration)
        store.execute(table.load.replace(table.file, str(folder / table.file)))
    for name in dict.fromkeys(table.name for table in tables if table.file.startswith("node")):
        nodes += [(i, name, p) for i, p in store.execute(f"MATCH (n:`{name}`) RETURN n.id, n.props").get_all()]
    for name in dict.fromkeys(table.name for table in tables if table.file.startswith("edge")):
        found = store.execute(f"MATCH (a)-[e:`{name}`]->(b) RETURN e.id, a.id, b.id, e.props").get_all()
        edges += [(i, name.removesuffix("_edge"), a, b, p) for i, a, b, p in found]
    records = {
        "nodes": [{"id": i, "label": label, "props": json.loads(p)} for i, label, p in nodes],
        "edges": [{"id": i, "label": label, "from": a, "to": b, "props": json.loads(p)} for i, label, a, b, p in edges],
    }
    return from_records(records).canonical()


def test_csv_has_a_column_for_each_property_and_json_where_a_value_is_no_plain_text() -> None:
    nodes, edges = to_csv(
        GraphSnapshot((Node("a", "T", {"w": "true"}), Node("b", "T", {"n": 1})), (Link("1", "to", "a", "b"),))
    )
    assert nodes == 'id,label,props.n,props.w\na,T,,"""true"""\nb,T,1,\n'
    assert edges == "id,label,from,to\n1,to,a,b\n"


def test_tables_have_typed_columns_and_a_file_for_each_pair() -> None:
    nodes = (Node("a", "Task", {"size": 1, "mixed": 1}), Node("b", "Task", {"mixed": "x"}), Node("c", "Data"))
    edges = (Link("1", "to", "a", "b"), Link("2", "to", "a", "c"))
    tables = {table.file: table for table in to_tables(GraphSnapshot(nodes, edges))}
    assert tables["node_Task.csv"].declaration == (
        "CREATE NODE TABLE `Task`(`id` STRING PRIMARY KEY, `size` INT64, `props` STRING);"
    )
    assert tables["edge_to_Task_Data.csv"].declaration.startswith("CREATE REL TABLE `to`(FROM `Task` TO `Data`, FROM")
    assert tables["edge_to_Task_Task.csv"].declaration == ""
    with pytest.raises(BadValue):
        to_tables(GraphSnapshot((Node("a", "T) DROP"),)))


def test_statements_hold_no_text_that_ends_them() -> None:
    nodes = (Node("a'}) DETACH DELETE n //", "T`x", {"k`": "\\' \n", "n": None, "l": [1, 2], "m": [1, "a"]}),)
    text = to_cypher(GraphSnapshot(nodes))
    assert text == (
        "CREATE (:`T``x` {`id`: 'a\\'}) DETACH DELETE n //', `k```: '\\\\\\' \\n', `l`: [1, 2], `m`: '[1, \"a\"]'});\n"
    )


def test_only_allowed_properties_are_told() -> None:
    allowed = {"Task": ["name"], "*": ["w"]}
    for write, read in ((to_json, from_json), (to_graphml, from_graphml), (to_json_ld, from_json_ld)):
        found = read(write(HARD, allowed))
        assert [set(node.props) for node in found.nodes] == [{"name"}, set()]
        assert found.edges[0].props == {"w": 1}
    assert "size" not in "".join(to_csv(HARD, allowed))
    assert "1180591620717411303424" not in to_cypher(HARD, allowed) + "".join(t.csv for t in to_tables(HARD, allowed))


def test_foreign_graphml_is_read() -> None:
    text = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <key id="v" for="node" attr.name="labels" attr.type="string"/>
    <key id="w" for="edge" attr.name="w" attr.type="double"/>
    <graph edgedefault="directed"><node id="a"><data key="v">:Person</data></node><node id="b"/>
    <edge source="a" target="b"><data key="w">2</data></edge></graph></graphml>"""
    found = from_graphml(text)
    assert found == GraphSnapshot((Node("a", "Person"), Node("b", "Node")), (Link("e1", "edge", "a", "b", {"w": 2.0}),))


BOMB = '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><graphml><graph><node id="&b;"/></graph></graphml>'
OUTSIDE = '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml><graph><node id="&x;"/></graph></graphml>'


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (from_json, ""),
        (from_json, "[]"),
        (from_json, '{"nodes": 3}'),
        (from_json, '{"nodes": [3]}'),
        (from_json, '{"nodes": [{"id": 3, "label": "A"}]}'),
        (from_json, '{"nodes": [{"id": "a", "label": "A", "props": 3}]}'),
        (from_json, '{"edges": [{"label": "A", "from": "a"}]}'),
        (from_json, '{"nodes": ' + "[" * 100_000 + "]" * 100_000 + "}"),
        (from_json, json.dumps({"nodes": [{"id": "a" * (LONGEST_NAME + 1), "label": "A"}]})),
        (from_graphml, ""),
        (from_graphml, "<html/>"),
        (from_graphml, "<graphml><graph><node/></graph></graphml>"),
        (from_graphml, "<graphml><graph><hyperedge/></graph></graphml>"),
        (from_graphml, BOMB),
        (from_graphml, OUTSIDE),
        (from_graphml, "\ud800"),
        (from_json_ld, "{}"),
        (from_json_ld, '{"@graph": [{"@id": "http://a"}]}'),
    ],
)
def test_what_is_no_graph_is_refused(read: Any, text: str) -> None:
    with pytest.raises(BadValue) as caught:
        read(text)
    assert caught.value.hint
