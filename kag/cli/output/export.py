"""`kag export`: papers for other programs: as documents, lists, graphs of many kinds, and folders of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.options.papers import CORPUS, count_graphs, graphs_of, library_at
from kag.cli.options.values import PATH, json_option
from kag.cli.terminal import emit, emit_json, note, say

if TYPE_CHECKING:
    from kag.qa.library import Library
    from kag.retrieval.property_graph.elements import GraphSnapshot

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
@click.option(
    "--similar",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="For cypher: number of SIMILAR edges of each chunk.",
)
@click.option("--embed", is_flag=True, help="For cypher: add a vector to each chunk, and compare vectors for SIMILAR.")
@click.option(
    "--pdfs",
    multiple=True,
    type=PATH,
    help="For cypher: PDFs, or folders of them, for the pdf_path of papers; can be repeated.",
)
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
        _put(_graph(library, form, lambda: _property_graph(library, similar, embed, pdfs)), out)
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
    _put(kag.open(library.path(name)).export(form), out)


def _only(library: Library, form: str) -> str:
    """The one paper; raises `BadValue` where there are more or none."""
    from kag.core.errors import BadValue

    if len(library) != 1:
        raise BadValue(f"{form} is of one paper, and here are {len(library)}", hint="Give one run.")
    (name,) = library
    return name


def _property_graph(library: Library, similar: int, embed: bool, pdfs: Sequence[Path]) -> GraphSnapshot:
    from kag.corpus.search_index import USUAL, embedder_named
    from kag.export.graphs.property_graph import paper_graph, pdfs_at

    return paper_graph(library, similar, embed=embedder_named(USUAL) if embed else None, pdfs=pdfs_at(pdfs))


def _graph(library: Library, form: str, made: Callable[[], GraphSnapshot]) -> str | Iterable[str]:
    """Papers as one graph, in a text."""
    from kag.export.graphs.property_graph import script
    from kag.export.graphs.rdf_datasets import datasets_to_json_ld, to_nquads

    if form == "cypher":
        return script(made())
    return (to_nquads if form == "nquads" else datasets_to_json_ld)(graphs_of(library))


def _folder(library: Library, form: str, out: Path | None) -> None:
    """Papers as a folder of files."""
    from kag.export.folders import crate_files, table_files, write_folder

    if out is None:
        raise click.UsageError(f"{form} is a folder: name it with --out")
    one = _only(library, form) if form == "ro-crate" else ""
    files = crate_files(library[one], library.path(one)) if one else table_files(library)
    write_folder(out, files)
    say(f"{out}: {len(files)} files", err=True)


def _put(text: str | Iterable[str], out: Path | None) -> None:
    if out is None:
        emit(text)
        return
    from kag.core.files import write_output

    write_output(out, text if isinstance(text, str) else "".join(text))
