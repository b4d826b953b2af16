"""Changing a corpus, whether it is in one piece or in shards: papers go to their shards, and what is made of all
papers follows.

Shards are changed side by side, each by one process; one that is busy or cannot be written keeps only its own papers
from being changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.corpus import joined
from kag.corpus.intake import follow
from kag.corpus.layout import Layout
from kag.corpus.lock import at_work
from kag.corpus.shard_set import ShardSet, shard_set
from kag.corpus.transaction import Change, Writer, open_writer
from kag.safety.workers import UNLIMITED, Ended, here, processes
from kag.values.errors import KagError
from kag.write.batch import default_workers
from kag.write.run import paper_of

if TYPE_CHECKING:
    from kag.corpus.search_index import Describer, Step, Tell

MANY = 8  # papers from which on shards are changed side by side: a process takes a while to begin


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be done in one shard: runs to put, or papers to remove."""

    shards: ShardSet
    shard: Layout
    names: tuple[str, ...]
    runs: tuple[Path, ...] = ()
    replace: bool = False


def is_corpus(root: Path) -> bool:
    """Whether a folder is a corpus, in one piece or in shards."""
    return Layout(root).mark.is_file() or shard_set(root) is not None


def being_written(root: Path) -> bool:
    """Whether somebody is writing a corpus, or one of its shards, now."""
    shards = shard_set(root)
    return any(map(at_work, shards.layouts)) if shards else at_work(Layout(root))


def put(root: Path, runs: Sequence[Path], *, replace: bool = False) -> Iterator[Change]:
    """Add run folders to a corpus, which is made where there is none; see `kag.corpus.transaction.Writer.put`."""
    shards = shard_set(root)
    if shards is None:
        with open_writer(root, create=True) as writer:
            yield from writer.put(runs, replace=replace)
            follow(writer)
        return
    named = [(paper_of(run) or run.name, run) for run in runs]
    parts = _by_shard(shards, named)
    yield from _changed(
        shards, [_Work(shards, shard, tuple(n for n, _ in own), tuple(r for _, r in own), replace)
                 for shard, own in parts.items()]
    )  # fmt: skip


def remove(root: Path, papers: Sequence[str]) -> Iterator[Change]:
    """Remove papers by id."""
    shards = shard_set(root)
    if shards is None:
        with open_writer(root) as writer:
            yield from writer.remove(papers)
            follow(writer)
        return
    parts = _by_shard(shards, [(name, name) for name in dict.fromkeys(papers)])
    yield from _changed(shards, [_Work(shards, shard, tuple(n for n, _ in own)) for shard, own in parts.items()])


def index(
    root: Path,
    *,
    vectors: bool = False,
    graph: bool = False,
    embedder: str = "",
    describer: Describer | None = None,
    tell: Tell | None = None,
) -> Step:
    """Bring the search index into step, making it when there is none; see `kag.corpus.search_index.make_index`.

    Of a corpus in shards each has its own, and the graph is one over all.
    """
    from kag.corpus.search_index import make_index, quiet

    def make(writer: Writer, of_it: bool) -> Step:
        return make_index(
            writer, vectors=vectors, graph=of_it, embedder=embedder, describer=describer, tell=tell or quiet
        )

    shards = shard_set(root)
    if shards is None:
        with open_writer(root) as writer:
            return make(writer, graph)
    steps: list[Step] = []
    for shard in shards.layouts:
        with open_writer(shard.root) as writer, shards.still():
            steps.append(make(writer, False))
    joined.follow(shards)
    return replace(_over_all(root, shards, graph), papers=tuple(sorted(name for step in steps for name in step.papers)))


def _over_all(root: Path, shards: ShardSet, graph: bool) -> Step:
    """What is made over all shards: the graph, where it is wished or was made before."""
    from kag.corpus.search_index import Step, open_index, versions_in
    from kag.corpus.shard_edges import make_edges
    from kag.search.chunk_graph import waiting

    whole = open_index(root)
    if graph:
        make_edges(shards, whole, versions_in(whole))
    return Step((), len(whole.chunks), waiting(whole.edges) if whole.edges is not None else 0)


def _by_shard(shards: ShardSet, named: Iterable[tuple[str, Any]]) -> Mapping[Layout, list[tuple[str, Any]]]:
    parts: dict[Layout, list[tuple[str, Any]]] = {}
    for name, one in named:
        parts.setdefault(shards.home(name), []).append((name, one))
    return parts


def _changed(shards: ShardSet, work: Sequence[_Work]) -> Iterator[Change]:
    """Do it, several shards at once where it is much; then what is joined follows."""
    if sum(len(one.names) for one in work) >= MANY and len(work) > 1:
        done = processes(default_workers())(_do, work, UNLIMITED)
    else:
        done = here(_do, work)
    for one, changes in done:
        yield from _ended(one, changes) if isinstance(changes, Ended) else changes
    joined.follow(shards)


def _do(work: _Work) -> list[Change]:
    """Change one shard, and its search index where it has one."""
    done: list[Change] = []
    try:
        with open_writer(work.shard.root) as writer, work.shards.still():
            done.extend(writer.put(work.runs, replace=work.replace) if work.runs else writer.remove(work.names))
            follow(writer)
    except KagError as error:
        kept = {change.paper for change in done}
        done += [Change(name, "failed", error.message, error.hint) for name in work.names if name not in kept]
    return done


def _ended(work: _Work, ended: Ended) -> Iterator[Change]:
    """What is said of papers whose process was lost: it may have changed some of them."""
    hint = "Give the command again: what is done is left alone."
    return (Change(name, "failed", f"its process ended: {ended.how or ended.why}", hint) for name in work.names)
