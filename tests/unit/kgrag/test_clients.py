"""Places that keep passages: each does the same, and none ever shows one project what is another's."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kag.core.errors import BadValue, RunError
from kag.kgrag.context.passages import Passage, VectorClient, Wanted
from kag.retrieval.engines.stores import PointStore

np = pytest.importorskip("numpy")
pytest.importorskip("tantivy")

from kag.kgrag.context.passages import (  # noqa: E402
    EmbeddedVectors,
    StoredVectors,
)
from kag.retrieval.engines.milvus import MilvusPoints, client_at  # noqa: E402
from kag.retrieval.engines.postgresql import PgPoints  # noqa: E402
from kag.retrieval.engines.qdrant import QdrantPoints  # noqa: E402

pytestmark = pytest.mark.slow

Open = Callable[[str], VectorClient]
NUMBER = count()
POINTS: dict[str, Callable[[Any, str, str], PointStore]] = {
    "postgres": PgPoints, "qdrant": QdrantPoints, "milvus": MilvusPoints,
}  # fmt: skip
PROJECT, NAME = st.sampled_from("ab"), st.sampled_from("123")


def embed(texts: Sequence[str]) -> Any:
    """Words thrown into 64 cells: near is who shares words."""
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.casefold().split():
            rows[row, zlib.crc32(word.encode()) % 64] += 1
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture(scope="session")
def postgres(postgres_url: str) -> Iterator[Any]:
    """A connection to a PostgreSQL of its own, from a wheel."""
    with pytest.importorskip("psycopg").connect(postgres_url) as connection:
        yield connection


@pytest.fixture(scope="session")
def qdrant() -> Any:
    return pytest.importorskip("qdrant_client", reason="qdrant-client is not installed").QdrantClient(":memory:")


@pytest.fixture(scope="session")
def milvus(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("milvus_lite", reason="milvus-lite is not installed")
    return client_at(str(tmp_path_factory.mktemp("milvus") / "passages.db"))


@pytest.fixture(params=["embedded", "embedded by words", "postgres", "qdrant", "milvus"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """What opens the passages of a project, all in one place."""
    name = f"t{next(NUMBER)}"
    if request.param in POINTS:
        points, store = POINTS[request.param], request.getfixturevalue(request.param)

        def stored(project: str) -> VectorClient:
            client = StoredVectors(project, points(store, name, project), embed)
            client.create()
            return client

        return stored
    known: dict[str, VectorClient] = {}
    with_vectors = {"embed": embed, "plan": "dense"} if request.param == "embedded" else {}
    return lambda project: known.setdefault(project, EmbeddedVectors(project, tmp_path, **with_vectors))


TALE = (
    Passage("x", "the duel at the ford", {"eventIds": ("e1",), "chapterId": "c1"}),  # type: ignore[dict-item]
    Passage("y", "a quiet dinner after the duel", {"eventIds": ["e2", "e3"]}),  # type: ignore[dict-item]
    Passage("z", "the road north"),
)


def ids(hits: Sequence[Any]) -> list[str]:
    return [hit.id for hit in hits]


def test_what_every_client_does(opened: Open) -> None:
    client = opened("p1")
    assert client.search("duel") == ()
    client.add(TALE)
    assert ids(client.search("duel at the ford", k=1)) == ["x"]
    (hit,) = client.search("the duel", Wanted({"chapterId": "c1"}))
    assert (hit.text, dict(hit.metadata)) == (TALE[0].text, {"eventIds": ("e1",), "chapterId": ("c1",)})
    assert ids(client.search("duel", Wanted(routes={"eventIds": ("e3", "e9"), "arcIds": ("a",)}))) == ["y"]
    assert client.search("duel", Wanted({"chapterId": "c1"}, {"eventIds": ("e2",)})) == ()
    assert client.search("duel", Wanted({"chapterId": "nowhere"})) == ()
    assert client.search(" ") == client.search("duel", k=0) == ()
    client.add([Passage("x", "the duel was put off", {})])
    assert client.search("duel", Wanted({"chapterId": "c1"})) == ()
    client.delete(["x", "nobody"])
    assert "x" not in ids(client.search("the duel"))


@pytest.mark.parametrize(
    "other",
    [
        "p1 ",
        "P1",
        "p",
        "p11",
        "%",
        "_1",
        "*",
        "p1'; DROP TABLE t0; --",
        '{"any": true}',
        "p1\n",
        "ｐ1",
        "../p1",
        "p1/x",
    ],
)
def test_no_project_sees_another(opened: Open, other: str) -> None:
    """Names that are alike, or mean something to a store; the same ids; the very words of the other's text."""
    mine, theirs = opened("p1"), opened(other)
    mine.add(TALE)
    before = mine.search("secret plan of the duel", k=50)
    theirs.add([Passage("x", "secret plan of the duel", {"eventIds": ("e1",), "project": "p1", "projectId": "p1"})])  # type: ignore[dict-item]
    assert mine.search("secret plan of the duel", k=50) == before  # not even a score is moved
    assert [hit.text for hit in theirs.search("the duel", k=50)] == ["secret plan of the duel"]
    routes = Wanted(routes={"project": ("p1",), "eventIds": ("e1", "e2")})
    for wanted in (Wanted({"project": "p1"}), Wanted({"projectId": "p1"}), routes):
        assert {hit.text for hit in theirs.search("duel", wanted, k=50)} <= {"secret plan of the duel"}
    assert mine.search("duel", Wanted({"project": other})) == ()
    theirs.delete(["x", "y", "z"])
    assert mine.search("secret plan of the duel", k=50) == before
    assert theirs.search("duel") == ()


@pytest.mark.parametrize("key", ["a.b", "fields", "x'", "", "a" * 64, "a[]", "project = 'p2' OR 'a", "1", "ключ", None])
def test_keys_are_no_paths_and_no_sql(opened: Open, key: Any) -> None:
    client = opened("p1")
    client.add(TALE)
    if key == "fields":
        assert client.search("duel", Wanted({key: "e1"})) == ()
        return
    for wanted in (Wanted({key: "v"}), Wanted(routes={key: ("v",)})):
        with pytest.raises(BadValue):
            client.search("duel", wanted)
    with pytest.raises(BadValue):
        client.add([Passage("q", "text", {key: ("v",)})])
    assert len(client.search("duel", k=9)) >= 2


@pytest.mark.parametrize("project", ["", None, 3, "a\x00b", "x" * 401, "\ud800"])
def test_a_project_has_a_name(opened: Open, project: Any) -> None:
    with pytest.raises(BadValue):
        opened(project)


@pytest.mark.parametrize(
    "passage",
    [Passage("", "t"), Passage("a", ""), Passage("a", " "), Passage("a", "t", {"k": (3,)}), Passage("a", "t\x00"),
     Passage("a", "t", {"k": {"a": "b"}})],  # type: ignore[dict-item]
)  # fmt: skip
def test_bad_passages_are_refused_whole(opened: Open, passage: Passage) -> None:
    client = opened("p1")
    with pytest.raises(BadValue):
        client.add([TALE[0], passage])
    assert client.search("duel") == ()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(PROJECT, NAME, st.sampled_from(["red", "blue", "green"])), max_size=8),
    drop=st.lists(st.tuples(PROJECT, NAME), max_size=4),
)
def test_any_edits_keep_projects_apart(opened: Open, rows: Any, drop: Any) -> None:
    held: dict[str, dict[str, str]] = {"a": {}, "b": {}}
    clients = {project: opened(project) for project in held}
    for client in clients.values():
        client.delete("123")
    for project, name, colour in rows:
        clients[project].add([Passage(name, f"{colour} of {project}", {"colour": (colour,)})])
        held[project][name] = colour
    for project, name in drop:
        clients[project].delete([name])
        held[project].pop(name, None)
    for project, client in clients.items():
        assert {h.id: h.text for h in client.search("red blue green of", k=99)} == {
            name: f"{colour} of {project}" for name, colour in held[project].items()
        }
        for colour in ("red", "blue"):
            found = client.search("red blue green of", Wanted(routes={"colour": (colour,)}), k=99)
            assert {hit.id for hit in found} == {name for name, one in held[project].items() if one == colour}


def test_an_embedded_client_is_kept_in_a_folder_of_its_project(tmp_path: Path) -> None:
    one = EmbeddedVectors("p1", tmp_path)
    one.add(TALE)
    one.save()
    again = EmbeddedVectors("p1", tmp_path)
    assert again.search("duel") == one.search("duel")
    assert len(EmbeddedVectors("../p1", tmp_path)) == 0
    assert [path.name for path in tmp_path.iterdir()] == [
        path.name for path in tmp_path.iterdir() if len(path.name) == 32
    ]
    with pytest.raises(BadValue):
        EmbeddedVectors("p1").save()


def test_a_table_has_a_plain_name(postgres: Any) -> None:
    with pytest.raises(BadValue):
        PgPoints(postgres, 'x"; DROP TABLE y', "p")


def test_an_index_finds_the_same_and_goes_on_behind_a_filter(postgres: Any) -> None:
    points = PgPoints(postgres, "indexed", "p")
    client = StoredVectors("p", points, embed)
    client.create()
    client.add(Passage(f"n{n}", f"duel number {n}", {"rare": ("yes",)} if n % 100 == 0 else {}) for n in range(300))
    before = client.search("duel number 5", k=3)
    points.index()
    assert ids(client.search("duel number 5", k=1)) == ids(before[:1])
    assert len(client.search("duel number 5", Wanted(routes={"rare": ("yes",)}))) == 3


def test_a_server_that_fails_is_told_of(postgres: Any) -> None:
    client = StoredVectors("p", PgPoints(postgres, "never_made", "p"), embed)
    with pytest.raises(RunError):
        client.search("duel")
    client.create()
    assert client.search("duel") == ()


def test_a_passage_is_a_value() -> None:
    assert replace(TALE[0], id="q").text == TALE[0].text
