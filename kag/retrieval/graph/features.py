"""Similarity signals of chunks: each gives pairs a number from 0 to 1; most compare features that chunks share.

Features are names, words of a title, headers.

All features of all chunks are three arrays (starts, ids, shares), as in a sparse matrix by rows, so that pairs are
compared by thousands at once and memory holds numbers only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from kag.retrieval.chunking import Chunk
from kag.retrieval.graph.entities import name_form
from kag.retrieval.vectors import Array, Neighbourhood, Vectors, np
from kag.text.words import tokens

RARE = 0.02  # of the chunks; a feature that more have says nothing about a pair
FEW = 50  # chunks that may always have a feature
JOINED = 1 << 22  # shared features looked at at once
LISTED = 200  # chunks with a feature, above which it alone makes nobody a candidate

Add = Callable[[Array, Array, float], None]
Find = Callable[[Array, int], tuple[Array, Array]]
_NONE = (np.zeros(0, np.int64), np.zeros(0, np.float32))


class SparseSignal:
    """The cosine of features, rare ones weighing more; only chunks that share one are looked at."""

    def __init__(self, features: Iterable[Iterable[str]]) -> None:
        known: dict[str, int] = {}
        ids, sizes = _interned(features, known)
        size = len(sizes)
        counts = np.bincount(ids, minlength=len(known))
        weights = np.log(1 + size / np.maximum(counts, 1))
        rows = np.repeat(np.arange(size), sizes)
        lengths = np.sqrt(np.bincount(rows, weights[ids] ** 2, minlength=size))
        kept = (counts[ids] > 1) & (counts[ids] <= max(FEW, RARE * size))
        rows, ids = rows[kept], ids[kept]
        order = np.lexsort((ids, rows))
        self._ids = ids[order]
        self._shares = (weights[ids] / lengths[rows])[order].astype(np.float32)
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))])
        self._names, self._known = tuple(known), len(known)

    def against(self, others: Array) -> Add:
        """Return a function that adds the weighted similarity of each one to each of the others to scores (ones,
        others)."""
        lists = _Lists(*self._features(others))

        def add(scores: Array, ones: Array, weight: float) -> None:
            rows, ids, shares = self._features(ones)
            for found, columns, products in lists.joined(ids, shares):
                np.add.at(scores.reshape(-1), rows[found] * len(others) + columns, weight * products)

        return add

    def finder(self, others: Array) -> Find:
        """Return a function that finds for each one the roughly `count` most similar others among those with a common
        rare feature."""
        lists = _Lists(*self._features(others), LISTED)

        def find(ones: Array, count: int) -> tuple[Array, Array]:
            rows, ids, shares = self._features(ones)
            parts = [(rows[found] * len(others) + at, each) for found, at, each in lists.joined(ids, shares)]
            keys, products = (np.concatenate(each) for each in zip(_NONE, *parts, strict=True))
            pairs, place = np.unique(keys, return_inverse=True)
            row, column = np.divmod(pairs, max(1, len(others)))
            order = np.lexsort((column, -np.bincount(place, products, minlength=len(pairs)), row))
            best = order[_within_group(row[order]) < count]
            return ones[row[best]], others[column[best]]

        return find

    def pairs(self, ones: Array, others: Array) -> Array:
        """Return the similarity of each pair."""
        pair, _, products = self._shared(ones, others)
        return np.bincount(pair, products, minlength=len(ones)).astype(np.float32)

    def shared(self, ones: Array, others: Array) -> Sequence[tuple[str, ...]]:
        """Return the common features of each pair, sorted."""
        pair, ids, _ = self._shared(ones, others)
        ends = np.searchsorted(pair, np.arange(len(ones) + 1)).tolist()
        names = [self._names[place] for place in ids.tolist()]
        return [tuple(sorted(names[begin:end])) for begin, end in pairwise(ends)]

    def _features(self, chunks: Array) -> tuple[Array, Array, Array]:
        """The features of these chunks: for each the number of its chunk among them, its id and its share."""
        counts = self._starts[chunks + 1] - self._starts[chunks]
        at = ranges(self._starts[chunks], counts)
        return np.repeat(np.arange(len(chunks)), counts), self._ids[at], self._shares[at]

    def _shared(self, ones: Array, others: Array) -> tuple[Array, Array, Array]:
        """The features common to pairs: for each the number of the pair, its id and the product of the two shares."""
        pair, ids, mine = self._features(ones)
        other, other_ids, theirs = self._features(others)
        keys, wanted = pair * self._known + ids, other * self._known + other_ids  # both ascend
        at = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        found = np.flatnonzero(keys[at] == wanted) if len(keys) else np.zeros(0, np.int64)
        return other[found], other_ids[found], mine[at[found]] * theirs[found]


class _Lists:
    """For each feature the chunks that have it, by their numbers; features with more than `most` are left out."""

    def __init__(self, rows: Array, ids: Array, shares: Array, most: int | None = None) -> None:
        order = np.argsort(ids, kind="stable")
        self._ids, self._begin, self._count = np.unique(ids[order], return_index=True, return_counts=True)
        if most is not None:
            self._count = np.where(self._count > most, 0, self._count)
        self._rows, self._shares = rows[order], shares[order]

    def joined(self, ids: Array, shares: Array) -> Iterator[tuple[Array, Array, Array]]:
        """Each given feature with each chunk that has it: its place, the chunk's number, both shares' product.

        They come in parts, so that memory stays flat.
        """
        if not len(self._ids):
            return
        at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        counts = np.where(self._ids[at] == ids, self._count[at], 0)
        upto = np.cumsum(counts)
        begin = 0
        while begin < len(ids):
            before = int(upto[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(upto, before + JOINED, side="right")))
            places = np.repeat(np.arange(begin, end), counts[begin:end])
            listed = ranges(self._begin[at[begin:end]], counts[begin:end])
            yield places, self._rows[listed], shares[places] * self._shares[listed]
            begin = end


def ranges(begin: Array, counts: Array) -> Array:
    """The numbers from each begin on, so many of each, one behind the other."""
    before = np.cumsum(counts) - counts
    found: Array = np.arange(int(counts.sum())) + np.repeat(begin - before, counts)
    return found


def _within_group(groups: Array) -> Array:
    """Return how many equals precede each of some ascending numbers."""
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    found: Array = np.arange(len(groups)) - np.repeat(starts, np.diff(starts, append=len(groups)))
    return found


def _interned(features: Iterable[Iterable[str]], known: dict[str, int]) -> tuple[Array, Array]:
    """The different features of each chunk as numbers, one chunk behind the other, and how many each has."""
    sizes: list[int] = []

    def numbers() -> Iterator[int]:
        for each in features:
            bag = sorted(frozenset(each))
            sizes.append(len(bag))
            for name in bag:
                yield known.setdefault(name, len(known))

    ids = np.fromiter(numbers(), dtype=np.int32)
    return ids, np.array(sizes, dtype=np.int64)


_form = lru_cache(1 << 16)(name_form)  # the same names and titles come again and again
SIGNALS = frozenset(("content", "topic", "entity", "column"))


class Signal(Protocol):
    """A way to compare chunks, which are known by their places. Likeness is 0 to 1, and the same both ways."""

    def against(self, others: Array) -> Add:
        """Return a function that adds the weighted similarity of each one to each of the others to scores (ones,
        others)."""

    def finder(self, others: Array) -> Find:
        """Return a function that finds for each one the roughly `count` most similar of the others, as (ones,
        others)."""

    def pairs(self, ones: Array, others: Array) -> Array:
        """Return the similarity of each pair."""

    def shared(self, ones: Array, others: Array) -> Sequence[tuple[str, ...]]:
        """Return the shared features of each pair, in words, if the signal knows them."""


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
        neighbourhood = self._near[key]

        def find(ones: Array, count: int) -> tuple[Array, Array]:
            near = neighbourhood.near(self._vectors[ones], count)
            return np.repeat(ones, near.shape[1])[near.reshape(-1) >= 0], near[near >= 0]

        return find

    def pairs(self, ones: Array, others: Array) -> Array:
        cosines: Array = np.einsum("ij,ij->i", self._vectors[ones], self._vectors[others])
        return np.maximum(cosines, 0)

    def shared(self, ones: Array, others: Array) -> Sequence[tuple[str, ...]]:
        return [()] * len(ones)


def content_signal(chunks: Sequence[Chunk], vectors: Vectors | None) -> Signal:
    """Return the similarity of contents: by vectors, or by words without them."""
    return SparseSignal(map(_words, chunks)) if vectors is None else DenseSignal(vectors)


def topic_signal(chunks: Sequence[Chunk]) -> Signal:
    """Return the similarity of topics: the words of title and topic."""
    return SparseSignal(_form(f"{chunk.title} {chunk.topic}").split() for chunk in chunks)


def entity_signal(named: Iterable[Sequence[str]]) -> Signal:
    """The names in chunks."""
    return SparseSignal([_form(name) for name in names] for names in named)


def columns_signal(chunks: Sequence[Chunk]) -> Signal:
    """The headers of tables that could be joined."""
    return SparseSignal([_form(column) for column in chunk.columns if column.strip()] for chunk in chunks)


def _words(chunk: Chunk) -> list[str]:
    return [token.text for token in tokens(chunk.text, stem=True)]
