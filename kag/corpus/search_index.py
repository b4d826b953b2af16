"""The text and vector index of a corpus: the chunks of all its papers, each knowing the version it was cut from.

So the index itself says what it lacks. It follows the corpus, it is never part of a change: a writer brings it into
step when its changes are safe, and whoever opens it later does where that writer did not live to do so.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kag.bridge import chunks
from kag.corpus import tables
from kag.corpus.layout import Layout
from kag.corpus.transaction import Writer, open_writer
from kag.errors import CorpusBusy, CorpusError
from kag.reading.paper import Paper
from kag.retrieve.index import Index
from kag.retrieve.minilm import MiniLM
from kag.retrieve.vectors import VectorIndex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kag.retrieve.chunk import Chunk

VERSION = "version"
"""Key of a chunk's metadata: the version of the paper that it was cut from."""


def make_index(writer: Writer, *, vectors: bool = False) -> tuple[str, ...]:
    """Bring the index into step, making it when there is none; returns the papers that were out of step.

    Vectors are made when they are wished, and go on being made where they are. Raises `MissingExtra`.
    """
    layout = writer.layout
    index = _load(layout) if has_index(layout) else Index.build(())
    if vectors and index.vectors is None:
        index = _with_vectors(index)
    behind = out_of_step(layout, index)
    for paper, version in behind.items():
        index.delete(index.of_document(paper))
        if version:
            index.add(_chunks(layout, paper, version))
    if behind or vectors or not has_index(layout):
        index.save(layout.search)
    return tuple(behind)


def has_index(layout: Layout) -> bool:
    """Whether the corpus has an index."""
    return (layout.search / "current").is_file()


def open_index(root: Path) -> Index:
    """The index for searching, in step unless a writer is at work; raises `CorpusError` when there is none."""
    layout = Layout(root)
    layout.require()
    if not has_index(layout):
        raise CorpusError(f"{root} has no search index", hint="Make it: `kag corpus index --corpus DIR`.")
    index = _load(layout)
    if not out_of_step(layout, index):
        return index
    try:
        with open_writer(root) as writer:
            make_index(writer)
    except CorpusBusy:
        return index  # somebody is writing, and will bring it into step
    return _load(layout)


def out_of_step(layout: Layout, index: Index) -> Mapping[str, str | None]:
    """The papers whose chunks are not those of the corpus, with the version that they should have."""
    held = {chunk.document: chunk.metadata.get(VERSION) for chunk in index.chunks.values()}
    with tables.open_tables(layout.tables) as rows:
        wanted: dict[str, str | None] = {paper.id: paper.version for paper in tables.papers(rows)}
    names = sorted({*held, *wanted})
    return {name: wanted.get(name) for name in names if held.get(name) != wanted.get(name)}


def _load(layout: Layout) -> Index:
    index = Index.load(layout.search)
    if index.vectors is not None:
        index.embed = MiniLM()
    return index


def _with_vectors(index: Index) -> Index:
    """The same chunks in an index with vectors."""
    fresh = Index(index.sparse, VectorIndex(), MiniLM())
    fresh.add(index.chunks.values())
    return fresh


def _chunks(layout: Layout, paper: str, version: str) -> list[Chunk]:
    found = chunks(Paper.load(layout.paper(paper, version)))
    return [replace(chunk, metadata={**chunk.metadata, VERSION: version}) for chunk in found]
