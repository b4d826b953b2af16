"""Versions of a graph: what is kept, what is had again, merging, contributions of documents."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from kag.core.errors import BadValue, RunError, UnknownNode
from kag.retrieval.property_graph.contributions import Contribution, Contributions, Source
from kag.retrieval.property_graph.differences import difference, merged
from kag.retrieval.property_graph.elements import Change, GraphSnapshot, Link, as_record
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.property_graph import Node
from kag.retrieval.property_graph.snapshots import EMPTY, SnapshotStore, taken_on

pytestmark = pytest.mark.slow

A, B, C = (Node(name, "T", {"n": 1}) for name in "abc")
AB, BC = Link("1", "to", "a", "b"), Link("2", "to", "b", "c")
FIRST, SECOND = GraphSnapshot((A, B), (AB,)), GraphSnapshot((A, Node("b", "T", {"n": 2}), C), (AB, BC))
WHO = {"author": "rule:test 1", "reason": "a test"}


@pytest.fixture
def store() -> Any:
    with SnapshotStore(":memory:") as store:
        yield store


def test_every_version_can_be_had_again(tmp_path: Path) -> None:
    with SnapshotStore(tmp_path / "versions.db") as store:
        one = store.commit(FIRST, **WHO)
        two = store.commit(SECOND, parent=one.id, author="person:anna", reason="more")
        three = store.commit(FIRST, parent=two.id, **WHO)
    with SnapshotStore(tmp_path / "versions.db") as store:
        assert [store.snapshot(one.id), store.snapshot(two.id), store.snapshot(three.id)] == [FIRST, SECOND, FIRST]
        assert store.versions() == (one, two, three)
        assert one.content == three.content != two.content
        assert len({one.id, two.id, three.id}) == 3


def test_content_is_the_same_whatever_way_led_there(store: SnapshotStore) -> None:
    one = store.commit(FIRST, **WHO)
    two = store.commit(SECOND, parent=one.id, **WHO)
    alone = store.commit(GraphSnapshot(SECOND.nodes[::-1], SECOND.edges[::-1]), **WHO)
    assert two.content == alone.content


def test_difference_and_patch(store: SnapshotStore) -> None:
    one = store.commit(FIRST, **WHO)
    two = store.commit(SECOND, parent=one.id, **WHO)
    found = store.difference(one.id, two.id)
    assert found == difference(FIRST, SECOND)
    assert [change.id for change in found.of("added")] == ["c", "2"]
    assert [change.id for change in found.of("changed")] == ["b"]
    assert patched(FIRST, found.as_json_patch()) == as_document(SECOND)
    back = store.difference(two.id, one.id)
    assert [change.id for change in back.of("removed")] == ["2", "c"]
    assert patched(SECOND, back.as_json_patch()) == as_document(FIRST)


def as_document(snapshot: GraphSnapshot) -> dict[str, Any]:
    return {
        "nodes": {node.id: as_record(node) for node in snapshot.nodes},
        "edges": {edge.id: as_record(edge) for edge in snapshot.edges},
    }


def patched(snapshot: GraphSnapshot, patch: list[dict[str, Any]]) -> dict[str, Any]:
    """RFC 6902 on a document two levels deep."""
    document = as_document(snapshot)
    for operation in patch:
        _, kind, name = operation["path"].split("/")
        name = name.replace("~1", "/").replace("~0", "~")
        if operation["op"] == "remove":
            del document[kind][name]
        else:
            assert (name in document[kind]) == (operation["op"] == "replace")
            document[kind][name] = operation["value"]
    return document


def test_a_patch_names_ids_with_slashes() -> None:
    odd = GraphSnapshot((Node("a/b~c", "T"),))
    patch = difference(GraphSnapshot(), odd).as_json_patch()
    assert patch[0]["path"] == "/nodes/a~1b~0c"
    assert patched(GraphSnapshot(), patch) == as_document(odd)


def test_true_and_one_are_two_values() -> None:
    one, true = GraphSnapshot((Node("a", "T", {"v": 1}),)), GraphSnapshot((Node("a", "T", {"v": True}),))
    assert len(difference(one, true).changes) == 1


def test_a_version_of_changes_is_the_same_as_one_of_the_whole(store: SnapshotStore) -> None:
    graph, steps = GraphEngine(FIRST), list[Change]()
    one = store.commit(FIRST, **WHO)
    graph.listen(steps.extend)
    graph.update_node("a", {"n": 7})
    graph.update_node("a", {"n": 8})
    graph.create_node("T", id="new")
    graph.delete_node("new")
    graph.delete_node("b")
    two = store.commit_changes(steps, parent=one.id, **WHO)
    assert store.snapshot(two.id) == graph.snapshot()
    assert two.content == store.commit(graph.snapshot(), **WHO).content
    with pytest.raises(BadValue):
        store.commit_changes(steps, parent=two.id, **WHO)


def test_rollback_is_a_new_version(store: SnapshotStore) -> None:
    one = store.commit(FIRST, **WHO)
    two = store.commit(SECOND, parent=one.id, **WHO)
    back = store.rollback(one.id, parent=two.id, **WHO)
    assert store.snapshot(back.id) == FIRST
    assert back.parent == two.id


def test_an_element_has_a_history(store: SnapshotStore) -> None:
    one = store.commit(FIRST, **WHO)
    two = store.commit(SECOND, parent=one.id, **WHO)
    three = store.commit(GraphSnapshot((A,)), parent=two.id, **WHO)
    found = [(version.id, thing.props if thing else None) for version, thing in store.history("node", "b")]
    assert found == [(one.id, {"n": 1}), (two.id, {"n": 2}), (three.id, None)]


def test_two_sides_are_merged(store: SnapshotStore) -> None:
    base = store.commit(FIRST, **WHO)
    ours = store.commit(GraphSnapshot((Node("a", "T", {"n": 9}), B), (AB,)), parent=base.id, **WHO)
    theirs = store.commit(SECOND, parent=base.id, **WHO)
    made, issues = store.merge(ours.id, theirs.id, **WHO)
    assert issues == ()
    assert store.snapshot(made.id) == GraphSnapshot((Node("a", "T", {"n": 9}), *SECOND.nodes[1:]), SECOND.edges)
    assert (made.parent, made.merged) == (ours.id, theirs.id)
    assert store.common_ancestor(made.id, theirs.id) == theirs.id


def test_conflicts_are_issues_and_ours_stays() -> None:
    ours, theirs = (
        GraphSnapshot((A, Node("b", "T", {"n": 5})), (AB,)),
        GraphSnapshot((A, Node("b", "T", {"n": 6})), (AB,)),
    )
    both = merged(FIRST, ours, theirs)
    assert both.snapshot == ours
    assert [(issue.rule, issue.nodes) for issue in both.issues] == [("merge_conflict", ("b",))]


def test_a_node_that_an_edge_needs_is_kept_by_a_merge() -> None:
    base = GraphSnapshot((A, B))
    both = merged(base, GraphSnapshot((A,)), GraphSnapshot((A, B), (AB,)))
    assert both.snapshot == FIRST
    assert [issue.nodes for issue in both.issues] == [("b",)]
    assert merged(base, FIRST, FIRST).issues == ()


def test_what_is_no_version_is_refused(tmp_path: Path, store: SnapshotStore) -> None:
    with pytest.raises(UnknownNode):
        store.snapshot("nothing")
    with pytest.raises(BadValue):
        store.commit(GraphSnapshot((A, A)), **WHO)
    (tmp_path / "text").write_text("no database " * 100)
    with pytest.raises(RunError):
        SnapshotStore(tmp_path / "text")


def test_damage_is_told(tmp_path: Path) -> None:
    with SnapshotStore(tmp_path / "v.db") as store:
        one = store.commit(FIRST, **WHO)
        store._db.execute("UPDATE element SET text = replace(text, '1', '2')")
        with pytest.raises(RunError):
            store.snapshot(one.id)


def test_the_hash_of_a_set_forgets_what_went() -> None:
    one = taken_on(EMPTY, come=[b"a", b"b"])
    assert taken_on(taken_on(one, come=[b"c"]), gone=[b"c", b"a"]) == taken_on(EMPTY, come=[b"b"])
    assert taken_on(EMPTY, come=[b"a"]) != taken_on(EMPTY, come=[b"a", b"a"])


@pytest.mark.parametrize("seed", range(20))
def test_random_edits_are_undone_told_apart_and_rolled_back(seed: int) -> None:
    """50 sequences each: 1,000 in all."""
    chance = random.Random(seed)
    for _ in range(50):
        graph = GraphEngine(indexed=["p"])
        with SnapshotStore(":memory:") as store:
            version, seen, steps = store.commit(graph.snapshot(), **WHO), [], []
            graph.listen(steps.extend)
            for _ in range(chance.randrange(1, 12)):
                edit(graph, chance)
                following = store.commit_changes(steps, parent=version.id, **WHO) if steps else version
                steps.clear()
                seen.append((following, graph.snapshot()))
                version = following
            check_versions(store, seen)
            back(graph, store, seen)


def check_versions(store: SnapshotStore, seen: list[Any]) -> None:
    for version, snapshot in seen:
        assert store.snapshot(version.id) == snapshot
        assert store.commit(snapshot, **WHO).content == version.content
    (first, before), (last, after) = seen[0], seen[-1]
    assert patched(before, store.difference(first.id, last.id).as_json_patch()) == as_document(after)
    copy = GraphEngine(before)
    copy.apply(store.difference(first.id, last.id).changes)
    assert copy.snapshot() == after
    assert store.snapshot(store.rollback(first.id, parent=last.id, **WHO).id) == before


def back(graph: GraphEngine, store: SnapshotStore, seen: list[Any]) -> None:
    """Undo everything: an empty graph, whose tables hold nothing."""
    while graph.undo():
        assert all(edge.source in graph and edge.target in graph for edge in graph.edges)
    assert graph.snapshot() == GraphSnapshot()
    assert not graph.tables.leaving
    assert not graph.tables.coming
    assert graph.find_nodes(props={"p": 1}) == ()


def edit(graph: GraphEngine, chance: random.Random) -> None:
    """One edit, or a transaction of some, or one that fails."""
    try:
        with graph.transaction():
            for _ in range(chance.choice((1, 1, 3))):
                change(graph, chance)
            if chance.random() < 0.1:
                graph.node("nobody")
    except UnknownNode:
        pass


def change(graph: GraphEngine, chance: random.Random) -> None:
    nodes, edges = list(graph.tables.nodes), list(graph.tables.links)
    what = chance.randrange(8)
    if what < 3 or not nodes:
        graph.create_node(chance.choice("XY"), {"p": chance.randrange(3)} if chance.random() < 0.5 else None)
    elif what < 5:
        graph.create_edge(chance.choice("xy"), chance.choice(nodes), chance.choice(nodes))
    elif what == 5:
        graph.update_node(
            chance.choice(nodes), {"p": chance.choice((1, True, None, "ü"))}, label=chance.choice(("", "Z"))
        )
    elif what == 6 and edges:
        graph.delete_edge(chance.choice(edges)) if chance.random() < 0.5 else graph.update_edge(edges[0], {"q": [1]})
    else:
        graph.delete_node(chance.choice(nodes))


# --- contributions ---


def said(document: str, *elements: Node | Link) -> list[Contribution]:
    return [Contribution(element, Source(document, place, place + 1)) for place, element in enumerate(elements)]


def test_a_node_lives_while_one_document_says_it() -> None:
    all_of = Contributions()
    all_of.put("one", said("one", A, B, AB))
    all_of.put("two", said("two", Node("b", "T", {"n": 2, "m": 3}), C, BC))
    both = all_of.snapshot()
    assert next(node for node in both.nodes if node.id == "b").props == {"n": 1, "m": 3}
    assert [(issue.rule, issue.prop) for issue in all_of.issues()] == [("sources_differ", "n")]
    changes = all_of.remove("one")
    assert all_of.snapshot() == GraphSnapshot((Node("b", "T", {"n": 2, "m": 3}), C), (BC,))
    copy = GraphEngine(both)
    copy.apply(changes)
    assert copy.snapshot() == all_of.snapshot()
    assert all_of.remove("one") == ()


def test_contributions_are_kept_as_records() -> None:
    all_of = Contributions()
    all_of.put("two", said("two", Node("b", "T", {"n": 2}), C, BC))
    all_of.put("one", said("one", A, B, AB))
    again = Contributions.of_records(json.loads(json.dumps(all_of.as_records())))
    assert again.as_records() == all_of.as_records()
    assert again.snapshot() == all_of.snapshot()
    assert again.remove("one") == all_of.remove("one")
    with pytest.raises(BadValue):
        Contributions.of_records([{"kind": "node"}])


def test_an_edge_waits_for_its_ends() -> None:
    all_of = Contributions()
    all_of.put("one", said("one", A, AB))
    assert all_of.snapshot() == GraphSnapshot((A,))
    changes = all_of.put("two", said("two", B))
    assert {change.id for change in changes} == {"b", "1"}
    assert all_of.snapshot() == FIRST


def test_sources_are_told_and_can_be_checked() -> None:
    text = "Anna met Bert."
    source = Source.of("one.txt", text, 0, 4)
    all_of = Contributions()
    all_of.put("one.txt", [Contribution(A, source, "rule:names 1")])
    (found,) = all_of.sources("node", "a")
    assert (found.source, found.author) == (source, "rule:names 1")
    assert source.fits(text)
    assert not source.fits("Otto met Bert.")


@pytest.mark.parametrize("seed", range(50))
def test_add_then_remove_is_never_added(seed: int) -> None:
    chance = random.Random(seed)
    documents = {name: drawn(name, chance) for name in "uvwxyz"}
    order = [chance.choice(list(documents)) for _ in range(20)]
    all_of, graph, there = Contributions(), GraphEngine(), dict[str, list[Contribution]]()
    for name in order:
        gone = name in there
        changes = all_of.remove(name) if gone else all_of.put(name, documents[name])
        graph.apply(changes)
        there = {k: v for k, v in {**there, name: documents[name]}.items() if not (gone and k == name)}
        alone = Contributions()
        for other in sorted(there, key=lambda _: chance.random()):
            alone.put(other, there[other])
        assert all_of.snapshot() == alone.snapshot() == graph.snapshot()
        assert all_of.issues() == alone.issues()


def drawn(name: str, chance: random.Random) -> list[Contribution]:
    nodes = [
        Node(chance.choice("abcde"), chance.choice("ST"), {chance.choice("pq"): chance.randrange(2)}) for _ in range(4)
    ]
    links = [Link(chance.choice("1234"), "to", chance.choice("abcde"), chance.choice("abcde")) for _ in range(3)]
    return said(name, *nodes, *links)


def test_a_disk_that_gets_full_is_told_as_that_and_what_was_kept_stays(tmp_path: Path) -> None:
    """SQLite had taken the change back itself, and our own taking back was told as a bug."""
    path = tmp_path / "versions.db"
    with SnapshotStore(path) as store:
        one = store.commit(FIRST, **WHO)
    many = GraphSnapshot(tuple(Node(f"n{n}", "T", {"words": "x" * 500}) for n in range(400)), ())

    def fill() -> None:
        with SnapshotStore(path) as store:
            store._db.execute("PRAGMA max_page_count = 20")
            store.commit(many, parent=one.id, **WHO)

    with pytest.raises(RunError, match="database or disk is full") as told:
        fill()
    assert "make room" in told.value.hint
    with SnapshotStore(path) as store:
        assert store.versions() == (one,)


def test_versions_that_are_damaged_are_told(tmp_path: Path) -> None:
    path = tmp_path / "versions.db"
    with SnapshotStore(path) as store:
        one = store.commit(GraphSnapshot(tuple(Node(f"n{n}", "T", {"w": "x" * 300}) for n in range(99)), ()), **WHO)
    data = bytearray(path.read_bytes())
    data[4096 * 2 :] = b"\xff" * (len(data) - 4096 * 2)
    path.write_bytes(data)
    with pytest.raises(RunError, match="no versions: "), SnapshotStore(path) as store:
        store.snapshot(one.id)
