"""`kag compare`: what papers measured, side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from kag.cli.options.values import PATH, json_option
from kag.cli.terminal import emit, note


@click.command(epilog="Exit codes: 0 done, 2 no run, or no run with layers.")
@click.argument("runs", nargs=-1, required=True, type=PATH)
@click.option(
    "--property",
    "properties",
    multiple=True,
    help="A column; can be repeated.  [default: properties that papers share]",
)
@click.option("--of", default="", help="Only measurements of this entity.")
@click.option("--out", type=PATH, default=None, help="Output file.  [default: stdout]")
@json_option("Print the table as JSON: each value with its entity and evidence.")
def compare(runs: Sequence[Path], properties: Sequence[str], of: str, out: Path | None, as_json: bool) -> None:
    """Compare the papers of RUNS in a CSV table: a row per paper, a column per property.

    Cells hold values with unit and entity; the column next to it has the pages and quotes. The values come from the
    entity layer: run `kag layers RUNS` first.
    """
    from kag.core.errors import RunError
    from kag.core.files import write_output
    from kag.indexing.run import layers_of
    from kag.qa.compare import as_csv, compare
    from kag.qa.library import open_library

    library = open_library(*runs)
    without = [name for name in library if not layers_of(library.path(name))]
    if len(without) == len(library):
        raise RunError("none of these papers has an entity layer", hint="Make it: `kag layers RUNS`.")
    for name in without:
        note(f"{name} has no entity layer")
    table = compare(library, properties, of=of)
    text = json.dumps(asdict(table), ensure_ascii=False, indent=2) + "\n" if as_json else as_csv(table)
    if out is None:
        emit(text)
        return
    write_output(out, text)
