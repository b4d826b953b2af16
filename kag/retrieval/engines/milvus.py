"""Milvus as an engine: points alone, by pymilvus; extra `milvus`. A file is Milvus Lite, the same without a server.

Filters name points, spaces and fields by hashes: no text of a document or a user is ever part of an expression.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from weakref import finalize

from kag.core.errors import BadValue, RunError, needed_extra
from kag.core.secrets import hold_secrets_of
from kag.retrieval.engines.stores import NAME, Engine, Near, Point, PointStore, Where, translate_errors
from kag.retrieval.vectors import Vectors, np

AT_ONCE = 256
LARGEST = 65_000  # bytes of what is kept of a point; Milvus takes 65,536
_SHOWN = ("about",)


@translate_errors("Milvus", "Is it running? Check its address, MILVUS_TOKEN, and that the collection is one of kag.")
class MilvusPoints:
    """Points in a collection with all those of other spaces; each query names its space."""

    def __init__(self, client: Any, collection: str, space: str) -> None:
        if not NAME.fullmatch(collection):
            raise BadValue(f"no collection {collection!r:.60}", hint="A name of letters, digits and _.")
        self._client, self._collection, self._space = client, collection, space

    def create(self, size: int) -> None:
        if self._client.has_collection(self._collection):
            return
        from pymilvus import DataType

        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=64)
        schema.add_field("space", DataType.VARCHAR, max_length=64)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=size)
        schema.add_field("about", DataType.JSON)
        schema.add_field("marks", DataType.JSON)
        how = self._client.prepare_index_params()
        how.add_index("vector", index_type="FLAT", metric_type="COSINE")  # exact
        self._client.create_collection(self._collection, schema=schema, index_params=how, consistency_level="Strong")

    def put(self, points: Sequence[Point]) -> None:
        rows = [self._row(point) for point in points]
        for begin in range(0, len(rows), AT_ONCE):
            self._client.upsert(self._collection, rows[begin : begin + AT_ONCE])

    def drop(self, ids: Sequence[str]) -> None:
        if ids:
            self._client.delete(self._collection, ids=[self._key(name) for name in ids])

    def near(self, vector: Any, k: int, where: Where = (), among: Collection[str] | None = None) -> list[Near]:
        if among is not None and not among:
            return []
        must = [self._within()]  # first and always: nothing below can widen it
        for fields in where:
            marks = [_mark(name, value) for name, values in fields.items() for value in values]
            must.append(f"json_contains_any(marks, {_listed(marks)})")
        if among is not None:
            must.append(f"key in {_listed(map(self._key, sorted(among)))}")
        asked = [np.asarray(vector, dtype=np.float32).tolist()]
        (found,) = self._client.search(
            self._collection, asked, limit=k, filter=" and ".join(must), output_fields=list(_SHOWN)
        )
        return [_near(hit) for hit in found]

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vectors]:
        keys = [self._key(name) for name in ids]
        found = self._client.get(self._collection, ids=keys, output_fields=["vector", *_SHOWN]) if keys else []
        return {one["about"]["id"]: np.array(one["vector"], dtype=np.float32) for one in found}

    def ids(self) -> list[str]:
        if not self._client.has_collection(self._collection):
            return []
        rows = self._client.query_iterator(
            self._collection, batch_size=1000, filter=self._within(), output_fields=list(_SHOWN)
        )
        names: list[str] = []
        while some := rows.next():
            names += [row["about"]["id"] for row in some]
        rows.close()
        return sorted(names)

    def _row(self, point: Point) -> dict[str, Any]:
        fields = {name: list(values) for name, values in point.fields.items()}
        about = {"id": point.id, "text": point.text, "fields": fields}
        marks = sorted({_mark(name, value) for name, values in point.fields.items() for value in values})
        if len(json.dumps([about, marks], ensure_ascii=False).encode("utf-8", "replace")) > LARGEST:
            raise BadValue(f"{point.id!r:.60} is longer than Milvus takes", hint="Cut it into shorter passages.")
        vector = np.asarray(point.vector, dtype=np.float32).tolist()
        return {
            "key": self._key(point.id),
            "space": _hash(self._space),
            "vector": vector,
            "about": about,
            "marks": marks,
        }

    def _within(self) -> str:
        return f'space == "{_hash(self._space)}"'

    def _key(self, name: str) -> str:
        return _hash(self._space, name)


class Milvus(Engine):
    """The engine at http://HOST:19530, or in a file of Milvus Lite; a token comes from MILVUS_TOKEN."""

    name = "Milvus"
    parts = frozenset(("vectors",))

    def __init__(self, address: str, token: str = "") -> None:
        hold_secrets_of(address)
        far = urlsplit(address).scheme in ("http", "https")
        self.id = f"milvus:{address.rpartition('@')[2] if far else address}"
        self._client = client_at(address, token)
        finalize(self, self._client.close)

    def points(self, name: str) -> PointStore:
        return MilvusPoints(self._client, f"{name}_points", "")


def client_at(address: str, token: str = "") -> Any:
    """A client of pymilvus's; raises `MissingExtra` and `RunError`."""
    with needed_extra("milvus"):
        from pymilvus import MilvusClient
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # what goes wrong is raised
    try:
        return MilvusClient(uri=address, token=token, timeout=30)
    except Exception as error:  # whatever its client raises: of the network, of files, of versions
        message = f"milvus:{address.rpartition('@')[2]}: {' '.join(str(error).split())[:200]}"
        raise RunError(message, hint="Is it running, or open elsewhere? A file needs milvus-lite.") from error


def _near(hit: Mapping[str, Any]) -> Near:
    about = hit["entity"]["about"]
    fields = {str(name): tuple(values) for name, values in about["fields"].items()}
    return Near(about["id"], float(hit["distance"]), about["text"], fields)


def _mark(name: str, value: str) -> str:
    """A value of a field as filters name it."""
    return _hash("field", name, value)


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def _listed(names: Iterable[str]) -> str:
    return json.dumps(list(names))
