"""The papers that a command is given: runs, folders of runs, or a corpus; and their graphs by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.options.values import PATH

if TYPE_CHECKING:
    from kag.export.graphs.datasets import NamedGraph
    from kag.qa.library import Library

CORPUS = click.option("--corpus", "root", type=PATH, default=None, help="All papers of this corpus, instead of RUNS.")


def library_at(runs: Sequence[Path], root: Path | None) -> Library:
    """The papers at RUNS or in a corpus; raises `RunError`, `CorpusError`, and `click.UsageError` for both or none."""
    from kag.corpus.store import open_corpus
    from kag.qa.library import open_library

    if bool(runs) == (root is not None):
        raise click.UsageError("give RUNS or --corpus DIR, one of them")
    return open_library(*runs) if root is None else open_corpus(root).library()


def graphs_of(library: Library) -> Iterator[NamedGraph]:
    """The graphs of papers, each with those of its layers, in the order of their names, one in memory at a time."""
    from kag.export.graphs.datasets import graph_of
    from kag.indexing.run import GRAPH, layers_of, read_file

    for paper in sorted(library, key=lambda paper: f"{paper}/"):  # as it stands in the name
        run = library.path(paper)
        yield graph_of(library[paper], read_file(run, GRAPH))
        for layer, file in sorted(layers_of(run).items()):
            yield graph_of(library[paper], read_file(run, file), layer)


def count_graphs(library: Library) -> int:
    """How many graphs `graphs_of` gives."""
    from kag.indexing.run import layers_of

    return sum(1 + len(layers_of(library.path(paper))) for paper in library)


def other_graphs(root: Path) -> Iterator[NamedGraph]:
    """The graphs that a corpus has beside those of its papers and their layers: of works, of links."""
    from kag.corpus import graphs
    from kag.corpus.store import open_corpus
    from kag.export.graphs.datasets import NamedGraph
    from kag.rdf.layer_profiles import layer_graphs

    corpus = open_corpus(root)
    own = {name for paper in corpus.papers() for name in (paper.iri, *layer_graphs(paper.iri))}
    store = graphs.open_snapshot(corpus.layout)
    for name in sorted(graphs.names(store) - own):
        yield NamedGraph(name.rpartition("/")[2], name, graphs.lines_of(store, name))
