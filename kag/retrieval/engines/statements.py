"""Statements to PostgreSQL by psycopg: names of tables are quoted, values are parameters, errors are `RunError`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kag.core.errors import BadValue, MissingExtra, RunError
from kag.retrieval.engines.stores import NAME

HINT = "Run: pip install 'kag-papers[postgresql]'"


class Statements:
    """Statements about one table and its companions: `{table}`, and `{table_x}` for the one named with `_x` behind."""

    def __init__(self, connection: Any, table: str) -> None:
        if not NAME.fullmatch(table) or len(table) > 50:
            raise BadValue(f"no table {table!r:.60}", hint="A name of letters, digits and _.")
        try:
            from psycopg import sql
        except ImportError as error:
            raise MissingExtra(f"{error.name} is not installed", hint=HINT) from None
        self.connection, self._sql, self._table = connection, sql, table

    def __call__(self, text: str, *rows: Sequence[Any]) -> list[Any]:
        """Run a statement, for each of some rows of values, in one transaction. Raises `RunError`."""
        return self.all((text, rows))[-1]

    def all(self, *steps: tuple[str, Sequence[Sequence[Any]]]) -> list[list[Any]]:
        """Run statements in one transaction: all or none."""
        from psycopg import Error

        try:
            with self.connection.transaction(), self.connection.cursor() as cursor:
                return [self._run(cursor, text, rows) for text, rows in steps]
        except Error as error:
            hint = "Make the tables first, and check the server."
            raise RunError(f"PostgreSQL: {str(error)[:200]}", hint=hint) from error

    def _run(self, cursor: Any, text: str, rows: Sequence[Sequence[Any]]) -> list[Any]:
        if text.startswith("COPY"):
            with cursor.copy(self.query(text)) as copy:
                for row in rows:
                    copy.write_row(row)
            return []
        if len(rows) > 1:
            cursor.executemany(self.query(text), rows)
        else:
            cursor.execute(self.query(text), *rows)
        return list(cursor.fetchall()) if cursor.description else []

    def query(self, text: str) -> Any:
        """A statement with the names of its tables."""
        ends = set(re.findall(r"\{table(_[a-z]+)?\}", text))
        return self._sql.SQL(text).format(
            **{f"table{end}": self._sql.Identifier(f"{self._table}{end}") for end in ends}
        )
