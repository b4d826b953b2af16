"""The graphs of a corpus on disk: one writer's store, and the snapshots of it that readers open.

A reader never opens the store that is being written: it would have to read the writer's log first, and files that
the writer replaces at that moment would be missing. A snapshot shares the store's files (hard links) and never changes.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from kag.corpus.layout import Layout
from kag.errors import CorpusBusy, CorpusError
from kag.files import write_whole

if TYPE_CHECKING:
    from pyoxigraph import Store

KEPT = 2
"""Snapshots that are kept: the newest, and the one before it for readers that are opening it."""
_REPAIR = "Run `kag corpus check --repair`, which makes the graphs again from the papers."


def open_store(layout: Layout) -> Store:
    """The store for writing, which nobody else can open meanwhile; raises `CorpusBusy` naming who has it."""
    import pyoxigraph  # a compiled library: imported when first needed

    layout.store.parent.mkdir(exist_ok=True)
    try:
        store = pyoxigraph.Store(layout.store)
    except OSError as error:
        if "lock" not in str(error).lower():
            raise CorpusError(f"{layout.store}: {error}", hint=_REPAIR) from error
        hint = "Wait until it is done; reading is possible meanwhile."
        raise CorpusBusy(f"{layout.root} is being written by {_holder(layout)}", hint=hint) from error
    except RuntimeError as error:
        raise CorpusError(f"{layout.store}: {error}", hint=_REPAIR) from error
    write_whole(layout.writer, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}) + "\n")
    return store


def _holder(layout: Layout) -> str:
    try:
        row = json.loads(layout.writer.read_text(encoding="utf-8"))
        return f"process {row['pid']} on {row['host']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def change(store: Store, graphs: Mapping[str, Iterable[str]]) -> None:
    """Give each named graph these triples (lines of N-Triples without the dot) in place of what it holds."""
    import pyoxigraph

    lines: list[str] = []
    for name, wanted in graphs.items():
        graph = pyoxigraph.NamedNode(name)
        fresh = set(wanted)
        if store.contains_named_graph(graph):
            for quad in list(store.quads_for_pattern(None, None, None, graph)):
                line = f"{quad.subject} {quad.predicate} {quad.object}"
                if line in fresh:
                    fresh.remove(line)
                else:
                    store.remove(quad)
        lines.extend(f"{line} {graph} .\n" for line in sorted(fresh))
    if lines:
        store.bulk_load("".join(lines).encode(), pyoxigraph.RdfFormat.N_QUADS)


def discard(store: Store, names: Iterable[str]) -> None:
    """Remove named graphs; those that are not there are no error."""
    import pyoxigraph

    for name in names:
        store.remove_graph(pyoxigraph.NamedNode(name))


def names(store: Store) -> set[str]:
    """The names of all graphs."""
    return {graph.value for graph in store.named_graphs() if hasattr(graph, "value")}


def lines_of(store: Store, name: str) -> tuple[str, ...]:
    """The triples of a graph as sorted lines of N-Triples, without the dot."""
    import pyoxigraph

    quads = store.quads_for_pattern(None, None, None, pyoxigraph.NamedNode(name))
    return tuple(sorted(f"{quad.subject} {quad.predicate} {quad.object}" for quad in quads))


def nquads(store: Store) -> Iterable[str]:
    """All graphs as canonical N-Quads: graphs by name, lines sorted; there are no blank nodes in them."""
    for name in sorted(names(store)):
        yield from (f"{line} <{name}> .\n" for line in lines_of(store, name))


def publish(store: Store, layout: Layout) -> None:
    """Let readers see the store as it is now."""
    layout.snapshots.mkdir(parents=True, exist_ok=True)
    taken = _snapshots(layout)
    number = (taken[-1] if taken else 0) + 1
    partial = layout.snapshots / f".partial-{number}"
    shutil.rmtree(partial, ignore_errors=True)
    store.backup(partial)
    partial.rename(layout.snapshots / str(number))
    for old in taken[: 1 - KEPT]:
        shutil.rmtree(layout.snapshots / str(old), ignore_errors=True)


def snapshot(layout: Layout) -> Path:
    """The folder of the newest published state; raises `CorpusError` when there is none."""
    taken = _snapshots(layout)
    if not taken:
        raise CorpusError(f"{layout.root} has no graphs yet", hint="Add a paper: `kag corpus add PATH --corpus DIR`.")
    return layout.snapshots / str(taken[-1])


def open_snapshot(layout: Layout) -> Store:
    """The newest published state, read-only; raises `CorpusError`."""
    import pyoxigraph

    while True:
        folder = snapshot(layout)
        try:
            return pyoxigraph.Store.read_only(str(folder))
        except (OSError, RuntimeError) as error:
            if snapshot(layout) == folder:  # otherwise it was replaced while it was being opened
                raise CorpusError(f"{folder}: {error}", hint=_REPAIR) from error


def _snapshots(layout: Layout) -> list[int]:
    if not layout.snapshots.is_dir():
        return []
    return sorted(int(path.name) for path in layout.snapshots.iterdir() if path.name.isdigit())
