"""BM25 over the indexes of several shards, with the scores that one index over all texts would give.

A word is as rare as it is in all shards together, and a text as long as it is beside the texts of all: both are sums
over shards, so they are exact. A shard ranks its own texts with the weights of all, but beside its own average length
a; the average of all being A, a text's true score is its score there times something between 1 and A / a. So what a
shard has not shown scores at most its last score times max(1, A / a), and where that is below the k-th best true
score, it is not needed. More is asked for until this holds of each shard: the result is exact, not likely.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kag.search.words.bm25 import K1, B, kept_length, rarity
from kag.search.words.sparse import Sparse

if TYPE_CHECKING:
    from kag.search.index import Index

SLACK = 1e-5  # tantivy reckons in 32 bits: its scores are true to less than this, relatively
FIRST = 8  # texts that a shard is asked for at first, at least
GROWTH = 4

Hits = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class _Known:
    """Of a shard, or of all: how many texts and words it has, and how many texts have each word of a question."""

    texts: int
    words: int
    having: Mapping[str, int]

    @property
    def average(self) -> float:
        return self.words / self.texts if self.texts else 0.0

    def rarity(self, word: str) -> float:
        """The inverse document frequency of a word that is known."""
        return rarity(self.texts, self.having[word])


class ShardWords(Sparse):
    """The words of several indexes as one index of words; changed through its shards."""

    def __init__(self, parts: Sequence[Index]) -> None:
        self._indexes = tuple(parts)
        self._sizes: dict[int, tuple[int, tuple[int, int]]] = {}

    def __len__(self) -> int:
        return sum(len(part.sparse) for part in self._indexes)

    def frequency(self, word: str) -> int:
        """How many texts have a word, in the form of `words_of`."""
        return sum(part.sparse.frequency(word) for part in self._indexes)

    def weighed(self, words: Mapping[str, float], k: int, documents: Collection[str] = ()) -> Hits:
        """The k best texts of all shards, equals by id; only of these documents where some are given."""
        if not words or k < 1:
            return []
        each = [self._known(number, words) for number in range(len(self._indexes))]
        whole = _sum(each, words)
        weights = {word: count * whole.rarity(word) for word, count in sorted(words.items()) if whole.having[word]}
        asked = [
            _Asked(part, weights, one, whole.average, documents)
            for part, one in zip(self._indexes, each, strict=True)
            if any(one.having.values())
        ]
        return _best(asked, k)

    def _known(self, number: int, words: Mapping[str, float]) -> _Known:
        part = self._indexes[number]
        if number not in self._sizes or self._sizes[number][0] != part.changes:
            self._sizes[number] = part.changes, _size(part)
        texts, length = self._sizes[number][1]
        return _Known(texts, length, {word: part.sparse.frequency(word) for word in words})


def _size(part: Index) -> tuple[int, int]:
    """How many texts and words an index of words reckons with."""
    word = next((word for name in part.chunks for word in part.counts(name)), "")
    texts, average = part.sparse.lengths(word) if word else (0, 0.0)
    return texts, round(texts * average)


def _sum(each: Sequence[_Known], words: Mapping[str, float]) -> _Known:
    having = {word: sum(one.having[word] for one in each) for word in words}
    return _Known(sum(one.texts for one in each), sum(one.words for one in each), having)


class _Asked:
    """One shard and what it has shown for a question: hits with its own scores."""

    def __init__(
        self, part: Index, weights: Mapping[str, float], known: _Known, average: float, documents: Collection[str]
    ) -> None:
        self._part, self._weights, self._average, self._documents = part, weights, average, documents
        self._own = {word: weight / known.rarity(word) for word, weight in weights.items() if known.having[word]}
        self._factors = sorted((1.0, average / known.average))
        self.hits: Hits = []
        self._all = False

    def ask(self, count: int) -> None:
        """Let it show its best, so many."""
        self.hits = self._part.sparse.weighed(self._own, count, self._documents)
        self._all = len(self.hits) < count

    def least(self, score: float) -> float:
        """What a text scores at least among all that scores this in the shard."""
        return score * self._factors[0] * (1 - SLACK)

    def most(self, score: float) -> float:
        """What it scores at most."""
        return score * self._factors[1] * (1 + SLACK)

    @property
    def hidden(self) -> float:
        """What the texts that it has not shown score at most among all."""
        return 0.0 if self._all else self.most(self.hits[-1][1])

    def score(self, name: str) -> float:
        """What a text scores among all: exactly. Words are parted by blanks, as tantivy parts them."""
        length, counts = self._part.amounts(name, tuple(self._weights), parted=True)
        norm = K1 * (1 - B + B * kept_length(length) / self._average)
        found = zip(self._weights.values(), counts, strict=True)
        return sum(weight * (K1 + 1) * count / (count + norm) for weight, count in found if count)


def _best(asked: Sequence[_Asked], k: int) -> Hits:
    """The k best of all; each shard is asked again until none can hide one of them."""
    count = max(FIRST, 2 * math.ceil(k / max(1, len(asked))))
    for one in asked:
        one.ask(count)
    while True:
        sure = sorted((one.least(score) for one in asked for _, score in one.hits), reverse=True)[:k]
        enough = sure[-1] if len(sure) == k else -1.0
        short = [one for one in asked if one.hidden and one.hidden >= enough]
        if not short:
            break
        count *= GROWTH
        for one in short:
            one.ask(count)
    scored = [(name, one.score(name)) for one in asked for name, score in one.hits if one.most(score) >= enough]
    return sorted(scored, key=lambda hit: (-hit[1], hit[0]))[:k]
