"""LanceDB as an engine, in a folder or on an object store: words by its BM25, points; extra `lancedb`.

Its BM25 has the same constants and knows lengths exactly, where the index in files keeps them in a byte: scores differ
in the third digit. Below 100,000 points all are compared. Each change is a version of its table, seen whole.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from kag.core.errors import BadValue, RunError, needed_extra
from kag.core.secrets import hold_secrets_of
from kag.retrieval.engines.stores import Engine, Near, Point, PointStore, Where, WordStore, translate_errors
from kag.retrieval.vectors import Vectors, np

EXACT = 100_000  # up to so many points all are compared
SPARE = 8
_CHECK = "Check that its folder or bucket is there whole and may be written."


class _Table:
    """A table that is made when it is first written."""

    def __init__(self, database: Any, name: str) -> None:
        self._database, self._name = database, name
        self._opened: Any = None

    @property
    def opened(self) -> Any:
        """The table as it is now; None where there is none."""
        if self._opened is None:
            with suppress(ValueError):  # there is none
                self._opened = self._database.open_table(self._name)
        if self._opened is not None:
            self._opened.checkout_latest()
        return self._opened

    def made(self, schema: Any) -> Any:
        if self.opened is None:
            self._opened = self._database.create_table(self._name, schema=schema, exist_ok=True)
        return self._opened

    def drop(self, ids: Sequence[str]) -> None:
        if self.opened is not None and ids:
            self.opened.delete(f"id IN ({_listed(ids)})")

    def indexed(self, column: str, kind: Any) -> None:
        """Make an index where the column has none."""
        if column not in [name for index in self.opened.list_indices() for name in index.columns]:
            self.opened.create_index(column, config=kind)


@translate_errors("LanceDB", _CHECK)
class LanceWords:
    """Texts as their words, parted by blanks."""

    def __init__(self, database: Any, name: str) -> None:
        self._table = _Table(database, name)
        self._lengths: tuple[int, float] | None = None

    def put(self, texts: Iterable[tuple[str, str, Mapping[str, int]]]) -> None:
        import pyarrow as pa

        rows: list[dict[str, Any]] = [
            {
                "id": name,
                "document": document,
                "words": " ".join(word for word, count in counts.items() for _ in range(count)),
                "each": list(counts),
                "length": sum(counts.values()),
            }
            for name, document, counts in texts
        ]
        text, texts_of = pa.string(), pa.list_(pa.string())
        columns = {"id": text, "document": text, "words": text, "each": texts_of, "length": pa.int64()}
        table = self._table.made(pa.schema(columns))
        self._table.drop([row["id"] for row in rows])
        table.add(rows)
        self._lengths = None

    def drop(self, ids: Sequence[str]) -> None:
        self._table.drop(ids)
        self._lengths = None

    def best(self, words: Mapping[str, float], k: int, documents: Collection[str]) -> list[tuple[str, float]]:
        from lancedb.query import BooleanQuery, MatchQuery, Occur

        table = self._table.opened
        if table is None or not table.list_indices():
            self.settle()
        if self._table.opened is None:
            return []
        each: list[Any] = [
            (Occur.SHOULD, MatchQuery(word, "words", boost=float(count))) for word, count in sorted(words.items())
        ]
        limit = k + SPARE
        while True:  # equals at the border are all looked at
            query = self._table.opened.search(BooleanQuery(each), query_type="fts").select(["id", "_score"])
            if documents:
                query = query.where(f"document IN ({_listed(sorted(documents))})", prefilter=True)
            found = [(str(row["id"]), float(row["_score"])) for row in query.limit(limit).to_list()]
            if len(found) < limit or found[-1][1] < found[k - 1][1]:
                return found
            limit *= 2

    def having(self, word: str) -> int:
        table = self._table.opened
        return int(table.count_rows(f"array_has_any(each, [{_text(word)}])")) if table is not None else 0

    def lengths(self) -> tuple[int, float]:
        if self._lengths is None:
            table = self._table.opened
            sizes = table.search().select(["length"]).limit(None).to_arrow()["length"].to_numpy() if table else ()
            self._lengths = len(sizes), float(np.mean(sizes)) if len(sizes) else 0.0
        return self._lengths

    def settle(self) -> None:
        from lancedb.index import FTS, BTree, LabelList

        if self._table.opened is None:
            return
        plain = {"stem": False, "lower_case": False, "remove_stop_words": False, "ascii_folding": False}
        words = FTS(base_tokenizer="whitespace", with_position=False, max_token_length=None, **plain)
        for column, kind in {"words": words, "each": LabelList(), "id": BTree(), "document": BTree()}.items():
            self._table.indexed(column, kind)
        self._table.opened.optimize()


@translate_errors("LanceDB", _CHECK)
class LancePoints:
    """Points in a table of their own; filters by fields are refused."""

    def __init__(self, database: Any, name: str) -> None:
        self._table, self._size = _Table(database, name), 0

    def create(self, size: int) -> None:
        import pyarrow as pa

        self._table.made(pa.schema({"id": pa.string(), "vector": pa.list_(pa.float32(), size)}))

    def put(self, points: Sequence[Point]) -> None:
        self.drop([point.id for point in points])
        rows = [{"id": point.id, "vector": np.asarray(point.vector, dtype=np.float32)} for point in points]
        self._table.opened.add(rows)

    def drop(self, ids: Sequence[str]) -> None:
        self._table.drop(ids)

    def near(self, vector: Any, k: int, where: Where = (), among: Collection[str] | None = None) -> list[Near]:
        if where:
            raise BadValue("points of LanceDB have no fields", hint="Filter by ids.")
        table = self._table.opened
        if table is None:
            return []
        query = table.search(np.asarray(vector, dtype=np.float32)).distance_type("cosine").select(["id", "_distance"])
        if among is not None:
            query = query.where(f"id IN ({_listed(sorted(among))})", prefilter=True)
        return [Near(str(row["id"]), 1.0 - float(row["_distance"])) for row in query.limit(k).to_list()]

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vectors]:
        table = self._table.opened
        if table is None or not ids:
            return {}
        found = table.search().where(f"id IN ({_listed(ids)})").limit(len(ids)).to_arrow()
        names: list[str] = found["id"].to_pylist()
        return dict(zip(names, found["vector"].to_numpy(zero_copy_only=False), strict=True))

    def ids(self) -> list[str]:
        table = self._table.opened
        return sorted(table.search().select(["id"]).limit(None).to_arrow()["id"].to_pylist()) if table else []

    def settle(self) -> None:
        """Index ids, and with very many points their vectors."""
        from lancedb.index import BTree, HnswSq

        if self._table.opened is not None:
            self._table.indexed("id", BTree())
            if self._table.opened.count_rows() > EXACT:
                self._table.indexed("vector", HnswSq(distance_type="cosine"))
            self._table.opened.optimize()


class Lance(Engine):
    """The engine in a folder, or at s3://, gs:// or az://, whose credentials are those of the environment."""

    name = "LanceDB"
    parts = frozenset(("words", "vectors"))

    def __init__(self, address: str) -> None:
        hold_secrets_of(address)
        with needed_extra("lancedb"):
            import lancedb
        self.id = f"lancedb:{address}"
        options: dict[str, str] = {}
        with suppress(KeyError):  # an S3 server of one's own
            options["aws_endpoint"] = os.environ["AWS_ENDPOINT_URL"]
            options["allow_http"] = str(options["aws_endpoint"].startswith("http://")).lower()
        try:
            self._database = lancedb.connect(address, storage_options=options if "://" in address else None)
        except (OSError, ValueError, RuntimeError) as error:
            raise RunError(f"{self.id}: {error}", hint="Give a folder, or s3://BUCKET/PATH.") from error

    def words(self, name: str) -> WordStore:
        return LanceWords(self._database, f"{name}_texts")

    def points(self, name: str) -> PointStore:
        return LancePoints(self._database, f"{name}_points")


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(map(_text, texts))
