"""A linear model over hashed features (multinomial logistic regression): the probability of each label.

A feature's CRC-32 selects its row of weights, each a signed byte times its label's scale. `NAME.weights` holds them,
`NAME.json` the card with their SHA-256; `scripts/benchmarks/models/linear_training.py` trains.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError

LARGEST = 1 << 24  # bytes of weights unpacked: what a card may ask for


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights (2**bits rows, a column a label) with a scale and a bias for each label, and the card they came with."""

    labels: tuple[str, ...]
    bits: int
    scale: tuple[float, ...]
    bias: tuple[float, ...]
    weights: array[int]
    card: dict[str, Any]

    def shares(self, features: Iterable[str]) -> dict[str, float]:
        """The probability of each label; repeated features count once."""
        rows = sorted({row(feature, self.bits) for feature in features})
        totals = [0] * len(self.labels)
        width = len(totals)
        for at in rows:
            for label, weight in enumerate(self.weights[at * width : at * width + width]):
                totals[label] += weight
        length = max(len(rows), 1) ** 0.5
        points = [
            total * scale / length + bias for total, scale, bias in zip(totals, self.scale, self.bias, strict=True)
        ]
        most = max(points)
        parts = [exp(point - most) for point in points]
        return {label: part / sum(parts) for label, part in zip(self.labels, parts, strict=True)}


def row(feature: str, bits: int) -> int:
    """Return the row of a feature among 2**bits rows."""
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) >> (32 - bits)


@lru_cache(maxsize=16)
def read(path: Path) -> Linear:
    """The model at `path` (without suffix); `SourceError` where its files are missing, damaged or of two trainings."""
    hint = "Install kag again: one of its models is not whole."
    try:
        card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        packed = path.with_suffix(".weights").read_bytes()
        known, labels, bits = card.pop("sha256"), tuple(card.pop("labels")), card.pop("bits")
        scale, bias = tuple(card.pop("scale")), tuple(card.pop("bias"))
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise SourceError(f"{path}.json: {error}", hint=hint) from error
    if hashlib.sha256(packed).hexdigest() != known:
        raise SourceError(f"{path}.weights: its SHA-256 is not that of {path.name}.json", hint=hint)
    weights = array("b", zlib.decompressobj().decompress(packed, LARGEST))
    if len(weights) != len(labels) << bits or not len(labels) == len(scale) == len(bias):
        raise SourceError(f"{path}.weights: {len(weights)} weights are not {len(labels)} << {bits}", hint=hint)
    return Linear(labels, bits, scale, bias, weights, card)
