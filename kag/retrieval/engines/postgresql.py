"""PostgreSQL as an engine: words by exact BM25, points by pgvector, edges; extra `postgresql` (psycopg).

The server's own ranking (`ts_rank`) knows no rarity of words, so it is not used: words lie in a table with a row a word
and text, and BM25 is reckoned by the server with the constants and lengths of the index in files. Names of tables are
quoted, all else are parameters.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from kag.core.errors import RunError, needed_extra
from kag.core.secrets import hold_secrets_of
from kag.retrieval.engines.pg_edges import PgEdges, Statements
from kag.retrieval.engines.stores import EdgeStore, Engine, Near, Point, PointStore, Where, WordStore
from kag.retrieval.sparse import K1, B, kept_length, rarity
from kag.retrieval.vectors import Vectors, np


class PgPoints:
    """Points in a table with all those of other spaces; each statement names its space."""

    def __init__(self, connection: Any, table: str, space: str) -> None:
        self._run, self._space = Statements(connection, table), space
        self._goes_on: bool | None = None

    def create(self, size: int) -> None:
        """Make the extension and the table where they are not there."""
        self._run("CREATE EXTENSION IF NOT EXISTS vector")
        self._run(
            "CREATE TABLE IF NOT EXISTS {table} (project text NOT NULL, id text NOT NULL, body text NOT NULL, "
            f"metadata jsonb NOT NULL, vector vector({size}) NOT NULL, PRIMARY KEY (project, id))"
        )

    def index(self) -> None:
        """Make an HNSW index over the vectors: quicker with very many, and no more exact."""
        self._run("CREATE INDEX IF NOT EXISTS {table_near} ON {table} USING hnsw (vector vector_cosine_ops)")

    def put(self, points: Sequence[Point]) -> None:
        rows = [
            (self._space, point.id, point.text, json.dumps(point.fields), _literal(point.vector)) for point in points
        ]
        if rows:
            self._run(
                "INSERT INTO {table} (project, id, body, metadata, vector) VALUES (%s, %s, %s, %s, %s) "
                "ON CONFLICT (project, id) DO UPDATE SET body = excluded.body, metadata = excluded.metadata, "
                "vector = excluded.vector",
                *rows,
            )

    def drop(self, ids: Sequence[str]) -> None:
        self._run("DELETE FROM {table} WHERE project = %s AND id = ANY(%s)", (self._space, list(ids)))

    def near(self, vector: Any, k: int, where: Where = (), among: Collection[str] | None = None) -> list[Near]:
        conditions, values = ["project = %s"], list[Any]([self._space])  # first and always: nothing below can widen it
        for fields in where:
            conditions.append("(" + " OR ".join("metadata -> %s ?| %s" for _ in fields) + ")")
            values += [part for key, ids in fields.items() for part in (key, list(ids))]
        if among is not None:
            conditions.append("id = ANY(%s)")
            values.append(sorted(among))
        text = (
            "SELECT id, body, metadata, vector <=> %s::vector AS far FROM {table} WHERE "
            f"{' AND '.join(conditions)} ORDER BY far, id LIMIT %s"
        )
        steps = [("SELECT set_config('hnsw.iterative_scan', 'strict_order', true)", ())] if self._can_go_on() else []
        rows = self._run.all(*steps, (text, ((_literal(vector), *values, k),)))[-1]
        return [
            Near(name, 1.0 - float(far), body, {key: tuple(given) for key, given in fields.items()})
            for name, body, fields, far in rows
        ]

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vectors]:
        text = "SELECT id, vector::real[] FROM {table} WHERE project = %s AND id = ANY(%s)"
        rows = self._run(text, (self._space, list(ids)))
        return {name: np.array(vector, dtype=np.float32) for name, vector in rows}

    def ids(self) -> list[str]:
        if self._run("SELECT to_regclass(%s)", (str(self._run.query("{table}").as_string()),))[0][0] is None:
            return []
        return sorted(row[0] for row in self._run("SELECT id FROM {table} WHERE project = %s", (self._space,)))

    def _can_go_on(self) -> bool:
        """Whether a filtered search of an HNSW index can look on until it has enough (pgvector 0.8)."""
        if self._goes_on is None:
            rows = self._run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
            version = rows[0][0] if rows else "0"
            self._goes_on = tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) >= (0, 8)
        return self._goes_on


class PgWords:
    """Texts and their words in two tables; scores as those of the index in files, but for the last bits."""

    def __init__(self, connection: Any, table: str) -> None:
        self._run = Statements(connection, table)
        self._lengths: tuple[int, float] | None = None
        self._run.all(
            (
                "CREATE TABLE IF NOT EXISTS {table} (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
                "id text NOT NULL UNIQUE, document text NOT NULL, length int NOT NULL)",
                (),
            ),
            (
                'CREATE TABLE IF NOT EXISTS {table_words} (word text COLLATE "C" NOT NULL, number bigint NOT NULL '
                "REFERENCES {table} ON DELETE CASCADE, count int NOT NULL, length int NOT NULL)",
                (),
            ),
            ("CREATE INDEX IF NOT EXISTS {table_found} ON {table_words} (word) INCLUDE (number, count, length)", ()),
            ("CREATE INDEX IF NOT EXISTS {table_owned} ON {table_words} (number)", ()),
            ("CREATE INDEX IF NOT EXISTS {table_documents} ON {table} (document)", ()),
        )

    def put(self, texts: Iterable[tuple[str, str, Mapping[str, int]]]) -> None:
        rows = list(texts)
        names, documents = [name for name, _, _ in rows], [document for _, document, _ in rows]
        counts = [each for _, _, each in rows]
        lengths = [sum(each.values()) for each in counts]
        added = self._run.all(
            ("DELETE FROM {table} WHERE id = ANY(%s)", ((names,),)),
            (
                "INSERT INTO {table} (id, document, length) SELECT * FROM unnest(%s::text[], %s::text[], %s::int[]) "
                "RETURNING id, number",
                ((names, documents, lengths),),
            ),
        )[-1]
        numbers = dict(added)
        self._run(
            "COPY {table_words} (word, number, count, length) FROM STDIN",
            *(
                (word, numbers[name], count, kept_length(length))
                for name, each, length in zip(names, counts, lengths, strict=True)
                for word, count in each.items()
            ),
        )
        self._lengths = None

    def drop(self, ids: Sequence[str]) -> None:
        self._run("DELETE FROM {table} WHERE id = ANY(%s)", (list(ids),))
        self._lengths = None

    def best(self, words: Mapping[str, float], k: int, documents: Collection[str]) -> list[tuple[str, float]]:
        texts, average = self.lengths()
        known = {word: having for word in words if (having := self.having(word))}
        if not known:
            return []
        weights = [words[word] * rarity(texts, having) * (K1 + 1) for word, having in known.items()]
        among = "JOIN {table} t USING (number) WHERE t.document = ANY(%s)" if documents else ""
        rows = self._run(
            "SELECT t.id, f.score FROM (SELECT w.number, "
            "sum(q.weight * w.count / (w.count + %s * (%s + %s * w.length))) AS score "
            f"FROM unnest(%s::text[], %s::float8[]) AS q (word, weight) JOIN {{table_words}} w USING (word) {among} "
            "GROUP BY w.number ORDER BY score DESC FETCH FIRST %s ROWS WITH TIES) f JOIN {table} t USING (number)",
            (K1, 1 - B, B / average, list(known), weights, *([sorted(documents)] if documents else []), k),
        )
        return [(name, float(score)) for name, score in rows]

    def having(self, word: str) -> int:
        return int(self._run("SELECT count(*) FROM {table_words} WHERE word = %s", (word,))[0][0])

    def lengths(self) -> tuple[int, float]:
        if self._lengths is None:
            ((texts, words),) = self._run("SELECT count(*), coalesce(sum(length), 0) FROM {table}")
            self._lengths = int(texts), float(words) / max(1, int(texts))
        return self._lengths

    def settle(self) -> None:
        self._run("ANALYZE {table}")
        self._run("ANALYZE {table_words}")


class PostgreSQL(Engine):
    """The engine at a connection string, postgresql://HOST/DATABASE; a password comes from PGPASSWORD or ~/.pgpass."""

    name = "PostgreSQL"
    parts = frozenset(("words", "vectors", "edges"))

    def __init__(self, address: str) -> None:
        hold_secrets_of(address)
        with needed_extra("postgresql"):
            import psycopg
            from psycopg.conninfo import conninfo_to_dict
        self.id = "postgresql"
        try:
            parts = conninfo_to_dict(address)
            self.id = (
                f"postgresql://{parts.get('host', 'localhost')}:{parts.get('port', 5432)}/{parts.get('dbname', '')}"
            )
            self._connection = psycopg.connect(address, autocommit=True, connect_timeout=10)
        except psycopg.Error as error:
            hint = "Is the server running, and may this user come in? A password comes from PGPASSWORD."
            raise RunError(f"{self.id}: {str(error)[:200]}", hint=hint) from error

    def words(self, name: str) -> WordStore:
        return PgWords(self._connection, f"{name}_texts")

    def points(self, name: str) -> PointStore:
        return PgPoints(self._connection, f"{name}_points", "")

    def edges(self, name: str) -> EdgeStore:
        return PgEdges(self._connection, f"{name}_graph")


def _literal(numbers: Any) -> str:
    """Numbers as pgvector reads them."""
    return "[" + ",".join(f"{float(number):.9g}" for number in numbers) + "]"
