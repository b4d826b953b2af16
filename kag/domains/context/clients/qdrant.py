"""Passages in Qdrant: one collection for all projects, each point and each query with its project.

Needs the extra `qdrant` (qdrant-client). `QdrantClient(":memory:")` is its local mode: the same calls without a server.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kag.domains.context.passage import (
    DIGITS,
    EVERYTHING,
    KEY,
    Passage,
    VectorHit,
    Wanted,
    checked_passage,
    checked_project,
    checked_wanted,
)
from kag.values.errors import BadValue, MissingExtra

if TYPE_CHECKING:
    from kag.search.similarity import Embedder

HINT = "Run: pip install 'kag-papers[qdrant]'"
SPACE = uuid.UUID("5b0b1d0e-6c0f-5d0c-9a55-2f4b7a3c6e11")
AT_ONCE = 256


class QdrantVectors:
    """A `VectorClient` in Qdrant. `client` is a `QdrantClient`; the collection is made where it is not there."""

    def __init__(self, project: str, client: Any, embed: Embedder, *, collection: str = "kag_passages") -> None:
        self._project, self._client, self._embed = checked_project(project), client, embed
        if not KEY.fullmatch(collection):
            raise BadValue(f"no collection {collection!r:.60}", hint="A name of letters, digits and _.")
        try:
            from qdrant_client import models
        except ImportError as error:
            raise MissingExtra(f"{error.name} is not installed", hint=HINT) from None
        self._models, self._collection = models, collection

    @property
    def project(self) -> str:
        """The one project whose passages these are."""
        return self._project

    def create(self) -> None:
        """Make the collection where it is not there; the vectors are as long as the embedder's."""
        if self._client.collection_exists(self._collection):
            return
        size = int(self._embed(["one"]).shape[1])
        distance = self._models.Distance.COSINE
        self._client.create_collection(
            self._collection, vectors_config=self._models.VectorParams(size=size, distance=distance)
        )

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; one with an id that is there takes its place. Raises `BadValue`, and then adds none."""
        whole = [checked_passage(one) for one in passages]
        for begin in range(0, len(whole), AT_ONCE):
            some = whole[begin : begin + AT_ONCE]
            vectors = self._embed([one.text for one in some])
            points = [
                self._models.PointStruct(id=self._point(one.id), vector=vector.tolist(), payload=self._payload(one))
                for one, vector in zip(some, vectors, strict=True)
            ]
            self._client.upsert(self._collection, points=points, wait=True)

    def delete(self, ids: Iterable[str]) -> None:
        """Take passages of this project out; unknown ids do nothing."""
        points: list[Any] = [self._point(name) for name in ids]
        if points:
            self._client.delete(self._collection, points_selector=self._models.PointIdsList(points=points), wait=True)

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        """The k wanted passages nearest to a text by cosine, the best first; equals by id."""
        wish = checked_wanted(wanted)
        if not text.strip() or k < 1:
            return ()
        must = [self._is("project", (self._project,))]  # first and always: nothing below can widen it
        must += [self._is(f"fields.{key}[]", (value,)) for key, value in wish.scope.items()]
        if wish.routes:
            routes = [self._is(f"fields.{key}[]", ids) for key, ids in wish.routes.items()]
            must.append(self._models.Filter(should=routes))
        vector = self._embed([text])[0].tolist()
        found = self._client.query_points(
            self._collection, query=vector, query_filter=self._models.Filter(must=must), limit=k, with_payload=True
        ).points
        hits = (self._hit(point) for point in found)
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id)))

    def _is(self, key: str, values: tuple[str, ...]) -> Any:
        return self._models.FieldCondition(key=key, match=self._models.MatchAny(any=list(values)))

    def _point(self, name: str) -> str:
        """The id of a point: a length before the project keeps `a` + `bc` and `ab` + `c` apart."""
        return str(uuid.uuid5(SPACE, f"{len(self._project)}:{self._project}:{name}"))

    def _payload(self, passage: Passage) -> dict[str, Any]:
        fields = {key: list(values) for key, values in passage.metadata.items()}
        return {"project": self._project, "passage": passage.id, "text": passage.text, "fields": fields}

    def _hit(self, point: Any) -> VectorHit:
        payload = point.payload
        fields = {key: tuple(values) for key, values in payload["fields"].items()}
        return VectorHit(payload["passage"], payload["text"], round(float(point.score), DIGITS), fields)
