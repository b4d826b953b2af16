"""What the evaluation of retrieval says: tables for the terminal and the written report, and JSON values.

A report holds figures and names only; the words of questions and chunks stay where they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kag.core.files import write_output
from kag.evaluate.statistics import DRAWS, Mean
from kag.evaluate.text_tables import table
from scripts.benchmarks.paired_tests import PERMUTATIONS, Paired
from scripts.benchmarks.retrieval.index import Cost
from scripts.benchmarks.retrieval.score import Scores, averaged, compared
from scripts.benchmarks.structure_report import made_with

SIGNIFICANT = 0.05
METRICS = {"recall": "Recall", "mrr": "Reciprocal rank", "ndcg": "Discounted gain (nDCG)"}
TELLS = f"""\
Every plan gives k chunks, seeds and others together, so that all are compared at equal totals. recall: mean over what a
question needs; mrr: 1 / place of the first chunk that serves it; ndcg: the recall that each chunk adds, discounted by
its place. Behind each figure is its 95 % interval ({DRAWS} draws of questions). Differences are plan minus baseline on
the same questions with the interval of the paired draws; p is that of the signs' permutation, two-sided ({PERMUTATIONS}
times), by Holm's correction for all plans and all k of the table; `+` or `-` mark p below {SIGNIFICANT}, `=` the
others. Times are those of one question at the largest k, all stages but the model that embeds."""
NOT_MEASURED = """\
Whether an answer can be read from chunks that are no gold but say the same; stages that a model does (rewriting,
entities, compression): rules stand in here; many questions at once. Seconds and memory are those of this machine."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One set: the scores and seconds a question of each plan, what the index cost, and the ablations by preset.

    `part` says which of its questions were asked, `ablated_on` how many of them the ablations were asked.
    """

    name: str
    part: str
    ids: tuple[str, ...]
    scores: Mapping[str, Scores]
    seconds: Mapping[str, Sequence[float]]
    baselines: tuple[str, ...]
    cost: Cost
    ablated: Mapping[str, Mapping[str, Scores]] = field(default_factory=dict)
    ablated_on: int = 0


def tables(summary: Summary) -> list[tuple[str, str]]:
    """The titles and tables of a set."""
    found = [(title, _score_table(summary.scores, kind)) for kind, title in METRICS.items()]
    for baseline in summary.baselines:
        tests = compared(summary.scores, baseline)
        for kind in METRICS:
            found.append((f"Minus {baseline}: {kind}", difference_table(tests, kind)))
    for name, scores in summary.ablated.items():
        found.append((f"Variants of {name}, {summary.ablated_on} questions", _score_table(scores, "recall")))
        found.append((f"Minus {name}: recall", difference_table(compared(scores, name), "recall")))
    found += [
        ("Time of a question", _seconds_table(summary)),
        ("Cost of the index", table(["what", "figure"], _cost(summary.cost))),
    ]
    return [(title, text) for title, text in found if text]


def _score_table(plans: Mapping[str, Scores], kind: str) -> str:
    """One row a plan, a column a k."""
    means = {name: averaged(_of(scores, kind)) for name, scores in plans.items()}
    columns = list(next(iter(means.values()), {}))
    rows = ([name, *(_mean(found[column]) for column in columns)] for name, found in means.items())
    return table(["plan", *columns], rows) if columns else ""


def difference_table(tests: Mapping[str, Mapping[str, Paired]], kind: str) -> str:
    """One row a plan, a column a k: the difference, its interval, the corrected p, and a sign; empty without plans."""
    columns = [name for name in next(iter(tests.values()), {}) if name.startswith(f"{kind}@")]
    rows = ([name, *(_difference(found[column]) for column in columns)] for name, found in tests.items())
    return table(["plan", *columns], rows) if columns else ""


def _of(scores: Scores, kind: str) -> Scores:
    return {name: values for name, values in scores.items() if name.startswith(f"{kind}@")}


def _mean(one: Mean) -> str:
    return f"{one.value:.3f} ({one.low:.3f}-{one.high:.3f})"


def _difference(one: Paired) -> str:
    return f"{one.value:+.3f} ({one.low:+.3f} to {one.high:+.3f}) p {one.holm:.4f} {sign(one)}"


def sign(one: Paired) -> str:
    """`+` or `-` where the corrected p is below 5 %, else `=`."""
    return "=" if one.holm >= SIGNIFICANT else "+" if one.value > 0 else "-"


def _seconds(summary: Summary) -> dict[str, dict[str, float]]:
    """The median and the 99th percentile of each plan."""
    return {
        name: {f"p{share}": percentile(seconds, share / 100) for share in (50, 99)}
        for name, seconds in summary.seconds.items()
    }


def _seconds_table(summary: Summary) -> str:
    rows = ([name, *(f"{1000 * one:.1f}" for one in found.values())] for name, found in _seconds(summary).items())
    return table(["plan", "p50, ms", "p99, ms"], rows)


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that at least this share of them does not exceed; 0 without values.

    >>> percentile([4.0, 1.0, 3.0, 2.0], 0.5)
    2.0
    """
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)] if values else 0.0


def _cost(cost: Cost) -> list[tuple[str, str]]:
    """A row a figure; a MB is a million bytes."""
    return [
        ("chunks", str(cost.chunks)),
        ("build of words and vectors, s", f"{cost.build:.1f}"),
        ("build of the graph, s", f"{cost.graph:.1f}"),
        ("embedding, ms a chunk", f"{1000 * cost.embedding:.1f}"),
        ("memory of the index, MB", f"{cost.memory / 1e6:.0f}" if cost.memory else "-"),
        *((f"{part} on disk, MB", f"{size / 1e6:.1f}") for part, size in cost.bytes.items()),
        *((f"edges {label}", str(count)) for label, count in cost.edges.items()),
    ]


def as_json(summary: Summary) -> dict[str, Any]:
    """All figures of a set, and the scores of each question, as JSON values."""
    return {
        "part": summary.part,
        "questions": list(summary.ids),
        "plans": {name: _means_as_json(scores) for name, scores in summary.scores.items()},
        "compared": {one: _tests_as_json(compared(summary.scores, one)) for one in summary.baselines},
        "ablations": {
            name: {
                "questions": summary.ablated_on,
                "plans": {other: _means_as_json(one) for other, one in scores.items()},
                "compared": _tests_as_json(compared(scores, name)),
            }
            for name, scores in summary.ablated.items()
        },
        "seconds": _seconds(summary),
        "cost": asdict(summary.cost),
        "scores": {name: {metric: list(of) for metric, of in one.items()} for name, one in summary.scores.items()},
    }


def _means_as_json(scores: Scores) -> dict[str, Any]:
    return {metric: asdict(one) for metric, one in averaged(scores).items()}


def _tests_as_json(tests: Mapping[str, Mapping[str, Paired]]) -> dict[str, Any]:
    return {name: {metric: asdict(one) for metric, one in found.items()} for name, found in tests.items()}


def write_report(path: Path, summaries: Sequence[Summary], *, command: str, notes: str = "") -> None:
    """Write the report as Markdown; `notes` are put before the figures."""
    parts = ["# Retrieval: figures", f"{made_with()}. Command:\n\n    {command}", TELLS, notes.strip()]
    for summary in summaries:
        parts.append(f"## {summary.name}\n\n{len(summary.ids)} questions, {summary.part}.")
        parts += [f"### {title}\n\n{text}" for title, text in tables(summary)]
    parts.append(f"## Not measured\n\n{NOT_MEASURED}")
    write_output(path, "\n\n".join(part for part in parts if part) + "\n")
