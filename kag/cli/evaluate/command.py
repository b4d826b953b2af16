"""`kag evaluate`: how right graphs and readings are. Tables go to stdout, problems to stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.evaluate.answers import passages, qa
from kag.cli.evaluate.domains import domains
from kag.cli.evaluate.layers import layers
from kag.cli.evaluate.retrieval import retrieval
from kag.cli.evaluate.shown import MEASURED, command_line, read_notes, tell, write_json
from kag.cli.options.machines import cluster_option, spread
from kag.cli.options.values import PATH
from kag.cli.terminal import complain, note, say

if TYPE_CHECKING:
    from kag.evaluate.statistics import Difference
    from kag.evaluate.structure.faults import Seen
    from kag.evaluate.structure.report import Summary

EPILOG = "Exit codes: 0 done, 1 a planted fault was not seen, 2 bad input, or a paper or run that has no partner."


@click.group(epilog=MEASURED)
def evaluate() -> None:
    """Measure how right graphs, references and call-outs are, against annotated data."""


@evaluate.command(epilog=EPILOG)
@click.argument("gold", type=PATH)
@click.argument("runs", type=PATH)
@click.option("--metric", "metrics", multiple=True, help="A metric to show, can be repeated.  [default: all]")
@click.option("--no-variants", is_flag=True, help="Leave out further renderings, <paper>__<style>.")
@click.option("--worst", type=click.IntRange(0), default=3, show_default=True, help="Worst papers to tell of a metric.")
@click.option("--compare", type=PATH, default=None, help="Other runs of the same papers: tell the paired difference.")
@click.option(
    "--also", type=(str, PATH, PATH), multiple=True, help="Another set: a name, its gold and its runs. Can be repeated."
)
@click.option("--self-test", "test", is_flag=True, help="Plant faults in the graphs and see which metrics notice.")
@cluster_option("Score papers over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, default=None, help="Write all figures and worst cases to this file.")
@click.option(
    "--report", type=PATH, default=None, help="Write a Markdown report here, its plots into plots/ beside it."
)
@click.option("--notes", type=PATH, default=None, help="Markdown to put before the figures of the report.")
@click.pass_context
def structure(
    context: click.Context, /, gold: Path, runs: Path, also: Sequence[tuple[str, Path, Path]], **wish: Any
) -> None:
    """Score the graphs in RUNS against the annotated papers in GOLD.

    GOLD holds papers with gold.json, or <paper>_gold.json; RUNS is an --out-dir of `kag index`. A paper without a
    readable run is scored as a graph that states nothing, is named, and makes the exit code 2.
    """
    from kag.evaluate.structure.faults import self_test
    from kag.evaluate.structure.report import as_json

    metrics = _metrics(wish["metrics"])
    given = [(gold.resolve().name, gold, runs), *also]
    summaries = [_summary(*one, metrics, wish) for one in given]
    differences = _differences(summaries[0], wish, metrics) if wish["compare"] else {}
    seen = self_test(summaries[0].evaluation.papers) if wish["test"] else []
    _show(summaries, differences, seen)
    if wish["json_file"]:
        found = {s.name: as_json(s) for s in summaries}
        write_json(wish["json_file"], {"sets": found, **_tests_as_json(differences, seen)})
    if wish["report"]:
        _report(wish["report"], wish["notes"], summaries, differences, seen, command_line(context))
    problems = [problem for summary in summaries for problem in summary.evaluation.problems]
    for problem in problems:
        complain(problem)
    sys.exit(2 if problems else 1 if any(one.blind or one.disturbed for one in seen) else 0)


def _metrics(names: Sequence[str]) -> Sequence[str]:
    from kag.evaluate.structure.score import METRICS

    for name in names:
        if name not in METRICS:
            raise click.UsageError(f"--metric {name}: choose from {', '.join(METRICS)}")
    return names or METRICS


def _summary(name: str, gold: Path, runs: Path, metrics: Sequence[str], wish: dict[str, Any]) -> Summary:
    from kag.evaluate.structure.report import summarise
    from kag.evaluate.structure.runs import evaluate as scored

    evaluation = scored(gold, runs, variants=not wish["no_variants"], executor=spread(wish["ray"]))
    return summarise(name, evaluation, metrics, wish["worst"])


def _differences(summary: Summary, wish: dict[str, Any], metrics: Sequence[str]) -> dict[str, Difference]:
    from kag.evaluate.structure.report import compare_summaries

    other = _summary("other", summary.evaluation.gold, wish["compare"], metrics, wish)
    for problem in other.evaluation.problems:
        note(problem)
    return compare_summaries(summary, other)


def _show(summaries: Sequence[Summary], differences: dict[str, Difference], seen: Sequence[Seen]) -> None:
    from kag.evaluate.structure.report import (
        difference_table,
        fault_table,
        paper_table,
        score_table,
        style_table,
        worst_text,
    )

    for summary in summaries:
        say(f"{summary.name}: {len(summary.evaluation.papers)} papers\n")
        tables = (score_table(summary), style_table(summary), paper_table(summary), worst_text(summary.worst))
        for text in filter(None, tables):
            say(f"{text}\n")
    if differences:
        say(f"difference, RUNS minus the others\n\n{difference_table(differences)}\n")
    if seen:
        say(f"planted faults, {summaries[0].name}\n\n{fault_table(seen)}\n")


def _tests_as_json(differences: dict[str, Difference], seen: Sequence[Seen]) -> dict[str, Any]:
    from dataclasses import asdict

    faults = {
        one.fault.name: {"before": one.before, "after": one.after, "blind": one.blind, "disturbed": one.disturbed}
        for one in seen
    }
    told = {metric: {**asdict(one), "sign": one.sign} for metric, one in differences.items()}
    return {name: value for name, value in (("difference", told), ("faults", faults)) if value}


def _report(
    path: Path,
    notes: Path | None,
    summaries: Sequence[Summary],
    differences: dict[str, Difference],
    seen: Sequence[Seen],
    command: str,
) -> None:
    from kag.evaluate.written import write_report

    write_report(path, summaries, command=command, notes=read_notes(notes), seen=seen, differences=differences)


@evaluate.command(epilog=MEASURED)
@click.argument("file", type=PATH)
@cluster_option("Read strings over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, default=None, help="Write the figures to this file.")
def references(file: Path, ray: str, json_file: Path | None) -> None:
    """Score our reading of printed references on the labelled strings of FILE (JSON lines, plain or .gz)."""
    from kag.evaluate.references.labelled import evaluate_references

    scores = evaluate_references(file, spread(ray))
    columns = ("field", "asked", "given", "right", "precision", "recall")
    tell([{name: getattr(score, name) for name in columns} for score in scores], json_file)


@evaluate.command(epilog=MEASURED)
@click.argument("file", type=PATH)
@cluster_option("Read papers over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, default=None, help="Write the figures to this file.")
def callouts(file: Path, ray: str, json_file: Path | None) -> None:
    """Score our finding of citation, figure and table call-outs in the labelled papers of FILE (JSON lines)."""
    from kag.evaluate.references.labelled import evaluate_callouts

    scores = evaluate_callouts(file, spread(ray))
    columns = ("kind", "asked", "given", "precision", "recall", "exact_precision", "exact_recall")
    tell([{name: getattr(score, name) for name in columns} for score in scores], json_file)


evaluate.add_command(domains)
evaluate.add_command(layers)
evaluate.add_command(qa)
evaluate.add_command(passages)
evaluate.add_command(retrieval)
