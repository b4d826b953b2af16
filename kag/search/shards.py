"""`ShardIndex`: the indexes of several shards searched as one. Every plan runs on it as it is, with the same scores.

Words are merged exactly (`kag.search.words.shard_words`). Vectors are too where each shard compares all of its own,
up to 100,000; above, each shard gives what its cells find, and what all find is merged.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from kag.graph.compact import CompactGraph
from kag.graph.npy import AGAIN
from kag.search.chunk import Chunk
from kag.search.chunk_store import Counts
from kag.search.index import BROKEN, Index
from kag.search.meaning.arrays import Vectors, normalised, np
from kag.search.meaning.vectors import VectorIndex
from kag.search.words.shard_words import ShardWords
from kag.values.errors import RunError

SPARE = 8  # vectors more than asked for that a shard gives: the last bit of a cosine depends on its neighbours


class ShardIndex(Index):
    """Indexes of shards as one, which is changed through them. A chunk's id is in one shard only."""

    def __init__(self, parts: Sequence[Index], edges: CompactGraph | None = None) -> None:
        """Raises `RunError` where vectors are by different models."""
        models = {part.model for part in parts if part.chunks}
        if len(models) > 1:
            raise RunError(f"the shards have vectors of {', '.join(sorted(models))}", hint=AGAIN)
        vectors = [part.vectors for part in parts if part.vectors is not None and part.chunks]
        whole = bool(vectors) and len(vectors) == sum(bool(part.chunks) for part in parts)
        first = next((part for part in parts if part.chunks), None)
        super().__init__(
            ShardWords(parts), ShardVectors(vectors) if whole else None, first.embed if first and whole else None
        )
        self._parts, self._model, self.edges = tuple(parts), first.model if first else "", edges
        self._chunks = _Chunks(parts)  # type: ignore[assignment]  # only read
        self._documents = ChainMap(*(part._documents for part in parts))  # type: ignore[assignment]  # only read

    @property
    def changes(self) -> int:
        """How often the shards were changed since they were opened."""
        return sum(part.changes for part in self._parts)

    @changes.setter
    def changes(self, _: int) -> None:
        """They count themselves."""

    @contextmanager
    def whole(self) -> Iterator[None]:
        """For asking shards that were opened: what breaks there is their files; raises `RunError`."""
        try:
            yield
        except BROKEN as error:
            what = f"{type(error).__name__} {error}".replace("\n", " ")[:200]
            raise RunError(f"the index of a shard is damaged: {what}", hint=AGAIN) from error

    def add(self, chunks: Iterable[Chunk]) -> NoReturn:
        """Shards are changed, not this."""
        raise TypeError("shards are changed each by itself")

    def delete(self, ids: Iterable[str]) -> NoReturn:
        """Shards are changed, not this."""
        raise TypeError("shards are changed each by itself")

    def save(self, folder: Path) -> NoReturn:
        """Shards are kept, not this."""
        raise TypeError("shards are kept each by itself")


class _Chunks(Mapping[str, Chunk]):
    """The chunks of all shards, and their words."""

    def __init__(self, parts: Sequence[Index]) -> None:
        self._parts = tuple(parts)

    def __getitem__(self, name: str) -> Chunk:
        return self._home(name).chunks[name]

    def __contains__(self, name: object) -> bool:
        return any(name in part.chunks for part in self._parts)

    def __iter__(self) -> Iterator[str]:
        return (name for part in self._parts for name in part.chunks)

    def __len__(self) -> int:
        return sum(len(part.chunks) for part in self._parts)

    def counts(self, name: str) -> Counts:
        """How often each word is in a chunk."""
        return self._home(name).counts(name)

    def amounts(self, name: str, words: Sequence[str], *, parted: bool = False) -> tuple[int, list[int]]:
        """How many words a chunk has, and how often each of these is among them."""
        return self._home(name).amounts(name, words, parted=parted)

    def _home(self, name: str) -> Index:
        for part in self._parts:
            if name in part.chunks:
                return part
        raise KeyError(name)


class ShardVectors(VectorIndex):
    """The vectors of several shards as one index of vectors, which is changed through them."""

    def __init__(self, parts: Sequence[VectorIndex]) -> None:
        self._parts = tuple(parts)

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __contains__(self, name: str) -> bool:
        return any(name in part for part in self._parts)

    @property
    def ids(self) -> Sequence[str]:
        """The ids in the order of `matrix`."""
        return [name for part in self._parts for name in part.ids]

    @property
    def matrix(self) -> Vectors:
        """All vectors, copied together."""
        rows: Vectors = np.concatenate([part.matrix for part in self._parts if len(part)])
        return rows

    def __getitem__(self, name: str) -> Vectors:
        for part in self._parts:
            if name in part:
                return part[name]
        raise KeyError(name)

    def search(self, vector: Any, k: int, allowed: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The k nearest ids of all shards with their cosines; only of those allowed where they are given."""
        if k < 1:
            return []
        asked = normalised(vector)
        found = ((part, name) for part in self._parts for name, _ in part.search(asked, k + SPARE, allowed))
        scored = [(name, float(part[name] @ asked)) for part, name in found]
        return sorted(scored, key=lambda hit: (-hit[1], hit[0]))[:k]


class KeptVectors:
    """An embedder that knows the vectors of some chunks of an index by their texts, and makes none."""

    def __init__(self, index: Index, names: Iterable[str]) -> None:
        self.id = index.model
        self._rows = {index.chunks[name].text: name for name in names}
        self._vectors = index.vectors

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Their vectors, a row each; raises `KeyError` for other texts."""
        assert self._vectors is not None
        rows: Vectors = np.stack([self._vectors[self._rows[text]] for text in texts])
        return rows
