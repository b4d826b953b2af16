"""The trained labellers of measurements: which tokens are quantities, and which belong to one as what.

Two linear-chain conditional random fields over the features of `kag.layers.measurements.features`. Their weights lie
beside this module; `labellers.json` says their SHA-256 and how they were trained. `scripts/train_measurements.py`
writes all three.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pycrfsuite

from kag.values.errors import SourceError

FOLDER = Path(__file__).parent
CARD = "labellers.json"
QUANTITIES, CONTEXTS = "quantities", "contexts"


class Labellers:
    """Both models, read from their bytes by name."""

    def __init__(self, weights: Mapping[str, bytes], version: str = "") -> None:
        self._weights = weights
        self.rule = f"measurement labeller {version}".strip()
        self._own = threading.local()  # a tagger keeps the sentence it works on

    def shares(self, name: str, rows: Sequence[Sequence[str]]) -> list[dict[str, float]]:
        """For each token the marginal of each label, in [0, 1]."""
        tagger, labels = self._tagger(name)
        tagger.set(rows)
        return [{label: tagger.marginal(label, n) for label in labels} for n in range(len(rows))]

    def label(self, name: str, rows: Sequence[Sequence[str]]) -> tuple[list[str], list[float]]:
        """The best labels of a sentence, and the marginal of each."""
        tagger, _ = self._tagger(name)
        labels = tagger.tag(rows)
        return labels, [tagger.marginal(label, n) for n, label in enumerate(labels)]

    def _tagger(self, name: str) -> tuple[Any, list[str]]:
        known = self._own.__dict__.setdefault("taggers", {})
        if name not in known:
            tagger = pycrfsuite.Tagger()
            tagger.open_inmemory(self._weights[name])
            known[name] = (tagger, sorted(tagger.labels()))
        found: tuple[Any, list[str]] = known[name]
        return found


@lru_cache(maxsize=1)
def labellers(folder: Path = FOLDER) -> Labellers:
    """The labellers of a folder; raises `SourceError` where their files are missing, damaged or not of one training."""
    hint = "Install kag again: its models of measurements are not whole."
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        weights = {name: (folder / f"{name}.crfsuite").read_bytes() for name in (QUANTITIES, CONTEXTS)}
        known = {name: card["sha256"][name] for name in weights}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{folder}: {error}", hint=hint) from error
    for name, data in weights.items():
        if hashlib.sha256(data).hexdigest() != known[name]:
            raise SourceError(f"{folder / name}.crfsuite: its SHA-256 is not that of {CARD}", hint=hint)
    return Labellers(weights, known[QUANTITIES][:8])
