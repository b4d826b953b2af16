"""Score kag on published sets: `python -m scripts.benchmarks COMMAND --help`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from kag.cli.evaluate import print_rows, write_json
from kag.cli.options import PATH
from kag.cli.terminal import complain, note, say
from kag.core.errors import KagError
from kag.evaluate.structure.runs import evaluate as scored
from scripts.benchmarks.domains.score import evaluate_domains
from scripts.benchmarks.layers.sets import evaluate_layers, learned_from
from scripts.benchmarks.references.labelled import evaluate_callouts, evaluate_references
from scripts.benchmarks.retrieval.command import retrieval
from scripts.benchmarks.structure_faults import fault_table, self_test

SETS = click.argument("sets", nargs=-1, required=True, type=PATH)
FILE = click.argument("file", type=PATH)
HALF = click.option("--half", type=click.Choice(["a", "b"]), default=None, help="One half.  [default: all]")
JSON = click.option("--json", "json_file", type=PATH, help="Write all figures and the worst cases to this file.")
COLUMNS = {
    "references": ("field", "asked", "given", "right", "precision", "recall"),
    "callouts": ("kind", "asked", "given", "precision", "recall", "exact_precision", "exact_recall"),
}


@click.group()
def benchmarks() -> None:
    """Score kag on published annotated sets. Tables go to stdout."""


@benchmarks.command()
@SETS
@HALF
@JSON
def layers(sets: Sequence[Path], half: str | None, json_file: Path | None) -> None:
    """Score entities, measurements and claims on SETS, folders of annotated texts named as their set."""
    figures = []
    for folder in sets:
        name = folder.resolve().name
        note(f"{name} ...")
        if cards := learned_from(folder):
            note(f"{name}: {', '.join(cards)} learned from it; their cards have figures on texts left out")
        figures += [(name, figure) for figure in evaluate_layers(folder, half or "")]
    print_rows([{"set": name, **figure.as_row()} for name, figure in figures])
    _write(json_file, [{"set": name, **asdict(figure)} for name, figure in figures])


@benchmarks.command()
@SETS
@JSON
def domains(sets: Sequence[Path], json_file: Path | None) -> None:
    """Score domains on SETS: workflow_dags, story_states, story_litbank, science_graph, metaqa."""
    figures = [figure for folder in sets for figure in evaluate_domains(folder)]
    print_rows([figure.as_row() for figure in figures])
    _write(json_file, [asdict(figure) for figure in figures])


@benchmarks.command()
@FILE
@JSON
def references(file: Path, json_file: Path | None) -> None:
    """Score the parser of printed references on the labelled strings of FILE (JSON lines)."""
    _fields(evaluate_references(file), "references", json_file)


@benchmarks.command()
@FILE
@JSON
def callouts(file: Path, json_file: Path | None) -> None:
    """Score the finder of in-text citations and cross-references on the labelled papers of FILE (JSON lines)."""
    _fields(evaluate_callouts(file), "callouts", json_file)


@benchmarks.command()
@click.argument("gold", type=PATH)
@click.argument("runs", type=PATH)
@click.pass_context
def faults(context: click.Context, /, gold: Path, runs: Path) -> None:
    """Plant faults in the graphs of RUNS and show which metrics of `kag evaluate structure` notice them."""
    seen = self_test(scored(gold, runs).papers)
    say(fault_table(seen))
    context.exit(1 if any(one.blind or one.disturbed for one in seen) else 0)


benchmarks.add_command(retrieval)


def _fields(scores: Iterable[Any], kind: str, json_file: Path | None) -> None:
    found: list[Mapping[str, Any]] = [{name: getattr(one, name) for name in COLUMNS[kind]} for one in scores]
    print_rows(found, json_file)


def _write(path: Path | None, value: Any) -> None:
    if path:
        write_json(path, value)


if __name__ == "__main__":
    try:
        benchmarks(prog_name="python -m scripts.benchmarks")
    except KagError as error:
        complain(error.message, error.hint)
        raise SystemExit(2) from error
