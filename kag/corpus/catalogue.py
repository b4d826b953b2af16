"""The tables of a corpus in SQLite: its papers, where their texts are kept, and which works they mention.

They can be made again from the papers' files. The file may be damaged or hostile: SQLite executes what a schema says
and follows names in a journal. So the schema must be the expected one, word for word, a journal must not lead to other
files, and values are words and whole numbers only.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from kag.core.content import Place
from kag.core.errors import CorpusError
from kag.core.files import own_file, read_regular, sqlite_hint
from kag.corpus.layout import checked, is_iri, is_paper, is_version

STEPS = 10_000  # of a million instructions each, that all questions to one small file may take: some minutes
LONGEST = 1 << 25  # bytes of a row at most: a text of a graph may have 16 MiB
_LEADS_ON = bytes.fromhex("d9d505f920a163d7")  # ends a journal that names another file, which SQLite would remove
_ENDS = ("", "-wal", "-shm", "-journal")
_HINT = "Run `kag corpus check --repair`, which makes the tables again from the papers."


def damaged(what: str) -> CorpusError:
    """The error for tables that cannot be what a corpus wrote."""
    return CorpusError(f"the tables of the corpus are damaged: {what}", hint=_HINT)


def files_of(path: Path) -> tuple[Path, ...]:
    """Return a database file and those that SQLite keeps next to it."""
    return tuple(path.with_name(path.name + end) for end in _ENDS)


@contextmanager
def open_database(path: Path | None, schema: str, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """A database with this schema, made when it is written and not there; None for one in memory.

    All that is read is of one moment. Raises `CorpusError`.
    """
    try:
        with ExitStack() as stack:
            if path is not None:
                _require_plain(path)
            tables = stack.enter_context(closing(_connected(path))) if path is None or write else _reading(path, stack)
            _require(tables, schema)
            if write:
                tables.execute("PRAGMA journal_mode=WAL")
                tables.executescript(schema)
            tables.row_factory = _plain
            yield tables
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise CorpusError(f"{path}: {error}", hint=sqlite_hint(error, _HINT)) from error


def _connected(path: Path | None, how: str = "mode=rwc") -> sqlite3.Connection:
    name = f"file:{quote(str(path))}?{how}" if path else ":memory:"
    tables = sqlite3.connect(name, uri=path is not None, timeout=60)
    tables.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    size = path.stat().st_size if path and path.exists() else 0
    left = repeat(0, STEPS + (size >> 13))
    tables.set_progress_handler(lambda: next(left, 1), 1_000_000)  # pages of a stranger's file may go in circles
    for setting in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0"):
        tables.execute(f"PRAGMA {setting}")
    return tables


def _reading(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """A connection for reading. Where nothing can be written SQLite needs an option for it, and cannot read its log."""
    try:
        return _begun(path, "mode=ro", stack)
    except sqlite3.OperationalError:
        if os.access(path.parent, os.W_OK) or not own_file(path):
            raise
    log = files_of(path)[1]
    if not own_file(log) or not log.stat().st_size:
        return _begun(path, "mode=ro&immutable=1", stack)
    copy = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kag-tables-"))) / path.name
    for source, target in zip(files_of(path)[:2], files_of(copy)[:2], strict=True):
        shutil.copyfile(source, target, follow_symlinks=False)
    return _begun(copy, "mode=rw", stack)


def _begun(path: Path, how: str, stack: ExitStack) -> sqlite3.Connection:
    with ExitStack() as opened:
        tables = opened.enter_context(closing(_connected(path, how)))
        tables.execute("BEGIN")
        tables.execute("SELECT count(*) FROM sqlite_master").fetchone()
        stack.push(opened.pop_all())
    return tables


def _require_plain(path: Path) -> None:
    """Raise `CorpusError` where a file of the database is none, or would lead SQLite to others."""
    for file in files_of(path):
        if os.path.lexists(file) and not own_file(file):
            raise CorpusError(f"{file} is not a regular file", hint=_HINT)
    journal = files_of(path)[-1]
    if own_file(journal) and read_regular(journal)[-len(_LEADS_ON) :] == _LEADS_ON:
        raise CorpusError(f"{journal} leads to other files", hint=_HINT)


def _require(tables: sqlite3.Connection, schema: str) -> None:
    """Raise `CorpusError` where there is anything that this schema does not make: views, triggers, other columns."""
    for row in tables.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
        if row not in _expected(schema):
            raise damaged(f"it has a {str(row[0])[:20]} {str(row[1])[:80]!r} that is not kag's")


@cache
def _expected(schema: str) -> frozenset[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as tables:
        tables.executescript(schema)
        return frozenset(tables.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def _plain(_: sqlite3.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row as it is; raises where a value is of a kind that no table has, such as bytes."""
    for value in row:
        if type(value) is not str and type(value) is not int:
            raise damaged(f"it holds a {type(value).__name__}")
    return row


if TYPE_CHECKING:
    from kag.corpus.submission import Submission

_SCHEMA = """
CREATE TABLE IF NOT EXISTS paper(
    id TEXT PRIMARY KEY, version TEXT NOT NULL, iri TEXT NOT NULL, title TEXT NOT NULL, year TEXT NOT NULL,
    doi TEXT NOT NULL, pages INTEGER NOT NULL, triples INTEGER NOT NULL, refs INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS place(
    ref TEXT NOT NULL, paper TEXT NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
    PRIMARY KEY(ref, paper)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS place_paper ON place(paper);
CREATE TABLE IF NOT EXISTS mention(
    paper TEXT NOT NULL, node TEXT NOT NULL, work TEXT NOT NULL, title TEXT NOT NULL, doi INTEGER NOT NULL,
    own INTEGER NOT NULL, same TEXT NOT NULL, PRIMARY KEY(paper, node)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mention_same ON mention(same);
CREATE INDEX IF NOT EXISTS mention_own ON mention(own) WHERE own;
CREATE INDEX IF NOT EXISTS mention_merged ON mention(work, same) WHERE work<>same;
CREATE INDEX IF NOT EXISTS mention_title ON mention(title);
"""


class Listed(NamedTuple):
    """A paper of a corpus."""

    id: str
    version: str
    iri: str
    title: str
    year: str
    doi: str
    pages: int
    triples: int
    references: int


@contextmanager
def open_tables(path: Path | None, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """The tables; what is written is kept when the block ends well and forgotten otherwise. None for some in memory.

    Raises `CorpusError` when they cannot be read, or are not those that a corpus makes.
    """
    with open_database(path, _SCHEMA, write=write) as tables, tables:
        yield tables


def put(tables: sqlite3.Connection, paper: Submission) -> None:
    """Enter a paper in place of what is known by its id; `shared_works.enter` sees which works are the same."""
    drop(tables, paper.paper_id)
    row = (paper.paper_id, paper.version, paper.iri, paper.title, paper.year, paper.doi, paper.pages)
    tables.execute("INSERT INTO paper VALUES(?,?,?,?,?,?,?,?,?)", (*row, len(paper.triples), paper.references))
    tables.executemany("INSERT INTO place VALUES(?,?,?,?)", [(p.ref, paper.paper_id, *p[1:]) for p in paper.places])
    mentions = [(paper.paper_id, *mention, mention.work) for mention in paper.mentions]
    tables.executemany("INSERT INTO mention VALUES(?,?,?,?,?,?,?)", mentions)


def require_room(paper: Submission) -> None:
    """Raise `CorpusError` where the tables cannot take a paper: tried before anything is decided."""
    try:
        with open_tables(None, write=True) as trial:
            put(trial, paper)
    except (CorpusError, UnicodeError, OverflowError) as error:
        hint = "Index the paper again, then give the new run."
        raise CorpusError(f"{paper.paper_id} has what the tables cannot hold: {error}", hint=hint) from error


def sound(tables: sqlite3.Connection) -> bool:
    """Whether SQLite finds the whole file in order, indexes and all."""
    return bool(tables.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))


def drop(tables: sqlite3.Connection, paper_id: str) -> None:
    """Forget a paper; a text that another paper has too stays known."""
    tables.execute("DELETE FROM paper WHERE id=?", (paper_id,))
    for table in ("place", "mention"):
        tables.execute(f"DELETE FROM {table} WHERE paper=?", (paper_id,))


def papers(tables: sqlite3.Connection) -> list[Listed]:
    """All papers by id."""
    found: list[Listed] = []
    for row in tables.execute("SELECT * FROM paper ORDER BY id"):
        found.append(_listed(row))
        if found[-2:-1] and found[-2].id >= found[-1].id:
            raise damaged("its papers are not in order")
    return found


def find(tables: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Listed]:
    """Those of the papers that the corpus has, by id."""
    possible = filter(is_paper, ids)
    rows = (tables.execute("SELECT * FROM paper WHERE id=?", (name,)).fetchone() for name in possible)
    return {row[0]: _listed(row) for row in rows if row}


def alike(tables: sqlite3.Connection, paper: Submission) -> list[Listed]:
    """The papers with the title and the number of pages of one."""
    rows = tables.execute("SELECT * FROM paper WHERE title=? AND pages=?", (paper.title, paper.pages))
    return list(map(_listed, rows))


def _listed(row: Sequence[str | int]) -> Listed:
    """A row of the table of papers; raises `CorpusError` where it cannot be one."""
    paper = Listed(*row)  # type: ignore[arg-type]  # their kinds are looked at here
    fits = is_paper(paper.id) and is_version(paper.version) and is_iri(paper.iri)
    words, counts = (paper.title, paper.year, paper.doi), (paper.pages, paper.triples, paper.references)
    if not fits or not all(isinstance(word, str) for word in words) or not all(isinstance(n, int) for n in counts):
        raise damaged(f"{str(paper.id)[:80]!r} is no row of a paper")
    return paper


def places(tables: sqlite3.Connection, ref: str) -> list[tuple[str, str, Place]]:
    """Return the papers that hold a text: paper, version and place, by paper."""
    found = tables.execute(
        "SELECT p.id, p.version, ref, start, length FROM place JOIN paper p ON p.id=paper WHERE ref=? ORDER BY p.id",
        (ref,),
    )
    return [(*checked(*row[:2]), Place(*row[2:])) for row in found]


def dump(tables: sqlite3.Connection) -> Iterator[Sequence[object]]:
    """All rows in order, each behind the name of its table: equal corpora have equal rows."""
    for table, key in (("paper", "id"), ("place", "ref, paper"), ("mention", "paper, node")):
        rows: Iterable[Sequence[object]] = tables.execute(f"SELECT * FROM {table} ORDER BY {key}")
        yield from ((table, *row) for row in rows)
