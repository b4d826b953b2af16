"""Cypher as an agent asks it: the schema in a few lines, reading clauses only, bounded rows, results as evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kag.core.errors import BadValue, StoreError
from kag.core.tool import tool
from kag.export.graphs.property_graph import LINKS, NODES, NUMBERS
from kag.export.stores.cypher_push import Database
from kag.qa.views.query_rows import KeptRows
from kag.qa.views.view_bounds import paged, printable, text_of

LONGEST_QUERY = 4_000  # characters
ROWS = 500
"""The LIMIT of a query that states none, and the rows of one that are read."""
_VALUE = 300  # characters of a value
_READING = ("MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN")  # how a query begins
_REFUSED = re.compile(
    r"CREATE|MERGE|SET|DELETE|DETACH|REMOVE|DROP|ALTER|CALL|LOAD|COPY|FOREACH|USE|ATTACH|INSTALL|IMPORT|EXPORT|BEGIN"
    r"|COMMIT|ROLLBACK|CHECKPOINT|PROFILE|EXPLAIN|GRANT|REVOKE|SHOW|START|STOP|TERMINATE"
)
_QUOTED = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`""", re.S)
_COUNT = re.compile(r"\bcount\s*\(\s*(?:distinct\s+)?([A-Za-z_]\w*)\s*\)", re.I)
_RETURN = re.compile(r"\breturn\b(?:\s+distinct\b)?", re.I)


def read_only(query: str) -> str:
    """The query with a LIMIT; raises `BadValue` for one that does anything but read."""
    bare = _QUOTED.sub("''", query)
    words = [word.upper() for word in re.findall(r"(?<![.\w$:])[A-Za-z]+(?![\w:])", bare)]
    refused = next((word for word in words if _REFUSED.fullmatch(word)), "")
    if not words or words[0] not in _READING or "RETURN" not in words:
        raise BadValue("this is not a read-only query", hint="Begin with MATCH and end with RETURN.")
    if refused or re.search(r";|//|/\*|\w\.\w+\s*\(|['\"`](?!')", bare.replace("''", "")):
        wrong = refused or "a function of a library, a comment, a ; or an open quote"
        raise BadValue(
            f"{wrong} is refused", hint="Ask with MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP and LIMIT."
        )
    return query if "LIMIT" in words[len(words) - words[::-1].index("RETURN") :] else f"{query} LIMIT {ROWS}"


def counting(query: str) -> str | None:
    """The query with a first column of the nodes that its last RETURN counts; None where that counts none.

    >>> counting("MATCH (p:Paper)<-[:BELONGS_TO]-(c) RETURN p.id, count(DISTINCT c)")
    'MATCH (p:Paper)<-[:BELONGS_TO]-(c) RETURN collect(DISTINCT c.id) AS kag_counted, p.id, count(DISTINCT c)'
    """
    bare = _QUOTED.sub(lambda found: "'" + "_" * (len(found[0]) - 2) + "'", query)
    clauses = list(_RETURN.finditer(bare))
    match = _COUNT.search(bare, clauses[-1].end()) if clauses else None
    if match is None:
        return None
    end = clauses[-1].end()
    return f"{query[:end]} collect(DISTINCT {match[1]}.id) AS kag_counted,{query[end:]}"


class CypherTools:
    """The actions over a database of papers that `kag push` filled (SPARK, arXiv:2602.16964, section 4)."""

    def __init__(self, database: Database, kept_rows: KeptRows) -> None:
        self._database, self._kept = database, kept_rows

    @tool
    def database_schema(self) -> dict[str, Any]:
        """Labels, relationships and properties of the database that query_database asks.

        Returns {"ok": true, "schema": text}.
        """
        lines = [f"(:{label} {{id, {', '.join(map(_typed, names))}}})" for label, names in NODES.items()]
        lines += [
            f"(:{source})-[:{label}{f' {{{chr(44).join(map(_typed, names))}}}' if names else ''}]->(:{target})"
            for label, (source, target, names) in LINKS.items()
        ]
        return {"ok": True, "schema": "\n".join(lines)}

    @tool
    def query_database(self, cypher: str, cursor: str = "") -> dict[str, Any]:
        """A Cypher query over papers, chunks, tasks, datasets and models, read-only; see database_schema first.

        Return p.id of papers and c.id of chunks, so that the rows can be evidence.
        Returns {"ok": true, "columns": how many, "total": rows, "items": [{"row": number, "values": [...]}], "query": a
        key, "cursor"}. Evidence {"query": key} stands for all rows, with "row" for one, or for what they count.
        """
        asked = printable(text_of(cypher, "cypher").strip())
        if not asked or len(asked) > LONGEST_QUERY:
            raise BadValue("a query is needed", hint=f"Give Cypher in 1 to {LONGEST_QUERY} characters.")
        query = read_only(asked)
        rows = self._rows(query)

        def count() -> Sequence[str] | None:
            again = counting(query)
            return None if again is None else [" ".join(map(str, row[0] or ())) for row in self._rows(again)]

        key = self._kept.keep(query, [[str(value) for value in row] for row in rows], count)
        head = {"columns": len(rows[0]) if rows else 0, "query": key}

        def row(number: int) -> dict[str, Any]:
            return {"row": number, "values": [str(value)[:_VALUE] for value in rows[number]]}

        return paged(("query_database", query), head, range(len(rows)), row, text_of(cursor, "cursor"))

    def _rows(self, query: str) -> Sequence[Sequence[Any]]:
        try:
            return self._database.ask(query)[:ROWS]
        except StoreError as error:
            raise BadValue(error.message, hint="database_schema says what there is.") from error


def _typed(name: str) -> str:
    return f"{name}: {NUMBERS[name]}" if name in NUMBERS else name
