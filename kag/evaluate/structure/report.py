"""The figures of scored graphs: tables in Markdown, which a terminal shows as well, and JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kag.evaluate.statistics import Counts, Difference, Score, difference, micro, score, table
from kag.evaluate.structure.gold import Fact
from kag.evaluate.structure.runs import Evaluation, Paper
from kag.evaluate.structure.score import FIELDS, METRICS, SHARES
from kag.rdf.namespaces import KAG

SHOWN = 140
"""Characters of a text that are shown."""
EXAMPLES = 3
"""Facts of each kind that are shown for a paper and metric."""


@dataclass(frozen=True, slots=True)
class Case:
    """A paper that loses much in a metric: how many facts are missing and wrong, and some of them in words."""

    metric: str
    paper: str
    missing: int
    wrong: int
    examples: tuple[str, ...]


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
    return any(any(paper) for paper in papers.values())


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


def _value(papers: Sequence[Paper], metric: str) -> float | None:
    found = list(counts(papers, metric).values())
    return micro(found, share=metric in SHARES) if any(any(one) for one in found) else None


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _numbers(*values: float) -> list[str]:
    return [f"{value:.4f}" for value in values]


def worst_cases(papers: Sequence[Paper], metrics: Iterable[str], most: int) -> list[Case]:
    """For each metric up to `most` papers, those that lose the most facts first."""
    return [case for metric in metrics for case in _worst(papers, metric, most)]


def _worst(papers: Sequence[Paper], metric: str, most: int) -> Iterator[Case]:
    losing = [paper for paper in papers if metric in paper.compared and _lost(paper, metric)]
    for paper in sorted(losing, key=lambda paper: (-_lost(paper, metric), paper.name))[:most]:
        compared = paper.compared[metric]
        examples = [
            f"{kind}: {_described(paper, metric, fact)}"
            for kind, facts in (("missing", compared.missing), ("wrong", compared.wrong))
            for fact in sorted(facts, key=str)[:EXAMPLES]
        ]
        yield Case(metric, paper.name, len(compared.missing), len(compared.wrong), tuple(examples))


def _lost(paper: Paper, metric: str) -> int:
    return sum(paper.compared[metric].counts[1:])


def _described(paper: Paper, metric: str, fact: Fact) -> str:
    """A fact with the words of its blocks, paragraphs and references."""
    if metric in FIELDS:
        number, value = fact
        return f"[{number}] {value!r} of {_words(paper, f'[{number}]')}"
    return " -> ".join(_words(paper, f"[{part}]" if isinstance(part, int) else str(part)) for part in fact)


def _words(paper: Paper, name: str) -> str:
    """What is printed at a place, in quotes and bounded: the annotation's words, else the graph's, else its name."""
    words, hosts, built = paper.gold.words, paper.gold.hosts, paper.built
    text = words.get(name) or words.get(hosts.get(name, ""))
    if not text and built:
        text = next(filter(None, (built.text(node, KAG.fullText) for node in built.nodes.get(name, ()))), "")
    line = " ".join((text or "").split())
    return f"{name} “{line[:SHOWN]}{'…' if len(line) > SHOWN else ''}”" if line else name


def worst_text(cases: Iterable[Case]) -> str:
    """The worst cases with the papers' words."""
    return "\n".join(
        line
        for case in cases
        for line in (
            f"{case.metric}  {case.paper}: {case.missing} missing, {case.wrong} wrong",
            *(f"    {example}" for example in case.examples),
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
        "worst": [asdict(case) for case in summary.worst],
    }


def _counted(found: Counts, metric: str) -> dict[str, float]:
    right, wrong, missing = found
    value = micro([found], share=metric in SHARES)
    return {"right": right, "wrong": wrong, "missing": missing, "value": value}


def differences_as_json(differences: Mapping[str, Difference]) -> dict[str, Any]:
    """The differences as JSON values."""
    return {metric: {**asdict(one), "sign": one.sign} for metric, one in differences.items()}
