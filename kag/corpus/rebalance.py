"""A corpus in shards put into another number of them, by copying: the old ones are there until the new ones are whole.

Readers see one or the other, for the marker that names them is replaced in one step. No shard can be written meanwhile.
What was begun and not finished is done again from the beginning. Chunks and vectors are taken along, so that no model
is asked again; words are indexed anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from kag.corpus import lock
from kag.corpus.layout import Layout, told
from kag.corpus.shard_set import ShardSet, begin, shard_set
from kag.corpus.store import Corpus
from kag.corpus.transaction import BATCH, Change, open_writer, settle
from kag.safety.files import own_folder, remove_inside
from kag.values.errors import CorpusError

Tell = Callable[[str, int, int], None]


def rebalance(root: Path, number: int, tell: Tell) -> int:
    """Put the papers into `number` shards; returns how many there are. Raises `CorpusBusy`, `CorpusError`."""
    old = shard_set(root)
    if old is None:
        hint = "Make one with `kag corpus create`, and add the papers to it: `kag corpus add CORPUS/papers`."
        raise CorpusError(f"{root} is no corpus in shards", hint=hint)
    settle(root)
    with ExitStack() as stack:
        for shard in old.layouts:
            stack.enter_context(lock.alone(shard))
        with old.still():
            new = _fresh(old, number)
        count = _copied(old, new, tell)
        if any((shard.search / "current").is_file() for shard in old.layouts):
            _index(old, new)
        new.write()
        for shard in old.layouts:
            with told(shard.root):
                remove_inside(root, shard.root)
    with told(root):
        remove_inside(root, root / old.folder)
    return count


def _fresh(old: ShardSet, number: int) -> ShardSet:
    """Empty shards beside the old ones; what an earlier attempt left is taken away."""
    new = ShardSet(old.root, f"shards-{int(old.folder.partition('-')[2]) + 1}", number)
    folder = old.root / new.folder
    with told(folder):
        if own_folder(folder):
            shutil.rmtree(folder)
    for layout in new.layouts:
        begin(layout)
    return new


def _copied(old: ShardSet, new: ShardSet, tell: Tell) -> int:
    """Give each new shard its papers: their files are what runs are, and are checked as those are."""
    parts: dict[Layout, list[Path]] = {layout: [] for layout in new.layouts}
    for shard in old.layouts:
        for paper in Corpus(shard).papers():
            parts[new.home(paper.id)].append(shard.held(paper.id, paper.version))
    total, done = sum(map(len, parts.values())), 0
    for layout, folders in parts.items():
        with open_writer(layout.root) as writer:
            for at in range(0, len(folders), BATCH):
                _put(writer.put(folders[at : at + BATCH]))
                done += len(folders[at : at + BATCH])
                tell("papers copied", done, total)
    return total


def _put(changes: Iterator[Change]) -> None:
    """Let all be put; raises `CorpusError` where one cannot be: nothing is left out silently."""
    for change in changes:
        if change.state == "failed":
            raise CorpusError(f"{change.paper}: {change.message}", hint="Run `kag corpus check --repair` first.")


def _index(old: ShardSet, new: ShardSet) -> None:
    """Give each new shard the chunks and vectors of its papers."""
    from kag.corpus.search_index import has_index, make_index, read_index
    from kag.search.index import Index
    from kag.search.shards import KeptVectors, ShardIndex

    whole = ShardIndex([read_index(shard) for shard in old.layouts if has_index(shard)])
    for layout in new.layouts:
        names = [
            name for document in whole.documents if new.home(document) == layout for name in whole.of_document(document)
        ]
        kept = KeptVectors(whole, names) if whole.vectors is not None else None
        with open_writer(layout.root) as writer:
            with told(layout.search):
                Index.build((whole.chunks[name] for name in names), kept).save(layout.search)
            make_index(writer)  # what the old index lacked
