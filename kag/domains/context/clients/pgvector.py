"""Passages in PostgreSQL with pgvector: one table for all projects, each row and each query with its project.

Needs the extra `pgvector` (psycopg) and a server that has the extension `vector`. Names of tables are quoted, all else
are parameters. Vectors are compared exactly, unless `index` makes an HNSW index; from 0.8 on a filtered search then
goes on until it has enough.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
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
from kag.values.errors import BadValue, MissingExtra, RunError

if TYPE_CHECKING:
    from kag.search.similarity import Embedder

HINT = "Run: pip install 'kag-papers[pgvector]'"


class PgVectors:
    """A `VectorClient` in PostgreSQL. `connection` is psycopg's; the table is made where it is not there."""

    def __init__(self, project: str, connection: Any, embed: Embedder, *, table: str = "kag_passages") -> None:
        self._project, self._connection, self._embed = checked_project(project), connection, embed
        if not KEY.fullmatch(table):
            raise BadValue(f"no table {table!r:.60}", hint="A name of letters, digits and _.")
        try:
            from psycopg import sql
        except ImportError as error:
            raise MissingExtra(f"{error.name} is not installed", hint=HINT) from None
        self._sql, self._table = sql, sql.Identifier(table)
        self._index_name = sql.Identifier(f"{table[:50]}_near")
        self._goes_on: bool | None = None

    @property
    def project(self) -> str:
        """The one project whose passages these are."""
        return self._project

    def create(self) -> None:
        """Make the extension and the table where they are not there; the vectors are as long as the embedder's."""
        size = int(self._embed(["one"]).shape[1])
        self._run("CREATE EXTENSION IF NOT EXISTS vector")
        self._run(
            "CREATE TABLE IF NOT EXISTS {table} (project text NOT NULL, id text NOT NULL, body text NOT NULL, "
            f"metadata jsonb NOT NULL, vector vector({size}) NOT NULL, PRIMARY KEY (project, id))"
        )
        self._connection.commit()

    def index(self) -> None:
        """Make an HNSW index over the vectors: quicker with very many, and no more exact."""
        self._run("CREATE INDEX IF NOT EXISTS {index} ON {table} USING hnsw (vector vector_cosine_ops)")
        self._connection.commit()

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; one with an id that is there takes its place. Raises `BadValue`, and then adds none."""
        whole = [checked_passage(one) for one in passages]
        if not whole:
            return
        vectors = self._embed([one.text for one in whole])
        rows = [
            (self._project, one.id, one.text, json.dumps(one.metadata), _vector(vector))
            for one, vector in zip(whole, vectors, strict=True)
        ]
        self._run(
            "INSERT INTO {table} (project, id, body, metadata, vector) VALUES (%s, %s, %s, %s, %s) "
            "ON CONFLICT (project, id) DO UPDATE SET body = excluded.body, metadata = excluded.metadata, "
            "vector = excluded.vector",
            *rows,
        )
        self._connection.commit()

    def delete(self, ids: Iterable[str]) -> None:
        """Take passages of this project out; unknown ids do nothing."""
        self._run("DELETE FROM {table} WHERE project = %s AND id = ANY(%s)", (self._project, list(ids)))
        self._connection.commit()

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        """The k wanted passages nearest to a text by cosine, the best first; equals by id."""
        wish = checked_wanted(wanted)
        if not text.strip() or k < 1:
            return ()
        where, values = ["project = %s"], list[Any]([self._project])  # first and always: nothing below can widen it
        for key, value in wish.scope.items():
            where.append("metadata -> %s ? %s")
            values += [key, value]
        if wish.routes:
            where.append("(" + " OR ".join("metadata -> %s ?| %s" for _ in wish.routes) + ")")
            values += [part for key, ids in wish.routes.items() for part in (key, list(ids))]
        vector = _vector(self._embed([text])[0])
        self._go_on()
        rows = self._run(
            "SELECT id, body, metadata, vector <=> %s::vector AS far FROM {table} WHERE "
            + " AND ".join(where)
            + " ORDER BY far, id LIMIT %s",
            (vector, *values, k),
        )
        self._connection.commit()
        return tuple(
            VectorHit(
                name, body, round(1.0 - float(far), DIGITS), {key: tuple(given) for key, given in metadata.items()}
            )
            for name, body, metadata, far in rows
        )

    def _go_on(self) -> None:
        """Let a filtered search of an HNSW index look on until it has enough, where the extension can."""
        if self._goes_on is None:
            rows = self._run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
            version = rows[0][0] if rows else "0"
            self._goes_on = tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) >= (0, 8)
        if self._goes_on:
            self._run("SELECT set_config('hnsw.iterative_scan', 'strict_order', true)")

    def _query(self, text: str) -> Any:
        return self._sql.SQL(text).format(table=self._table, index=self._index_name)

    def _run(self, text: str, *rows: Sequence[Any]) -> list[Any]:
        """Run a statement, for each of some rows of values; raises `RunError`, and leaves nothing half done."""
        from psycopg import Error

        try:
            with self._connection.cursor() as cursor:
                if len(rows) > 1:
                    cursor.executemany(self._query(text), rows)
                else:
                    cursor.execute(self._query(text), *rows)
                return list(cursor.fetchall()) if cursor.description else []
        except Error as error:
            self._connection.rollback()
            raise RunError(
                f"PostgreSQL: {str(error)[:200]}", hint="Run create() once, and check the server."
            ) from error


def _vector(numbers: Any) -> str:
    """Numbers as pgvector reads them."""
    return "[" + ",".join(f"{float(number):.7g}" for number in numbers) + "]"
