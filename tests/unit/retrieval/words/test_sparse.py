"""None"""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from kag.core.errors import RunError
from kag.retrieval.sparse import Sparse
from kag.retrieval.word_vectors import WordVectors

TEXTS = [
    ("a", "d1", "River ice hides the sensors"),
    ("b", "d1", "Snow lies on the rivers"),
    ("c", "d2", "Binding of TNFα in mice"),
    ("d", "d2", "Sensors, sensors and ice"),
]


@pytest.fixture
def index() -> Sparse:
    index = Sparse()
    index.add(TEXTS)
    return index


def ids(found) -> list[str]:
    return [name for name, _ in found]


def test_the_better_match_comes_first(index: Sparse) -> None:
    assert ids(index.search("sensor in ice", 2)) == ["d", "a"]
    assert ids(index.search("sensor in ice", 1)) == ["d"]


def test_typography_makes_no_difference(index: Sparse) -> None:
    assert ids(index.search("tnf-alpha", 5)) == ["c"]
    assert ids(index.search("\\( TNF\\alpha \\)", 5)) == ["c"]


def test_a_word_asked_twice_counts_twice() -> None:
    index = Sparse()
    index.add([("a", "", "ice owl"), ("b", "", "snow owl")])
    assert ids(index.search("ice snow snow", 2)) == ["b", "a"]
    assert ids(index.search("ice ice snow", 2)) == ["a", "b"]


def test_only_the_documents_asked_for(index: Sparse) -> None:
    assert ids(index.search("sensor ice snow", 5, ["d1"])) == ["a", "b"]
    assert index.search("sensor", 5, ["d1", "d2"]) == index.search("sensor", 5)
    assert index.search("sensor", 5, ["d9"]) == []


def test_equals_come_by_id_even_at_the_border() -> None:
    index = Sparse()
    index.add((f"{n:03d}", "", "the same words") for n in reversed(range(200)))
    assert ids(index.search("same", 5)) == ["000", "001", "002", "003", "004"]


def test_an_id_that_is_there_is_replaced(index: Sparse) -> None:
    index.add([("a", "d1", "Owls hunt at night")])
    assert len(index) == 4
    assert ids(index.search("owl", 5)) == ["a"]
    assert ids(index.search("river", 5)) == ["b"]


def test_what_is_deleted_is_not_found(index: Sparse) -> None:
    index.delete(["d", "unknown"])
    assert ids(index.search("sensor ice", 5)) == ["a"]
    assert len(index) == 3


@pytest.mark.parametrize("text", ["", "  ", "%&", "nowhere"])
def test_nothing_to_find(index: Sparse, text: str) -> None:
    assert index.search(text, 5) == []
    assert Sparse().search("ice", 5) == []


def test_no_query_language(index: Sparse) -> None:
    assert ids(index.search('sensors AND -ice "document:d2" (', 5)) == ["d", "a"]


def test_a_saved_index_is_never_changed(index: Sparse, tmp_path: Path) -> None:
    index.save(tmp_path / "saved")
    names = sorted(path.name for path in (tmp_path / "saved").iterdir())
    other = Sparse.load(tmp_path / "saved")
    before = other.search("sensor ice", 5)
    assert before == index.search("sensor ice", 5)
    other.delete(["a"])
    index.delete(["d"])
    assert ids(other.search("sensor ice", 5)) == ["d"]
    third = Sparse.load(tmp_path / "saved")
    assert third.search("sensor ice", 5) == before
    assert names == sorted(path.name for path in (tmp_path / "saved").iterdir() if not path.match("*.lock"))


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError):
        Sparse.load(tmp_path)
    (tmp_path / "meta.json").write_text("{}")
    with pytest.raises(RunError):
        Sparse.load(tmp_path)


def _killed(folder: Path) -> None:
    import os

    index = Sparse(folder)
    index.add([("kept", "", "ice")])
    writer = index._writer()
    writer.delete_documents_by_term("id", "kept")
    os.kill(os.getpid(), 9)


def test_a_writer_that_is_killed_leaves_what_was_added(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_killed, args=(tmp_path / "index",))
    process.start()
    process.join()
    assert process.exitcode == -9
    index = Sparse(tmp_path / "index")
    assert ids(index.search("ice", 5)) == ["kept"]
    index.add([("more", "", "ice")])
    assert len(index) == 2


ROWS = np.array([[1, 0], [0, 2]], dtype=np.float32)
KNOWN = WordVectors(["ice", "snow"], ROWS, np.array([1, 0.5], dtype=np.float32))


@pytest.mark.parametrize(
    ("words", "starts", "vectors"),
    [
        ([], [0], [[0, 0]]),
        (["ice"], [0, 1], [[1, 0], [0, 0]]),
        (["ice", "snow"], [0, 1, 1], [[1, 0], [0, 0], [0, 1]]),
        (["ice", "snow"], [0], [[2**-0.5, 2**-0.5]]),
        (["rain"], [0], [[0, 0]]),
    ],
)
def test_a_text_has_a_vector_of_length_one_or_zero(
    words: list[str], starts: list[int], vectors: list[list[float]]
) -> None:
    assert np.allclose(KNOWN.of_texts(KNOWN.places(words), np.array(starts)), vectors)
