"""`kag export`: the reference list of a run for reference managers, or its whole graph as JSON-LD."""

from __future__ import annotations

from pathlib import Path

import click

from kag.cli.terminal import emit

PATH = click.Path(path_type=Path)


@click.command(epilog="Exit codes: 0 done, 2 not a run folder, or the file cannot be written.")
@click.argument("run", type=PATH)
@click.option(
    "--format", "form", type=click.Choice(["bibtex", "csl-json", "ris", "jsonld"]), required=True, help="What to write."
)
@click.option("--out", type=PATH, default=None, help="File to write.  [default: stdout]")
def export(run: Path, form: str, out: Path | None) -> None:
    """Write the reference list of RUN, a folder that `kag index` made, as BibTeX, CSL-JSON or RIS.

    JSON-LD is the whole graph: the same triples as in its knowledge_graph.ttl.
    """
    import kag
    from kag.safety.files import write_output

    text = kag.open(run).export(form)
    if out is None:
        emit(text)
        return
    write_output(out, text)
