"""Arrays as numpy saves them, opened without its reader."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kag.graph.npy import open_array


@pytest.mark.parametrize(
    "array",
    [
        np.arange(7),
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.zeros((0, 384), dtype=np.float32),
        np.zeros(0, dtype=np.uint8),
        np.array([True, False]),
        np.array([[1.5]]),
    ],
)
def test_what_numpy_saves_comes_back(array, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", array)
    found = open_array(tmp_path / "a.npy")
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
            open_array(file)
    np.save(file, np.array(["words"], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a\.npy"):
        open_array(file)


def test_many_threads_open_at_once(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(50))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: int(open_array(tmp_path / "a.npy")[49]), range(400)))
    assert set(found) == {49}
