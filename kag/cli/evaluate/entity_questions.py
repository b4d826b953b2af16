"""`kag evaluate entity-questions`: how right answers from the layers are. A table goes to stdout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from kag.cli.evaluate.shown import write_json
from kag.cli.options.machines import cluster_option, shared_work, spread
from kag.cli.options.values import PATH
from kag.cli.terminal import say


@click.command("entity-questions", epilog="Exit codes: 0 done, 2 bad input or a missing package.")
@click.argument("file", type=PATH)
@click.argument("runs", nargs=-1, required=True, type=PATH)
@click.option("--half", type=click.Choice(["a", "b"]), default=None, help="One half of the questions.  [default: all]")
@cluster_option("Ask over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, help="Write each question with its answer to this file.")
def entity_questions(file: Path, runs: Sequence[Path], half: str | None, ray: str, json_file: Path | None) -> None:
    """Ask the questions of FILE of the papers of RUNS, which have layers, and tell how many are answered rightly.

    They are what was measured, which papers use something, which claims disagree, and columns of `kag compare`.
    """
    from kag.evaluate.answers.entity_questions import mark_all, read_entity_questions, rows, with_texts
    from kag.evaluate.text_tables import shown

    questions, texts = read_entity_questions(file)
    asked = [one for one in questions if half in (None, one.half)]
    by = spread(ray)
    with shared_work(file.resolve().parent if by else None) as work:
        marked = mark_all(asked, with_texts(runs, texts, work), by)
    say(shown(rows(marked)))
    for one in marked:
        if not one.right:
            say(f"wrong: {one.question.id} {one.question.text} -> {one.said[:200] or 'nothing'}", err=True)
    if json_file:
        write_json(json_file, [asdict(one) for one in marked])
