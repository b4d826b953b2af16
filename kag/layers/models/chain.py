"""A linear-chain conditional random field, read from a file with its card: labels of things that stand in a row.

`NAME.crfsuite` holds the weights as python-crfsuite writes them, `NAME.json` the card with their SHA-256.
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

Features = Sequence[Sequence[str]] | Sequence[Mapping[str, float]]


class Chain:
    """A model that was read from its files."""

    def __init__(self, weights: bytes, card: Mapping[str, Any]) -> None:
        self._weights = weights
        self.card = card
        self._own = threading.local()  # a tagger keeps the row it works on

    def label(self, row: Features) -> list[tuple[str, float]]:
        """The likeliest labels of a row with the marginal of each, in [0, 1]."""
        if not row:
            return []
        tagger = self._tagger()
        labels = tagger.tag(row)
        return [(label, tagger.marginal(label, at)) for at, label in enumerate(labels)]

    def _tagger(self) -> Any:
        if not hasattr(self._own, "tagger"):
            self._own.tagger = pycrfsuite.Tagger()
            self._own.tagger.open_inmemory(self._weights)
        return self._own.tagger


def write(path: Path, weights: bytes, card: Mapping[str, Any]) -> None:
    """Write `path` with `.crfsuite` and `.json`."""
    card = {**card, "sha256": hashlib.sha256(weights).hexdigest()}
    path.with_suffix(".crfsuite").write_bytes(weights)
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


@lru_cache(maxsize=16)
def read(path: Path) -> Chain:
    """The model at `path` (without suffix); `SourceError` where its files are missing, damaged or of two trainings."""
    hint = "Install kag again: one of its models is not whole."
    try:
        card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        weights = path.with_suffix(".crfsuite").read_bytes()
        known = card["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path}.json: {error}", hint=hint) from error
    if hashlib.sha256(weights).hexdigest() != known:
        raise SourceError(f"{path}.crfsuite: its SHA-256 is not that of {path.name}.json", hint=hint)
    return Chain(weights, card)
