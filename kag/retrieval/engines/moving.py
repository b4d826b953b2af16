"""Move the parts of an index between its files and engines, and restore what an engine has lost.

Tables may be dropped, folders moved, collections emptied. An engine may be ahead of the index
(`kag.retrieval.engines.stores`), so only what it lacks counts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from secrets import token_hex
from typing import TYPE_CHECKING

from kag.retrieval.engines.placing import EdgesAt, about_of, engine_at
from kag.retrieval.engines.stores import AT_ONCE, Engine, EngineVectors, EngineWords
from kag.retrieval.index import Index
from kag.retrieval.sparse import Sparse
from kag.retrieval.vectors import VectorIndex

if TYPE_CHECKING:
    from kag.retrieval.index import Index

FILES = "files"
_AT_ONCE = 2000


def place(index: Index, addresses: Sequence[str] = ()) -> None:
    """Move the parts of an index to where they are requested, each to the last engine that holds such; `files` is the
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
        index.edges_at = EdgesAt(edges.id, edges.edges(name), about_of(edges, name))


def _place_words(index: Index, engine: Engine | None, name: str) -> None:
    held = index.sparse
    if _is_there(held, engine):
        return
    fresh = EngineWords(engine.words(name), about_of(engine, name)) if engine else Sparse()
    fresh.add_words(
        (chunk.id, chunk.document, list(Counter(index.counts(chunk.id)).elements())) for chunk in index.chunks.values()
    )
    index.sparse = fresh


def _place_vectors(index: Index, held: VectorIndex, engine: Engine | None, name: str) -> None:
    if _is_there(held, engine):
        return
    fresh = EngineVectors(engine.points(name), about_of(engine, name)) if engine else VectorIndex()
    names, matrix = list(held.ids), held.matrix
    for at in range(0, len(names), _AT_ONCE):
        fresh.add(names[at : at + _AT_ONCE], matrix[at : at + _AT_ONCE])
    index.vectors = fresh


def _is_there(held: Sparse | VectorIndex, engine: Engine | None) -> bool:
    """Whether a part is where it should be."""
    if isinstance(held, EngineWords | EngineVectors):
        return engine is not None and json.loads(held.about)["engine"] == engine.id
    return engine is None


def lost(index: Index) -> tuple[str, ...]:
    """In words what the engines of an index hold too little of; empty where nothing is lost. Raises `RunError`."""
    found, chunks = [], len(index.chunks)
    if isinstance(index.sparse, EngineWords) and len(index.sparse) < chunks:
        found.append(f"{index.engines['words'].id} holds {len(index.sparse)} of its {chunks} texts")
    if lacking := _without_vector(index):
        found.append(f"{index.engines['vectors'].id} holds {chunks - len(lacking)} of its {chunks} vectors")
    return tuple(found)


def restore(index: Index) -> None:
    """Put into the engines what they lost. Vectors are made again by the index's embedder, whose errors are raised."""
    held = index.sparse
    if isinstance(held, EngineWords) and len(held) < len(index.chunks):
        held.add_words(
            (name, chunk.document, list(Counter(index.counts(name)).elements())) for name, chunk in index.chunks.items()
        )
    names = _without_vector(index)
    for at in range(0, len(names), AT_ONCE):
        some = names[at : at + AT_ONCE]
        assert index.vectors is not None, "only what has vectors lacks some"
        index.vectors.add(some, index.embedder([index.chunks[name].text for name in some]))


def _without_vector(index: Index) -> list[str]:
    """Return the chunks without a vector in the engine that should have one."""
    held = index.vectors
    return [name for name in index.chunks if name not in held] if isinstance(held, EngineVectors) else []
