"""The trained labeller: which field each token of a reference belongs to, with its probability.

A linear-chain conditional random field (Lafferty et al. 2001). `labeller.crf` has its weights, `labeller.json` their
SHA-256 and calibration; `scripts/benchmarks/train_references.py` writes both.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Lock

from kag.indexing.references.features import Columns, vocabulary
from kag.indexing.references.tokens import Token, tokens
from kag.text.crf import ColumnScores, Crf, read, read_card

FOLDER = Path(__file__).parent
MODEL = FOLDER / "labeller.crf"
NO_FIELD = "O"
MOST_WORDS = 50_000  # that are remembered


@dataclass(frozen=True, slots=True)
class Labelled:
    """The tokens of a text with their labels and the marginals of these, in [0, 1]."""

    row: Sequence[Token]
    labels: Sequence[str]
    sure: Sequence[float]


class Labeller:
    """A model with its calibration: for each field steps of least marginal and share of right values."""

    def __init__(self, model: Crf, calibration: Mapping[str, Sequence[Sequence[float]]]) -> None:
        self._model, self._shares = model, calibration
        self._known, self._lock = vocabulary(model.rows), Lock()
        self._forget()

    def _forget(self) -> None:
        self._columns = Columns(self._known)
        spelled = [partial(self._columns.attributes, n) for n in range(self._columns.count)]
        self._scores = ColumnScores(self._model, spelled)

    def label(self, texts: Sequence[str]) -> list[Labelled]:
        """The labels of texts on one line each; a whole list at once takes a fraction of the time.

        >>> [found] = labeller().label(["Poe E. Ice on lakes. J Ice. 2001;3:4-5."])
        >>> [token.text for token, label in zip(found.row, found.labels) if label == "title"]
        ['Ice', 'on', 'lakes']
        """
        if not texts:
            return []
        rows = [tokens(text) for text in texts]
        with self._lock:
            if len(self._columns) > MOST_WORDS:
                self._forget()
            scores = self._scores.scored(self._columns.of(texts, rows))
        bounds = pairwise([0, *accumulate(map(len, rows))])
        labelled = self._model.label_scored([scores[start:end] for start, end in bounds])
        names = self._model.labels
        return [
            Labelled(row, [names[place] for place in places], shares)
            for row, (places, shares) in zip(rows, labelled, strict=True)
        ]

    def share(self, field: str, marginal: float) -> float:
        """Return how often values of a field with this marginal were right on sources not used for training."""
        steps = self._shares.get(field) or self._shares["any"]
        at = bisect_right([least for least, _ in steps], marginal) - 1
        return steps[max(at, 0)][1]


@lru_cache(maxsize=1)
def labeller(path: Path = MODEL) -> Labeller:
    """The labeller of a file; raises `SourceError` where it or its card is missing, damaged or not of one training."""
    return Labeller(read(path), read_card(path)["calibration"])
