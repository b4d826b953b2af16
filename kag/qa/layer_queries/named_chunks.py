"""Chunks with the names that a paper's entity layer gives them, beside those that rules find in their texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from kag.qa.layer_queries.papers import said_by
from kag.qa.paper import PaperGraph
from kag.retrieval.chunk import Chunk


def named_chunks(paper: PaperGraph, found: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks of a paper, each with the entities that are mentioned in it, by the one name that each has in the
    paper: a chunk with an abbreviation and one with its long form share a name. Raises `RunError`.

    Without an entity layer they are as they were.
    """
    names: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for entity in said_by(paper).entities:
        for mention in entity.mentions:
            names[mention.node][entity.name] = None
    if not names:
        return tuple(found)
    return tuple(
        replace(
            chunk, entities=tuple(dict.fromkeys((*chunk.entities, *(n for at in chunk.sources for n in names[at]))))
        )
        for chunk in found
    )
