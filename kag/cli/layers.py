"""`kag layers`: what papers say, added to runs; `kag compare`: what they measured, side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options import PATH, RenamedChoice, builder_options, check_tape, json_option
from kag.cli.terminal import ShownProgress, emit_json, emit_to, note, say

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
    emit_to(out, text)
