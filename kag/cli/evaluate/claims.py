"""`kag evaluate claims`: how well the checker of claims tells those that are supported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kag.cli.evaluate.shown import MEASURED, command_line, read_notes, write_json
from kag.cli.options.machines import cluster_option, spread
from kag.cli.options.values import PATH
from kag.cli.terminal import say


@click.command(epilog=MEASURED)
@click.argument("sets", nargs=-1, required=True, type=PATH)
@click.option("--papers", type=PATH, multiple=True, help="Runs of the papers that claims quote. Can be repeated.")
@cluster_option("Check claims over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, default=None, help="Write the figures to this file.")
@click.option("--report", type=PATH, default=None, help="Write a Markdown report here.")
@click.option("--notes", type=PATH, default=None, help="Markdown to put before the figures of the report.")
@click.pass_context
def claims(
    context: click.Context,
    /,
    sets: Sequence[Path],
    papers: Sequence[Path],
    ray: str,
    json_file: Path | None,
    report: Path | None,
    notes: Path | None,
) -> None:
    """Check the claims of each of SETS, true and false ones, and tell how many are judged rightly.

    A set has a claim a line, as JSON, packed or not: with quotes by block of papers that --papers has, or with its
    evidence, a list of texts or a table, in the line itself.
    """
    from kag.evaluate.claims.check import as_json, marks, write_report
    from kag.evaluate.claims.sets import read_claims
    from kag.evaluate.text_tables import shown
    from kag.read.checking.bearing import RULES
    from kag.read.library import open_library

    words = read_notes(notes)
    known = {name: paper for folder in papers for name, paper in open_library(folder).items()}
    found, by = [], spread(ray)
    for path in sets:
        name = path.name.removesuffix(".gz").removesuffix(".jsonl")
        found += marks(name, list(read_claims(path, known)), RULES, by)
    say(shown([one.row() for one in found]))
    if json_file:
        write_json(json_file, as_json(found))
    if report:
        write_report(report, found, command=command_line(context), notes=words)
