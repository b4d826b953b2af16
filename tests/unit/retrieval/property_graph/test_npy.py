"""Arrays as numpy saves them, opened without its reader."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kag.retrieval.vectors import names_of, open_array


@pytest.mark.parametrize(
    "array",
    [
        np.arange(7),
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.zeros((0, 384), dtype=np.float32),
        np.zeros(0, dtype=np.uint8),
        np.array([[1.5]]),
    ],
)
def test_what_numpy_saves_comes_back(array, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", array)
    found = open_array(tmp_path / "a.npy", array.dtype.str, array.ndim)
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert (found == array).all()
    assert not found.flags.writeable or not found.size


def test_what_is_damaged_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    np.save(file, np.arange(9))
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole + b"x", whole[:20], b"", whole.replace(b"NUMPY", b"NUMPI")):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"a\.npy"):
            open_array(file, "<i8")
    np.save(file, np.array(["words"], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a\.npy"):
        open_array(file, "|O")


@pytest.mark.parametrize(
    "shape", ["(4611686018427387904, 4)", "(0, 99999999999999999999)", "(9, 1, 1)", "(9,)", "(-9, 1)"]
)
@pytest.mark.parametrize("kind", ["<i8", "<i9", "<f8", "|S8"])
def test_a_header_that_no_file_of_ours_has_is_refused(shape: str, kind: str, tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    np.save(file, np.arange(9).reshape(9, 1))
    data = file.read_bytes().replace(b"(9, 1)", shape.encode()).replace(b"<i8", kind.encode())
    file.write_bytes(data[: 127 + len(data) - 200].rstrip(b"\n").ljust(127) + b"\n" + data[-72:])
    with pytest.raises(ValueError, match=r"a\.npy"):
        open_array(file, "<i8", 2)


@pytest.mark.parametrize("value", [None, 5, [5], ["a", None], [["a"]]])
def test_what_is_no_list_of_names_is_refused(value: object) -> None:
    assert names_of(["a", "b"]) == ["a", "b"]
    with pytest.raises(ValueError, match="names"):
        names_of(value)


def test_many_threads_open_at_once(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(50))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: int(open_array(tmp_path / "a.npy", "<i8")[49]), range(400)))
    assert set(found) == {49}
