"""`kag layers`: add layers to existing runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.model import builder_options, check_tape, limit_options, tape_options
from kag.cli.options.values import PATH, RenamedChoice, json_option
from kag.cli.progress import ShownProgress
from kag.cli.terminal import emit_json, say

if TYPE_CHECKING:
    from kag.agents.layers.agent import AgentLayers
    from kag.layers.pipeline import Layers


@click.command(epilog="Exit codes: 0 done, 1 a layer does not conform, 2 no run, or a damaged run.")
@click.argument("runs", nargs=-1, required=True, type=PATH)
@click.option("--layers", "names", default="entity,claim", show_default=True, help="Layers to extract.")
@click.option("--force", is_flag=True, help="Extract layers again that are up to date; a model always does.")
@click.option(
    "--builder",
    type=RenamedChoice(["rules", "review", "rlm"], {"hybrid": "review"}),
    default=None,
    help=(
        "rules: no model; review: a model corrects uncertain parts; rlm: a model reads "
        "everything.  [default: review with --lm, else rules]"
    ),
)
@builder_options()
@limit_options("paper", tokens="60000 for review")
@click.option(
    "--max-iters", type=click.IntRange(1), default=20, show_default=True, help="Maximum number of steps for the model."
)
@tape_options()
@json_option("Print the result for each run as JSON.")
def layers(
    runs: Sequence[Path], names: str, force: bool, builder: str | None, lm: str | None, as_json: bool, **agent: Any
) -> None:
    """Extract entities, measurements and claims from papers.

    RUNS are run folders or folders of them. Each layer is a graph next to knowledge_graph.ttl, which is not changed:
    entity_graph.ttl and claim_graph.ttl. `kag index --layers` does the same while indexing.
    """
    from kag.layers.pipeline import chosen
    from kag.qa.library import runs_at

    maker = _making(chosen(names), builder, lm, agent)
    paths = [run for path in runs for run in runs_at(path)]
    if (agent["record"] or agent["replay"]) and len(paths) != 1:
        raise click.UsageError(f"--record and --replay belong to one run, {len(paths)} were given")
    rows = []
    with ShownProgress() as progress:
        for number, run in enumerate(paths, start=1):
            state = "made" if maker.add_to(run, force=force) else "up to date"
            progress.item(run.name, f"{', '.join(maker.names)} {state}", number, len(paths))
            rows.append({"run": str(run), "layers": list(maker.names), "state": state})
    for row in rows if not as_json else ():
        say(row["run"])
    if as_json:
        emit_json(rows)


def _making(
    names: tuple[str, ...], builder: str | None, lm: str | None, agent: Mapping[str, Any]
) -> Layers | AgentLayers:
    """Return the maker of layers: rules, or rules with a model."""
    if builder == "rules" or not (builder or lm):
        from kag.layers.pipeline import Layers

        return Layers(names)
    from kag.agents.build.build_options import making
    from kag.agents.layers.agent import AgentLayers

    check_tape(agent)
    return AgentLayers(names, making("rlm" if builder == "rlm" else "review", lm, **agent))
