"""Versions of a graph, what differs between two graphs, contributions of documents."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from kag.core.errors import BadValue, RunError, UnknownNode
from kag.retrieval.property_graph.contributions import Contribution, Contributions, Source
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, as_record
from kag.retrieval.property_graph.snapshots import EMPTY, SnapshotStore, difference, taken_on

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


def test_difference_and_patch() -> None:
    there, back = difference(FIRST, SECOND), difference(SECOND, FIRST)
    assert [change.id for change in there.changes] == ["b", "c", "2"]
    assert [change.id for change in back.changes] == ["2", "c", "b"]
    assert patched(FIRST, there.as_json_patch()) == as_document(SECOND)
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


def test_an_edge_waits_for_its_ends() -> None:
    all_of = Contributions()
    all_of.put("one", said("one", A, AB))
    assert all_of.snapshot() == GraphSnapshot((A,))
    all_of.put("two", said("two", B))
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


@pytest.mark.parametrize("seed", range(20))
def test_the_graph_does_not_depend_on_the_order_of_documents(seed: int) -> None:
    chance = random.Random(seed)
    documents = {name: drawn(name, chance) for name in "uvwxyz"}
    one, other = Contributions(), Contributions()
    for name in documents:
        one.put(name, documents[name])
    for name in sorted(documents, key=lambda _: chance.random()):
        other.put(name, documents[name])
    assert one.snapshot() == other.snapshot()
    assert one.issues() == other.issues()


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
