"""`kag push`: papers' graphs into a SPARQL store, or papers and chunks into a Cypher database."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.papers import CORPUS, count_graphs, graphs_of, library_at, other_graphs
from kag.cli.options.values import PATH, Number, json_option
from kag.cli.progress import ShownProgress
from kag.cli.terminal import complain, emit_json, say
from kag.core.display import counted

if TYPE_CHECKING:
    from kag.core.errors import StoreError
    from kag.export.graphs.rdf_datasets import NamedGraph
    from kag.export.stores.sparql import Store
    from kag.retrieval.property_graph.elements import GraphSnapshot

Row = dict[str, Any]


@click.command(epilog="Exit codes: 0 done, 2 bad input, 3 the store is unreachable or refuses, 130 interrupted.")
@click.argument("url")
@click.argument("runs", nargs=-1, type=PATH)
@CORPUS
@click.option("--update", is_flag=True, help="URL takes SPARQL Update, for stores without the Graph Store Protocol.")
@click.option(
    "--parameter", default="graph", show_default=True, help="Name of the parameter for the graph; Virtuoso: graph-uri."
)
@click.option(
    "--similar",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="For databases: number of SIMILAR edges of each chunk.",
)
@click.option(
    "--embed", is_flag=True, help="For databases: add a vector to each chunk, and compare vectors for SIMILAR."
)
@click.option(
    "--pdfs",
    multiple=True,
    type=PATH,
    help="For databases: PDFs, or folders of them, for the pdf_path of papers; can be repeated.",
)
@click.option(
    "--timeout",
    type=Number(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Timeout of a request in seconds; a request is tried three times.",
)
@json_option("Print the result for each graph or paper as JSON.")
def push(
    url: str,
    runs: Sequence[Path],
    root: Path | None,
    update: bool,
    parameter: str,
    similar: int,
    embed: bool,
    pdfs: tuple[Path, ...],
    timeout: float,
    as_json: bool,
) -> None:
    """Send the graphs of RUNS to the SPARQL store or database at URL.

    A SPARQL store (Graph Store Protocol, for example Oxigraph's http://127.0.0.1:7878/store) gets a named graph for
    each paper and layer. A database gets the papers and chunks of `kag export --format cypher`: bolt://HOST:7687 or
    neo4j+s://HOST/NAME for Neo4j, ladybug:FILE for ladybug.

    Papers with another version are replaced, identical ones are skipped: run the command again after a failure.

    Credentials come from KAG_STORE_TOKEN, or KAG_STORE_USER and KAG_STORE_PASSWORD, only.
    """
    from kag.corpus.search_index import USUAL, embedder_named
    from kag.export.graphs.property_graph import paper_graph, pdfs_at
    from kag.export.stores.cypher_databases import is_database
    from kag.export.stores.sparql import Store, Way

    library = library_at(runs, root)
    states: Counter[str] = Counter()
    rows: list[Row] = []
    if is_database(url):
        if update or parameter != "graph":
            raise click.UsageError("--update and --parameter are of SPARQL stores")
        embedder = embedder_named(USUAL) if embed else None
        graph = partial(paper_graph, library, similar, embed=embedder, pdfs=pdfs_at(pdfs))
        pushed, total = _into_database(url, graph, timeout), len(library)
    else:
        graphs = chain(graphs_of(library), other_graphs(root) if root else ())
        pushed = _into_store(Store(url, Way(update=update, parameter=parameter, seconds=timeout)), graphs)
        total = count_graphs(library)
    with ShownProgress() as progress:
        for row in counted(pushed, "graphs", total, progress):
            states[row["state"]] += 1
            rows.append(row)
            if not as_json:
                _print_row(row)
    if as_json:
        emit_json(rows)
    _end(states, total)


def _print_row(row: Row) -> None:
    if row["state"] != "failed":
        what = f"{row['triples']} triples in <{row['graph']}>" if "graph" in row else _counted(row)
        say(f"{row['state']} {row['paper']}: {what}")


def _counted(row: Row) -> str:
    return f"{row['nodes']} nodes, {row['relationships']} relationships"


def _into_store(store: Store, graphs: Iterable[NamedGraph]) -> Iterator[Row]:
    """Yield the outcome of each graph, as long as the store accepts any."""
    from kag.core.errors import StoreError

    for graph in graphs:
        try:
            state = store.push(graph)
        except StoreError as error:
            yield _failed(error, graph.paper)
            if not error.goes_on:
                break
            continue
        yield {"paper": graph.paper, "state": state, "graph": graph.name, "triples": len(graph.lines)}


def _into_database(url: str, graph: Callable[[], GraphSnapshot], timeout: float) -> Iterator[Row]:
    """Yield the outcome of each paper."""
    from kag.core.errors import StoreError
    from kag.export.stores.cypher_databases import database_at
    from kag.export.stores.cypher_push import push as put

    try:
        with database_at(url, timeout) as database:
            for done in put(graph(), database):
                counts = {"nodes": done.nodes, "relationships": done.links}
                yield {"paper": done.paper, "state": done.state, **counts}
    except StoreError as error:
        yield _failed(error)


def _failed(error: StoreError, paper: str = "") -> Row:
    complain(f"{paper}: {error.message}" if paper else error.message, error.hint)
    return {"paper": paper, "state": "failed", "message": error.message, "hint": error.hint}


def _end(states: Counter[str], total: int) -> None:
    """Say what was done; exits when anything was not."""
    left = max(0, total - sum(states.values()))
    counts = [f"{count} {state}" for state, count in sorted(states.items())] + ([f"{left} not tried"] if left else [])
    say(", ".join(counts), err=True)
    if states["failed"]:
        say("Run the command again when that is corrected: what is there is left alone.", err=True)
        sys.exit(3)
