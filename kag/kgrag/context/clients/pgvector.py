"""Passages in PostgreSQL with pgvector: one table for all projects, each row and each query with its project.

Needs the extra `pgvector` (psycopg) and a server that has the extension `vector`. Vectors are compared exactly, unless
`index` makes an HNSW index; from 0.8 on a filtered search then goes on until it has enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kag.kgrag.context.clients.stored import StoredVectors
from kag.kgrag.context.passage import checked_project

if TYPE_CHECKING:
    from kag.retrieval.meaning.similarity import Embedder


class PgVectors(StoredVectors):
    """A `VectorClient` in PostgreSQL. `connection` is psycopg's; `create` makes the table where it is not there."""

    def __init__(self, project: str, connection: Any, embed: Embedder, *, table: str = "kag_passages") -> None:
        from kag.retrieval.engines.postgresql import PgPoints

        self._pg = PgPoints(connection, table, checked_project(project))
        super().__init__(project, self._pg, embed)

    def index(self) -> None:
        """Make an HNSW index over the vectors: quicker with very many, and no more exact."""
        self._pg.index()
