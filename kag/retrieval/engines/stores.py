"""Interfaces of engines: words ranked by BM25, points near a vector, the edges of a graph.

Whatever an engine does not take is refused with `BadValue`; what goes wrong with it is a `RunError`. Changes are there,
and safe, when a call returns. `told` makes a `RunError` of what the client of an engine raises: of its network, its
files, its versions.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from kag.core.errors import KagError, RunError
from kag.retrieval.meaning.arrays import Vectors
from kag.retrieval.property_graph.compact import CompactGraph

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


class Engine(Protocol):
    """An engine at an address. `id` identifies it without secrets; `parts` is what it can hold."""

    id: str
    parts: frozenset[PartName]

    def words(self, name: str) -> WordStore: ...

    def points(self, name: str) -> PointStore: ...

    def edges(self, name: str) -> EdgeStore: ...


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
