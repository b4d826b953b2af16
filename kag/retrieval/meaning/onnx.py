"""Just enough of the ONNX file format to write a network down: protobuf messages and the layers of a transformer.

The field numbers are those of onnx.proto (ONNX 1.16, operator set 20). Writing them needs no package, and the graph
is made anew at each start, so nothing has to be kept on disk beside the weights.
"""

from __future__ import annotations

import struct

from kag.retrieval.meaning.arrays import Array, np

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
