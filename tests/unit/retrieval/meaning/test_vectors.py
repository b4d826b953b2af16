from pathlib import Path

import numpy as np
import pytest

import kag.retrieval.vectors as vectors
from kag.core.errors import RunError
from kag.retrieval.vectors import VectorIndex


def made(count: int, seed: int = 1, size: int = 16) -> tuple[list[str], np.ndarray]:
    rows = np.random.default_rng(seed).normal(size=(count, size)).astype(np.float32)
    return [f"v{n:06d}" for n in range(count)], rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def index() -> VectorIndex:
    index = VectorIndex()
    index.add(["a", "b", "c"], [[1, 0], [3, 4], [0, 1]])
    return index


def test_the_nearest_comes_first_with_its_cosine(index: VectorIndex) -> None:
    found = index.search([0, 2], 2)
    assert [name for name, _ in found] == ["c", "b"]
    assert [score for _, score in found] == pytest.approx([1.0, 0.8])


def test_only_those_allowed(index: VectorIndex) -> None:
    assert [name for name, _ in index.search([0, 1], 5, {"a", "b", "unknown"})] == ["b", "a"]
    assert index.search([0, 1], 5, frozenset()) == []


def test_equals_come_by_id_even_at_the_border() -> None:
    index = VectorIndex()
    index.add([f"{n:02d}" for n in reversed(range(50))], [[1, 0]] * 50)
    assert [name for name, _ in index.search([1, 0], 3)] == ["00", "01", "02"]


def test_an_id_that_is_there_is_replaced_and_the_last_of_two_counts(index: VectorIndex) -> None:
    index.add(["a", "a"], [[1, 1], [0, 5]])
    assert len(index) == 3
    assert index["a"].tolist() == [0, 1]


def test_what_is_deleted_is_not_found(index: VectorIndex) -> None:
    index.delete(["c", "unknown"])
    assert [name for name, _ in index.search([0, 1], 5)] == ["b", "a"]
    assert "c" not in index
    index.add(["c"], [[0, 1]])
    assert index.search([0, 1], 1)[0][0] == "c"


def test_nothing_in_it_finds_nothing() -> None:
    empty = VectorIndex()
    empty.add([], np.zeros((0, 4)))
    assert empty.search([1, 0], 3) == []
    assert len(empty) == 0


def test_a_saved_index_is_the_same_and_can_be_changed(index: VectorIndex, tmp_path: Path) -> None:
    index.save(tmp_path / "saved")
    other = VectorIndex.load(tmp_path / "saved")
    assert other.search([0, 1], 3) == index.search([0, 1], 3)
    other.add(["d"], [[0, 1]])
    other.delete(["a"])
    assert [name for name, _ in other.search([0, 1], 3)] == ["c", "d", "b"]
    assert len(VectorIndex.load(tmp_path / "saved")) == 3


def test_a_damaged_index_is_refused(index: VectorIndex, tmp_path: Path) -> None:
    index.save(tmp_path / "saved")
    (tmp_path / "saved" / "ids.json").write_text('["a"]')
    with pytest.raises(RunError, match="1 ids for 3"):
        VectorIndex.load(tmp_path / "saved")
    with pytest.raises(RunError):
        VectorIndex.load(tmp_path)


def test_with_cells_nearly_all_of_the_nearest_are_found(monkeypatch) -> None:
    pytest.importorskip("faiss", reason="faiss-cpu, of the extra `large`, is not installed")
    monkeypatch.setattr(vectors, "EXACT", 1_000)
    ids, rows = made(6_000)
    index = VectorIndex()
    index.add(ids[:4_000], rows[:4_000])
    index.search(rows[0], 1)
    index.add(ids[4_000:], rows[4_000:])  # not in the cells yet
    same = 0
    for row in rows[::200]:
        exact = index.search(row, 10, ids)
        near = index.search(row, 10)
        assert near[0] == exact[0]
        same += len({name for name, _ in exact} & {name for name, _ in near})
    assert same >= 0.9 * 10 * len(rows[::200])
    index.delete([near[0][0]])
    assert near[0][0] not in dict(index.search(rows[-200], 10))


def test_cells_follow_changes_and_are_saved(monkeypatch, tmp_path: Path) -> None:
    pytest.importorskip("faiss", reason="faiss-cpu, of the extra `large`, is not installed")
    monkeypatch.setattr(vectors, "EXACT", 300)
    ids, rows = made(600)
    index = VectorIndex()
    index.add(ids[:599], rows[:599])
    index.search(rows[0], 1)
    index.delete(ids[590:599] + ids[:2])
    index.add(ids[599:], rows[599:])  # takes the place of the last one, which the cells knew
    index.save(tmp_path / "saved")
    monkeypatch.setattr(vectors, "_cells", None)  # they are not made again
    for one in (index, VectorIndex.load(tmp_path / "saved")):
        found = [one.search(row, 1)[0] for row in rows]
        assert [name for name, score in found if score > 0.999] == ids[2:590] + ids[599:]
    np.save(tmp_path / "saved" / "keys.npy", np.arange(3))
    with pytest.raises(RunError, match="2 keys for"):
        VectorIndex.load(tmp_path / "saved")


@pytest.mark.parametrize("faiss", [True, False])
def test_many_neighbours_at_once_among_some(faiss: bool, monkeypatch) -> None:
    if faiss:
        pytest.importorskip("faiss", reason="faiss-cpu, of the extra `large`, is not installed")
    else:
        monkeypatch.setattr(vectors, "_faiss", lambda: None)
    monkeypatch.setattr(vectors, "PART", 7)
    _, rows = made(400)
    among = np.arange(1, 400, 2)
    found = vectors.Neighbourhood(rows, among).near(rows[:50], 3)
    exact = among[np.argsort(-(rows[:50] @ rows[among].T), axis=1, kind="stable")[:, :3]]
    same = sum(len(set(one) & set(other)) for one, other in zip(found.tolist(), exact.tolist(), strict=True))
    assert same == 150 if not faiss else same > 120
    assert set(found.ravel().tolist()) <= {*among.tolist(), -1}


def test_fewer_than_asked_for_are_enough() -> None:
    _, rows = made(20)
    assert vectors.Neighbourhood(rows, np.array([3, 5])).near(rows[:2], 4).shape[0] == 2
    assert vectors.Neighbourhood(rows, np.array([], dtype=int)).near(rows[:2], 4).shape == (2, 0)
