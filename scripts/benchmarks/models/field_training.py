"""Learn and write the weights of words by which `kag.layers.entities.trained` tells the field of a paper."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kag.layers.entities.trained import Weights

OTHER = "other"
_LEAST = 3  # texts that a word must stand in
_SMOOTH = 0.5


def learn(texts: Sequence[tuple[str, Iterable[str]]], fields: Sequence[str]) -> Weights:
    """The weights of words from texts, each with its field: how much likelier a text of a field has a word."""
    standing: dict[str, Counter[str]] = defaultdict(Counter)
    counts = Counter(field for field, _ in texts)
    for field, words in texts:
        standing[field].update({word.lower() for word in words if word[0].isalpha()})
    total = sum(standing.values(), Counter[str]())
    return {field: _against(standing, counts, field, total) for field in fields}


def _against(
    standing: Mapping[str, Counter[str]], counts: Counter[str], field: str, total: Counter[str]
) -> dict[str, float]:
    here, there = counts[field], counts.total() - counts[field]
    weights = {}
    for word, count in total.items():
        if count >= _LEAST:
            inside = (standing[field][word] + _SMOOTH) / (here + 1)
            outside = (count - standing[field][word] + _SMOOTH) / (there + 1)
            weights[word] = round(math.log(inside / outside), 2)
    return weights


def write_weights(weights: Weights, folder: Path, card: Mapping[str, object]) -> None:
    """Write the weights and their card."""
    lines = (
        f"{field}\t{word}\t{weight:g}\n" for field in sorted(weights) for word, weight in sorted(weights[field].items())
    )
    packed = gzip.compress("".join(lines).encode(), 9, mtime=0)
    (folder / "fields.tsv.gz").write_bytes(packed)
    told = {**card, "sha256": hashlib.sha256(packed).hexdigest()}
    (folder / "fields.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
