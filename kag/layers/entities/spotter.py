"""A trained model put to texts: the spans it is sure enough of, each with its kind and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kag.layers.entities.features import AROUND, Extra, of_word
from kag.layers.entities.tokens import Tokens
from kag.layers.models.crf import Crf
from kag.layers.models.looks import Look
from kag.layers.models.words import WordScores


class Spotted(NamedTuple):
    """Tokens from `start` to before `end` of one kind; `score` is the mean marginal of their labels."""

    start: int
    end: int
    kind: str
    score: float


class Spotter:
    """A model whose labels are O, B-kind and I-kind."""

    def __init__(self, model: Crf) -> None:
        self._model = model
        self._words = WordScores(model, Look(AROUND, of_word))

    def spot(self, rows: Sequence[Tokens], extras: Sequence[Extra]) -> list[list[Spotted]]:
        """The spans of each text."""
        places = [(n, first, last) for n, row in enumerate(rows) for first, last in row.sentences]
        scores = self._words.scored([rows[n].words[first:last] for n, first, last in places])
        known = self._model.known
        for one, (n, first, last) in zip(scores, places, strict=True):
            one += self._model.summed([known(extras[n][at]) for at in range(first, last)])
        found: list[list[Spotted]] = [[] for _ in rows]
        for (n, first, _), marginals in zip(places, self._model.marginals(scores), strict=True):
            found[n] += self._spans(marginals, first)
        return found

    def _spans(self, marginals: Any, first: int) -> Iterator[Spotted]:
        labels = self._model.labels
        best = marginals.argmax(axis=1).tolist()
        sure = marginals.max(axis=1).tolist()
        start, kind = None, ""
        for n, one in enumerate([*best, -1]):
            label = labels[one] if one >= 0 else "O"
            if start is not None and label != f"I-{kind}":
                yield Spotted(first + start, first + n, kind, sum(sure[start:n]) / (n - start))
                start = None
            if label != "O" and start is None:
                start, kind = n, label[2:]


def labels(row: Tokens, spans: Sequence[tuple[int, int, str]]) -> list[str]:
    """The labels of a text's tokens from spans of characters; of spans that overlap the first and longest counts."""
    found = ["O"] * len(row.words)
    until = -1
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < until:
            continue
        until = end
        inside = [n for n in range(len(found)) if row.ends[n] > start and row.starts[n] < end]
        for n in inside:
            found[n] = f"{'B' if n == inside[0] else 'I'}-{kind}"
    return found
