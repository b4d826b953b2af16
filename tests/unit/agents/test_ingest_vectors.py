"""Passages of an ingestion in vector clients: only what changed goes there, and what does not fit is told."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kag.agents.ingest import indexing
from kag.agents.ingest.indexing import (
    Passage,
    Remembered,
    Synced,
    check_client,
    embedder,
    key_of,
    known_vectors,
    sync,
    write_index,
)
from kag.agents.ingest.ingestion import ingest
from kag.agents.ingest.values import IngestOptions
from kag.cli.main import cli
from kag.core.errors import BadValue, RunError
from kag.kgrag.context import passages as stored
from kag.kgrag.context.passages import VectorClient, Wanted

np = pytest.importorskip("numpy")
pytest.importorskip("tantivy")

from kag.kgrag.context.passages import (  # noqa: E402
    EmbeddedVectors,
    client_at,
)

TALE = Path(__file__).parents[3] / "test_data" / "tale"
Open = Callable[[str], VectorClient]


class Words:
    """Words thrown into 64 cells; `asked` are the texts that it was asked for."""

    def __init__(self, id: str = "words") -> None:
        self.id, self.asked = id, list[str]()

    def __call__(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.casefold().split():
                rows[row, zlib.crc32(word.encode()) % 64] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def passage(name: str, text: str, *ids: str) -> Passage:
    return Passage(f"{name}#0", name, 0, len(text), text, {"eventIds": ids} if ids else {})


DUEL, ROAD = passage("a.txt", "the duel at the ford", "e1"), passage("b.txt", "the road north")


@pytest.fixture(params=["files", "postgresql", "qdrant"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """What opens a project, each time anew."""
    if request.param == "postgresql":
        pytest.importorskip("psycopg")
        address = request.getfixturevalue("postgres_url")
    else:
        if request.param == "qdrant":
            pytest.importorskip("qdrant_client")
        address = f"{request.param}:{tmp_path / 'there'}"
    return lambda project: client_at(address, f"{tmp_path} {project}", Words())


def test_a_project_becomes_what_the_passages_are(opened: Open) -> None:
    other = opened("theirs")
    sync(other, (ROAD,), "words")
    assert sync(opened("mine"), (DUEL, ROAD), "words") == Synced(2, 0)
    assert sync(opened("mine"), (DUEL, ROAD), "words") == Synced(0, 0)
    changed = replace(DUEL, text="the duel was put off")
    assert sync(opened("mine"), (changed, ROAD), "words") == Synced(1, 1)
    tagged = replace(ROAD, metadata={"eventIds": ("e2",)})
    assert sync(opened("mine"), (changed, tagged), "words") == Synced(1, 1)
    (hit,) = opened("mine").search("north", Wanted({"document": "b.txt"}, {"eventIds": ("e2",)}))
    assert (hit.text, hit.id) == (ROAD.text, key_of(tagged, "words"))
    assert sync(opened("mine"), (changed,), "words") == Synced(0, 1)
    assert sync(opened("mine"), (changed,), "another model") == Synced(1, 1)
    assert opened("theirs").ids() == (key_of(ROAD, "words"),)
    assert not list(check_client(opened("theirs"), (ROAD,), "words"))


def test_one_check_sees_what_is_missing_there_and_what_is_too_much(opened: Open) -> None:
    client = opened("mine")
    sync(client, (DUEL, ROAD), "words")
    client.delete([key_of(DUEL, "words")])
    client.add([stored.Passage("foreign", "somebody else's words")])
    messages = [one.message for one in check_client(client, (DUEL, ROAD), "words")]
    assert [one[:23] for one in messages] == ["1 passages are not in t", "1 passages are only in "]
    assert "foreign" in messages[1]
    assert sync(client, (DUEL, ROAD), "words") == Synced(1, 1)
    assert not list(check_client(client, (DUEL, ROAD), "words"))


class Stops(EmbeddedVectors):
    """A client whose machine stops at the second change."""

    changes = 0

    def add(self, passages: Iterable[stored.Passage]) -> None:
        self.changes += 1
        if self.changes == 2:
            raise KeyboardInterrupt
        super().add(passages)


def test_what_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE", 2)
    many = [passage(f"{n}.txt", f"event number {n}") for n in range(5)]
    client = Stops("p", tmp_path, Words())
    with pytest.raises(KeyboardInterrupt):
        sync(client, many, "words")
    assert len(list(check_client(client, many, "words"))) == 1
    assert sync(client, many, "words") == Synced(3, 0)
    assert not list(check_client(client, many, "words"))


def test_odd_passages_are_kept_or_left_out(tmp_path: Path) -> None:
    odd = (
        passage("blank.txt", " \n\t"),
        passage("null.txt", "a\x00b"),
        passage("x" * 600, "a long name", "e" * 900, "e1"),
        passage("q.txt", "'; DROP TABLE kag; --", "e'1"),
    )
    client = EmbeddedVectors("p", tmp_path, Words())
    assert sync(client, [replace(one, document=one.document[:200]) for one in odd], "words") == Synced(3, 0)
    assert [hit.text for hit in client.search("long", Wanted(routes={"eventIds": ("e1",)}))] == ["a long name"]


def test_vectors_that_are_known_are_not_made_again(tmp_path: Path) -> None:
    first = Words()
    write_index(tmp_path, (DUEL, ROAD), first)
    known = known_vectors(tmp_path, "words")
    again = Words()
    embed = Remembered(again, known)
    new = passage("c.txt", "a new one")
    rows = embed([ROAD.text, new.text, DUEL.text, new.text])
    assert again.asked == ["a new one"]
    assert np.array_equal(rows, Words()([ROAD.text, new.text, DUEL.text, new.text]))
    write_index(tmp_path, (new, DUEL), embed)
    assert set(known_vectors(tmp_path, "words")) == {new.text, DUEL.text}
    assert known_vectors(tmp_path, "another") == {}
    (tmp_path / "vectors.f32").write_bytes(b"\0" * 8)
    assert known_vectors(tmp_path, "words") == {}
    assert known_vectors(tmp_path / "nowhere", "words") == {}


@pytest.mark.parametrize("address", ["", "files:", "lancedb:x", "http://x", "opensearch:http://x", "files", "qdrant:"])
def test_a_place_is_of_a_known_kind(address: str) -> None:
    with pytest.raises(BadValue):
        client_at(address, "p", Words())


def test_an_engine_that_does_not_answer_is_told() -> None:
    pytest.importorskip("qdrant_client")
    with pytest.raises(RunError) as caught:
        client_at("qdrant:http://127.0.0.1:1", "p", Words())
    assert caught.value.message.startswith("Qdrant: ")
    assert caught.value.hint


def test_a_store_of_another_size_is_told(tmp_path: Path) -> None:
    pytest.importorskip("qdrant_client")
    client = client_at(f"qdrant:{tmp_path}", "p", Words())
    sync(client, (DUEL,), "words")
    longer = client_at(f"qdrant:{tmp_path}", "p", lambda texts: np.ones((len(texts), 65), dtype=np.float32))
    with pytest.raises(RunError):
        longer.search("duel")
    with pytest.raises(RunError):
        sync(longer, (ROAD,), "longer")


def test_an_engine_needs_vectors() -> None:
    with pytest.raises(BadValue):
        client_at("qdrant:nowhere", "p", None)


def told(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(words))
    return result.exit_code, result.output


def test_the_command_keeps_a_project_and_context_reads_it(tmp_path: Path) -> None:
    if embedder() is None:
        pytest.skip("the extra dense is not installed")
    place = ["--vectors-at", f"files:{tmp_path / 'there'}", "--project", "tale"]
    command = ["ingest", "--domain", "story", "--out", str(tmp_path / "graph"), *place, "--json"]
    code, said = told(*command, str(TALE))
    assert (code, json.loads(said)["graph"]["synced"]) == (0, {"added": 6, "removed": 0})
    code, said = told(*command, "--remove", "2_the_forest.txt")
    synced = json.loads(said)["graph"]["synced"]
    assert synced["removed"] - synced["added"] == 2
    assert json.loads(said)["graph"]["issues"] == []
    graph = str(tmp_path / "graph" / "graph.json")
    ask = ["context", graph, "--domain", "story", "--text", "Who takes the whistle?"]
    code, said = told(*ask, *place)
    assert (code, "3_the_castle.txt#" in said) == (0, True)
    code, said = told(*ask, *place[:2], "--project", "another")
    assert (code, "Passages:" in said) == (0, False)


@pytest.mark.parametrize(
    "options",
    [{"vectors_at": "files:x"}, {"project": "p"}, {"vectors_at": "files:x", "project": "p", "vectors": False}],
)
def test_a_place_and_a_project_go_together(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(BadValue):
        list(ingest([TALE], tmp_path / "out", "story", IngestOptions(**options)))
    assert not (tmp_path / "out").exists()
