import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kag.core.errors import SourceError
from scripts.benchmarks.retrieval.embedding_cache import BATCH, HEADER, CachedEmbedder

RECORD = 32 + 4 + 4 * 3


class Model:
    """Counts what it is asked; a vector says which text it is for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts):
        self.asked += texts
        return np.array([[len(text), len(self.asked), 1] for text in texts], dtype=np.float32).reshape(len(texts), 3)


def test_a_text_is_embedded_once(tmp_path: Path) -> None:
    model = Model()
    embed = CachedEmbedder(model, "m", tmp_path)
    first = embed(["ice", "snow", "ice"])
    assert model.asked == ["ice", "snow"]
    assert first[0].tolist() == first[2].tolist()
    assert embed(["snow", "ice"]).tolist() == [first[1].tolist(), first[0].tolist()]
    again = Model()
    assert CachedEmbedder(again, "m", tmp_path)(["ice"]).tolist() == [first[0].tolist()]
    assert again.asked == []
    assert len(embed) == 2


def test_models_do_not_mix(tmp_path: Path) -> None:
    CachedEmbedder(Model(), "a/b", tmp_path)(["ice"])
    other = Model()
    CachedEmbedder(other, "a-b", tmp_path)(["ice"])
    assert other.asked == ["ice"]


def test_what_others_append_is_seen(tmp_path: Path) -> None:
    one, other = CachedEmbedder(Model(), "m", tmp_path), CachedEmbedder(Model(), "m", tmp_path)
    one(["ice"])
    other(["snow"])
    silent = Model()
    one._embed = silent
    assert one(["snow", "ice"])[:, 0].tolist() == [4, 3]
    assert silent.asked == []


def test_a_record_cut_off_by_a_crash_is_written_over(tmp_path: Path) -> None:
    embed = CachedEmbedder(Model(), "m", tmp_path)
    embed(["ice", "snow"])
    os.truncate(embed.path, HEADER + 2 * RECORD - 5)
    model = Model()
    again = CachedEmbedder(model, "m", tmp_path)
    again(["ice", "snow"])
    assert model.asked == ["snow"]
    assert embed.path.stat().st_size == HEADER + 2 * RECORD


def test_a_damaged_record_is_embedded_again(tmp_path: Path) -> None:
    embed = CachedEmbedder(Model(), "m", tmp_path)
    embed(["ice", "snow"])
    data = bytearray(embed.path.read_bytes())
    data[HEADER + 40] ^= 1
    embed.path.write_bytes(data)
    model = Model()
    assert CachedEmbedder(model, "m", tmp_path)(["ice", "snow"])[:, 0].tolist() == [3, 4]
    assert model.asked == ["ice"]
    after = Model()
    CachedEmbedder(after, "m", tmp_path)(["ice", "snow"])
    assert after.asked == []


def test_a_header_cut_off_by_a_crash_is_written_again(tmp_path: Path) -> None:
    embed = CachedEmbedder(Model(), "m", tmp_path)
    embed.path.write_bytes(b'{"mod')
    assert embed(["ice"])[0, 0] == 3
    assert embed.path.stat().st_size == HEADER + RECORD


def test_what_was_embedded_before_an_error_is_kept(tmp_path: Path) -> None:
    def failing(texts):
        if "last" in texts:
            raise RuntimeError
        return Model()(texts)

    embed = CachedEmbedder(failing, "m", tmp_path)
    with pytest.raises(RuntimeError):
        embed([f"text {n}" for n in range(BATCH)] + ["last"])
    assert len(embed) == BATCH


def test_no_texts_give_no_rows(tmp_path: Path) -> None:
    assert CachedEmbedder(Model(), "m", tmp_path)([]).shape == (0, 3)


def test_a_model_whose_vectors_change_their_size_is_refused(tmp_path: Path) -> None:
    CachedEmbedder(Model(), "m", tmp_path)(["ice"])
    with pytest.raises(SourceError, match="3 numbers"):
        CachedEmbedder(lambda texts: np.ones((len(texts), 5), np.float32), "m", tmp_path)(["snow"])


def test_a_strange_file_is_refused(tmp_path: Path) -> None:
    embed = CachedEmbedder(Model(), "m", tmp_path)
    embed.path.write_bytes(b"x" * 1000)
    with pytest.raises(SourceError):
        embed(["ice"])


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    code = """
import sys, numpy as np
from pathlib import Path
from scripts.benchmarks.retrieval.embedding_cache import CachedEmbedder
embed = CachedEmbedder(lambda texts: np.full((len(texts), 3), len(texts[0]), np.float32), "m", Path(sys.argv[1]))
for n in range(50):
    embed([sys.argv[2] * (n + 1)])
"""
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), letter]) for letter in "abc"]
    assert [process.wait() for process in running] == [0, 0, 0]
    model = Model()
    embed = CachedEmbedder(model, "m", tmp_path)
    assert embed([letter * n for letter in "abc" for n in range(1, 51)])[:, 0].tolist() == [*range(1, 51)] * 3
    assert model.asked == []
