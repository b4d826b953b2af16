"""The passages of a project at an address: of files on this machine, of PostgreSQL with pgvector, of Qdrant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.errors import BadValue
from kag.kgrag.context.clients.embedded import EmbeddedVectors, folder_of
from kag.kgrag.context.clients.stored import StoredVectors
from kag.kgrag.context.passage import VectorClient, checked_project

if TYPE_CHECKING:
    from kag.retrieval.meaning.similarity import Embedder

KINDS = "files:FOLDER, postgresql://HOST/DATABASE, qdrant:FOLDER, qdrant:http://HOST:6333"


def checked_place(address: str, project: str) -> tuple[str, str]:
    """The kind of an address and what follows it; raises `BadValue` for another kind, or no project."""
    checked_project(project)
    kind, _, rest = address.partition(":")
    if kind not in ("files", "postgresql", "postgres", "qdrant") or not rest:
        raise BadValue(f"no place for passages {kind[:40]!r}", hint=f"Take one of {KINDS}.")
    return kind, rest


def client_at(address: str, project: str, embed: Embedder | None) -> VectorClient:
    """The client of a project; in an engine each project has a table or collection of its own.

    Raises `BadValue` for an address of another kind or an engine without an embedder, `MissingExtra`, `RunError`.
    """
    kind, rest = checked_place(address, project)
    if kind == "files":
        return EmbeddedVectors(project, Path(rest), embed)
    if embed is None:
        raise BadValue(
            "an engine keeps vectors, and nothing makes them", hint="Install the extra dense, or take files:."
        )
    from kag.retrieval.engines.placing import engine_at

    client = StoredVectors(project, engine_at(address).points(f"kag_{folder_of(project)}"), embed)
    client.create()
    return client
