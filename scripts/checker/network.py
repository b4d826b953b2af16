"""The network that is trained: MiniLM over claim and evidence together, with one number out; by torch, here alone.

It begins as ms-marco-MiniLM-L-12-v2, a cross-encoder that already looks from one text to the other; its weights come as
int8 in an ONNX file, and are taken out of it as floats.
"""

from __future__ import annotations

import re
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

SIZE, HEADS = 384, 12
TAKEN = (0, 1, 2, 3, 4, 5, 6, 8, 9, 11)  # of the twelve layers; without the others the scores correlate .997
_PARTS = {
    "attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
    "attention.output.dense": "out", "attention.output.LayerNorm": "norm", "intermediate.dense": "inner",
    "output.dense": "outer", "output.LayerNorm": "last",
}  # fmt: skip


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(SIZE, SIZE) for _ in range(4))
        self.inner, self.outer = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)
        self.norm, self.last = nn.LayerNorm(SIZE, eps=1e-12), nn.LayerNorm(SIZE, eps=1e-12)

    def forward(self, value: Tensor, mask: Tensor) -> Tensor:
        """Rows x pieces x 384 to the same; `mask` is rows x 1 x 1 x pieces, True where there is a piece."""
        rows, length, _ = value.shape
        parts = (
            part(value).view(rows, length, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        query, key, held = parts
        share = (query @ key.transpose(2, 3) * (SIZE // HEADS) ** -0.5).masked_fill(~mask, -1e4).softmax(3)
        value = self.norm(value + self.out((share @ held).transpose(1, 2).reshape(rows, length, SIZE)))
        return self.last(value + self.outer(functional.gelu(self.inner(value))))


class Network(nn.Module):
    """Pieces of "[CLS] claim [SEP] evidence [SEP]", their segments and mask, to a logit a row."""

    def __init__(self, taken: tuple[int, ...] = TAKEN) -> None:
        super().__init__()
        self._taken = taken
        self.words, self.places, self.segments = (nn.Embedding(n, SIZE) for n in (30522, 512, 2))
        self.norm = nn.LayerNorm(SIZE, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in taken)
        self.pool, self.head = nn.Linear(SIZE, SIZE), nn.Linear(SIZE, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, pieces: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Rows x pieces, three times, to one logit a row, told by the first piece."""
        places = torch.arange(pieces.shape[1])
        value = self.norm(self.words(pieces) + self.places(places) + self.segments(segments))
        for layer in self.layers:
            value = layer(value, mask[:, None, None, :])
        logit: Tensor = self.head(self.drop(torch.tanh(self.pool(value[:, 0]))))[:, 0]
        return logit

    def freeze(self, layers: int) -> None:
        """Leave the tables of words and so many of the first layers as they are."""
        for part in (self.words, self.places, self.segments, self.norm, *self.layers[:layers]):
            part.requires_grad_(False)

    def read(self, path: Path) -> None:
        """Take the weights of a quantised ONNX file of such a cross-encoder; raises for one of another build."""
        own: dict[str, Tensor] = {}
        for name, value in _weights(path).items():
            found = re.match(r"layers\.(\d+)\.", name)
            if not found:
                own[name] = value
            elif int(found[1]) in self._taken:
                own[f"layers.{self._taken.index(int(found[1]))}.{name[found.end() :]}"] = value
        self.load_state_dict(own)


def _weights(path: Path) -> dict[str, Tensor]:
    """The floats of an ONNX file, by their names in `Network`."""
    graph = onnx.load(str(path)).graph
    arrays = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}

    def floats(name: str) -> Tensor:
        stem = name.removesuffix("_quantized")
        scale, zero = arrays[f"{stem}_scale"], arrays[f"{stem}_zero_point"]
        return (arrays[name].float() - zero.float()) * scale

    found = {
        name: value
        for name, value in arrays.items()
        if name.startswith(("bert.", "classifier.")) and name.endswith((".weight", ".bias"))
    }
    tables = "bert.embeddings."
    found |= {
        name.removesuffix("_quantized"): floats(name)
        for name in arrays
        if name.startswith(tables) and name.endswith("_quantized")
    }
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            place = node.name.partition("/MatMul")[0].partition("/Gemm")[0].strip("/").replace("/", ".")
            found[f"{place}.weight"] = floats(node.input[1]).T.contiguous()
    return {_own(name): value for name, value in found.items()}


def _own(name: str) -> str:
    stem, _, kind = name.rpartition(".")
    found = re.fullmatch(r"bert\.encoder\.layer\.(\d+)\.(.+)", stem)
    if found:
        return f"layers.{found[1]}.{_PARTS[found[2]]}.{kind}"
    short = {
        "bert.embeddings.word_embeddings": "words",
        "bert.embeddings.position_embeddings": "places",
        "bert.embeddings.token_type_embeddings": "segments",
        "bert.embeddings.LayerNorm": "norm",
        "bert.pooler.dense": "pool",
        "classifier": "head",
    }[stem]
    return f"{short}.{kind}"
