"""Moving the parts of an index between its files and engines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from secrets import token_hex

from kag.retrieval.engines.parts import EngineVectors, EngineWords
from kag.retrieval.engines.placing import EdgesAt, about_of, engine_at
from kag.retrieval.engines.stores import Engine
from kag.retrieval.index import Index
from kag.retrieval.meaning.vectors import VectorIndex
from kag.retrieval.words.sparse import Sparse

FILES = "files"
_AT_ONCE = 2000


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
