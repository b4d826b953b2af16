"""`kag evaluate layers`: how right entities, measurements and claims are. A table goes to stdout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.evaluate.shown import write_json
from kag.cli.options.machines import cluster_option, spread
from kag.cli.options.values import PATH
from kag.cli.terminal import note, say

if TYPE_CHECKING:
    from kag.evaluate.layers.figure import Figure


@click.command(epilog="Exit codes: 0 done, 2 bad input or a missing package.")
@click.argument("sets", nargs=-1, required=True, type=PATH)
@click.option("--half", type=click.Choice(["a", "b"]), default=None, help="One half of the documents.  [default: all]")
@cluster_option("Measure sets over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, help="Write all figures and the worst cases to this file.")
def layers(sets: Sequence[Path], half: str | None, ray: str, json_file: Path | None) -> None:
    """Measure the entity and claim layers on SETS: folders of annotated texts, named as their set.

    Each figure has its 95 % interval over documents; the sets are abbreviations, biored, bioscope, citation_intent,
    claims, craft, measeval, scierc and sofc_exp.
    """
    from kag.evaluate.layers.sets import learned_from
    from kag.evaluate.spread import alone, in_order
    from kag.evaluate.text_tables import shown

    rows, told = [], []
    each = in_order(partial(_measured, half or ""), sets, spread(ray), alone)
    for folder, figures in zip(sets, each, strict=True):
        name = folder.resolve().name
        if cards := learned_from(folder):
            note(f"{name}: learned from by {', '.join(cards)}: figures on texts left out stand in these cards")
        rows += [{"set": name, **figure.as_row()} for figure in figures]
        told += [{"set": name, **asdict(figure)} for figure in figures]
    say(shown(rows))
    if json_file:
        write_json(json_file, told)


def _measured(half: str, sets: Iterable[Path]) -> Iterator[tuple[Figure, ...]]:
    from kag.evaluate.layers.sets import evaluate_layers

    for folder in sets:
        note(f"{folder.name} ...")
        yield evaluate_layers(folder, half)
