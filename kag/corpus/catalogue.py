"""The tables of a corpus: its papers, where their texts are kept, and which works they mention.

All of it can be made again from the papers' files; it is here because it is asked for often.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kag.core.content import Place
from kag.core.errors import CorpusError
from kag.corpus import safe_names
from kag.corpus.database import damaged, open_database

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
    possible = filter(safe_names.is_paper, ids)
    rows = (tables.execute("SELECT * FROM paper WHERE id=?", (name,)).fetchone() for name in possible)
    return {row[0]: _listed(row) for row in rows if row}


def alike(tables: sqlite3.Connection, paper: Submission) -> list[Listed]:
    """The papers with the title and the number of pages of one."""
    rows = tables.execute("SELECT * FROM paper WHERE title=? AND pages=?", (paper.title, paper.pages))
    return list(map(_listed, rows))


def _listed(row: Sequence[str | int]) -> Listed:
    """A row of the table of papers; raises `CorpusError` where it cannot be one."""
    paper = Listed(*row)  # type: ignore[arg-type]  # their kinds are looked at here
    fits = safe_names.is_paper(paper.id) and safe_names.is_version(paper.version) and safe_names.is_iri(paper.iri)
    words, counts = (paper.title, paper.year, paper.doi), (paper.pages, paper.triples, paper.references)
    if not fits or not all(isinstance(word, str) for word in words) or not all(isinstance(n, int) for n in counts):
        raise damaged(f"{str(paper.id)[:80]!r} is no row of a paper")
    return paper


def places(tables: sqlite3.Connection, ref: str) -> list[tuple[str, str, Place]]:
    """Who has a text: paper, version and place, by paper."""
    found = tables.execute(
        "SELECT p.id, p.version, ref, start, length FROM place JOIN paper p ON p.id=paper WHERE ref=? ORDER BY p.id",
        (ref,),
    )
    return [(*safe_names.checked(*row[:2]), Place(*row[2:])) for row in found]


def dump(tables: sqlite3.Connection) -> Iterator[Sequence[object]]:
    """All rows in order, each behind the name of its table: equal corpora have equal rows."""
    for table, key in (("paper", "id"), ("place", "ref, paper"), ("mention", "paper, node")):
        rows: Iterable[Sequence[object]] = tables.execute(f"SELECT * FROM {table} ORDER BY {key}")
        yield from ((table, *row) for row in rows)
