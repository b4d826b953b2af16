"""Interfaces of engines (words ranked by BM25, points near a vector, the edges of a graph), and indexes over them.

An engine raises `BadValue` for what it does not take, `RunError` for what fails (`translate_errors`). A change is kept
when its call returns, before the index is saved: after a crash a search may find chunks that the index does not know,
which seeds leave out, and a chunk whose vector is gone has one of zeros.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from kag.core.errors import BadValue, KagError, RunError
from kag.core.files import write_whole
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.sparse import Sparse, words_of
from kag.retrieval.vectors import VectorIndex, Vectors, normalised, np

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
"""What a table or collection may be called."""
PartName = Literal["words", "vectors", "edges"]
Fields = Mapping[str, tuple[str, ...]]
Where = Sequence[Fields]
"""A filter: of each of these, some key has some value of those named."""


@dataclass(frozen=True, slots=True)
class Point:
    """A vector with an id, its content, and the fields to filter by."""

    id: str
    vector: Any
    text: str = ""
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Near:
    """A point that was found; `score` is its cosine."""

    id: str
    score: float
    text: str = ""
    fields: Fields = field(default_factory=dict)


class WordStore(Protocol):
    """Texts by id, each of a document, as counts of their words."""

    def put(self, texts: Iterable[tuple[str, str, Mapping[str, int]]]) -> None:
        """Add texts; one with an id that is there takes its place."""

    def drop(self, ids: Sequence[str]) -> None:
        """Take texts out; unknown ids do nothing."""

    def best(self, words: Mapping[str, float], k: int, documents: Collection[str]) -> list[tuple[str, float]]:
        """At least the k best by BM25 with all that equal the last of them, where there are so many."""

    def having(self, word: str) -> int:
        """Return the number of texts with a word."""

    def lengths(self) -> tuple[int, float]:
        """Return the number of texts, and their mean number of words."""

    def settle(self) -> None:
        """Optimise the store after many changes."""


class PointStore(Protocol):
    """Points, all of one size."""

    def create(self, size: int) -> None:
        """Create the storage if it is missing."""

    def put(self, points: Sequence[Point]) -> None:
        """Add points; one with an id that is there takes its place."""

    def drop(self, ids: Sequence[str]) -> None:
        """Take points out; unknown ids do nothing."""

    def near(self, vector: Any, k: int, where: Where = (), among: Collection[str] | None = None) -> list[Near]:
        """The k nearest by cosine, the nearest first; those of these ids only, where some are given."""

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vectors]:
        """The vectors of these ids; unknown ones are left out."""

    def ids(self) -> list[str]:
        """The ids of all points, sorted."""


class EdgeStore(Protocol):
    """A graph that is written and read as a whole, and queried in place."""

    def write(self, graph: CompactGraph) -> None:
        """Put this graph in place of what is there."""

    def graph(self) -> CompactGraph:
        """Return the graph, queried in place."""


class Engine:
    """An engine at an address. `id` identifies it without secrets, `parts` is what it holds; the rest it refuses."""

    name: ClassVar[str]
    parts: ClassVar[frozenset[PartName]]
    id: str

    def words(self, name: str) -> WordStore:
        """The words of the index with this name."""
        raise self._refused("words")

    def points(self, name: str) -> PointStore:
        """The vectors of the index with this name."""
        raise self._refused("vectors")

    def edges(self, name: str) -> EdgeStore:
        """The edges of the index with this name."""
        raise self._refused("edges")

    def _refused(self, part: PartName) -> BadValue:
        hint = "Leave them in the index's own files, or name another engine."
        return BadValue(f"{self.name} does not hold {part}", hint=hint)


Store = TypeVar("Store")
LONGEST = 300  # characters of what a client says


def translate_errors(engine: str, hint: str) -> Callable[[type[Store]], type[Store]]:
    """Convert errors of the methods of a store, except `KagError`, into `RunError` with this hint.

    Clients raise what their libraries do, of no common kind, and differently with a server and with a folder.
    """

    def decorated(store: type[Store]) -> type[Store]:
        for name, method in list(vars(store).items()):
            if callable(method) and not name.startswith("_"):
                setattr(store, name, _translated(method, engine, hint))
        return store

    return decorated


def _translated(method: Callable[..., Any], engine: str, hint: str) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except (KagError, MemoryError):
            raise
        except Exception as error:
            numbers_in = " ".join(str(error).split())[:LONGEST] or type(error).__name__
            raise RunError(f"{engine}: {numbers_in}", hint=hint) from error

    return call


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
