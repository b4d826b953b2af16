"""Words and vectors of an index in an engine: the same calls as for those in files.

A change is in the engine at once, before the index is saved. Until it is done again after a crash, what is found may
be of chunks that the index does not know, which seeds leave out; a chunk whose vector is gone has one of zeros.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from kag.core.files import write_whole
from kag.retrieval.engines.stores import Point, PointStore, WordStore
from kag.retrieval.meaning.arrays import Vectors, normalised, np
from kag.retrieval.meaning.vectors import VectorIndex
from kag.retrieval.words.sparse import Sparse, words_of

DESCRIBED = "engine.json"
AT_ONCE = 2000  # texts or vectors of one change
SPARE, MOST = 8, 5000  # vectors more than asked for, and so many at most, that equals at the border are looked for in
SAME = 1e-6  # cosines that differ by less are equal
HELD = 50_000  # vectors that stay in memory


class EngineWords(Sparse):
    """BM25 in an engine."""

    def __init__(self, store: WordStore, about: str) -> None:
        self._store, self.about = store, about
        self._having = lru_cache(10_000)(store.having)

    def __len__(self) -> int:
        return self._store.lengths()[0]

    def add_words(self, texts: Iterable[tuple[str, str, Sequence[str]]]) -> None:
        """Add texts whose words are known; one with an id that is there takes its place."""
        rows = ((name, document, Counter(words)) for name, document, words in texts)
        while some := list(islice(rows, AT_ONCE)):
            self._store.put({row[0]: row for row in some}.values())
        self._having.cache_clear()

    def delete(self, ids: Iterable[str]) -> None:
        """Take texts out; unknown ids do nothing."""
        names = list(ids)
        if names:
            self._store.drop(names)
        self._having.cache_clear()

    def search(self, text: str, k: int, documents: Collection[str] = ()) -> list[tuple[str, float]]:
        """The k best texts with their scores, equals by id; only of these documents where some are given."""
        return self.weighed(Counter(words_of(text)), k, documents)

    def weighed(self, words: Mapping[str, float], k: int, documents: Collection[str] = ()) -> list[tuple[str, float]]:
        """`search` for words in the form of `words_of`, each of which counts so many times."""
        if not words or k < 1:
            return []
        found = self._store.best(words, k, documents)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]

    def frequency(self, word: str) -> int:
        """Return the number of texts with a word, in the form of `words_of`."""
        return self._having(word)

    def save(self, folder: Path) -> None:
        """Write down where they are."""
        self._store.settle()
        describe(folder, self.about)


class EngineVectors(VectorIndex):
    """Vectors in an engine."""

    def __init__(self, store: PointStore, about: str) -> None:
        super().__init__()
        self._store, self.about, self._made = store, about, False
        self._held: dict[str, Vectors] = {}
        self._names: dict[str, None] | None = None

    def _all(self) -> dict[str, None]:
        if self._names is None:
            self._names = dict.fromkeys(self._store.ids())
        return self._names

    def __len__(self) -> int:
        return len(self._all())

    def __contains__(self, name: str) -> bool:
        return name in self._all()

    @property
    def ids(self) -> Sequence[str]:
        """The ids in the order of `matrix`."""
        return list(self._all())

    @property
    def matrix(self) -> Vectors:
        """All vectors, a row each."""
        names = list(self._all())
        parts = [self._rows_of(names[at : at + AT_ONCE]) for at in range(0, len(names), AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros((0, 0), dtype=np.float32)

    def _rows_of(self, names: Sequence[str]) -> Vectors:
        found = self._store.vectors(names)
        rows: Vectors = np.stack([found[name] for name in names])
        return rows

    def __getitem__(self, name: str) -> Vectors:
        self.hold((name,))
        return self._held[name]

    def hold(self, names: Iterable[str]) -> None:
        """Fetch the vectors of these ids at once."""
        wanted = [name for name in dict.fromkeys(names) if name not in self._held]
        if not wanted:
            return
        if len(self._held) > HELD:
            self._held.clear()
        found = self._store.vectors(wanted)
        zeros = np.zeros_like(next(iter(found.values()), np.zeros(1, dtype=np.float32)))
        self._held.update((name, found.get(name, zeros)) for name in wanted)

    def add(self, ids: Sequence[str], vectors: Any) -> None:
        """Add vectors, one an id; one with an id that is there takes its place."""
        rows = normalised(vectors)
        if not len(ids):
            return
        if not self._made:
            self._store.create(rows.shape[1])
            self._made = True
        last = {name: row for row, name in enumerate(ids)}
        points = [Point(name, rows[row]) for name, row in last.items()]
        for at in range(0, len(points), AT_ONCE):
            self._store.put(points[at : at + AT_ONCE])
        self._forget(last)

    def delete(self, ids: Iterable[str]) -> None:
        """Take vectors out; unknown ids do nothing."""
        names = list(ids)
        if names and self._made | bool(len(self)):
            self._store.drop(names)
        self._forget(names)

    def _forget(self, names: Iterable[str]) -> None:
        self._names = None
        for name in names:
            self._held.pop(name, None)

    def search(self, vector: Any, k: int, allowed: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The k nearest ids with their cosines, the nearest first; only of those allowed where they are given."""
        if k < 1 or (allowed is not None and not allowed):
            return []
        asked, limit = normalised(vector), k + SPARE
        while True:  # equals at the border are all looked at
            nears = self._store.near(asked, limit, (), allowed)
            if len(nears) < limit or limit > MOST or nears[-1].score < nears[k - 1].score - SAME:
                break
            limit *= 4
        hits = [(near.id, near.score) for near in nears]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]

    def save(self, folder: Path) -> None:
        """Write down where they are."""
        describe(folder, self.about)


def describe(folder: Path, about: str) -> None:
    """Write into a new folder where its part of an index is."""
    folder.mkdir(parents=True)
    write_whole(folder / DESCRIBED, about)
