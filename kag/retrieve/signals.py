"""What makes two chunks alike: each signal gives pairs a number from 0 to 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from kag.retrieve.arrays import Array, Vectors, np
from kag.retrieve.chunk import Chunk
from kag.retrieve.entities import name_form
from kag.search_text import tokens

SIGNALS = frozenset(("content", "topic", "entity", "column"))
RARE = 0.02  # of the chunks; a feature that more have says nothing about a pair
FEW = 50  # chunks that may always have a feature


class Signal(Protocol):
    """A way to compare chunks, which are known by their places."""

    def add(self, scores: Array, ones: Array, others: Array, weight: float) -> None:
        """Add the weighted likeness of each one to each other to `scores` (ones, others)."""

    def pair(self, one: int, other: int) -> float:
        """The likeness of two."""

    def shared(self, one: int, other: int) -> tuple[str, ...]:
        """What the two have in common, in words, if the signal knows."""


class DenseSignal:
    """The cosine of vectors of length 1; below 0 counts as 0."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def add(self, scores: Array, ones: Array, others: Array, weight: float) -> None:
        scores += weight * np.maximum(self._vectors[ones] @ self._vectors[others].T, 0)

    def pair(self, one: int, other: int) -> float:
        return max(0.0, float(self._vectors[one] @ self._vectors[other]))

    def shared(self, one: int, other: int) -> tuple[str, ...]:
        return ()


class SparseSignal:
    """The cosine of features, rare ones weighing more; only chunks that share one are looked at."""

    def __init__(self, features: Iterable[Iterable[str]]) -> None:
        bags = [frozenset(each) for each in features]
        known = Counter(feature for bag in bags for feature in bag)
        most = max(FEW, RARE * len(bags))
        weight = {name: math.log(1 + len(bags) / count) for name, count in known.items() if 1 < count <= most}
        self._bags: list[dict[str, float]] = []
        for bag in bags:
            length = math.sqrt(sum(math.log(1 + len(bags) / known[name]) ** 2 for name in sorted(bag))) or 1.0
            self._bags.append({name: weight[name] / length for name in sorted(bag) if name in weight})
        having: dict[str, list[int]] = {}
        for place, features_ in enumerate(self._bags):
            for name in features_:
                having.setdefault(name, []).append(place)
        self._having = {
            name: (np.array(places), np.array([self._bags[place][name] for place in places], dtype=np.float32))
            for name, places in having.items()
        }

    def add(self, scores: Array, ones: Array, others: Array, weight: float) -> None:
        column = np.full(len(self._bags), -1)
        column[others] = np.arange(len(others))
        for row, one in enumerate(ones.tolist()):
            for name, share in self._bags[one].items():
                places, weights = self._having[name]
                at = column[places]
                scores[row, at[at >= 0]] += weight * share * weights[at >= 0]

    def pair(self, one: int, other: int) -> float:
        mine, theirs = self._bags[one], self._bags[other]
        return sum(share * theirs[name] for name, share in mine.items() if name in theirs)

    def shared(self, one: int, other: int) -> tuple[str, ...]:
        return tuple(name for name in self._bags[one] if name in self._bags[other])


def content_signal(chunks: Sequence[Chunk], vectors: Vectors | None) -> Signal:
    """What chunks say: by vectors, or by their words where there are none."""
    return SparseSignal(map(_words, chunks)) if vectors is None else DenseSignal(vectors)


def topic_signal(chunks: Sequence[Chunk]) -> Signal:
    """What chunks are about: the words of title and topic."""
    return SparseSignal(name_form(f"{chunk.title} {chunk.topic}").split() for chunk in chunks)


def entity_signal(named: Sequence[Sequence[str]]) -> Signal:
    """The names in chunks."""
    return SparseSignal([name_form(name) for name in names] for names in named)


def columns_signal(chunks: Sequence[Chunk]) -> Signal:
    """The headers of tables that could be joined."""
    return SparseSignal([name_form(column) for column in chunk.columns if column.strip()] for chunk in chunks)


def _words(chunk: Chunk) -> list[str]:
    return [token.text for token in tokens(chunk.text, stem=True)]
