"""`kag evaluate domains`: how right readers, rules and slices of domains are. A table goes to stdout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.evaluate.shown import write_json
from kag.cli.options.machines import cluster_option, spread
from kag.cli.options.values import PATH
from kag.cli.terminal import note, say

if TYPE_CHECKING:
    from kag.evaluate.domains.score import Figure


@click.command(epilog="Exit codes: 0 done, 2 bad input or a missing package.")
@click.argument("sets", nargs=-1, required=True, type=PATH)
@cluster_option("Measure sets over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, help="Write all figures and the worst documents to this file.")
def domains(sets: Sequence[Path], ray: str, json_file: Path | None) -> None:
    """Measure domains on SETS: folders workflow_dags, story_states, science_graph, metaqa, ...

    Readers of workflow formats, planted faults, contradictions and questions of stories, claims, questions answered
    from a graph, and how many answers its slices hold, each with a 95 % interval over documents.
    """
    from kag.evaluate.spread import alone, in_order
    from kag.evaluate.text_tables import shown

    figures = [figure for own in in_order(_measured, sets, spread(ray), alone) for figure in own]
    say(shown([figure.as_row() for figure in figures]))
    if json_file:
        write_json(json_file, [asdict(figure) for figure in figures])


def _measured(sets: Iterable[Path]) -> Iterator[tuple[Figure, ...]]:
    from kag.evaluate.domains.score import evaluate_domains

    for folder in sets:
        note(f"{folder.name} ...")
        yield evaluate_domains(folder)
