"""The graphs of a corpus on disk: one writer's store, and the snapshots of it that readers open.

A reader never opens the store that is being written: it would have to read the writer's log first, and files that
the writer replaces at that moment would be missing. A snapshot shares the store's files (hard links) and never changes.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core import checksums
from kag.core.errors import CorpusBusy, CorpusError
from kag.core.files import hint_for, own_file, own_folder, partial_path, sync
from kag.corpus.layout import Layout, busy_error, file_errors, is_number, read_intent

if TYPE_CHECKING:
    from pyoxigraph import Store

KEPT = 2
"""Snapshots that are kept: the newest, and the one before it for readers that are opening it."""
_REPAIR = "Run `kag corpus check --repair`, which makes the graphs again from the papers."
_FULL = os.strerror(errno.ENOSPC)  # the engine has no numbers of errors, but the system's words


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Convert the engine's errors about damaged files into `CorpusError`."""
    try:
        yield
    except (OSError, RuntimeError, ValueError, SyntaxError, MemoryError) as error:
        reason = str(error) or type(error).__name__
        hint = hint_for(OSError(errno.ENOSPC, "")) if _FULL in reason else _REPAIR
        raise CorpusError(f"{folder}: {reason}", hint=hint) from error


def open_store(layout: Layout) -> Store:
    """Open the store for writing, exclusively; raises `CorpusError`, `CorpusBusy`.

    Where a disk failed while the engine wrote, so that it cannot read its files again, the store is once more what was
    published last: the intent, which is still there, does the change again.
    """
    try:
        return _opened(layout)
    except CorpusBusy:
        raise
    except CorpusError:
        if not read_intent(layout) or not _put_back(layout):
            raise
        return _opened(layout)


def _opened(layout: Layout) -> Store:
    import pyoxigraph  # a compiled library: imported when first needed

    with file_errors(layout.store):
        layout.store.mkdir(parents=True, exist_ok=True)
    _require_plain(layout.store)
    try:
        with reading(layout.store):
            return pyoxigraph.Store(layout.store)
    except CorpusError as error:
        if "While lock file" in error.message or "lock hold by" in error.message:
            raise busy_error(layout) from error
        raise


def _put_back(layout: Layout) -> bool:
    """Make the store what was published last, or empty where nothing was; False where that is damaged too."""
    taken = _snapshots(layout)
    if not taken:
        layout.remove(layout.store)
        return True
    last = layout.snapshots / str(taken[-1])
    if checksums.damaged(last):
        return False
    partial = partial_path(layout.store)
    with file_errors(layout.store):
        try:
            shutil.copytree(last, partial, ignore=shutil.ignore_patterns(checksums.NAME))
            layout.remove(layout.store)
            partial.rename(layout.store)
        except BaseException:
            layout.remove(partial)
            raise
        sync(layout.store.parent)
    return True


def renewed_store(layout: Layout, wanted: Iterable[str] | None) -> Store:
    """The store for writing; an empty one where it or what was published last is damaged or lacks a wanted graph."""
    store = None if wanted is None else _sound_store(layout, set(wanted))
    if store is None:
        layout.remove(layout.store)
        store = open_store(layout)
    return store


def _sound_store(layout: Layout, wanted: set[str]) -> Store | None:
    try:
        if checksums.damaged(snapshot(layout)):
            return None
        store = open_store(layout)
        with reading(layout.store):
            readable = sum(1 for _ in store) >= len(wanted) and wanted <= names(store)
        return store if readable else None
    except CorpusBusy:
        raise
    except CorpusError:
        return None


def change(store: Store, graphs: Mapping[str, Iterable[str]]) -> None:
    """Give each named graph these triples (lines of N-Triples without the dot) in place of what it holds.

    As all that asks a store it raises what the engine does; `reading` makes that an error of a corpus.
    """
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
    """Remove named graphs; missing ones are ignored."""
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


def as_stored(lines: Iterable[str]) -> tuple[str, ...]:
    """Triples as `lines_of` gives them back: the engine keeps the value of a number or a date, not its spelling.

    Two spellings of one value are one triple; what is no value of its datatype stays as it is.
    """
    import pyoxigraph

    kept, typed = set[str](), list[str]()
    for line in lines:
        if line.endswith(">") and '"^^<' in line:
            typed.append(f"{line} .\n")
        else:
            kept.add(line)
    held = pyoxigraph.Store()
    held.load("".join(typed).encode(), pyoxigraph.RdfFormat.N_TRIPLES)
    return tuple(sorted(kept.union(f"{quad.subject} {quad.predicate} {quad.object}" for quad in held)))


def nquads(store: Store) -> Iterable[str]:
    """Return all graphs as canonical N-Quads: graphs by name, lines sorted; they have no blank nodes."""
    for name in sorted(names(store)):
        yield from (f"{line} <{name}> .\n" for line in lines_of(store, name))


def names_in(folder: Path) -> set[str]:
    """Return the names of all graphs of a store without a writer; raises `CorpusError` if it cannot be read."""
    import pyoxigraph

    _require_plain(folder)
    with reading(folder):
        return names(pyoxigraph.Store.read_only(str(folder)))


def publish(store: Store, layout: Layout) -> None:
    """Let readers see the store as it is now."""
    with file_errors(layout.snapshots):
        layout.snapshots.mkdir(parents=True, exist_ok=True)
        taken = _snapshots(layout)
        used = (int(path.name) for path in layout.snapshots.iterdir() if is_number(path.name))
        folder = layout.snapshots / str(max(used, default=0) + 1)
        partial = partial_path(folder)
        layout.remove(partial)
        try:
            with reading(layout.store):
                store.backup(partial)
            checksums.seal(partial, layout.snapshots / str(taken[-1]) if taken else None)
            partial.rename(folder)
        except BaseException:
            layout.remove(partial)
            raise
        sync(layout.snapshots)
    for old in taken[: 1 - KEPT]:
        with suppress(CorpusError):
            layout.remove(layout.snapshots / str(old))


def snapshot(layout: Layout) -> Path:
    """The folder of the newest published state, all of it there; raises `CorpusError` when there is none."""
    while True:
        folder = _newest(layout)
        with reading(folder):
            changed = checksums.changed(folder)
        if not changed:
            return folder
        if _newest(layout) == folder:  # otherwise it was replaced while it was being looked at
            raise CorpusError(f"{folder / changed[0]} is not what was written", hint=_REPAIR)


def open_snapshot(layout: Layout) -> Store:
    """The newest published state, read-only; raises `CorpusError`."""
    import pyoxigraph

    while True:
        folder = snapshot(layout)
        try:
            with reading(folder):
                return pyoxigraph.Store.read_only(str(folder))
        except CorpusError:
            if _newest(layout) == folder:  # otherwise it was replaced while it was being opened
                raise


def _newest(layout: Layout) -> Path:
    taken = _snapshots(layout)
    if not taken:
        raise CorpusError(f"{layout.root} has no graphs yet", hint="Add a paper: `kag corpus add PATH --corpus DIR`.")
    return layout.snapshots / str(taken[-1])


def _snapshots(layout: Layout) -> list[int]:
    """Return the numbers of the published snapshots, ignoring links."""
    if not own_folder(layout.snapshots):
        return []
    return sorted(int(path.name) for path in layout.snapshots.iterdir() if is_number(path.name) and own_folder(path))


def _require_plain(folder: Path) -> None:
    """Raise `CorpusError` where there is more than files: the engine would write through a link, and wait at a pipe."""
    with file_errors(folder):
        strange = next((path for path in folder.iterdir() if not own_file(path)), None)
    if strange:
        raise CorpusError(f"{strange} is not a regular file, and no corpus made it", hint=_REPAIR)
