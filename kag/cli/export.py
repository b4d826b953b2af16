"""`kag export`: a run for other programs: its paper as a document, its references, its graph as JSON-LD, its layers."""

from __future__ import annotations

from pathlib import Path

import click

from kag.cli.terminal import emit, note

PATH = click.Path(path_type=Path)
DOCUMENTS = ("markdown", "html", "jats", "docling")
LISTS = ("bibtex", "csl-json", "ris")


@click.command(epilog="Exit codes: 0 done, 2 not a run folder, or the file cannot be written.")
@click.argument("run", type=PATH)
@click.option(
    "--format",
    "form",
    type=click.Choice([*DOCUMENTS, *LISTS, "jsonld", "annotations"]),
    required=True,
    help="What to write.",
)
@click.option("--out", type=PATH, default=None, help="File to write.  [default: stdout]")
@click.option("--ocr-dir", type=PATH, default=None, help="Where the figures of a folder of OCR pages are.")
def export(run: Path, form: str, out: Path | None, ocr_dir: Path | None) -> None:
    """Write the paper of RUN, a folder that `kag index` made, as Markdown, HTML, JATS or docling's JSON.

    With --out the figures are written into FILE_figures beside it (in HTML they are inside). BibTeX, CSL-JSON and RIS
    are the reference list; JSON-LD is the whole graph: the same triples as in its knowledge_graph.ttl. Annotations are
    what its layers say (`kag layers`), as Web Annotations.
    """
    import kag
    from kag.safety.files import write_output

    paper = kag.open(run)
    if form in DOCUMENTS and out is not None:
        from kag.export.documents import find_pictures, write_document

        (graph,) = paper.graphs.values()
        found = find_pictures(graph, ocr_dir)
        for problem in found.problems:
            note(f"picture left out: {problem}")
        write_document(graph, form, out, found)
        return
    text = paper.export(form)
    if out is None:
        emit(text)
        return
    write_output(out, text)
