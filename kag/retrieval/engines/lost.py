"""What engines hold no more of an index: their tables may be dropped, their folders moved, their collections emptied.

An engine may be ahead of the index (`kag.retrieval.engines.parts`), so only what it lacks counts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kag.retrieval.engines.parts import AT_ONCE, EngineVectors, EngineWords

if TYPE_CHECKING:
    from kag.retrieval.index import Index


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
    """The chunks whose vectors should lie in an engine, and do not."""
    held = index.vectors
    return [name for name in index.chunks if name not in held] if isinstance(held, EngineVectors) else []
