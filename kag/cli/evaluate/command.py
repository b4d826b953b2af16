"""`kag evaluate`: score graphs, answers and searches against your own annotations."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.evaluate.qa import passages, qa
from kag.cli.evaluate.retrieval import MEASURED, retrieval, write_json
from kag.cli.groups import Suggesting
from kag.cli.options.values import PATH
from kag.cli.progress import ShownProgress
from kag.cli.terminal import complain, note, say

if TYPE_CHECKING:
    from kag.evaluate.statistics import Difference
    from kag.evaluate.structure.report import Summary

EPILOG = "Exit codes: 0 done, 2 bad input, or a paper or run without a counterpart."


@click.group(cls=Suggesting, epilog=MEASURED)
def evaluate() -> None:
    """Score graphs, answers and searches against your own annotated data."""


@evaluate.command(epilog=EPILOG)
@click.argument("gold", type=PATH)
@click.argument("runs", type=PATH)
@click.option("--metric", "metrics", multiple=True, help="Metric to show; can be repeated.  [default: all]")
@click.option("--no-variants", is_flag=True, help="Leave out other renderings, <paper>__<style>.")
@click.option(
    "--worst",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Number of worst papers to show for each metric.",
)
@click.option(
    "--compare", type=PATH, default=None, help="Other runs of the same papers: also show the paired difference."
)
@click.option(
    "--also", type=(str, PATH, PATH), multiple=True, help="Another data set: its name, gold and runs; can be repeated."
)
@click.option("--json", "json_file", type=PATH, default=None, help="Write all figures and worst cases to this file.")
def structure(gold: Path, runs: Path, also: Sequence[tuple[str, Path, Path]], **options: Any) -> None:
    """Score the graphs in RUNS against the annotated papers in GOLD.

    GOLD has papers with gold.json, or <paper>_gold.json; RUNS is an --out-dir of `kag index`. A paper without a
    readable run is scored as an empty graph and reported, and the exit code is 2.
    """
    from kag.evaluate.structure.report import as_json, differences_as_json

    metrics = _metrics(options["metrics"])
    summaries = [_summary(*one, metrics, options) for one in [(gold.resolve().name, gold, runs), *also]]
    differences = _differences(summaries[0], options, metrics) if options["compare"] else {}
    _show(summaries, differences)
    if options["json_file"]:
        sets = {"sets": {summary.name: as_json(summary) for summary in summaries}}
        more = {"difference": differences_as_json(differences)} if differences else {}
        write_json(options["json_file"], {**sets, **more})
    problems = [problem for summary in summaries for problem in summary.evaluation.problems]
    for problem in problems:
        complain(problem)
    sys.exit(2 if problems else 0)


def _metrics(names: Sequence[str]) -> Sequence[str]:
    from kag.evaluate.structure.score import METRICS

    for name in names:
        if name not in METRICS:
            raise click.UsageError(f"--metric {name}: choose from {', '.join(METRICS)}")
    return names or METRICS


def _summary(name: str, gold: Path, runs: Path, metrics: Sequence[str], options: dict[str, Any]) -> Summary:
    from kag.evaluate.structure.report import summarise
    from kag.evaluate.structure.runs import evaluate as scored

    with ShownProgress() as progress:
        evaluation = scored(gold, runs, variants=not options["no_variants"], progress=progress)
    return summarise(name, evaluation, metrics, options["worst"])


def _differences(summary: Summary, options: dict[str, Any], metrics: Sequence[str]) -> dict[str, Difference]:
    from kag.evaluate.structure.report import compare_summaries

    other = _summary("other", summary.evaluation.gold, options["compare"], metrics, options)
    for problem in other.evaluation.problems:
        note(problem)
    return compare_summaries(summary, other)


def _show(summaries: Sequence[Summary], differences: dict[str, Difference]) -> None:
    from kag.evaluate.structure.report import difference_table, paper_table, score_table, worst_text

    for summary in summaries:
        say(f"{summary.name}: {len(summary.evaluation.papers)} papers\n")
        tables = (score_table(summary), paper_table(summary), worst_text(summary.worst))
        for text in filter(None, tables):
            say(f"{text}\n")
    if differences:
        say(f"difference, RUNS minus the others\n\n{difference_table(differences)}\n")


evaluate.add_command(qa)
evaluate.add_command(passages)
evaluate.add_command(retrieval)
