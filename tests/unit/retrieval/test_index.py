from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kag.core.errors import MissingExtra, RunError
from kag.retrieval.chunking import Chunk, ChunkKind, Query
from kag.retrieval.graph.build import sage_graph
from kag.retrieval.index import Index
from kag.retrieval.plan import retrieve
from kag.retrieval.steps.seed import FLAT, bm25, dense, mixed, reciprocal_rank

WORDS = ("ice", "snow", "owl", "mouse")
CHUNKS = (
    Chunk("a", "Ice, ice and snow", document="d1", title="Winter"),
    Chunk("b", "An owl", document="d1", entities=("owl",), metadata={"pages": "3"}),
    Chunk(
        "c", "Owl | mouse", ChunkKind.TABLE, document="d2", columns=("Hunter", "Prey"), links=("b",), sources=("n1",)
    ),
)


def embed(texts):
    """How often each of four words is in a text."""
    rows = np.array([[text.lower().count(word) for word in WORDS] for text in texts], dtype=np.float32)
    return rows.reshape(len(texts), 4)


@pytest.fixture
def index() -> Index:
    return Index.build(CHUNKS, embed)


def found(hits) -> list[str]:
    return [hit.chunk for hit in hits]


def test_seeds_by_words_and_by_vectors(index: Index) -> None:
    assert found(bm25(Query("owls"), index, 5)) == ["b", "c"]
    assert found(dense(Query("mouse"), index, 2)) == ["c", "a"]
    assert dense(Query("mouse"), index, 1)[0].score == pytest.approx(0.5**0.5)


def test_titles_are_searched_by_words(index: Index) -> None:
    assert found(bm25(Query("winter"), index, 5)) == ["a"]


def test_scope_limits_every_seed(index: Index) -> None:
    asked = Query("owl mouse ice", frozenset({"d2"}))
    for plan in FLAT.values():
        assert found(retrieve(asked, index, plan).hits) == ["c"]


def test_reciprocal_ranks_add_up(index: Index) -> None:
    hits = reciprocal_rank(Query("owl mouse"), index, 3)
    assert found(hits) == ["c", "b", "a"]  # c and b are first and second by words and by vectors, a is third by one
    assert [hit.score for hit in hits] == pytest.approx([2 / 61, 2 / 62, 1 / 63])


def test_mixed_scores_follow_their_weight(index: Index) -> None:
    words, meaning = mixed(0.0)(Query("owl mouse"), index, 3), mixed(1.0)(Query("owl mouse"), index, 3)
    assert words[0].score == meaning[0].score == 1.0
    assert found(words)[:1] == found(bm25(Query("owl mouse"), index, 1))
    assert found(meaning) == found(dense(Query("owl mouse"), index, 3))
    half = {hit.chunk: hit.score for hit in mixed(0.5)(Query("owl mouse"), index, 3)}
    assert half["c"] == pytest.approx(1.0)
    assert half["a"] == pytest.approx(0.0)


def test_without_an_embedder_hybrid_is_by_words() -> None:
    index = Index.build(CHUNKS)
    asked = Query("owl mouse")
    assert dense(asked, index, 3) == ()
    assert found(reciprocal_rank(asked, index, 3)) == found(bm25(asked, index, 3)) == ["c", "b"]


def test_chunks_can_be_replaced_and_taken_out(index: Index) -> None:
    index.add([Chunk("a", "A mouse", document="d3")])
    assert found(bm25(Query("ice snow"), index, 5)) == []
    assert found(dense(Query("mouse"), index, 1)) == ["a"]
    assert (index.of_document("d1"), index.of_document("d3")) == (("b",), ("a",))
    index.delete(["a", "b", "unknown"])
    assert list(index.chunks) == ["c"]
    assert found(dense(Query("mouse"), index, 5)) == ["c"]
    assert index.within({"d1"}) == frozenset()


def test_a_saved_index_is_the_same(index: Index, tmp_path: Path) -> None:
    index.save(tmp_path)
    other = Index.load(tmp_path, embed)
    assert dict(other.chunks) == {chunk.id: chunk for chunk in CHUNKS}
    assert list(other.chunks) == ["a", "b", "c"]
    for plan in FLAT.values():
        assert retrieve(Query("owl ice"), other, plan) == retrieve(Query("owl ice"), index, plan)


def test_what_is_changed_counts_when_it_is_saved(index: Index, tmp_path: Path) -> None:
    index.save(tmp_path)
    other = Index.load(tmp_path, embed)
    other.delete(["c"])
    other.add([Chunk("d", "Mouse", document="d4")])
    assert found(bm25(Query("mouse"), Index.load(tmp_path), 5)) == ["c"]
    other.save(tmp_path)
    third = Index.load(tmp_path, embed)
    assert found(bm25(Query("mouse"), third, 5)) == found(dense(Query("mouse"), third, 1)) == ["d"]
    assert len(list(tmp_path.glob("index-*"))) == 1


def test_readers_never_see_half_of_an_index(index: Index, tmp_path: Path) -> None:
    index.save(tmp_path)

    def read(_: int) -> set[int]:
        return {len(Index.load(tmp_path, embed).chunks) for _ in range(15)}

    with ThreadPoolExecutor(4) as pool:
        seen = [pool.submit(read, reader) for reader in range(4)]
        for number in range(15):
            index.add([Chunk(f"n{number}", "Mouse", document="d9")])
            index.save(tmp_path)
        assert all(sizes.result() <= set(range(3, 19)) for sizes in seen)


def test_a_crash_while_saving_leaves_the_old_index(index: Index, tmp_path: Path, monkeypatch) -> None:
    index.save(tmp_path)
    index.delete(["a"])
    monkeypatch.setattr(index.vectors, "save", lambda folder: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        index.save(tmp_path)
    assert list(Index.load(tmp_path).chunks) == ["a", "b", "c"]


def test_vectors_without_their_embedder(index: Index, tmp_path: Path) -> None:
    index.save(tmp_path)
    with pytest.raises(MissingExtra):
        dense(Query("ice"), Index.load(tmp_path), 3)


def test_vectors_of_another_model_are_refused(tmp_path: Path) -> None:
    class Model:
        def __init__(self, name: str) -> None:
            self.id = name

        __call__ = staticmethod(embed)

    Index.build(CHUNKS, Model("one")).save(tmp_path)
    Index.load(tmp_path, Model("one")).save(tmp_path)
    assert found(dense(Query("mouse"), Index.load(tmp_path, Model("one")), 1)) == ["c"]
    with pytest.raises(RunError, match="of one, not of two"):
        Index.load(tmp_path, Model("two"))


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError):
        Index.load(tmp_path)


def test_the_graph_is_saved_with_the_index(index: Index, tmp_path: Path) -> None:
    index.edges = sage_graph(CHUNKS)
    index.save(tmp_path)
    edges = Index.load(tmp_path, embed).edges
    assert edges is not None
    assert list(edges.edges) == list(index.edges.edges)
    assert [node.id for node in edges.nodes] == ["a", "b", "c"]
    (next(tmp_path.glob("index-*")) / "edges" / "props.bin").write_bytes(b"{}")
    with pytest.raises(RunError, match=r"props\.bin is not what was written"):
        Index.load(tmp_path, embed)
