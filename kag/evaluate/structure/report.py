"""The figures of scored graphs: tables in Markdown, which a terminal shows as well, and JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kag.evaluate.statistics import Counts, Difference, Score, difference, micro, score
from kag.evaluate.structure.cases import Case, worst_cases
from kag.evaluate.structure.runs import Evaluation, Paper
from kag.evaluate.structure.score import METRICS, SHARES
from kag.evaluate.text_tables import table


@dataclass(frozen=True, slots=True)
class Summary:
    """One set of papers: its name, its evaluation, the scores by metric, and the worst cases."""

    name: str
    evaluation: Evaluation
    scores: Mapping[str, Score]
    worst: tuple[Case, ...]


def summarise(name: str, evaluation: Evaluation, metrics: Sequence[str] = METRICS, worst: int = 3) -> Summary:
    """Scores of the metrics that the annotations allow, with `worst` papers for each."""
    found = {metric: counts(evaluation.papers, metric) for metric in metrics}
    scores = {metric: score(papers, share=metric in SHARES) for metric, papers in found.items() if _asked(papers)}
    return Summary(name, evaluation, scores, tuple(worst_cases(evaluation.papers, scores, worst)))


def counts(papers: Iterable[Paper], metric: str) -> dict[str, Counts]:
    """Right, wrong and missing of each paper that has the metric."""
    return {paper.name: paper.compared[metric].counts for paper in papers if metric in paper.compared}


def _asked(papers: Mapping[str, Counts]) -> bool:
    return any(any(found) for found in papers.values())


def score_table(summary: Summary) -> str:
    """One row a metric; the score is F1 for kinds of facts and recall for shares."""
    columns = "metric, score, 95 % interval, precision, recall, F1, mean of papers, right, wrong, missing, papers"
    rows = (
        [
            metric,
            *_numbers(s.value),
            f"{s.low:.4f}-{s.high:.4f}",
            *_numbers(s.precision, s.recall, s.f1, s.macro),
            *map(str, (s.right, s.wrong, s.missing, s.papers)),
        ]
        for metric, s in summary.scores.items()
    )
    return table(columns.split(", "), rows)


def paper_table(summary: Summary) -> str:
    """One row a paper: the score in each metric, `-` where nothing is asked."""
    rows = (
        [paper.name, *(_cell(_value([paper], metric)) for metric in summary.scores)]
        for paper in summary.evaluation.papers
    )
    return table(["paper", *summary.scores], rows)


def style_table(summary: Summary) -> str:
    """One row for each value of a style that differs between the papers; empty when none does."""
    rows = [[name, str(papers), *(_cell(value) for _, value in cells)] for name, papers, cells in style_rows(summary)]
    return table(["style", "papers", *summary.scores], rows) if rows else ""


def style_rows(summary: Summary) -> list[tuple[str, int, list[tuple[str, float | None]]]]:
    """Styles that differ between the papers: name and value, number of papers, scores by metric (None: not asked)."""
    papers = summary.evaluation.papers
    seen = sorted({(key, value) for paper in papers for key, value in paper.gold.style.items()})
    keys = [key for key, _ in seen]
    rows = []
    for key, value in seen:
        if keys.count(key) > 1:
            alike = [paper for paper in papers if paper.gold.style.get(key) == value]
            cells = [(metric, _value(alike, metric)) for metric in summary.scores]
            rows.append((f"{key} {value}".strip(), len(alike), cells))
    return rows


def _value(papers: Sequence[Paper], metric: str) -> float | None:
    found = list(counts(papers, metric).values())
    return micro(found, share=metric in SHARES) if any(any(one) for one in found) else None


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _numbers(*values: float) -> list[str]:
    return [f"{value:.4f}" for value in values]


def worst_text(cases: Iterable[Case]) -> str:
    """The worst cases with the papers' words."""
    return "\n".join(
        line
        for case in cases
        for line in (
            f"{case.metric}  {case.paper}: {case.missing} missing, {case.wrong} wrong",
            *(f"    {told}" for told in case.told),
        )
    )


def compare_summaries(these: Summary, others: Summary) -> dict[str, Difference]:
    """For each metric the score of `these` runs minus that of the `others`, on the same papers."""
    found = {}
    for metric in these.scores:
        one, two = counts(these.evaluation.papers, metric), counts(others.evaluation.papers, metric)
        if any(any(one[name]) and any(two[name]) for name in one.keys() & two.keys()):
            found[metric] = difference(one, two, share=metric in SHARES)
    return found


def difference_table(differences: Mapping[str, Difference]) -> str:
    """One row a metric; the sign is `=` when the interval holds 0."""
    rows = (
        [metric, f"{d.value:+.4f}", f"{d.low:+.4f} to {d.high:+.4f}", f"{d.above:.3f}", d.sign]
        for metric, d in differences.items()
    )
    return table(["metric", "difference", "95 % interval", "share above 0", "sign"], rows)


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary as JSON values."""
    evaluation = summary.evaluation
    return {
        "gold": str(evaluation.gold),
        "runs": str(evaluation.runs),
        "problems": list(evaluation.problems),
        "total": {metric: asdict(value) for metric, value in summary.scores.items()},
        "papers": {
            paper.name: {m: _counted(paper.compared[m].counts, m) for m in summary.scores if m in paper.compared}
            for paper in evaluation.papers
        },
        "styles": {name: dict(cells) for name, _, cells in style_rows(summary)},
        "worst": [asdict(case) for case in summary.worst],
    }


def _counted(found: Counts, metric: str) -> dict[str, float]:
    right, wrong, missing = found
    value = micro([found], share=metric in SHARES)
    return {"right": right, "wrong": wrong, "missing": missing, "value": value}


def differences_as_json(differences: Mapping[str, Difference]) -> dict[str, Any]:
    """The differences as JSON values."""
    return {metric: {**asdict(one), "sign": one.sign} for metric, one in differences.items()}
