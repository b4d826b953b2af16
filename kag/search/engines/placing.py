"""Which engine holds which part of an index: what is stated, what an index says of itself, and moving between them.

An index names its engines, and none is asked that the user has not stated: a stranger's index leads nowhere.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from kag.graph.compact import CompactGraph
from kag.safety.files import read_object
from kag.search.engines.parts import DESCRIBED, EngineVectors, EngineWords, describe
from kag.search.engines.stores import EdgeStore, Engine, PartName
from kag.search.sparse import Sparse
from kag.search.vectors import VectorIndex
from kag.values.errors import BadValue

if TYPE_CHECKING:
    from kag.search.index import Index

STATED = "KAG_ENGINES"
"""Environment variable that states the addresses of engines, parted by blanks."""
FILES = "files"
_KINDS = (
    "postgresql://HOST/DATABASE, lancedb:FOLDER, qdrant:FOLDER, qdrant:http://HOST:6333, opensearch:http://HOST:9200"
)
_AT_ONCE = 2000
Engines = dict[PartName, Engine]


@lru_cache(16)
def engine_at(address: str) -> Engine:
    """The engine at an address. Raises `BadValue`, `MissingExtra`, `RunError`."""
    kind, _, rest = address.partition(":")
    if kind in ("postgresql", "postgres"):
        from kag.search.engines.postgresql import PostgreSQL

        return PostgreSQL(address)
    if kind == "lancedb" and rest:
        from kag.search.engines.lance import Lance

        return Lance(rest)
    if kind == "qdrant" and rest:
        from kag.search.engines.qdrant import Qdrant

        return Qdrant(rest, os.environ.get("QDRANT_API_KEY", ""))
    if kind == "opensearch" and rest:
        from kag.search.engines.opensearch import OpenSearch

        return OpenSearch(rest)
    raise BadValue(f"no engine {kind[:40]!r}", hint=f"Take one of {_KINDS}.")


def place(index: Index, addresses: Sequence[str] = ()) -> None:
    """Move the parts of an index to where they are wished, each to the last engine that holds such; `files` is the
    index itself. Without addresses what is new goes where the others of its kind are.
    """
    for address in addresses:
        if address == FILES:
            index.engines.clear()
        else:
            index.engines.update(dict.fromkeys(sorted(engine_at(address).parts), engine_at(address)))
    name = f"kag_{token_hex(4)}"
    _place_words(index, index.engines.get("words"), name)
    if index.vectors is not None:
        _place_vectors(index, index.vectors, index.engines.get("vectors"), name)
    edges = index.engines.get("edges")
    if edges is None:
        index.edges_at = None
    elif index.edges_at is None or index.edges_at.engine != edges.id:
        index.edges_at = EdgesAt(edges.id, edges.edges(name), _about(edges, name))


def _place_words(index: Index, engine: Engine | None, name: str) -> None:
    held = index.sparse
    if _is_there(held, engine):
        return
    fresh = EngineWords(engine.words(name), _about(engine, name)) if engine else Sparse()
    fresh.add_words(
        (chunk.id, chunk.document, list(Counter(index.counts(chunk.id)).elements())) for chunk in index.chunks.values()
    )
    index.sparse = fresh


def _place_vectors(index: Index, held: VectorIndex, engine: Engine | None, name: str) -> None:
    if _is_there(held, engine):
        return
    fresh = EngineVectors(engine.points(name), _about(engine, name)) if engine else VectorIndex()
    names, matrix = list(held.ids), held.matrix
    for at in range(0, len(names), _AT_ONCE):
        fresh.add(names[at : at + _AT_ONCE], matrix[at : at + _AT_ONCE])
    index.vectors = fresh


class EdgesAt:
    """Where the edges of an index are."""

    def __init__(self, engine: str, store: EdgeStore, about: str) -> None:
        self.engine, self.store, self._about = engine, store, about
        self._written: CompactGraph | None = None

    def opened(self) -> CompactGraph:
        """The graph as it lies there."""
        self._written = self.store.graph()
        return self._written

    def save(self, graph: CompactGraph, folder: Path) -> None:
        """Put a graph there, unless it is the one that lies there, and write down where."""
        if graph is not self._written:
            self.store.write(graph)
            self._written = graph
        describe(folder, self._about)


def open_words(folder: Path, engines: Engines) -> Sparse:
    """The words of a saved index, where they are; whose they are is put among the engines."""
    found = _described(folder, "words", engines)
    return EngineWords(found[0].words(found[1]), _about(*found)) if found else Sparse.load(folder)


def open_vectors(folder: Path, engines: Engines) -> VectorIndex:
    """The vectors of a saved index, where they are."""
    found = _described(folder, "vectors", engines)
    return EngineVectors(found[0].points(found[1]), _about(*found)) if found else VectorIndex.load(folder)


def open_edges(folder: Path, engines: Engines) -> tuple[CompactGraph, EdgesAt | None]:
    """The edges of a saved index, where they are, and what keeps them there."""
    found = _described(folder, "edges", engines)
    if not found:
        return CompactGraph.load(folder), None
    there = EdgesAt(found[0].id, found[0].edges(found[1]), _about(*found))
    return there.opened(), there


def _described(folder: Path, part: PartName, engines: Engines) -> tuple[Engine, str] | None:
    """The engine that a part says it is in, if the user has stated it, and its name there."""
    if not (folder / DESCRIBED).exists():
        return None
    about = read_object(folder / DESCRIBED, 10_000)
    where, name = str(about.get("engine", "")), str(about.get("name", ""))
    engine = _stated().get(where)
    if engine is None or part not in engine.parts or not name.isidentifier():
        hint = f"State its address in the environment variable {STATED}, or move the index with --engine files."
        raise BadValue(f"the {part} of this index are in {where[:200]!r}, which is not stated", hint=hint)
    engines[part] = engine
    return engine, name


def _stated() -> Mapping[str, Engine]:
    engines = map(engine_at, os.environ.get(STATED, "").split())
    return {engine.id: engine for engine in engines}


def _about(engine: Engine, name: str) -> str:
    return json.dumps({"engine": engine.id, "name": name}, sort_keys=True) + "\n"


def _is_there(held: Sparse | VectorIndex, engine: Engine | None) -> bool:
    """Whether a part is where it should be."""
    if isinstance(held, EngineWords | EngineVectors):
        return engine is not None and json.loads(held.about)["engine"] == engine.id
    return engine is None
