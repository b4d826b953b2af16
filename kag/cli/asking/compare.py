"""`kag compare`: what papers measured, side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from kag.cli.options.values import PATH, json_option
from kag.cli.terminal import emit, note


@click.command(epilog="Exit codes: 0 done, 2 no run, or no layer in any of them.")
@click.argument("runs", nargs=-1, required=True, type=PATH)
@click.option("--property", "properties", multiple=True, help="A column; several may be given.  [default: shared ones]")
@click.option("--of", default="", help="Only what was measured of this.")
@click.option("--out", type=PATH, default=None, help="File to write.  [default: stdout]")
@json_option("Write the table as JSON: each value with what it is of and its evidence.")
def compare(runs: Sequence[Path], properties: Sequence[str], of: str, out: Path | None, as_json: bool) -> None:
    """A table of the papers of RUNS as CSV: a row a paper, a column a property, in the cells the values with their
    units and of what they are; beside each the pages and words that say so.

    The values are those of the entity layer: `kag layers RUNS` first.
    """
    from kag.core.errors import RunError
    from kag.core.files import write_output
    from kag.indexing.run import layers_of
    from kag.qa.layer_queries.compare import as_csv, compare
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
