"""`kag export`: papers for other programs; `kag push`: their graphs into a SPARQL store or a database."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options import PATH, Number, json_option, property_graph, similarity_options
from kag.cli.terminal import ShownProgress, complain, emit_json, emit_to, note, say
from kag.core.display import counted

if TYPE_CHECKING:
    from kag.core.errors import StoreError
    from kag.export.rdf_datasets import NamedGraph
    from kag.export.sparql_store import Store
    from kag.qa.library import Library
    from kag.retrieval.property_graph.elements import GraphSnapshot


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
    from kag.export.rdf_datasets import graph_of
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
    from kag.export.rdf_datasets import NamedGraph
    from kag.rdf.profile import layer_graphs

    corpus = open_corpus(root)
    own = {name for paper in corpus.papers() for name in (paper.iri, *layer_graphs(paper.iri))}
    store = graphs.open_snapshot(corpus.layout)
    for name in sorted(graphs.names(store) - own):
        yield NamedGraph(name.rpartition("/")[2], name, graphs.lines_of(store, name))


DOCUMENTS = ("markdown", "html", "jats")
LISTS = ("bibtex", "csl-json", "ris")
LAYERS = ("annotations",)
GRAPHS = ("jsonld", "nquads", "cypher")
FOLDERS = ("csv", "ro-crate")


@click.command(epilog="Exit codes: 0 done, 2 not a run folder or corpus, or the file cannot be written.")
@click.argument("runs", nargs=-1, type=PATH)
@CORPUS
@click.option(
    "--format",
    "form",
    type=click.Choice([*DOCUMENTS, *LISTS, *LAYERS, *GRAPHS, *FOLDERS]),
    required=True,
    help="Output format.",
)
@click.option("--out", type=PATH, default=None, help="Output file or folder.  [default: stdout]")
@click.option("--ocr-dir", type=PATH, default=None, help="Folder with the figures of OCR pages.")
@similarity_options("cypher")
@json_option("With --out: print what was written as JSON.")
def export(
    runs: Sequence[Path],
    root: Path | None,
    form: str,
    out: Path | None,
    ocr_dir: Path | None,
    similar: int,
    embed: bool,
    pdfs: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Write the papers of RUNS (runs of `kag index`) or of a corpus in another format.

    One paper: markdown, html and jats are the document (with --out, figures are written to FILE_figures; HTML embeds
    them). bibtex, csl-json and ris are its reference list. annotations are its layers as Web Annotations.

    Any number of papers: jsonld and nquads are the graphs and layers, cypher the papers and chunks with the tasks,
    datasets and models of their layers. Folders: csv are the printed tables, ro-crate a run with a description of its
    files.
    """
    if as_json and out is None:
        raise click.UsageError("--json says what was written: name it with --out")
    library = library_at(runs, root)
    if form in FOLDERS:
        _folder(library, form, out)
    elif form in (*DOCUMENTS, *LISTS, *LAYERS) or (form == "jsonld" and root is None and _single(library)):
        _paper(library, form, out, ocr_dir)
    else:
        emit_to(out, _graph(library, form, lambda: property_graph(library, similar, embed, pdfs)))
    if as_json:
        emit_json({"format": form, "out": str(out), "papers": list(library)})


def _single(library: Library) -> bool:
    """Whether there is one graph: of one paper without layers."""
    return count_graphs(library) == 1


def _paper(library: Library, form: str, out: Path | None, ocr_dir: Path | None) -> None:
    """One paper as a document, a list or JSON-LD."""
    import kag

    name = _only(library, form)
    if form in DOCUMENTS and out is not None:
        from kag.export.documents.write import find_pictures, write_document

        graph = library[name]
        found = find_pictures(graph, ocr_dir)
        for problem in found.problems:
            note(f"picture left out: {problem}")
        write_document(graph, form, out, found)
        return
    emit_to(out, kag.open(library.path(name)).export(form))


def _only(library: Library, form: str) -> str:
    """The one paper; raises `BadValue` where there are more or none."""
    from kag.core.errors import BadValue

    if len(library) != 1:
        raise BadValue(f"{form} is of one paper, and here are {len(library)}", hint="Give one run.")
    (name,) = library
    return name


def _graph(library: Library, form: str, made: Callable[[], GraphSnapshot]) -> str | Iterable[str]:
    from kag.export.property_graph import script
    from kag.export.rdf_datasets import datasets_to_json_ld, to_nquads

    if form == "cypher":
        return script(made())
    return (to_nquads if form == "nquads" else datasets_to_json_ld)(graphs_of(library))


def _folder(library: Library, form: str, out: Path | None) -> None:
    from kag.export.folders import crate_files, table_files, write_folder

    if out is None:
        raise click.UsageError(f"{form} is a folder: name it with --out")
    one = _only(library, form) if form == "ro-crate" else ""
    files = crate_files(library[one], library.path(one)) if one else table_files(library)
    write_folder(out, files)
    say(f"{out}: {len(files)} files", err=True)


Row = dict[str, Any]


@click.command(epilog="Exit codes: 0 done, 2 bad input, 3 the store is unreachable or refuses, 130 interrupted.")
@click.argument("url")
@click.argument("runs", nargs=-1, type=PATH)
@CORPUS
@click.option("--update", is_flag=True, help="URL takes SPARQL Update, for stores without the Graph Store Protocol.")
@click.option(
    "--parameter", default="graph", show_default=True, help="Name of the parameter for the graph; Virtuoso: graph-uri."
)
@similarity_options("databases")
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
    from kag.export.cypher_databases import is_database
    from kag.export.sparql_store import Store, Way

    library = library_at(runs, root)
    states: Counter[str] = Counter()
    rows: list[Row] = []
    if is_database(url):
        if update or parameter != "graph":
            raise click.UsageError("--update and --parameter are of SPARQL stores")
        graph = partial(property_graph, library, similar, embed, pdfs)
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
    from kag.core.errors import StoreError
    from kag.export.cypher_databases import database_at
    from kag.export.cypher_push import push as put

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
