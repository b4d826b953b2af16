"""`kag layers`: what papers say, added to runs that are there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kag.cli.terminal import note, say

FOLDER = click.Path(path_type=Path)


@click.command(epilog="Exit codes: 0 done, 1 a layer does not conform, 2 no run, or it is damaged.")
@click.argument("runs", nargs=-1, required=True, type=FOLDER)
@click.option("--layers", "names", default="entity,claim", show_default=True, help="Which layers to make.")
@click.option("--force", is_flag=True, help="Make again what is up to date.")
def layers(runs: Sequence[Path], names: str, force: bool) -> None:
    """Say in RUNS, runs or folders of them, what their papers say: entities, measurements and claims.

    Each layer is a graph of its own beside knowledge_graph.ttl, which stays as it is: entity_graph.ttl and
    claim_graph.ttl. `kag index --layers` makes the same with the run.
    """
    from kag.layers.runs import Layers
    from kag.layers.story import chosen
    from kag.write.run import find_runs

    wanted = Layers(chosen(names))
    for run in [run for path in runs for run in find_runs(path) or [path]]:
        added = wanted.add_to(run, force=force)
        note(f"{run.name}: {', '.join(wanted.names)} {'made' if added else 'up to date'}")
        say(run)
