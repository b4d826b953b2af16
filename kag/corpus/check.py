"""Check of a corpus against its papers' files: files whole, graphs valid, tables and works in step; and its repair.

Of the search index what is whole is kept, the rest is made again from it or from the papers. Vectors and names of a
model were paid for, so only those go whose bytes are not those that were written.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core import checksums
from kag.core.errors import CorpusError, RunError
from kag.core.files import own_folder, read_regular, write_whole
from kag.core.report import Issue, Report
from kag.corpus import catalogue, graphs, shared_entities, shared_works
from kag.corpus.catalogue import damaged
from kag.corpus.layout import Layout, at_work, file_errors, read_intent
from kag.corpus.search_index import LOCAL, embedder_of, is_local, make_index
from kag.corpus.submission import Submission, read_submission
from kag.corpus.transaction import Writer, open_mender
from kag.rdf.profile import layer_graphs
from kag.retrieval.embedders import BGE, STATED
from kag.retrieval.engines.moving import lost, restore
from kag.retrieval.index import CURRENT, EDGES, MODEL, VECTORS, Index, current


def mend_index(writer: Writer) -> None:
    """Make the index whole and bring it into step, with vectors and a graph where it had them.

    Raises `ModelError` where vectors are to be made again and the endpoint that made them is not stated.
    """
    layout = writer.layout
    here = _folder(layout)
    bad = checksums.damaged(here) if here else ()
    if here and not bad:
        _restored(layout, here)
    if here and not bad and _opens(layout):
        make_index(writer)
        return
    index = _whole(here, bad) if here else Index.build(())
    model = _model(here) if here and own_folder(here / VECTORS) and index.vectors is None else ""
    local = LOCAL if is_local(model) else ""
    if model and not local:
        embedder_of(model)(("",))  # who made them is asked before anything is changed
    graph = bool(here and own_folder(here / EDGES) and index.edges is None)
    with file_errors(layout.search):
        index.save(layout.search)
    make_index(writer, embedder=local or (os.environ[STATED] if model else ""), graph=graph)


def _restored(layout: Layout, here: Path) -> None:
    """Put back what engines hold no more of an index whose own files are whole; raises `ModelError`, `RunError`."""
    index = _whole(here, ())
    if lost(index):
        index.embed = embedder_of(index.model)
        restore(index)
        with file_errors(layout.search):
            index.save(layout.search)


def _folder(layout: Layout) -> Path | None:
    """Return the folder of the index; if it is not recorded, the only complete folder."""
    try:
        return layout.search / current(layout.search)
    except RunError:
        whole = [path for path in sorted(layout.search.glob("index-*")) if own_folder(path)]
        whole = [path for path in whole if not checksums.damaged(path)]
        if len(whole) != 1:
            return None
        with file_errors(layout.search):
            write_whole(layout.search / CURRENT, whole[0].name)
        return whole[0]


def _opens(layout: Layout) -> bool:
    try:
        Index.load(layout.search)
    except RunError:
        return False
    return True


def _whole(here: Path, bad: tuple[str, ...]) -> Index:
    """Return the usable part of the index; nothing if its files are intact but inconsistent."""
    try:
        return Index.salvage(here, bad)
    except RunError:
        return Index.build(())


def _model(here: Path) -> str:
    """Return the model of the vectors; this machine's default if it is not recorded."""
    try:
        return read_regular(here / VECTORS / MODEL, 10_000).decode("utf-8")
    except (OSError, ValueError):
        return BGE


if TYPE_CHECKING:
    from pyoxigraph import Store

_REPAIR = "Run `kag corpus check --repair`."
_UPDATE = "Give the paper again with `kag corpus update`."


def check_corpus(root: Path) -> Report:
    """All that is wrong with a corpus; changes nothing. Issues are about a paper's id or a file.

    Beside a writer at work only files are looked at: the rest is on its way from one state to the next.
    """
    layout = Layout(root)
    layout.require()
    moving = at_work(layout)
    with catalogue.open_tables(layout.tables) as rows:
        if not catalogue.sound(rows):
            raise damaged("its pages are not in order")
        before = catalogue.papers(rows)
        store = graphs.open_snapshot(layout)
        issues = [*_issues(layout, rows, store), *_engine(layout, store), *_search(layout)]
    if moving or at_work(layout):
        with catalogue.open_tables(layout.tables) as rows:
            same = {row.id for row in set(before) & set(catalogue.papers(rows))}
        issues = [issue for issue in issues if issue.component == "files" and issue.focus in same]
    return Report.of(issues)


def repair(root: Path) -> Report:
    """Finish what was begun, make graphs and tables again from the files, and report what is still wrong."""
    with open_mender(root) as writer:
        _rebuild(writer)
        if writer.layout.search.exists():
            from kag.corpus.check import mend_index  # its packages are an extra

            mend_index(writer)
    return check_corpus(root)


def _rebuild(writer: Writer) -> None:
    """Make everything again from those files of papers that are whole; the others keep their graphs."""
    layout = writer.layout
    with catalogue.open_tables(layout.tables, write=True) as rows:
        listed = {row.id: row.version for row in catalogue.papers(rows)}
        papers = {row.iri for row in catalogue.papers(rows)}
        known = papers.union({shared_works.GRAPH}, *map(layer_graphs, papers))
    here = set(layout.versions())
    whole: dict[str, str] = {}
    for paper, version in sorted(here):
        settled = listed.get(paper, "")
        if (version == settled or (paper, settled) not in here) and _read(layout, paper, version):
            whole[paper] = version
    with graphs.reading(layout.store):
        graphs.discard(writer.store, graphs.names(writer.store) - known)
    writer.redo(whole)


def _read(layout: Layout, paper_id: str, version: str) -> Submission | None:
    """Return a paper's files if they match the names of their folders."""
    try:
        paper = read_submission(layout.held(paper_id, version))
    except CorpusError:
        return None
    return paper if (paper.paper_id, paper.version) == (paper_id, version) else None


def _issues(layout: Layout, rows: sqlite3.Connection, store: Store) -> Iterator[Issue]:
    if read_intent(layout):
        yield _issue("intent", "intent.json", f"a change was begun and not finished. {_REPAIR}")
    listed = {row.id: row for row in catalogue.papers(rows)}
    whole: dict[str, Submission] = {}
    for name, row in listed.items():
        paper = _read(layout, name, row.version)
        if paper is None:
            yield _issue("files", name, f"its files are missing or were changed. {_UPDATE}")
            continue
        whole[name] = paper
        with graphs.reading(layout.snapshots):
            held = {one: graphs.lines_of(store, one) for one in {paper.iri, *layer_graphs(paper.iri)}}
        if {one: lines for one, lines in held.items() if lines or one == paper.iri} != paper.graphs:
            yield _issue("graph", name, f"its graph is not that of its files. {_REPAIR}")
    yield from _strays(layout, listed.values(), store)
    if len(whole) == len(listed):
        yield from _out_of_step(rows, store, whole.values())


def _strays(layout: Layout, listed: Collection[catalogue.Listed], store: Store) -> Iterator[Issue]:
    """Return folders and graphs that belong to no paper, and other entries among the papers."""
    ours, known = set(layout.versions()), {(row.id, row.version) for row in listed}
    for paper, version in sorted(ours - known):
        mend = f"{_REPAIR} Where that does not help: {_UPDATE}"
        yield _issue("stray", f"{paper}/{version}", f"no paper has these files. {mend}")
    for path in layout.strange():
        yield _issue("stray", str(path.relative_to(layout.papers)), "no corpus made it. Move it away.")
    with graphs.reading(layout.snapshots):
        papers = {row.iri for row in listed}
        strange = graphs.names(store) - papers.union(
            {shared_works.GRAPH, shared_entities.GRAPH}, *map(layer_graphs, papers)
        )
    for name in sorted(strange):
        yield _issue("stray", name, f"no paper has this graph. {_REPAIR}")


def _out_of_step(rows: sqlite3.Connection, store: Store, papers: Iterable[Submission]) -> Iterator[Issue]:
    """Tables and works graph against those that the papers' files give."""
    with catalogue.open_tables(None, write=True) as fresh:
        shared_works.enter(fresh, (), papers)
        if list(catalogue.dump(rows)) != list(catalogue.dump(fresh)):
            yield _issue("tables", "corpus.db", f"the tables are not those of the papers. {_REPAIR}")
        links = shared_entities.nodes(graphs.lines_of(store, shared_entities.GRAPH))
        if links and not links <= {
            line.partition(" ")[0] for submission in papers for own in submission.layers.values() for line in own
        }:
            yield _issue("links", shared_entities.GRAPH, f"links lead to what no paper says. {_REPAIR}")
        if graphs.lines_of(store, shared_works.GRAPH) != shared_works.derived(fresh):
            yield _issue("works", shared_works.GRAPH, f"the works graph is not that of the papers. {_REPAIR}")


def _engine(layout: Layout, published: Store) -> Iterator[Issue]:
    """The files of the published graphs against their checksums, and the writer's graphs against the published ones."""
    folder = graphs.snapshot(layout)
    for name in checksums.damaged(folder):
        yield _issue(
            "graph", str((folder / name).relative_to(layout.root)), f"it is missing or not as it was written. {_REPAIR}"
        )
    try:
        with graphs.reading(folder):
            wanted = graphs.names(published)
        if graphs.names_in(layout.store) == wanted:
            return
        words = "the writer has other graphs than its readers"
    except CorpusError as error:
        words = error.message
    yield _issue("graph", "graph/store", f"{words}. {_REPAIR}")


def _search(layout: Layout) -> Iterator[Issue]:
    """The search index, where there is one, against its checksums and papers; an empty folder was only begun."""
    if not layout.search.exists() or not any(layout.search.iterdir()):
        return
    from kag.corpus.search_index import damage

    try:
        bad = damage(layout)
        behind, gone = ((), ()) if bad else _of_index(layout)
    except CorpusError as error:
        yield _issue("index", layout.search.name, f"{error.message}. {error.hint}")
        return
    for name in bad:
        yield _issue("index", f"{layout.search.name}/{name}", f"it is missing or not as it was written. {_REPAIR}")
    for paper in behind:
        yield _issue("index", paper, f"the search index has it in another version or not at all. {_REPAIR}")
    for words in gone:
        yield _issue("index", layout.search.name, f"{words}. {_REPAIR}")


def _of_index(layout: Layout) -> tuple[Iterable[str], Iterable[str]]:
    """The papers that an index is behind with, and what engines hold no more of it; raises `CorpusError`."""
    from kag.corpus.search_index import lost_of, out_of_step, read_index

    index = read_index(layout)
    return out_of_step(layout, index), lost_of(layout, index)


def _issue(kind: str, focus: str, message: str) -> Issue:
    return Issue(focus=focus, path="", component=kind, message=message)
