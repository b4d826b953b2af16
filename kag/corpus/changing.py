"""Changing a corpus: papers go in or out, layers are added, and the search index is brought up to date."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.progress import Progress, quiet
from kag.corpus.intake import follow
from kag.corpus.layering import layer_names, put_layers
from kag.corpus.layout import Layout
from kag.corpus.lock import at_work
from kag.corpus.transaction import Change, open_writer

if TYPE_CHECKING:
    from kag.corpus.search_index import Describer, Step


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What a search index has in addition to words; `embedder` is an endpoint, URL#MODEL.

    With `by_layers` the papers' entity layers name the entities of passages, in addition to the rules; `engines` are
    addresses of engines that hold parts of the index.
    """

    vectors: bool = False
    graph: bool = False
    embedder: str = ""
    by_layers: bool = False
    engines: tuple[str, ...] = ()


PLAIN = IndexOptions()


def being_written(root: Path) -> bool:
    """Whether a writer is changing the corpus now."""
    return at_work(Layout(root))


def put(root: Path, runs: Sequence[Path], *, replace: bool = False, patience: float = 0.0) -> Iterator[Change]:
    """Add run folders to a corpus, which is created if missing; see `kag.corpus.transaction.Writer.put`.

    Another writer is waited for up to `patience` seconds, here and below.
    """
    with open_writer(root, create=True, patience=patience) as writer:
        yield from writer.put(runs, replace=replace)
        follow(writer)


def remove(root: Path, papers: Sequence[str], *, patience: float = 0.0) -> Iterator[Change]:
    """Remove papers by id."""
    with open_writer(root, patience=patience) as writer:
        yield from writer.remove(papers)
        follow(writer)


def index(
    root: Path,
    options: IndexOptions = PLAIN,
    *,
    describer: Describer | None = None,
    progress: Progress = quiet,
    patience: float = 0.0,
) -> Step:
    """Bring the search index up to date, or create it; see `kag.corpus.search_index.make_index`."""
    from kag.corpus.search_index import make_index

    with open_writer(root, patience=patience) as writer:
        return make_index(
            writer,
            vectors=options.vectors,
            graph=options.graph,
            embedder=options.embedder,
            describer=layer_names(writer.layout) if options.by_layers else describer,
            engines=options.engines,
            progress=progress,
        )


def link(
    root: Path, layers: str, folder: Path, *, progress: Progress = quiet, patience: float = 0.0
) -> tuple[tuple[Change, ...], int]:
    """Give the papers of a corpus the layers that they lack, made in `folder`, and link what the papers say.

    Returns the changes of the papers and the number of triples of the links.
    """
    with open_writer(root, patience=patience) as writer:
        changes = tuple(put_layers(writer, layers, folder, progress))
        return changes, writer.link()
