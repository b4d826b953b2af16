"""Options that name papers and the machines that share the work on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.values import PATH
from kag.cli.terminal import note

if TYPE_CHECKING:
    from kag.core.workers import Executor
    from kag.export.graphs.rdf_datasets import NamedGraph
    from kag.indexing.batch import Job
    from kag.qa.library import Library


def machine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--shard` and `--ray`."""
    part = click.option(
        "--shard",
        default="",
        metavar="I/N",
        help="Index only part I of N of the papers, to share the work between machines.",
    )
    return part(cluster_option("Index on a Ray cluster: auto, local or an address.")(command))


def cluster_option(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--ray`."""
    return click.option("--ray", default="", metavar="ADDRESS", help=words)


def spread(ray: str) -> Executor | None:
    """The cluster at an address; None without an address, and one process does all."""
    if not ray:
        return None
    from kag.indexing.over_ray import over_ray

    return over_ray(ray)


def own_part(jobs: list[Job], shard: str, paper_id: str | None) -> list[Job]:
    """Return the jobs of one part of several, or the one job with a given name."""
    from kag.indexing.over_ray import read_shard
    from kag.sources.names import safe_paper_id

    if paper_id is not None:
        if len(jobs) != 1:
            raise click.UsageError(f"--paper-id names one paper, {len(jobs)} were given")
        jobs = [replace(jobs[0], name=safe_paper_id(paper_id))]
    if shard:
        jobs = list(read_shard(shard).own(jobs))
        if not jobs:
            note(f"none of these papers is in part {shard}")
    return jobs


def executor(ray: str, workers: int) -> dict[str, Any]:
    """Return the executor: processes of this machine, or a cluster."""
    if not ray:
        return {"workers": workers}
    from kag.indexing.over_ray import over_ray

    return {"executor": over_ray(ray)}


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
    from kag.export.graphs.rdf_datasets import graph_of
    from kag.indexing.run import GRAPH, layers_of, read_file

    for paper in sorted(library, key=lambda paper: f"{paper}/"):  # as it stands in the name
        run = library.path(paper)
        yield graph_of(library[paper], read_file(run, GRAPH))
        for layer, file in sorted(layers_of(run).items()):
            yield graph_of(library[paper], read_file(run, file), layer)


def count_graphs(library: Library) -> int:
    """Return the number of graphs that `graphs_of` gives."""
    from kag.indexing.run import layers_of

    return sum(1 + len(layers_of(library.path(paper))) for paper in library)


def other_graphs(root: Path) -> Iterator[NamedGraph]:
    """Return the graphs of a corpus besides those of its papers and their layers: of works, of links."""
    from kag.corpus import graphs
    from kag.corpus.store import open_corpus
    from kag.export.graphs.rdf_datasets import NamedGraph
    from kag.rdf.profile import layer_graphs

    corpus = open_corpus(root)
    own = {name for paper in corpus.papers() for name in (paper.iri, *layer_graphs(paper.iri))}
    store = graphs.open_snapshot(corpus.layout)
    for name in sorted(graphs.names(store) - own):
        yield NamedGraph(name.rpartition("/")[2], name, graphs.lines_of(store, name))
