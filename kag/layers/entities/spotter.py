"""A trained model put to texts: the spans it is sure enough of, each with its kind and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kag.layers.entities.features import AROUND, EDGE, Extra, of_word
from kag.layers.entities.tokens import Tokens
from kag.layers.models.crf import Crf


class Spotted(NamedTuple):
    """Tokens from `start` to before `end` of one kind; `score` is the mean marginal of their labels."""

    start: int
    end: int
    kind: str
    score: float


class Spotter:
    """A model whose labels are O, B-kind and I-kind; words that were scored once are kept."""

    def __init__(self, model: Crf, most: int = 50_000) -> None:
        self._model = model
        self._most = most
        self._places: dict[str, int] = {}
        self._table = np.zeros((0, len(AROUND), len(model.labels)), dtype=np.float32)

    def spot(self, rows: Sequence[Tokens], extras: Sequence[Extra]) -> list[list[Spotted]]:
        """The spans of each text."""
        self._learn({word for row in rows for word in row.words} | {EDGE})
        scores, owners = [], []
        for n, (row, extra) in enumerate(zip(rows, extras, strict=True)):
            for first, last in row.sentences:
                scores.append(self._scored(row, extra, first, last))
                owners.append((n, first))
        found: list[list[Spotted]] = [[] for _ in rows]
        for (n, first), marginals in zip(owners, self._model.marginals(scores), strict=True):
            found[n] += self._spans(marginals, first)
        return found

    def _learn(self, words: set[str]) -> None:
        if len(self._places) + len(words) > self._most:
            self._places, self._table = {}, self._table[:0]
        fresh = sorted(words - self._places.keys())
        if not fresh:
            return
        rows = [self._model.known(some) for word in fresh for some in of_word(word)]
        table = self._model.summed(rows).reshape(len(fresh), len(AROUND), -1)
        for n, word in enumerate(fresh, len(self._table)):
            self._places[word] = n
        self._table = np.concatenate([self._table, table])

    def _scored(self, row: Tokens, extra: Extra, first: int, last: int) -> Any:
        places = self._places
        edge = [places[EDGE]] * 2
        ids = np.array([*edge, *(places[word] for word in row.words[first:last]), *edge])
        size = last - first
        total = sum(self._table[ids[2 + shift : 2 + shift + size], slot] for slot, shift in enumerate(AROUND))
        return total + self._model.summed([self._model.known(extra[n]) for n in range(first, last)])

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
