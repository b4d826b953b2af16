"""Indexes of shards searched as one find what one index finds, with its scores."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

import pytest

from kag.search.chunk import Chunk, Query
from kag.search.graph.build import chunk_graph
from kag.search.index import Index
from kag.search.meaning.arrays import np
from kag.search.plan import retrieve
from kag.search.presets import PRESETS, preset
from kag.search.shards import KeptVectors, ShardIndex
from kag.search.words.bm25 import kept_length
from kag.values.errors import RunError
from kag.write.shards import shard_of

WORDS = [f"w{number}" for number in range(400)]
WEIGHTS = [1 / (number + 1) for number in range(400)]
Found = list[tuple[str, float]]


def embed(texts: Sequence[str]) -> np.ndarray:
    rows = np.array([np.random.default_rng(len(text)).standard_normal(16) for text in texts], dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def made(number: int, long: Callable[[int], int], rng: random.Random) -> list[Chunk]:
    return [
        Chunk(f"c{one}", " ".join(rng.choices(WORDS, WEIGHTS, k=long(one))), document=f"d{one // 3}", title=f"T{one}")
        for one in range(number)
    ]


def sharded(one: Index, home: Callable[[str], int], number: int) -> ShardIndex:
    names: list[list[str]] = [[] for _ in range(number)]
    for document in one.documents:
        names[home(document)] += one.of_document(document)
    many = ShardIndex([Index.build((one.chunks[name] for name in own), KeptVectors(one, own)) for own in names])
    many.embed = one.embed
    return many


def same(given: Found, wanted: Found) -> None:
    """Equal scores to a part in a million; equals may change places."""
    assert [score for _, score in given] == pytest.approx([score for _, score in wanted], rel=1e-5, abs=1e-6)
    scores = dict(given)
    last = wanted[-1][1] if wanted else 0.0
    for name, score in wanted:
        assert scores.get(name, last) == pytest.approx(score, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("number", [1, 16])
def test_words_and_vectors(number: int) -> None:
    rng = random.Random(number)
    one = Index.build(made(600, lambda one: rng.randint(1, 150), rng), embed)
    many = sharded(one, lambda document: shard_of(document, number) - 1, number)
    assert (len(many.chunks), many.documents, many.of_document("d1")) == (600, one.documents, ("c3", "c4", "c5"))
    assert one.vectors
    assert many.vectors
    for k in (1, 10, 100, 1000):
        text = " ".join(rng.choices(WORDS, WEIGHTS, k=rng.randint(1, 8)))
        same(many.sparse.search(text, k), one.sparse.search(text, k))
        same(many.sparse.search(text, k, ["d1", "d7", "no"]), one.sparse.search(text, k, ["d1", "d7", "no"]))
        same(many.vectors.search(embed([text])[0], k), one.vectors.search(embed([text])[0], k))
        same(many.vectors.search(embed([text])[0], k, {"c1", "c9", "no"}),
             one.vectors.search(embed([text])[0], k, {"c1", "c9", "no"}))  # fmt: skip
    assert many.sparse.search("nobody says this", 5) == many.sparse.search("", 5) == many.sparse.search("w1", 0) == []
    assert many.sparse.frequency("w1") == one.sparse.frequency("w1")


def test_a_shard_of_long_texts_and_one_of_short_ones() -> None:
    """There a shard's own scores are far from those of all, and the bound has work to do."""
    rng = random.Random(5)
    one = Index.build(made(900, lambda one: 400 if one // 3 % 5 == 0 else 4, rng), embed)
    many = sharded(one, lambda document: int(int(document[1:]) % 5 == 0), 2)
    for _ in range(20):
        text = " ".join(rng.choices(WORDS, WEIGHTS, k=4))
        same(many.sparse.search(text, 25), one.sparse.search(text, 25))


def test_equals_come_by_name() -> None:
    texts = [Chunk(f"c{one:03d}", "ice on rivers", document=f"d{one}") for one in range(300)]
    many = sharded(Index.build(texts, embed), lambda document: shard_of(document, 7) - 1, 7)
    assert [name for name, _ in many.sparse.search("ice", 12)] == [f"c{one:03d}" for one in range(12)]


def test_words_that_hold_blanks() -> None:
    """ "4 x 100" is one word of a text, and three to tantivy."""
    texts = [Chunk("c0", "He swam the 4 x 100 metres."), Chunk("c1", "100 metres."), Chunk("c2", "He swam.")]
    one, two = Index.build(texts), ShardIndex([Index.build(texts[:1]), Index.build(texts[1:])])
    assert any(" " in word for word in one.counts("c0"))
    for words in ("100 metres", "who swam 4 x 100"):
        same(two.sparse.search(words, 3), one.sparse.search(words, 3))


def test_plans_run_as_they_are() -> None:
    rng = random.Random(3)
    one = Index.build(made(200, lambda one: rng.randint(5, 60), rng), embed)
    many = sharded(one, lambda document: shard_of(document, 5) - 1, 5)
    one.edges, many.edges = chunk_graph(one), chunk_graph(many)
    edges = [{(edge.source, edge.target, edge.label) for edge in graph.edges} for graph in (one.edges, many.edges)]
    assert edges[0] == edges[1]
    for plan in PRESETS:
        for text in ("w1 w20 w33", "w5", "w100 w7 w300 w2"):
            query = Query(text)
            wanted, given = (retrieve(query, index, preset(plan, index)).hits for index in (one, many))
            assert [(hit.chunk, hit.via) for hit in given] == [(hit.chunk, hit.via) for hit in wanted]
            assert [hit.score for hit in given] == pytest.approx([hit.score for hit in wanted], rel=1e-4)


def test_what_is_deleted_is_not_found() -> None:
    texts = made(60, lambda one: 20, random.Random(9))
    parts = [Index.build(texts[at::2]) for at in (0, 1)]
    many = ShardIndex(parts)
    before = {name for name, _ in many.sparse.search("w1 w2", 100)}
    gone = {"c0", "c2", "c4"}
    assert gone & before
    parts[0].delete(gone)
    assert {name for name, _ in many.sparse.search("w1 w2", 100)} == before - gone
    assert (len(many.chunks), len(many.sparse), many.of_document("d0")) == (57, 57, ("c1",))


def test_lengths_are_kept_as_tantivy_keeps_them() -> None:
    """Where a new version counts otherwise, scores over shards would be others."""
    for words in (1, 39, 40, 41, 43, 57, 100, 1000, 5000):
        part = Index.build([Chunk("c", " ".join(["ice"] * words)), Chunk("d", "ice")])
        sparse = part.sparse
        query = sparse._query({"ice": 1.0}, ())
        searcher = sparse._searcher()
        said = [json.loads(query.explain(searcher, place).to_json()) for _, place in searcher.search(query, 2).hits]
        lengths = {value for one in said for value in _values(one, "dl, length of field")}
        assert kept_length(words) in lengths
        assert sparse.lengths("ice") == (2, pytest.approx((words + 1) / 2))
    assert sparse.lengths("moss") == (0, 0.0)


def _values(explained: dict, name: str) -> set[int]:
    own = {int(explained["value"])} if explained["description"] == name else set()
    return own.union(*(_values(part, name) for part in explained.get("details") or ()))


def test_shards_are_changed_each_by_itself() -> None:
    one = Index.build([Chunk("c", "ice")], embed)
    many = ShardIndex([one, Index.build([])])
    assert many.vectors
    assert len(many.vectors) == 1
    for change in (lambda: many.add([]), lambda: many.delete([])):
        with pytest.raises(TypeError, match="each by itself"):
            change()
    with pytest.raises(RunError, match="vectors of"):
        ShardIndex(
            [one, Index.build([Chunk("d", "moss")], type("Other", (), {"id": "x", "__call__": staticmethod(embed)})())]
        )
    with pytest.raises(RunError, match="a shard is damaged"), many.whole():
        raise KeyError("c")
