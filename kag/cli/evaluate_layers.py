"""`kag evaluate layers`: how right entities, measurements and claims are. A table goes to stdout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from kag.cli.shown import write_json
from kag.cli.terminal import note, say

PATH = click.Path(path_type=Path)


@click.command(epilog="Exit codes: 0 done, 2 bad input or a missing package.")
@click.argument("sets", nargs=-1, required=True, type=PATH)
@click.option("--half", type=click.Choice(["a", "b"]), default=None, help="One half of the documents.  [default: all]")
@click.option("--json", "json_file", type=PATH, help="Write all figures and the worst cases to this file.")
def layers(sets: Sequence[Path], half: str | None, json_file: Path | None) -> None:
    """Measure the entity and claim layers on SETS: folders of annotated texts, named as their set.

    Each figure has its 95 % interval over documents; the sets are abbreviations, biored, bioscope, citation_intent,
    claims, craft, measeval, scierc and sofc_exp.
    """
    from kag.evaluate.layers.sets import evaluate_layers, learned_from
    from kag.evaluate.text_tables import shown

    rows, told = [], []
    for folder in sets:
        note(f"{folder.name} ...")
        name = folder.resolve().name
        if cards := learned_from(folder):
            note(f"{name}: learned from by {', '.join(cards)}: figures on texts left out stand in these cards")
        for figure in evaluate_layers(folder, half or ""):
            rows.append({"set": name, **figure.as_row()})
            told.append({"set": name, **asdict(figure)})
    say(shown(rows))
    if json_file:
        write_json(json_file, told)
