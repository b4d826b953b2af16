"""What makes two chunks alike: each signal gives pairs a number from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

from kag.retrieval.chunk import Chunk
from kag.retrieval.graph.entities import name_form
from kag.retrieval.graph.features import Add, Find, SparseSignal
from kag.retrieval.meaning.arrays import Array, Vectors, np
from kag.retrieval.meaning.vectors import Neighbourhood
from kag.text.search_text import tokens

_form = lru_cache(1 << 16)(name_form)  # the same names and titles come again and again
SIGNALS = frozenset(("content", "topic", "entity", "column"))


class Signal(Protocol):
    """A way to compare chunks, which are known by their places. Likeness is 0 to 1, and the same both ways."""

    def against(self, others: Array) -> Add:
        """What adds the weighted likeness of each one to each of these others to scores (ones, others)."""

    def finder(self, others: Array) -> Find:
        """What finds for each one about the `count` of these others that are most like it, as (ones, others)."""

    def pairs(self, ones: Array, others: Array) -> Array:
        """The likeness of each one to the other beside it."""

    def shared(self, ones: Array, others: Array) -> Sequence[tuple[str, ...]]:
        """What each one and the other beside it have in common, in words, if the signal knows."""


class DenseSignal:
    """The cosine of vectors of length 1; below 0 counts as 0."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._near: dict[bytes, Neighbourhood] = {}

    def against(self, others: Array) -> Add:
        rows = self._vectors[others].T

        def add(scores: Array, ones: Array, weight: float) -> None:
            cosines = (np.float32(weight) * self._vectors[ones]) @ rows
            scores += np.maximum(cosines, 0, out=cosines)

        return add

    def finder(self, others: Array) -> Find:
        if (key := others.tobytes()) not in self._near:
            self._near[key] = Neighbourhood(self._vectors, others)
        known = self._near[key]

        def find(ones: Array, count: int) -> tuple[Array, Array]:
            near = known.near(self._vectors[ones], count)
            return np.repeat(ones, near.shape[1])[near.reshape(-1) >= 0], near[near >= 0]

        return find

    def pairs(self, ones: Array, others: Array) -> Array:
        cosines: Array = np.einsum("ij,ij->i", self._vectors[ones], self._vectors[others])
        return np.maximum(cosines, 0)

    def shared(self, ones: Array, others: Array) -> Sequence[tuple[str, ...]]:
        return [()] * len(ones)


def content_signal(chunks: Sequence[Chunk], vectors: Vectors | None) -> Signal:
    """What chunks say: by vectors, or by their words where there are none."""
    return SparseSignal(map(_words, chunks)) if vectors is None else DenseSignal(vectors)


def topic_signal(chunks: Sequence[Chunk]) -> Signal:
    """What chunks are about: the words of title and topic."""
    return SparseSignal(_form(f"{chunk.title} {chunk.topic}").split() for chunk in chunks)


def entity_signal(named: Iterable[Sequence[str]]) -> Signal:
    """The names in chunks."""
    return SparseSignal([_form(name) for name in names] for names in named)


def columns_signal(chunks: Sequence[Chunk]) -> Signal:
    """The headers of tables that could be joined."""
    return SparseSignal([_form(column) for column in chunk.columns if column.strip()] for chunk in chunks)


def _words(chunk: Chunk) -> list[str]:
    return [token.text for token in tokens(chunk.text, stem=True)]
