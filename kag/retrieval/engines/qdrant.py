"""Qdrant as an engine: points alone, by its client; extra `qdrant`. Local mode is the same without a server.

Words are refused: its sparse vectors would keep the average length of the day on which they were written.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from weakref import finalize

from kag.core.errors import BadValue, RunError, needed_extra
from kag.core.secrets import hold_secrets_of
from kag.retrieval.engines.stores import NAME, Engine, Near, Point, PointStore, Where, translate_errors
from kag.retrieval.vectors import Vectors, np

SPACE = uuid.UUID("5b0b1d0e-6c0f-5d0c-9a55-2f4b7a3c6e11")
AT_ONCE = 256
MANY = 1000  # points read at once


@translate_errors("Qdrant", "Is it running? Check its address, QDRANT_API_KEY, and that the collection is one of kag.")
class QdrantPoints:
    """Points in a collection with all those of other spaces; each query names its space."""

    def __init__(self, client: Any, collection: str, space: str) -> None:
        if not NAME.fullmatch(collection):
            raise BadValue(f"no collection {collection!r:.60}", hint="A name of letters, digits and _.")
        with needed_extra("qdrant"):
            from qdrant_client import models
        self._client, self._collection, self._space, self._models = client, collection, space, models

    def create(self, size: int) -> None:
        if not self._client.collection_exists(self._collection):
            config = self._models.VectorParams(size=size, distance=self._models.Distance.COSINE)
            self._client.create_collection(self._collection, vectors_config=config)

    def put(self, points: Sequence[Point]) -> None:
        for begin in range(0, len(points), AT_ONCE):
            some = [
                self._models.PointStruct(
                    id=self._point(point.id), vector=np.asarray(point.vector).tolist(), payload=self._payload(point)
                )
                for point in points[begin : begin + AT_ONCE]
            ]
            self._client.upsert(self._collection, points=some, wait=True)

    def drop(self, ids: Sequence[str]) -> None:
        points: list[Any] = [self._point(name) for name in ids]
        self._client.delete(self._collection, points_selector=self._models.PointIdsList(points=points), wait=True)

    def near(self, vector: Any, k: int, where: Where = (), among: Collection[str] | None = None) -> list[Near]:
        must: list[Any] = [self._is("project", (self._space,))]  # first and always: nothing below can widen it
        for fields in where:
            should = [self._is(f"fields.{key}[]", ids) for key, ids in fields.items()]
            must.append(self._models.Filter(should=should))
        if among is not None:
            must.append(self._models.HasIdCondition(has_id=[self._point(name) for name in sorted(among)]))
        asked, query_filter = np.asarray(vector).tolist(), self._models.Filter(must=must)
        found = self._client.query_points(
            self._collection, query=asked, query_filter=query_filter, limit=k, with_payload=True
        ).points
        return [self._near(point) for point in found]

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vectors]:
        points = [self._point(name) for name in ids]
        found = self._client.retrieve(self._collection, points, with_vectors=True)
        return {one.payload["passage"]: np.array(one.vector, dtype=np.float32) for one in found}

    def ids(self) -> list[str]:
        if not self._client.collection_exists(self._collection):
            return []
        names: list[str] = []
        following: Any = None
        own = self._models.Filter(must=[self._is("project", (self._space,))])
        while True:
            points, following = self._client.scroll(
                self._collection, own, limit=MANY, offset=following, with_payload=["passage"]
            )
            names += [point.payload["passage"] for point in points]
            if following is None:
                return sorted(names)

    def _is(self, key: str, values: tuple[str, ...]) -> Any:
        return self._models.FieldCondition(key=key, match=self._models.MatchAny(any=list(values)))

    def _point(self, name: str) -> str:
        """The id of a point: a length before the space keeps `a` + `bc` and `ab` + `c` apart."""
        return str(uuid.uuid5(SPACE, f"{len(self._space)}:{self._space}:{name}"))

    def _payload(self, point: Point) -> dict[str, Any]:
        fields = {key: list(values) for key, values in point.fields.items()}
        return {"project": self._space, "passage": point.id, "text": point.text, "fields": fields}

    def _near(self, point: Any) -> Near:
        payload = point.payload
        fields = {key: tuple(values) for key, values in payload["fields"].items()}
        return Near(payload["passage"], float(point.score), payload["text"], fields)


class Qdrant(Engine):
    """The engine at http://HOST:6333, or in a folder; a key comes from QDRANT_API_KEY."""

    name = "Qdrant"
    parts = frozenset(("vectors",))

    def __init__(self, address: str, key: str = "") -> None:
        hold_secrets_of(address)
        with needed_extra("qdrant"):
            from qdrant_client import QdrantClient
        far = urlsplit(address).scheme in ("http", "https")
        self.id = f"qdrant:{address.rpartition('@')[2] if far else address}"
        try:
            self._client = QdrantClient(url=address, api_key=key or None) if far else QdrantClient(path=address)
        except Exception as error:  # whatever its client raises: of the network, of files, of versions
            raise RunError(f"{self.id}: {error}", hint="Is it running, or open elsewhere?") from error
        finalize(self, self._client.close)  # while there are still modules to do it with

    def points(self, name: str) -> PointStore:
        return QdrantPoints(self._client, f"{name}_points", "")
