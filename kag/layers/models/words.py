"""Scores that words give to the tokens around them by a model, summed once for each distinct word and kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kag.layers.models.crf import Crf
from kag.layers.models.looks import EDGE, Look, Words


class WordScores:
    """A model's scores of what words tell; words that were scored once are kept, `most` at most."""

    def __init__(self, model: Crf, look: Look, most: int = 50_000) -> None:
        self._model, self._look, self._most = model, look, most
        self._places: dict[str, int] = {}
        self._table = np.zeros((0, len(look.around), len(model.labels)), dtype=model.weights.dtype)

    def scored(self, sentences: Sequence[Words]) -> list[Any]:
        """The scores (tokens, labels) of each sentence."""
        self._learn({word for words in sentences for word in words} | {EDGE})
        places, reach = self._places, max(map(abs, self._look.around))
        edge = [places[EDGE]] * reach
        ids = [*edge]
        for words in sentences:
            ids += [places[word] for word in words]
            ids += edge
        row = np.array(ids)
        size = len(row) - 2 * reach
        total = sum(self._table[row[reach + by : reach + by + size], slot] for slot, by in enumerate(self._look.around))
        found, at = [], 0
        for words in sentences:
            found.append(total[at : at + len(words)])
            at += len(words) + reach
        return found

    def _learn(self, words: set[str]) -> None:
        if len(self._places) + len(words) > self._most:
            self._places, self._table = {}, self._table[:0]
        fresh = sorted(words - self._places.keys())
        if not fresh:
            return
        rows = [self._model.known(some) for word in fresh for some in self._look.of_word(word)]
        table = self._model.summed(rows).reshape(len(fresh), len(self._look.around), -1)
        for n, word in enumerate(fresh, len(self._table)):
            self._places[word] = n
        self._table = np.concatenate([self._table, table])
