"""Opening the tables' file as what it may be: damaged, a stranger's, or on a disk that can only be read.

SQLite carries out what a file's schema says and follows names that a journal holds. So the schema must be the one that
is expected, word for word, a journal must not lead to other files, and values are words and whole numbers only.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kag.core.errors import CorpusError
from kag.core.files import own_file, read_regular
from kag.core.sqlite import sqlite_hint

STEPS = 10_000  # of a million instructions each, that all questions to one small file may take: some minutes
LONGEST = 1 << 25  # bytes of a row at most: a text of a graph may have 16 MiB
_LEADS_ON = bytes.fromhex("d9d505f920a163d7")  # ends a journal that names another file, which SQLite would remove
_ENDS = ("", "-wal", "-shm", "-journal")
_HINT = "Run `kag corpus check --repair`, which makes the tables again from the papers."


def damaged(what: str) -> CorpusError:
    """The error for tables that cannot be what a corpus wrote."""
    return CorpusError(f"the tables of the corpus are damaged: {what}", hint=_HINT)


def files_of(path: Path) -> tuple[Path, ...]:
    """The file of a database and those that SQLite keeps beside it."""
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
    """A connection for reading. Where nothing can be written SQLite needs to be told so, and cannot read its log."""
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
            raise CorpusError(f"{file} is no regular file", hint=_HINT)
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
