"""Chunks in a file: what is added, replaced and taken out, and what is opened again."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.errors import RunError
from kag.retrieval.chunk_store import ChunkStore
from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.sparse import words_of

CHUNKS = tuple(
    Chunk(
        f"c{number}",
        f"Ström {number}\nline",
        ChunkKind.TABLE if number % 2 else ChunkKind.DOCUMENT,
        document=f"d{number // 2}",
        columns=("a", "b") if number % 2 else (),
        metadata={"pages": "3"} if number else {},
    )
    for number in range(6)
)
DOCUMENTS = {"d0": ["c0", "c1"], "d1": ["c2", "c3"], "d2": ["c4", "c5"]}


@pytest.fixture
def store() -> ChunkStore:
    store = ChunkStore()
    store.add(CHUNKS, {})
    return store


def test_what_is_added_is_read(store: ChunkStore) -> None:
    assert list(store.values()) == list(CHUNKS)
    assert (len(store), "c3" in store, "c9" in store) == (6, True, False)
    with pytest.raises(KeyError):
        store["c9"]


def test_what_is_changed_counts_and_goes_to_the_end(store: ChunkStore) -> None:
    assert store["c1"] == CHUNKS[1]
    store.add([replace(CHUNKS[1], text="New")], {})
    store.delete(["c2", "unknown"])
    assert list(store) == ["c0", "c3", "c4", "c5", "c1"]
    assert store["c1"].text == "New"


def test_words_stand_beside_their_chunk(store: ChunkStore, tmp_path: Path) -> None:
    store.add([replace(CHUNKS[1], text="Rime, rime"), replace(CHUNKS[2], text="")], {"c1": {"rime": 2}, "c2": {}})
    store.save(tmp_path, DOCUMENTS)
    for each in (store, ChunkStore.load(tmp_path)[0]):
        assert [each.counts(name) for name in ("c0", "c1", "c2")] == [{}, {"rime": 2}, {}]
        assert each["c1"] == replace(CHUNKS[1], text="Rime, rime")
    store.add([CHUNKS[1]], {})
    assert store.counts("c1") == {}


ODD = {"ice": 3, '"ice': 5, 'a,"ice': 7, "a,": 11, "\\": 13, '\\"': 17, "ström": 31, "{": 37, "\ud800": 41, "}": 43}
BLANK = {"4 x 100": 19, "x": 23, "100": 29, "ice\u2009": 47, "x\ty": 53}


@pytest.mark.parametrize("written", [True, False], ids=["as it is written", "as it was written once"])
def test_some_words_are_read_off_as_all_are(written: bool, store: ChunkStore, tmp_path: Path) -> None:
    store.add([CHUNKS[1], CHUNKS[2]], {"c1": ODD, "c2": ODD | BLANK})
    store.save(tmp_path, DOCUMENTS)
    if not written:
        without_numbers(tmp_path)
    opened = ChunkStore.load(tmp_path)[0]
    asked = (*ODD, *BLANK, "ic", "ce", "snow", "y", '"', ",", "")
    for name, counts in {"c1": ODD, "c2": ODD | BLANK}.items():
        assert opened.amounts(name, asked) == (sum(counts.values()), [counts.get(word, 0) for word in asked])
    assert opened.amounts("c0", ("ice",)) == (0, [0])


def without_numbers(folder: Path) -> None:
    """Chunks as they were written before the number of their words stood beside them."""
    file, places = folder / "chunks.jsonl", folder / "chunks.json"
    lines = [line.rpartition(b"\t")[0] + b"\n" for line in file.read_bytes().splitlines()]
    file.write_bytes(b"".join(lines))
    places.write_text(json.dumps(json.loads(places.read_text()) | {"sizes": [len(line) for line in lines]}))


def test_no_word_begins_with_what_ends_a_key() -> None:
    drawn = random.Random(3)
    for _ in range(200):
        text = "".join(drawn.choices(":,\"\\{} ab1.-'$^_²α", k=60))
        assert not any(word.startswith(":") for word in words_of(text))


@pytest.mark.parametrize("changed", [True, False])
def test_what_is_saved_is_opened_and_never_changed(changed: bool, store: ChunkStore, tmp_path: Path) -> None:
    documents = dict(DOCUMENTS)
    if changed:
        store.delete(["c0", "c1"])
        del documents["d0"]
    store.save(tmp_path, documents)
    opened, known = ChunkStore.load(tmp_path)
    assert dict(opened) == dict(store)
    assert {name: list(ids) for name, ids in known.items()} == documents
    before = (tmp_path / "chunks.jsonl").read_bytes()
    opened.add([Chunk("new", "New", document="d9")], {})
    assert [opened["new"].text, opened["c5"]] == ["New", CHUNKS[5]]
    assert (tmp_path / "chunks.jsonl").read_bytes() == before


def test_it_outlives_its_folder(store: ChunkStore, tmp_path: Path) -> None:
    store.save(tmp_path, DOCUMENTS)
    opened, _ = ChunkStore.load(tmp_path)
    (tmp_path / "chunks.jsonl").unlink()
    assert opened["c4"] == CHUNKS[4]


def test_a_damaged_file_is_refused(store: ChunkStore, tmp_path: Path) -> None:
    store.save(tmp_path, DOCUMENTS)
    path = tmp_path / "chunks.jsonl"
    lines = path.read_bytes()
    path.write_bytes(lines.replace(b'"id":"c3"', b'"id";"c3"'))
    opened, _ = ChunkStore.load(tmp_path)
    assert opened["c4"] == CHUNKS[4]
    with pytest.raises(RunError, match="chunk 3"):
        opened["c3"]
    path.write_bytes(lines[:-4])
    with pytest.raises(RunError, match="no whole index"):
        ChunkStore.load(tmp_path)
    (tmp_path / "chunks.json").write_text(json.dumps([1]))
    with pytest.raises(RunError, match="holds no index"):
        ChunkStore.load(tmp_path)
