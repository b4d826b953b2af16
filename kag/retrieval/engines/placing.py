"""Engines of an index's parts: as configured, and as a saved index records them.

An index names its engines, and none is asked that the user has not stated: a stranger's index leads nowhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from kag.core.errors import BadValue
from kag.core.files import read_object
from kag.retrieval.engines.stores import DESCRIBED, EdgeStore, Engine, EngineVectors, EngineWords, PartName, describe
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.sparse import Sparse
from kag.retrieval.vectors import VectorIndex

STATED = "KAG_ENGINES"
"""Environment variable that states the addresses of engines, parted by blanks."""
_KINDS = (
    "postgresql://HOST/DATABASE, lancedb:FOLDER, qdrant:FOLDER, qdrant:http://HOST:6333, milvus:FILE.db, "
    "milvus:http://HOST:19530, opensearch:http://HOST:9200"
)
Engines = dict[PartName, Engine]


@lru_cache(16)
def engine_at(address: str) -> Engine:
    """The engine at an address. Raises `BadValue`, `MissingExtra`, `RunError`."""
    kind, _, rest = address.partition(":")
    if kind in ("postgresql", "postgres"):
        from kag.retrieval.engines.postgresql import PostgreSQL

        return PostgreSQL(address)
    if kind == "lancedb" and rest:
        from kag.retrieval.engines.lance import Lance

        return Lance(rest)
    if kind == "qdrant" and rest:
        from kag.retrieval.engines.qdrant import Qdrant

        return Qdrant(rest, os.environ.get("QDRANT_API_KEY", ""))
    if kind == "milvus" and rest:
        from kag.retrieval.engines.milvus import Milvus

        return Milvus(rest, os.environ.get("MILVUS_TOKEN", ""))
    if kind == "opensearch" and rest:
        from kag.retrieval.engines.opensearch import OpenSearch

        return OpenSearch(rest)
    raise BadValue(f"unknown engine {kind[:40]!r}", hint=f"Use one of {_KINDS}.")


class EdgesAt:
    """The place of an index's edges."""

    def __init__(self, engine: str, store: EdgeStore, about: str) -> None:
        self.engine, self.store, self._about = engine, store, about
        self._written: CompactGraph | None = None

    def opened(self) -> CompactGraph:
        """Return the stored graph."""
        self._written = self.store.graph()
        return self._written

    def save(self, graph: CompactGraph, folder: Path) -> None:
        """Store a graph, unless it is the stored one, and record its place."""
        if graph is not self._written:
            self.store.write(graph)
            self._written = graph
        describe(folder, self._about)


def open_words(folder: Path, engines: Engines) -> Sparse:
    """The words of a saved index, where they are; whose they are is put among the engines."""
    found = _described(folder, "words", engines)
    return EngineWords(found[0].words(found[1]), about_of(*found)) if found else Sparse.load(folder)


def open_vectors(folder: Path, engines: Engines) -> VectorIndex:
    """The vectors of a saved index, where they are."""
    found = _described(folder, "vectors", engines)
    return EngineVectors(found[0].points(found[1]), about_of(*found)) if found else VectorIndex.load(folder)


def open_edges(folder: Path, engines: Engines) -> tuple[CompactGraph, EdgesAt | None]:
    """The edges of a saved index, where they are, and what keeps them there."""
    found = _described(folder, "edges", engines)
    if not found:
        return CompactGraph.load(folder), None
    there = EdgesAt(found[0].id, found[0].edges(found[1]), about_of(*found))
    return there.opened(), there


def _described(folder: Path, part: PartName, engines: Engines) -> tuple[Engine, str] | None:
    """Return the engine that a part records, if the user has configured it, and its name there."""
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


def about_of(engine: Engine, name: str) -> str:
    """Return a part's own record: its engine, and its name there."""
    return json.dumps({"engine": engine.id, "name": name}, sort_keys=True) + "\n"
