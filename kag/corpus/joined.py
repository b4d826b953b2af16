"""Graphs and tables of all shards in one place, for questions that connect papers: made from what shards publish.

It follows the shards and is never part of a change, as a search index does: whoever changes or opens the corpus brings
it into step. Works are the same across shards by their keys, as they are in one corpus (`kag.corpus.shared_works`).
Nothing is kept here that the shards do not have, but for the links between what papers say, which are made when that is
asked for, and forget a paper when it is changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kag.corpus import catalogue, graphs, lock, said_links, shared_works
from kag.corpus.catalogue import Listed
from kag.corpus.layout import Layout, read_intent
from kag.corpus.shard_set import ShardSet, begin
from kag.corpus.submission import Mention, Submission
from kag.rdf.layer_profiles import layer_graphs
from kag.values.errors import CorpusBusy, CorpusReadOnly
from kag.values.report import Issue

if TYPE_CHECKING:
    from pyoxigraph import Store

ROUND = 1000  # papers that are taken in, published and kept at once
BATCH = 32  # papers whose graphs are in memory at once
_REPAIR = "Run `kag corpus check --repair`."


class Published(NamedTuple):
    """What a shard has published: its papers by id, its tables and its graphs, of one moment."""

    papers: Mapping[str, Listed]
    rows: sqlite3.Connection
    store: Store


def follow(shards: ShardSet) -> tuple[str, ...]:
    """Bring graphs and tables into step; returns the papers that were not.

    Papers of a shard that is being written stay as they were: its writer follows when it is done. Where somebody else
    follows now, or nothing can be written, nothing is done.
    """
    done: list[str] = []
    with suppress(CorpusBusy, CorpusReadOnly):
        if not shards.joined.tables.is_file():
            begin(shards.joined)
    if not behind(shards):
        return ()
    with suppress(CorpusBusy, CorpusReadOnly), lock.alone(shards.joined):
        store, held = graphs.open_store(shards.joined), _held(shards.joined)
        for shard in shards.layouts:
            own = {name: version for name, version in held.items() if shards.home(name) == shard}
            with _published(shard) as state:
                if state:
                    done += _take_in(shards.joined, own, state, store)
    return tuple(done)


def behind(shards: ShardSet) -> tuple[str, ...]:
    """The papers that are here in another version than in their shard, or are not in both; sorted."""
    held = _held(shards.joined)
    wanted: dict[str, str] = {}
    for shard in shards.layouts:
        with catalogue.open_tables(shard.tables) as rows:
            wanted |= {paper.id: paper.version for paper in catalogue.papers(rows)}
    return tuple(sorted(name for name in {*held, *wanted} if held.get(name) != wanted.get(name)))


def issues(shards: ShardSet) -> Iterator[Issue]:
    """What is not as the shards have it: papers, graphs, works."""
    for name in behind(shards):
        yield Issue(name, "", "joined", f"graphs and tables of all shards have it otherwise. {_REPAIR}")
    if not shards.joined.tables.is_file():
        return
    store = graphs.open_snapshot(shards.joined)
    wanted = {shared_works.GRAPH, said_links.GRAPH}
    linked = said_links.nodes(graphs.lines_of(store, said_links.GRAPH))
    with catalogue.open_tables(None, write=True) as fresh, graphs.reading(shards.joined.snapshots):
        for shard in shards.layouts:
            with _published(shard) as state:
                for paper in _submissions(state, state.papers) if state else ():
                    shared_works.enter(fresh, (), (paper,))
                    wanted.update(paper.graphs)
                    linked.difference_update(*map(said_links.nodes, paper.layers.values()))
                    if any(graphs.lines_of(store, name) != lines for name, lines in paper.graphs.items()):
                        yield Issue(paper.paper_id, "", "joined", f"its graph is not that of its shard. {_REPAIR}")
        if linked:
            yield Issue(said_links.GRAPH, "", "joined", f"links lead to what no paper says. {_REPAIR}")
        for name in sorted(graphs.names(store) - wanted):
            yield Issue(name, "", "joined", f"no shard has this graph. {_REPAIR}")
        if graphs.lines_of(store, shared_works.GRAPH) != shared_works.derived(fresh):
            yield Issue(shared_works.GRAPH, "", "joined", f"the works graph is not that of the papers. {_REPAIR}")


def link(shards: ShardSet) -> int:
    """Make the links between what all papers say anew; gives their triples. Raises `CorpusBusy`, `CorpusError`."""
    runs: dict[str, Path] = {}
    for shard in shards.layouts:
        with catalogue.open_tables(shard.tables) as rows:
            runs |= {row.id: shard.held(row.id, row.version) for row in catalogue.papers(rows)}
    with lock.alone(shards.joined):
        return said_links.renew(graphs.open_store(shards.joined), shards.joined, dict(sorted(runs.items())))


def renew(shards: ShardSet) -> None:
    """Make graphs and tables of all shards again from the shards, whatever is there."""
    joined = shards.joined
    joined.create()
    with lock.alone(joined):
        for file in (joined.tables, *joined.root.glob("corpus.db-*")):
            file.unlink(missing_ok=True)
        joined.remove(joined.store)
        graphs.open_store(joined)
    follow(shards)


def _held(joined: Layout) -> dict[str, str]:
    if not joined.tables.is_file():
        return {}
    with catalogue.open_tables(joined.tables) as rows:
        return {paper.id: paper.version for paper in catalogue.papers(rows)}


@contextmanager
def _published(shard: Layout) -> Iterator[Published | None]:
    """The state of a shard; None where it is being changed. Graphs are published before tables are kept."""
    while True:
        folder = graphs.snapshot(shard)
        store = graphs.open_snapshot(shard)
        with catalogue.open_tables(shard.tables) as rows:
            papers = {paper.id: paper for paper in catalogue.papers(rows)}
            if read_intent(shard):
                yield None
                return
            if graphs.snapshot(shard) == folder:
                yield Published(papers, rows, store)
                return


def _take_in(joined: Layout, held: Mapping[str, str], state: Published, store: Store) -> list[str]:
    """Bring the papers of one shard into step, some at a time; `held` are those that are here, with their versions."""
    wanted = {name: paper.version for name, paper in state.papers.items()}
    changed = sorted(name for name in {*held, *wanted} if held.get(name) != wanted.get(name))
    for at in range(0, len(changed), ROUND):
        _keep(joined, changed[at : at + ROUND], state, store)
    return changed


def _keep(joined: Layout, changed: list[str], state: Published, store: Store) -> None:
    """Take papers over as their shard has them; tables are kept last, so that what was begun is done again."""
    with catalogue.open_tables(joined.tables, write=True) as rows, graphs.reading(joined.store):
        before = {row.iri for row in catalogue.find(rows, changed).values()}
        said_links.forget(store, changed)
        graphs.discard(store, before.union(*map(layer_graphs, before)))
        shared_works.enter(rows, changed, ())
        present = [name for name in changed if name in state.papers]
        for at in range(0, len(present), BATCH):
            papers = list(_submissions(state, present[at : at + BATCH]))
            shared_works.enter(rows, (), papers)
            graphs.change(store, {name: lines for paper in papers for name, lines in paper.graphs.items()})
        graphs.change(store, {shared_works.GRAPH: shared_works.derived(rows)})
        graphs.publish(store, joined)


def _submissions(state: Published, names: Iterable[str]) -> Iterator[Submission]:
    """Papers as their shard has them; where their texts are is left to it."""
    for name in names:
        row = state.papers[name]
        found = state.rows.execute("SELECT node, work, title, doi, own FROM mention WHERE paper=?", (name,))
        mentions = tuple(Mention(node, work, title, bool(doi), bool(own)) for node, work, title, doi, own in found)
        layers = {graph: lines for graph in layer_graphs(row.iri) if (lines := graphs.lines_of(state.store, graph))}
        triples = graphs.lines_of(state.store, row.iri)
        about = (row.title, row.year, row.doi, row.pages)
        yield Submission(name, row.version, row.iri, *about, triples, (), mentions, row.references, layers)
