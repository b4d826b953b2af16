"""Cypher databases (Neo4j, ladybug): connections, the chunks in one, and one as an agent asks it.

An agent gets the schema in a few lines, reading clauses only, bounded rows, and results as evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kag.core.addresses import LOCAL
from kag.core.errors import BadValue, StoreError, needed_extra
from kag.core.secrets import hide_secrets
from kag.core.tool import tool
from kag.export.cypher_push import PUSHED, Database, Step, require_found
from kag.export.property_graph import LINKS, NODES, NUMBERS
from kag.export.sparql_store import HINT, PASSWORD, USER, Stated, stated
from kag.qa.views.query_rows import KeptRows
from kag.qa.views.view_bounds import paged, printable, text_of
from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.graph.build import DOC_DOC
from kag.retrieval.graph.links import NEXT
from kag.retrieval.index import Index
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import Edge, Node
from kag.retrieval.vectors import Embedder, Vectors, normalised, np

BOLT = ("bolt", "neo4j", "bolt+s", "neo4j+s")
FILE = "ladybug:"
QUERY_SECONDS = 10.0
_TYPES = {"int": "INT64", "double": "DOUBLE", "double[]": "DOUBLE[]", "": "STRING"}


def is_database(url: str) -> bool:
    """Whether an address is of a Cypher database."""
    return url.startswith(FILE) or url.partition("://")[0] in BOLT


@contextmanager
def database_at(url: str, seconds: float = 60.0, *, read_only: bool = False) -> Iterator[Database]:
    """The database at an address; `read_only` it takes no change, and a query `QUERY_SECONDS` at most.

    Raises `BadValue`, `MissingExtra`, `StoreError`.
    """
    if url.startswith(FILE):
        with _ladybug(Path(url.removeprefix(FILE)), read_only) as database:
            yield database
    else:
        with _neo4j(url, seconds, read_only) as database:
            yield database


class _Ladybug:
    """A file of ladybug's."""

    def __init__(self, name: str, connection: Any) -> None:
        self.name, self._connection = name, connection

    def prepare(self) -> None:
        for label, columns in NODES.items():
            columns_text = ", ".join(f"`{column}` {_typed(column)}" for column in (*columns, *_marks(label)))
            self._run(Step(f"CREATE NODE TABLE IF NOT EXISTS `{label}`(`id` STRING PRIMARY KEY, {columns_text})"))
        for label, (source, target, columns) in LINKS.items():
            columns_text = "".join(f", `{column}` {_typed(column)}" for column in columns)
            self._run(Step(f"CREATE REL TABLE IF NOT EXISTS `{label}`(FROM `{source}` TO `{target}`{columns_text})"))

    def ask(self, text: str) -> Sequence[Sequence[Any]]:
        return self._run(Step(text))

    def change(self, steps: Sequence[Step]) -> None:
        self._run(Step("BEGIN TRANSACTION"))
        try:
            for step in steps:
                require_found(self.name, step, self._run(step))
        except StoreError:
            self._run(Step("ROLLBACK"))
            raise
        self._run(Step("COMMIT"))

    def _run(self, step: Step) -> Sequence[Sequence[Any]]:
        try:
            rows: Sequence[Sequence[Any]] = self._connection.execute(step.text, dict(step.given)).get_all()
        except (RuntimeError, ValueError) as error:
            raise _refused(self.name, error) from error
        return rows


@contextmanager
def _ladybug(file: Path, read_only: bool) -> Iterator[Database]:
    with needed_extra("ladybug"):
        import ladybug
    name = f"{FILE}{file}"
    if not file.parent.is_dir():
        raise BadValue(f"{name}: there is no folder {file.parent}", hint="Make it first.")
    try:
        opened = ladybug.Database(str(file), read_only=read_only)
    except (RuntimeError, ValueError) as error:
        raise StoreError(f"{name}: {error}", hint="Is it open elsewhere, or a file of another program?") from error
    with opened, ladybug.Connection(opened) as connection:
        if read_only:
            connection.set_query_timeout(int(1000 * QUERY_SECONDS))
        yield _Ladybug(name, connection)


class _Neo4j:
    """A Neo4j, or another server with its protocol."""

    def __init__(self, name: str, session: Any, seconds: float | None) -> None:
        self.name, self._session, self._seconds = name, session, seconds

    def prepare(self) -> None:
        for label in NODES:
            once = f"CREATE CONSTRAINT {label.lower()}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE"
            self.change((Step(once),))

    def ask(self, text: str) -> Sequence[Sequence[Any]]:
        from neo4j import unit_of_work

        bounded = unit_of_work(timeout=self._seconds)
        with self.translated_errors():
            return self._session.execute_read(bounded(lambda work: work.run(text).values()))  # type: ignore[no-any-return]

    def change(self, steps: Sequence[Step]) -> None:
        def work(transaction: Any) -> None:
            for step in steps:
                require_found(self.name, step, transaction.run(step.text, dict(step.given)).values())

        with self.translated_errors():
            self._session.execute_write(work)

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Convert the driver's errors to `StoreError`."""
        from neo4j.exceptions import AuthError, DriverError, Neo4jError, ServiceUnavailable

        try:
            yield
        except ServiceUnavailable as error:
            raise _refused(self.name, error, "Is the database running, and is this its Bolt address?") from error
        except AuthError as error:
            raise _refused(self.name, error, HINT) from error
        except (DriverError, Neo4jError, OSError) as error:
            raise _refused(self.name, error) from error


@contextmanager
def _neo4j(url: str, seconds: float, read_only: bool) -> Iterator[Database]:
    with needed_extra("neo4j"):
        import neo4j
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or 7687
    except ValueError:
        host, port = None, 0
    if not host or parts.query or parts.fragment or any(sign <= " " for sign in url):
        raise BadValue(f"{url!r:.200} is not an address of a database", hint="Give one such as bolt://127.0.0.1:7687.")
    if "@" in parts.netloc:
        raise BadValue("the address holds a user or a password", hint=f"Set {USER} and {PASSWORD} in their place.")
    known = stated(safe=parts.scheme.endswith("+s") or host in LOCAL)
    shown = f"[{host}]" if ":" in host else host
    name = f"{parts.scheme}://{shown}:{port}"
    with (
        neo4j.GraphDatabase.driver(
            name,
            auth=_auth(known),
            connection_timeout=seconds,
            max_transaction_retry_time=seconds,
            telemetry_disabled=True,
            user_agent="kag",
        ) as driver,
        driver.session(
            database=parts.path.strip("/") or None,
            default_access_mode=neo4j.READ_ACCESS if read_only else neo4j.WRITE_ACCESS,
        ) as session,
    ):
        yield _Neo4j(name, session, QUERY_SECONDS if read_only else None)


def _auth(known: Stated) -> Any:
    import neo4j

    if known.token:
        return neo4j.bearer_auth(known.token)
    return neo4j.basic_auth(known.user, known.password) if known.user else None


def _marks(label: str) -> tuple[str, ...]:
    return (PUSHED,) if label == "Paper" else ()


def _typed(column: str) -> str:
    return _TYPES[NUMBERS.get(column, "")]


def _refused(name: str, error: Exception, hint: str = "The database tells above what it does not like.") -> StoreError:
    message = " ".join(hide_secrets(str(error) or type(error).__name__).split())[:300]
    return StoreError(f"{name}: {message}", hint=hint)


_CHUNKS = (
    "MATCH (c:Chunk)-[:BELONGS_TO]->(p:Paper) RETURN c.id, c.text, c.section, c.kind, c.pages, p.id, p.title, "
    "c.embedding ORDER BY p.id, c.position"
)
_LINKS = {
    DOC_DOC: "MATCH (a:Chunk)-[r:SIMILAR]->(b:Chunk) RETURN a.id, b.id, r.score ORDER BY a.id, b.id",
    NEXT: "MATCH (a:Chunk)-[:NEXT]->(b:Chunk) RETURN a.id, b.id, 1.0 ORDER BY a.id, b.id",
}


def read_index(database: Database, embed: Embedder) -> Index:
    """An index over the chunks of a database; `embed` makes vectors of questions. Raises `StoreError`."""
    rows = database.ask(_CHUNKS)
    if not rows:
        raise StoreError(f"{database.name} holds no chunks", hint="Put papers there first: kag push URL RUNS --embed.")
    chunks = [_chunk(row) for row in rows]
    vectors = {chunk.text: row[7] for chunk, row in zip(chunks, rows, strict=True) if row[7]}

    def known(texts: Sequence[str]) -> Vectors:
        if all(text in vectors for text in texts):
            return normalised(np.array([vectors[text] for text in texts], dtype=np.float32))
        return embed(texts)

    index = Index.build(chunks, known if len(vectors) == len({chunk.text for chunk in chunks}) else None)
    edges = (Edge(a, b, label, float(score)) for label, text in _LINKS.items() for a, b, score in database.ask(text))
    index.edges = CompactGraph((Node(chunk.id, str(chunk.kind)) for chunk in chunks), edges)
    return index


def _chunk(row: Sequence[object]) -> Chunk:
    id, text, section, kind, pages, paper, title = (str(value or "") for value in row[:7])
    about = {"kind": kind, "pages": pages}
    return Chunk(
        id,
        text,
        ChunkKind.TABLE if kind == "table" else ChunkKind.DOCUMENT,
        document=paper,
        title=title,
        topic=section,
        sources=(id,),
        metadata={key: value for key, value in about.items() if value},
    )


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
        lines = [f"(:{label} {{id, {', '.join(map(_column_types, names))}}})" for label, names in NODES.items()]
        lines += [
            f"(:{source})-[:{label}{f' {{{chr(44).join(map(_column_types, names))}}}' if names else ''}]->(:{target})"
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


def _column_types(name: str) -> str:
    return f"{name}: {NUMBERS[name]}" if name in NUMBERS else name
