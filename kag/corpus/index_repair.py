"""Mending the search index of a corpus: what is whole is kept, the rest made again from it or from the papers.

What a model named or embedded was paid for; so only that goes whose bytes are not those that were written.
"""

from __future__ import annotations

import os
from pathlib import Path

from kag.core import checksums
from kag.core.errors import RunError
from kag.core.files import own_folder, read_regular, write_whole
from kag.corpus.embedders import embedder_of, local_name
from kag.corpus.layout import Layout, told
from kag.corpus.search_index import make_index
from kag.corpus.transaction import Writer
from kag.retrieval.engines.lost import lost, restore
from kag.retrieval.index import CURRENT, EDGES, MODEL, VECTORS, Index, current
from kag.retrieval.meaning.endpoint import STATED
from kag.retrieval.meaning.minilm import NAME


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
    local = local_name(model)
    if model and not local:
        embedder_of(model)(("",))  # who made them is asked before anything is changed
    graph = bool(here and own_folder(here / EDGES) and index.edges is None)
    with told(layout.search):
        index.save(layout.search)
    make_index(writer, embedder=local or (os.environ[STATED] if model else ""), graph=graph)


def _restored(layout: Layout, here: Path) -> None:
    """Put back what engines hold no more of an index whose own files are whole; raises `ModelError`, `RunError`."""
    index = _whole(here, ())
    if lost(index):
        index.embed = embedder_of(index.model)
        restore(index)
        with told(layout.search):
            index.save(layout.search)


def _folder(layout: Layout) -> Path | None:
    """Where the index is; where nothing says so, the only folder that is whole."""
    try:
        return layout.search / current(layout.search)
    except RunError:
        whole = [path for path in sorted(layout.search.glob("index-*")) if own_folder(path)]
        whole = [path for path in whole if not checksums.damaged(path)]
        if len(whole) != 1:
            return None
        with told(layout.search):
            write_whole(layout.search / CURRENT, whole[0].name)
        return whole[0]


def _opens(layout: Layout) -> bool:
    try:
        Index.load(layout.search)
    except RunError:
        return False
    return True


def _whole(here: Path, bad: tuple[str, ...]) -> Index:
    """What of the index can be kept; nothing where its files are as they were written, and hold nonsense."""
    try:
        return Index.salvage(here, bad)
    except RunError:
        return Index.build(())


def _model(here: Path) -> str:
    """What made the vectors; the model of this machine where that is not said."""
    try:
        return read_regular(here / VECTORS / MODEL, 10_000).decode("utf-8")
    except (OSError, ValueError):
        return NAME
