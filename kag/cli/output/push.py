"""`kag push`: papers' graphs into a SPARQL store, or papers and chunks into a database that speaks Cypher."""

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
from kag.core.progress import counted

if TYPE_CHECKING:
    from kag.core.errors import StoreError
    from kag.export.graphs.datasets import NamedGraph
    from kag.export.stores.sparql import Store
    from kag.retrieval.property_graph.elements import GraphSnapshot

Row = dict[str, Any]


@click.command(epilog="Exit codes: 0 done, 2 bad input, 3 the store cannot be reached or refuses, 130 interrupted.")
@click.argument("url")
@click.argument("runs", nargs=-1, type=PATH)
@CORPUS
@click.option("--update", is_flag=True, help="URL is for SPARQL Update: of a store without a Graph Store Protocol.")
@click.option(
    "--parameter", default="graph", show_default=True, help="How the store calls a graph's name; Virtuoso: graph-uri."
)
@click.option(
    "--similar",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="Of a database: chunks that each chunk is SIMILAR to.",
)
@click.option("--embed", is_flag=True, help="Of a database: give each chunk its vector, and let SIMILAR compare these.")
@click.option("--pdfs", multiple=True, type=PATH, help="Of a database: PDFs, or folders of them; a paper that was made "
              "from one has its path as pdf_path. May be repeated.")  # fmt: skip
@click.option(
    "--timeout",
    type=Number(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds that a request may take; it is made three times.",
)
@json_option("Write what became of each graph, or paper, as JSON.")
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
    """Put the graphs of RUNS into the SPARQL store at URL, a named graph a paper and a layer of it, or into a database.

    URL is that of a Graph Store Protocol, of Oxigraph http://127.0.0.1:7878/store. Or it is a database's, and gets the
    papers and chunks that `kag export --format neo4j` writes: bolt://HOST:7687 or neo4j+s://HOST/NAME is Neo4j,
    ladybug:FILE is ladybug.

    A paper that is there is replaced, one that is the same is left alone: give the command again after any failure,
    and it ends where it would have.

    Credentials are taken from KAG_STORE_TOKEN, or KAG_STORE_USER and KAG_STORE_PASSWORD, and from nowhere else.
    """
    from kag.corpus.search_index import USUAL, embedder_named
    from kag.export.graphs.property_schema import paper_graph, pdfs_at
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
        told, total = _into_database(url, graph, timeout), len(library)
    else:
        graphs = chain(graphs_of(library), other_graphs(root) if root else ())
        told = _into_store(Store(url, Way(update=update, parameter=parameter, seconds=timeout)), graphs)
        total = count_graphs(library)
    with ShownProgress() as progress:
        for row in counted(told, "graphs", total, progress):
            states[row["state"]] += 1
            rows.append(row)
            if not as_json:
                _tell(row)
    if as_json:
        emit_json(rows)
    _end(states, total)


def _tell(row: Row) -> None:
    if row["state"] != "failed":
        what = f"{row['triples']} triples in <{row['graph']}>" if "graph" in row else _counted(row)
        say(f"{row['state']} {row['paper']}: {what}")


def _counted(row: Row) -> str:
    return f"{row['nodes']} nodes, {row['relationships']} relationships"


def _into_store(store: Store, graphs: Iterable[NamedGraph]) -> Iterator[Row]:
    """What became of each graph, as long as the store takes any."""
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
    """What became of each paper."""
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
    told = [f"{count} {state}" for state, count in sorted(states.items())] + ([f"{left} not tried"] if left else [])
    say(", ".join(told), err=True)
    if states["failed"]:
        say("Give the command again when that is put right: what is there is left alone.", err=True)
        sys.exit(3)
