"""Changing a corpus, whether it is in one piece or in shards: papers go to their shards, and what is made of all
papers follows.

Shards are changed one after the other, or side by side, each by one process of an executor, of this machine or of
many; one that is busy or cannot be written keeps only its own papers from being changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kag.corpus import joined
from kag.corpus.intake import follow
from kag.corpus.layering import layer_names, put_layers
from kag.corpus.layout import Layout
from kag.corpus.lock import at_work
from kag.corpus.shard_set import ShardSet, shard_set
from kag.corpus.transaction import Change, open_writer
from kag.safety.workers import UNLIMITED, Ended, Executor, here
from kag.values.errors import CorpusError, KagError
from kag.write.run import paper_of

if TYPE_CHECKING:
    from kag.corpus.search_index import Describer, Step, Tell

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a search index shall have beside words; `embedder` is an endpoint, URL#MODEL.

    With `by_layers` the papers' entity layers name what is in passages, beside the rules; `engines` are addresses of
    what shall hold parts of the index.
    """

    vectors: bool = False
    graph: bool = False
    embedder: str = ""
    by_layers: bool = False
    engines: tuple[str, ...] = ()


PLAIN = Wish()


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be done in one shard: runs to put, or papers to remove."""

    shards: ShardSet
    shard: Layout
    names: tuple[str, ...]
    runs: tuple[Path, ...] = ()
    replace: bool = False
    patience: float = 0.0


def being_written(root: Path) -> bool:
    """Whether somebody is writing a corpus, or one of its shards, now."""
    shards = shard_set(root)
    return any(map(at_work, shards.layouts)) if shards else at_work(Layout(root))


def put(
    root: Path,
    runs: Sequence[Path],
    *,
    replace: bool = False,
    executor: Executor | None = None,
    patience: float = 0.0,
) -> Iterator[Change]:
    """Add run folders to a corpus, which is made where there is none; see `kag.corpus.transaction.Writer.put`.

    Another writer is waited for `patience` seconds, here and below.
    """
    shards = shard_set(root)
    if shards is None:
        with open_writer(root, create=True, patience=patience) as writer:
            yield from writer.put(runs, replace=replace)
            follow(writer)
        return
    named = [(paper_of(run) or run.name, run) for run in runs]
    work = [
        _Work(shards, shard, tuple(name for name, _ in own), tuple(run for _, run in own), replace, patience)
        for shard, own in _by_shard(shards, named).items()
    ]
    yield from _changed(shards, work, executor)


def remove(
    root: Path, papers: Sequence[str], *, executor: Executor | None = None, patience: float = 0.0
) -> Iterator[Change]:
    """Remove papers by id."""
    shards = shard_set(root)
    if shards is None:
        with open_writer(root, patience=patience) as writer:
            yield from writer.remove(papers)
            follow(writer)
        return
    parts = _by_shard(shards, [(name, name) for name in dict.fromkeys(papers)])
    work = [_Work(shards, shard, tuple(name for name, _ in own), patience=patience) for shard, own in parts.items()]
    yield from _changed(shards, work, executor)


def index(
    root: Path,
    wish: Wish = PLAIN,
    *,
    describer: Describer | None = None,
    tell: Tell | None = None,
    executor: Executor | None = None,
    patience: float = 0.0,
) -> Step:
    """Bring the search index into step, making it when there is none; see `kag.corpus.search_index.make_index`.

    Of a corpus in shards each has its own, and the graph is one over all. A `describer` goes from shard to shard.
    """
    from kag.corpus.search_index import make_index, quiet

    def make(shard: Path, one: Wish) -> Step:
        with open_writer(shard, patience=patience) as writer:
            return make_index(
                writer,
                vectors=one.vectors,
                graph=one.graph,
                embedder=one.embedder,
                describer=layer_names(writer.layout) if one.by_layers else describer,
                engines=one.engines,
                tell=tell or quiet,
            )

    shards = shard_set(root)
    if shards is None:
        return make(root, wish)
    if wish.engines:
        hint = "`kag corpus index` without --engine, or a corpus in one piece."
        raise CorpusError(f"{root} is in shards, whose indexes are in files", hint=hint)
    each = tuple(layout.root for layout in shards.layouts)
    own = replace(wish, graph=False)
    if describer or executor is None:
        steps = [make(shard, own) for shard in each]
    else:
        steps = [_sure(done) for _, done in _spread(partial(_index, own), each, executor)]
    joined.follow(shards)
    papers = sorted(name for step in steps for name in step.papers)
    return replace(_over_all(root, shards, wish.graph, executor), papers=tuple(papers))


def link(root: Path, layers: str, folder: Path, *, patience: float = 0.0) -> tuple[tuple[Change, ...], int]:
    """Give the papers of a corpus the layers that they lack, made in `folder`, and link what all of them say.

    Of a corpus in shards each is given its layers, and the links are those of all. Returns what became of papers, and
    the triples of the links.
    """
    shards = shard_set(root)
    if shards is None:
        with open_writer(root, patience=patience) as writer:
            changes = tuple(put_layers(writer, layers, folder))
            return changes, writer.link()
    given: list[Change] = []
    for shard in shards.layouts:
        with open_writer(shard.root, patience=patience) as writer, shards.still():
            given += put_layers(writer, layers, folder / shard.root.name)
    joined.follow(shards)
    return tuple(given), joined.link(shards)


def _index(wish: Wish, shard: Path) -> Step | KagError:
    """Make the index of one shard; an error is given back, as it may have to come from another machine."""
    try:
        return index(shard, wish)
    except KagError as error:
        return error


def _sure(done: Step | KagError | Ended) -> Step:
    if isinstance(done, Ended):
        raise CorpusError(f"the index of a shard was not made: {done}", hint="Give the command again.")
    if isinstance(done, KagError):
        raise done
    return done


def _over_all(root: Path, shards: ShardSet, graph: bool, executor: Executor | None) -> Step:
    """What is made over all shards: the graph, where it is wished or was made before."""
    from kag.corpus.search_index import Step, open_index, versions_in
    from kag.corpus.shard_edges import make_edges
    from kag.search.graph.build import waiting

    whole = open_index(root)
    if graph:
        make_edges(shards, whole, versions_in(whole), executor)
    return Step((), len(whole.chunks), waiting(whole.edges) if whole.edges is not None else 0)


def _by_shard(shards: ShardSet, named: Iterable[tuple[str, Any]]) -> Mapping[Layout, list[tuple[str, Any]]]:
    parts: dict[Layout, list[tuple[str, Any]]] = {}
    for name, one in named:
        parts.setdefault(shards.home(name), []).append((name, one))
    return parts


def _changed(shards: ShardSet, work: Sequence[_Work], executor: Executor | None) -> Iterator[Change]:
    """Do it; then what is joined follows."""
    for one, changes in _spread(_do, work, executor):
        yield from _ended(one, changes) if isinstance(changes, Ended) else changes
    joined.follow(shards)


def _spread(
    task: Callable[[Item], Result], work: Sequence[Item], executor: Executor | None
) -> Iterator[tuple[Item, Result | Ended]]:
    return executor(task, work, UNLIMITED) if executor and len(work) > 1 else here(task, work)


def _do(work: _Work) -> list[Change]:
    """Change one shard, and its search index where it has one."""
    done: list[Change] = []
    try:
        with open_writer(work.shard.root, patience=work.patience) as writer, work.shards.still():
            done.extend(writer.put(work.runs, replace=work.replace) if work.runs else writer.remove(work.names))
            follow(writer)
    except KagError as error:
        kept = {change.paper for change in done}
        done += [Change(name, "failed", error.message, error.hint) for name in work.names if name not in kept]
    return done


def _ended(work: _Work, ended: Ended) -> Iterator[Change]:
    """What is said of papers whose process was lost: it may have changed some of them."""
    hint = "Give the command again: what is done is left alone."
    return (Change(name, "failed", str(ended), hint) for name in work.names)
