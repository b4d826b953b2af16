"""The values of retrieval: `Chunk` is what is read, `Hit` what was found and how, `Query` what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ChunkKind(StrEnum):
    """The three kinds of SAGE (arXiv:2602.16964, section 2.1A)."""

    DOCUMENT = "document"
    TABLE = "table"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text that is retrieved as a whole.

    `document` is what it was cut from (a paper, a table), `sources` the graph nodes it covers, so that a hit leads
    back to page and box. `title` and `topic` say what it is about, `entities` the names in it, `columns` a table
    segment's headers; `links` name chunks or documents that it points to itself (schema edges).
    """

    id: str
    text: str
    kind: ChunkKind = ChunkKind.DOCUMENT
    document: str = ""
    title: str = ""
    topic: str = ""
    entities: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """A question as it is searched for; `scope` limits it to these documents when it is not empty."""

    text: str
    scope: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found; `via` says how: "seed", or an edge such as "table_doc from <chunk>"."""

    chunk: str
    score: float
    via: str = "seed"


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a plan has found for a question: hits, seeds first, and notes that stand for compressed chunks."""

    hits: tuple[Hit, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    def merged(self, other: Bundle) -> Bundle:
        """Both bundles, this one's hits first; a chunk found twice stays where it was found first."""
        known = {hit.chunk for hit in self.hits}
        more = tuple(hit for hit in other.hits if hit.chunk not in known)
        return Bundle(self.hits + more, {**other.notes, **self.notes})
