"""Passages in Qdrant: one collection for all projects, each point and each query with its project.

Needs the extra `qdrant` (qdrant-client). `QdrantClient(":memory:")` is its local mode: the same calls without a server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kag.kgrag.context.clients.stored import StoredVectors
from kag.kgrag.context.passage import checked_project

if TYPE_CHECKING:
    from kag.retrieval.meaning.similarity import Embedder


class QdrantVectors(StoredVectors):
    """A `VectorClient` in Qdrant. `client` is a `QdrantClient`; `create` makes the collection where it is not there."""

    def __init__(self, project: str, client: Any, embed: Embedder, *, collection: str = "kag_passages") -> None:
        from kag.retrieval.engines.qdrant import QdrantPoints

        super().__init__(project, QdrantPoints(client, collection, checked_project(project)), embed)
