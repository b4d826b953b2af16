"""The graph over the chunks of all shards: one for all, so that what is alike is alike across shards.

It is made over all chunks as that of one corpus is, and is the same. It says of which version of each paper it was
made; whoever opens it brings it into step as far as that is cheap (`kag.search.graph.build.followed`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from kag.corpus import catalogue, shared_works
from kag.corpus.layout import Layout, told
from kag.corpus.shard_set import ShardSet
from kag.graph.compact import CompactGraph
from kag.safety import checksums
from kag.safety.files import own_file, read_object, remove_inside, write_whole
from kag.safety.workers import Executor
from kag.search.graph.build import Citation, chunk_graph, followed
from kag.search.graph.edges import GraphOptions
from kag.search.graph.pairs_apart import PARTS, apart
from kag.search.index import CURRENT, EDGES, Index, current
from kag.values.errors import CorpusError, RunError

FEW = 20_000  # chunks up to which one process compares them as soon as several would
_OF = "papers.json"
_REPAIR = "Make it again: `kag corpus index --graph --corpus DIR`."
Versions = Mapping[str, str]


def citations_of(layout: Layout) -> list[Citation]:
    """Who cites whom by which reference."""
    with catalogue.open_tables(layout.tables) as rows:
        return [Citation(*row) for row in shared_works.references(rows)]


def make_edges(shards: ShardSet, index: Index, versions: Versions, executor: Executor | None = None) -> None:
    """Compare all chunks, by an executor if there is one, and keep what comes of it; `versions` are those of the
    papers that the index has."""
    by = executor if len(index.chunks) > FEW else None
    options = GraphOptions(compare=apart(by, shards.search), parts=PARTS) if by else GraphOptions()
    index.edges = chunk_graph(index, citations_of(shards.joined), options)
    _save(shards, index.edges, versions)


def follow_edges(shards: ShardSet, index: Index, versions: Versions) -> None:
    """Give the index the graph that was kept, in step with its papers; none where none was made.

    Raises `CorpusError` where it is damaged.
    """
    if not own_file(shards.search / CURRENT):
        return
    index.edges, made_of = _load(shards)
    changed = {name for name in {*made_of, *versions} if made_of.get(name) != versions.get(name)}
    if not changed:
        return
    gone = {node.id for node in index.edges.nodes if node.id not in index.chunks}
    gone.update(chunk for name in changed for chunk in index.of_document(name))
    index.edges = followed(index.edges, index, gone, citations_of(shards.joined))
    with suppress(CorpusError):  # where nothing can be written it is made again by the next one
        _save(shards, index.edges, versions)


def _save(shards: ShardSet, edges: CompactGraph, versions: Versions) -> None:
    """Write the graph in one step: whoever opens it sees the old one or the new one whole."""
    new = shards.search / f"index-{token_hex(4)}"
    with told(shards.search):
        new.mkdir(parents=True)
        try:
            edges.save(new / EDGES)
            (new / _OF).write_text(json.dumps(dict(sorted(versions.items()))), encoding="utf-8")
            checksums.seal(new)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        write_whole(shards.search / CURRENT, new.name)
        for old in shards.search.glob("index-*"):
            if old != new:
                with suppress(OSError):  # somebody else may take it away, too
                    remove_inside(shards.search, old)


def _load(shards: ShardSet) -> tuple[CompactGraph, dict[str, Any]]:
    while True:
        try:
            here = shards.search / current(shards.search)
            if bad := checksums.changed(here):
                raise RunError(f"{here / bad[0]} is not what was written", hint=_REPAIR)
            return CompactGraph.load(here / EDGES), read_object(here / _OF)
        except (RunError, OSError, ValueError) as error:
            if _replaced(shards, here):
                continue
            raise CorpusError(f"the graph over all shards cannot be read: {error}", hint=_REPAIR) from error


def _replaced(shards: ShardSet, here: Path) -> bool:
    """Whether another one was published meanwhile."""
    try:
        return shards.search / current(shards.search) != here
    except RunError:
        return False
