"""Layers for papers on their way into a corpus, and for those that are in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.errors import CorpusError, KagError
from kag.core.files import read_regular, shown
from kag.core.progress import Progress, counted, quiet
from kag.corpus import catalogue
from kag.corpus.submission import files_of
from kag.indexing.run import layers_of
from kag.layers.pipeline import Layers, chosen
from kag.qa.layer_queries.named_chunks import named_chunks
from kag.qa.paper import PaperGraph

if TYPE_CHECKING:
    from kag.corpus.layout import Layout
    from kag.corpus.search_index import Describer
    from kag.corpus.transaction import Change, Writer
    from kag.retrieval.chunk import Chunk


def with_layers(runs: Sequence[Path], names: str, folder: Path, progress: Progress = quiet) -> list[Path]:
    """The runs, those that lack one of the layers as copies in `folder` that have them; what is given is not changed.

    Raises `BadValue` for names of no layer, `RunError` and `NotConforming`.
    """
    wanted = chosen(names)
    return [
        run if set(wanted) <= layers_of(run).keys() else _copied(run, wanted, folder)
        for run in counted(runs, "papers with layers", len(runs), progress)
    ]


def _copied(run: Path, wanted: tuple[str, ...], folder: Path) -> Path:
    made = folder / "layered" / run.name
    try:
        made.mkdir(parents=True)
        for name in files_of(run):
            (made / name).write_bytes(read_regular(run / name))
    except OSError as error:
        raise CorpusError(f"{shown(run)} cannot be copied: {error}", hint="Make room, or give a whole run.") from error
    Layers(wanted).add_to(made)
    return made


def put_layers(writer: Writer, names: str, folder: Path, progress: Progress = quiet) -> Iterator[Change]:
    """Give the papers of a corpus the layers that they lack; one that gets none does not keep the others out."""
    from kag.corpus.transaction import Change

    wanted = chosen(names)
    with catalogue.open_tables(writer.layout.tables, write=True) as rows:
        held = [(row.id, writer.layout.held(row.id, row.version)) for row in catalogue.papers(rows)]
    made: list[Path] = []
    for paper, run in counted(held, "papers with layers", len(held), progress):
        if set(wanted) <= layers_of(run).keys():
            continue
        try:
            made.append(_copied(run, wanted, folder / paper))
        except KagError as error:
            yield Change(paper, "failed", error.message, error.hint)
    yield from writer.put(made, replace=True)


def layer_names(layout: Layout) -> Describer:
    """Who names what is in chunks by the entity layers of their papers, beside the rules."""
    from kag.corpus.search_index import VERSION, Describer  # its packages are an extra

    def describe(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        if not chunks:
            return chunks
        first = chunks[0]
        return named_chunks(PaperGraph.load(layout.held(first.document, first.metadata[VERSION])), chunks)

    return Describer("layers", describe)
