"""Whether a corpus is what its papers' files say: files whole, graphs valid, tables and works graph in step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kag.corpus import graphs, tables, works
from kag.corpus.layout import Layout, read_intent
from kag.corpus.submission import Submission, read_submission
from kag.corpus.transaction import Writer, open_writer
from kag.errors import CorpusError
from kag.report import Issue, Report

if TYPE_CHECKING:
    from pyoxigraph import Store

_REPAIR = "Run `kag corpus check --repair`."
_UPDATE = "Give the paper again with `kag corpus update`."
_MEMORY = ":memory:"


def check_corpus(root: Path) -> Report:
    """All that is wrong with a corpus; changes nothing. Issues are about a paper's id or a file."""
    layout = Layout(root)
    layout.require()
    with tables.open_tables(layout.tables) as rows:
        found = list(_issues(layout, rows, graphs.open_snapshot(layout)))
    return Report.of([*found, *_search(layout)])


def repair(root: Path) -> Report:
    """Finish what was begun, make graphs and tables again from the files, and report what is still wrong."""
    with open_writer(root) as writer:
        _rebuild(writer)
        if writer.layout.search.exists():
            from kag.corpus.search_index import make_index  # its packages are an extra

            make_index(writer)
    return check_corpus(root)


def _rebuild(writer: Writer) -> None:
    """Make everything again from those files of papers that are whole; the others keep their graphs."""
    layout = writer.layout
    found = {folder.parent.name: folder.name for folder in sorted(layout.papers.glob("*/*"))}
    with tables.open_tables(layout.tables, write=True) as rows:
        versions = {row.id: row.version for row in tables.papers(rows)}
        known = {row.iri for row in tables.papers(rows)} | {works.GRAPH}
    versions = {
        **found,
        **{paper: version for paper, version in versions.items() if layout.paper(paper, version).is_dir()},
    }
    whole = {paper: version for paper, version in versions.items() if _read(layout.paper(paper, version))}
    graphs.discard(writer.store, graphs.names(writer.store) - known)
    writer.redo(whole)


def _read(folder: Path) -> Submission | None:
    """A paper's files, when they are what the name of their folder says."""
    try:
        paper = read_submission(folder)
    except CorpusError:
        return None
    return paper if paper.version == folder.name and paper.paper_id == folder.parent.name else None


def _issues(layout: Layout, rows: sqlite3.Connection, store: Store) -> Iterator[Issue]:
    if read_intent(layout):
        yield _issue("intent", "intent.json", f"a change was begun and not finished. {_REPAIR}")
    listed = {row.id: row for row in tables.papers(rows)}
    whole: dict[str, Submission] = {}
    for name, row in listed.items():
        paper = _read(layout.paper(name, row.version))
        if paper is None:
            yield _issue("files", name, f"its files are missing or were changed. {_UPDATE}")
            continue
        whole[name] = paper
        if graphs.lines_of(store, paper.iri) != paper.triples:
            yield _issue("graph", name, f"its graph is not that of its files. {_REPAIR}")
    yield from _strays(layout, listed.values(), store)
    if len(whole) == len(listed):
        yield from _out_of_step(rows, store, whole.values())


def _strays(layout: Layout, listed: Iterable[tables.Listed], store: Store) -> Iterator[Issue]:
    """Folders and graphs that belong to no paper."""
    folders = {layout.paper(row.id, row.version) for row in listed}
    for folder in sorted(layout.papers.glob("*/*")):
        if folder not in folders:
            yield _issue("stray", f"{folder.parent.name}/{folder.name}", f"no paper has these files. {_REPAIR}")
    for name in sorted(graphs.names(store) - {row.iri for row in listed} - {works.GRAPH}):
        yield _issue("stray", name, f"no paper has this graph. {_REPAIR}")


def _out_of_step(rows: sqlite3.Connection, store: Store, papers: Iterable[Submission]) -> Iterator[Issue]:
    """Tables and works graph against those that the papers' files give."""
    with tables.open_tables(Path(_MEMORY), write=True) as fresh:
        works.enter(fresh, (), papers)
        if list(tables.dump(rows)) != list(tables.dump(fresh)):
            yield _issue("tables", "corpus.db", f"the tables are not those of the papers. {_REPAIR}")
        if graphs.lines_of(store, works.GRAPH) != works.derived(fresh):
            yield _issue("works", works.GRAPH, f"the works graph is not that of the papers. {_REPAIR}")


def _search(layout: Layout) -> Iterator[Issue]:
    """The search index, where there is one, against the papers."""
    if layout.search.exists():
        from kag.corpus.search_index import out_of_step, read_index

        try:
            behind = out_of_step(layout, read_index(layout))
        except CorpusError as error:
            yield _issue("index", layout.search.name, f"{error.message}. {error.hint}")
            return
        for paper in behind:
            yield _issue("index", paper, f"the search index has it in another version or not at all. {_REPAIR}")


def _issue(kind: str, focus: str, message: str) -> Issue:
    return Issue(focus=focus, path="", component=kind, message=message)
