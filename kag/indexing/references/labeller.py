"""The trained labeller: which field each token of a reference belongs to, and how sure that is.

A linear-chain conditional random field (Lafferty et al. 2001) over the features of
`kag.indexing.references.features`. Its
weights lie beside this module in `labeller.crfsuite`; `labeller.json` says their SHA-256, how they were trained, and
how often values of each marginal are right. `scripts/benchmarks/train_references.py` writes both.
"""

from __future__ import annotations

import hashlib
import json
import threading
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pycrfsuite

from kag.core.errors import SourceError
from kag.indexing.references.features import features
from kag.indexing.references.tokens import Token, tokens

FOLDER = Path(__file__).parent
NO_FIELD = "O"


@dataclass(frozen=True, slots=True)
class Labelled:
    """The tokens of a text with their labels and the marginals of these, in [0, 1]."""

    row: list[Token]
    labels: list[str]
    sure: list[float]


class Labeller:
    """A model that was read from its files."""

    def __init__(self, weights: bytes, card: dict[str, Any]) -> None:
        self._weights = weights
        self._shares: dict[str, list[list[float]]] = card["calibration"]
        self._own = threading.local()  # a tagger keeps the string it works on

    def label(self, text: str) -> Labelled:
        """The labels of a text on one line.

        >>> found = labeller().label("Poe E. Ice on lakes. J Ice. 2001;3:4-5.")
        >>> [token.text for token, label in zip(found.row, found.labels) if label == "title"]
        ['Ice', 'on', 'lakes']
        """
        row = tokens(text)
        if not row:
            return Labelled([], [], [])
        tagger = self._tagger()
        labels = tagger.tag(features(text, row))
        return Labelled(row, labels, [tagger.marginal(label, n) for n, label in enumerate(labels)])

    def share(self, field: str, marginal: float) -> float:
        """How often values of a field with this marginal were right on strings of sources not trained on."""
        steps = self._shares.get(field) or self._shares["any"]
        at = bisect_right([least for least, _ in steps], marginal) - 1
        return steps[max(at, 0)][1]

    def _tagger(self) -> Any:
        if not hasattr(self._own, "tagger"):
            self._own.tagger = pycrfsuite.Tagger()
            self._own.tagger.open_inmemory(self._weights)
        return self._own.tagger


@lru_cache(maxsize=1)
def labeller(folder: Path = FOLDER) -> Labeller:
    """The labeller of a folder; raises `SourceError` where its files are missing, damaged or not of one training."""
    hint = "Install kag again: its model of references is not whole."
    try:
        card = json.loads((folder / "labeller.json").read_text(encoding="utf-8"))
        weights = (folder / "labeller.crfsuite").read_bytes()
        known = card["sha256"]
    except (OSError, ValueError, KeyError) as error:
        raise SourceError(f"{folder}: {error}", hint=hint) from error
    if hashlib.sha256(weights).hexdigest() != known:
        raise SourceError(f"{folder / 'labeller.crfsuite'}: its SHA-256 is not that of labeller.json", hint=hint)
    return Labeller(weights, card)
