"""The network that is trained: MiniLM over claim and evidence together, with one number out; by torch, here alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

SIZE, HEADS, LAYERS = 384, 12, 6


class Layer(nn.Module):
    """One layer of BERT, its parts named as in the files of weights."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(SIZE, SIZE) for _ in range(4))
        self.inner, self.outer = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)
        self.norm, self.last = nn.LayerNorm(SIZE, eps=1e-12), nn.LayerNorm(SIZE, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, value: Tensor, mask: Tensor) -> Tensor:
        """Rows x pieces x 384 to the same; `mask` is rows x 1 x 1 x pieces, True where there is a piece."""
        rows, length, _ = value.shape
        parts = (
            part(value).view(rows, length, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        seen = functional.scaled_dot_product_attention(*parts, attn_mask=mask)
        value = self.norm(value + self.drop(self.out(seen.transpose(1, 2).reshape(rows, length, SIZE))))
        return self.last(value + self.drop(self.outer(functional.gelu(self.inner(value)))))


class Network(nn.Module):
    """Pieces of "[CLS] claim [SEP] evidence [SEP]", their segments and mask, to a logit a row."""

    def __init__(self, layers: int = LAYERS) -> None:
        super().__init__()
        self.words, self.places, self.segments = (
            nn.Embedding(30522, SIZE),
            nn.Embedding(512, SIZE),
            nn.Embedding(2, SIZE),
        )
        self.norm = nn.LayerNorm(SIZE, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.head = nn.Linear(2 * SIZE, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, pieces: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Rows x pieces, three times, to one logit a row: of the first piece and the mean of all."""
        places = torch.arange(pieces.shape[1])
        value = self.drop(self.norm(self.words(pieces) + self.places(places) + self.segments(segments)))
        for layer in self.layers:
            value = layer(value, mask[:, None, None, :])
        weight = mask[:, :, None].to(value.dtype)
        mean = (value * weight).sum(1) / weight.sum(1)
        logit: Tensor = self.head(self.drop(torch.cat((value[:, 0], mean), 1)))[:, 0]
        return logit

    def read(self, path: Path) -> None:
        """Take the weights of a safetensors file of MiniLM; the head stays as it was drawn."""
        given: dict[str, Any] = load_file(str(path))
        names = {
            "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
            "out": "attention.output.dense", "norm": "attention.output.LayerNorm", "inner": "intermediate.dense",
            "outer": "output.dense", "last": "output.LayerNorm",
        }  # fmt: skip
        own = {
            "words.weight": given["embeddings.word_embeddings.weight"],
            "places.weight": given["embeddings.position_embeddings.weight"],
            "segments.weight": given["embeddings.token_type_embeddings.weight"],
            "norm.weight": given["embeddings.LayerNorm.weight"],
            "norm.bias": given["embeddings.LayerNorm.bias"],
        }
        for at in range(len(self.layers)):
            for name, long in names.items():
                for kind in ("weight", "bias"):
                    own[f"layers.{at}.{name}.{kind}"] = given[f"encoder.layer.{at}.{long}.{kind}"]
        missing = self.load_state_dict(own, strict=False).missing_keys
        assert {name.partition(".")[0] for name in missing} == {"head"}, missing
