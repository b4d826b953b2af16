"""Passages in PostgreSQL with pgvector, Qdrant or Milvus, or in files; `client_at` opens a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.errors import BadValue, KagError, RunError
from kag.kgrag.context.passages import (
    DIGITS,
    EVERYTHING,
    EmbeddedVectors,
    Passage,
    VectorClient,
    VectorHit,
    Wanted,
    checked_passage,
    checked_project,
    checked_wanted,
    folder_of,
)

if TYPE_CHECKING:
    from kag.retrieval.engines.stores import PointStore
    from kag.retrieval.meaning.arrays import Embedder


AT_ONCE = 256
ENGINES = ("postgresql", "postgres", "qdrant", "milvus")
KINDS = (
    "files:FOLDER, postgresql://HOST/DATABASE, qdrant:FOLDER, qdrant:http://HOST:6333, milvus:FILE.db, "
    "milvus:http://HOST:19530"
)


class StoredVectors:
    """A `VectorClient` over points, which are those of its project alone."""

    def __init__(self, project: str, points: PointStore, embed: Embedder) -> None:
        self._project, self._points, self._embed = checked_project(project), points, embed

    @property
    def project(self) -> str:
        """The one project whose passages these are."""
        return self._project

    @contextmanager
    def _engine_errors(self) -> Iterator[None]:
        """Whatever an engine's own library raises, of networks, files and versions, as a `RunError`."""
        try:
            yield
        except (KagError, MemoryError):
            raise
        except Exception as error:
            message = f"the vectors of {self._project!r:.60}: {type(error).__name__}: {str(error)[:200]}"
            raise RunError(message, hint="Is the engine running, and are its vectors of this model?") from error

    def create(self) -> None:
        """Create the storage if it is missing; vectors have the embedder's length."""
        size = int(self._embed(["one"]).shape[1])
        with self._engine_errors():
            self._points.create(size)

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; one with an id that is there takes its place. Raises `BadValue`, and then adds none."""
        from kag.retrieval.engines.stores import Point

        whole = list({passage.id: passage for passage in map(checked_passage, passages)}.values())
        for begin in range(0, len(whole), AT_ONCE):
            some = whole[begin : begin + AT_ONCE]
            vectors = self._embed([passage.text for passage in some])
            points = [
                Point(passage.id, vector, passage.text, passage.metadata)
                for passage, vector in zip(some, vectors, strict=True)
            ]
            with self._engine_errors():
                self._points.put(points)

    def delete(self, ids: Iterable[str]) -> None:
        """Take passages of this project out; unknown ids do nothing."""
        names = list(ids)
        if names:
            with self._engine_errors():
                self._points.drop(names)

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        """The k wanted passages nearest to a text by cosine, the best first; equals by id."""
        request = checked_wanted(wanted)
        if not text.strip() or k < 1:
            return ()
        where = [
            *({key: (value,)} for key, value in request.scope.items()),
            *((request.routes,) if request.routes else ()),
        ]
        vector = self._embed([text])[0]
        with self._engine_errors():
            nears = self._points.near(vector, k, where)
        hits = (VectorHit(near.id, near.text, round(near.score, DIGITS), near.fields) for near in nears)
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id)))

    def ids(self) -> tuple[str, ...]:
        """The ids of all passages of this project, sorted."""
        with self._engine_errors():
            return tuple(self._points.ids())

    def save(self) -> None:
        """Nothing: each change lasts when its call returns."""


def checked_place(address: str, project: str) -> tuple[str, str]:
    """The kind of an address and what follows it; raises `BadValue` for another kind, or no project."""
    checked_project(project)
    kind, _, rest = address.partition(":")
    if kind not in ("files", *ENGINES) or not rest:
        raise BadValue(f"no place for passages {kind[:40]!r}", hint=f"Use one of {KINDS}.")
    return kind, rest


def client_at(address: str, project: str, embed: Embedder | None) -> VectorClient:
    """Return the client of a project; in an engine each project has a table or collection of its own.

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
