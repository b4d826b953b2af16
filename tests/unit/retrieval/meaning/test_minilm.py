import hashlib
import sys
from dataclasses import replace
from math import erf
from pathlib import Path

import numpy as np
import pytest

from kag.core.errors import MissingExtra
from kag.retrieval.meaning import minilm
from kag.retrieval.meaning.minilm import HEADS, LAYERS, SIZE, WEIGHTS, MiniLM, bert, read_safetensors

onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime, of the extra `dense`, is not installed")


def small_weights() -> dict[str, np.ndarray]:
    """A network of the same shape with few words and narrow inner layers, filled with noise."""
    draw = np.random.default_rng(7)

    def noise(*shape: int) -> np.ndarray:
        return draw.normal(0, 0.1, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": noise(50, SIZE),
        "embeddings.position_embeddings.weight": noise(20, SIZE),
        "embeddings.token_type_embeddings.weight": noise(2, SIZE),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(LAYERS):
        at = f"encoder.layer.{number}"
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            found[f"{at}.{name}.weight"], found[f"{at}.{name}.bias"] = noise(SIZE, SIZE), noise(SIZE)
        found[f"{at}.intermediate.dense.weight"], found[f"{at}.intermediate.dense.bias"] = noise(64, SIZE), noise(64)
        found[f"{at}.output.dense.weight"], found[f"{at}.output.dense.bias"] = noise(SIZE, 64), noise(SIZE)
    for name in norms:
        found[f"{name}.weight"], found[f"{name}.bias"] = 1 + noise(SIZE), noise(SIZE)
    return found


def by_numpy(weights: dict[str, np.ndarray], pieces: list[int]) -> np.ndarray:
    """The same network written down from the paper, without ONNX: the mean of the last layer."""

    def norm(x: np.ndarray, at: str) -> np.ndarray:
        spread = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return spread * weights[f"{at}.weight"] + weights[f"{at}.bias"]

    def linear(x: np.ndarray, at: str) -> np.ndarray:
        return x @ weights[f"{at}.weight"].T + weights[f"{at}.bias"]

    x = weights["embeddings.word_embeddings.weight"][pieces].astype(np.float64)
    x = x + weights["embeddings.position_embeddings.weight"][: len(pieces)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(LAYERS):
        at = f"encoder.layer.{number}"
        query, key, value = (
            linear(x, f"{at}.attention.self.{name}").reshape(len(pieces), HEADS, -1).transpose(1, 0, 2)
            for name in ("query", "key", "value")
        )
        weight = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(SIZE // HEADS))
        mixed = (weight / weight.sum(-1, keepdims=True)) @ value
        attended = linear(mixed.transpose(1, 0, 2).reshape(len(pieces), SIZE), f"{at}.attention.output.dense")
        x = norm(x + attended, f"{at}.attention.output.LayerNorm")
        inner = linear(x, f"{at}.intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(erf)(inner / np.sqrt(2)))
        x = norm(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return x.mean(0)


def by_onnx(model: bytes, pieces: list[int]) -> np.ndarray:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(None, {"pieces": np.array([pieces]), "places": np.array([range(len(pieces))])})[0][0]


PIECES = [3, 1, 4, 1, 5, 9, 2, 6]


def test_the_network_is_the_one_of_the_paper() -> None:
    weights = small_weights()
    assert np.abs(by_onnx(bert(weights), PIECES) - by_numpy(weights, PIECES)).max() < 1e-5


def test_8_bits_stay_close() -> None:
    weights = small_weights()
    exact, small = by_numpy(weights, PIECES), by_onnx(bert(weights, int8=True), PIECES)
    cosine = exact @ small / np.linalg.norm(exact) / np.linalg.norm(small)
    assert 0.98 < cosine < 0.999999
    assert len(bert(weights, int8=True)) < 0.6 * len(bert(weights))


def test_the_same_weights_give_the_same_file() -> None:
    assert bert(small_weights()) == bert(small_weights())


def test_safetensors_are_read() -> None:
    head = b'{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]}}'
    data = len(head).to_bytes(8, "little") + head + b"x" * 8 + np.array([1.5, -2], "<f4").tobytes()
    assert {name: array.tolist() for name, array in read_safetensors(data).items()} == {"w": [[1.5], [-2.0]]}


def test_other_weights_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers", reason="tokenizers, of the extra `dense`, is not installed")
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(MissingExtra, match="SHA-256"):
        MiniLM(folder=tmp_path)


def test_missing_packages_are_named(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(minilm, "WEIGHTS", replace(WEIGHTS, package="no-such-package-of-weights"))
    with pytest.raises(MissingExtra) as raised:
        MiniLM()
    assert "--no-deps" in raised.value.hint
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtra, match="tokenizers"):
        MiniLM(folder=tmp_path)


@pytest.fixture(scope="module")
def model() -> MiniLM:
    try:
        WEIGHTS.find()
    except MissingExtra as error:
        pytest.skip(f"{error}; {error.hint}")
    return MiniLM()


def test_the_real_weights_are_complete_and_make_the_same_network(model: MiniLM) -> None:
    folder = WEIGHTS.find()
    data = (folder / "model.safetensors").read_bytes()
    assert hashlib.sha256(data).hexdigest() == WEIGHTS.sha256
    pieces = model._tokenizer.encode("Owls hunt mice.").ids
    exact = by_numpy(read_safetensors(data), pieces)
    assert model(["Owls hunt mice."])[0] == pytest.approx(exact / np.linalg.norm(exact), abs=1e-5)


def test_meaning_counts_not_words(model: MiniLM) -> None:
    rows = model(["A cat sits on the mat.", "A kitten rests on a rug.", "The market fell on Monday."])
    assert rows.shape == (3, SIZE)
    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1, 1, 1], abs=1e-5)
    assert rows[0] @ rows[1] > 0.5 > 0.2 > rows[0] @ rows[2]


def test_a_vector_does_not_depend_on_its_neighbours(model: MiniLM) -> None:
    long = "Owls hunt mice at night. " * 100
    small = MiniLM(int8=True, threads=2)
    assert small(["ice", long, "", "ice"])[[0, 3]].tolist() == [small(["ice"])[0].tolist()] * 2
    assert np.isfinite(small([""])).all()


def test_no_texts_give_no_rows(model: MiniLM) -> None:
    assert model([]).shape == (0, SIZE)
