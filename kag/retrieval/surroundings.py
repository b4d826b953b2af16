"""A hit with what stands around it in its section: what a reader, or a model, needs to use a short chunk.

Search is best with chunks of a paragraph; an answer wants more of the text. So chunks stay small, and a hit is widened
to its section when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kag.retrieval.chunk import Chunk
from kag.retrieval.index import Index

LEAST, MOST = 800, 1800
"""Tokens of a chunk in the design of entity search (ADR-041)."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Chunks of one section that stand side by side, in reading order, and their texts as one."""

    text: str
    chunks: tuple[str, ...]


def surroundings(index: Index, name: str, count: Count, least: int = LEAST, most: int = MOST) -> Surroundings:
    """A chunk with the chunks around it until they have `least` units of `count`, never more than `most`.

    They are of its section; where that is shorter, of the section around it, up to the outermost. Entries of reference
    lists stand alone. A chunk longer than `most` is given whole.
    """
    order = index.of_document(index.chunks[name].document)
    here = first = last = order.index(name)
    chunk = index.chunks[name]
    size = count(chunk.text)
    path = _path(chunk)
    for depth in range(len(path), 0, -1):
        for place in _around(here, len(order)):
            if size >= least:
                break
            other = index.chunks[order[place]]
            if place not in (first - 1, last + 1) or _path(other)[:depth] != path[:depth]:
                continue
            if size + count(other.text) <= most:
                size += count(other.text)
                first, last = min(first, place), max(last, place)
    names = tuple(order[first : last + 1])
    return Surroundings("\n\n".join(index.chunks[one].text for one in names), names)


def _path(chunk: Chunk) -> list[str]:
    """The titles of a chunk's section from the top; none for an entry of a reference list."""
    return [] if chunk.metadata.get("kind") == "reference" else [part for part in chunk.topic.split(" > ") if part]


def _around(here: int, total: int) -> Iterator[int]:
    """Places after and before one, the nearest first."""
    for step in range(1, total):
        yield from (place for place in (here + step, here - step) if 0 <= place < total)
