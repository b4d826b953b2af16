"""Scores of answers: exact by type of question, verified evidence, unanswered questions.

The answers come from a function of question and paper. Each answer is verified again, against the graph as it was
published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

from kag.core.display import Progress, counted, quiet
from kag.core.evidence import Answer
from kag.evaluate.answers.gold import Asked, Gold, contains, hinted, is_right, recalls, set_f1
from kag.evaluate.statistics import Counts, score, shown
from kag.qa.answering import answer
from kag.qa.checking.claim_check import claim_issues
from kag.qa.checking.verify import verify
from kag.qa.library import open_library
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question

Ask = Callable[[Question, PaperGraph], Answer]
"""Makes somebody who answers; pickled where questions go to other processes."""


@dataclass(frozen=True, slots=True)
class Marked:
    """One question marked; what does not apply to its gold is None.

    `f1` is that of the set for lists, `contained` whether a claim that verifies has all words of a text. `issues` are
    what does not verify. `recalls` are the shares of the gold blocks in the evidence of the first 1, 3, 5 and all
    claims, `hints` the share of hints found. `tokens` and `usd` are a model's.
    """

    question: str
    type: str
    paper: str
    text: str
    right: bool | None
    f1: float | None
    found: bool
    issues: int
    gold: object
    value: object
    contained: bool | None = None
    recalls: tuple[float, ...] | None = None
    hints: float | None = None
    tokens: float = 0.0
    usd: float = 0.0
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The marks of one type. `right` of `known` questions with gold; `verified` of the `found` answers.

    `low` and `high` bound the 95 % interval of `exact`, by drawing papers. Means are over the questions that they
    apply to, None where there are none; `tokens` and `usd` are sums.
    """

    asked: int
    known: int
    right: int
    found: int
    verified: int
    low: float | None
    high: float | None
    f1: float | None
    contained: float | None
    recalls: tuple[float, ...] | None
    hints: float | None
    tokens: float
    usd: float

    @property
    def exact(self) -> float:
        """The share of questions with gold that are answered exactly."""
        return self.right / self.known if self.known else 0.0

    @property
    def abstained(self) -> float:
        """The share of questions that have no answer: passages, or nothing."""
        return 1 - self.found / self.asked if self.asked else 0.0


def answer_all(golds: Iterable[Asked], runs: Path) -> tuple[Marked, ...]:
    """Mark the answers without a model on the papers of a run folder, or of a folder of runs; raises `RunError`."""
    return mark(golds, open_library(runs), answer)


def mark(
    golds: Iterable[Asked], papers: Mapping[str, PaperGraph], ask: Ask, progress: Progress = quiet
) -> tuple[Marked, ...]:
    """Answer and mark all questions whose paper is there: named by its id, or by the beginning or a word of one id."""
    asked = paired(golds, papers)
    return tuple(
        mark_one(question, gold, papers[name], ask(question, papers[name]))
        for question, gold, name in counted(asked, "questions", len(asked), progress)
    )


def paired(golds: Iterable[Asked], papers: Mapping[str, PaperGraph]) -> list[tuple[Question, Gold, str]]:
    """The questions whose paper is there, each with its gold and the id of that paper."""
    named = ((question, gold, _paper(question.paper, papers)) for question, gold in golds)
    return [(question, gold, name) for question, gold, name in named if name]


def _paper(name: str, papers: Mapping[str, PaperGraph]) -> str:
    near = [paper for paper in papers if paper.startswith(name)]
    near = near or [paper for paper in papers if name in paper.split("_")]
    return name if name in papers else near[0] if len(near) == 1 else ""


def mark_one(question: Question, gold: Gold, paper: PaperGraph, given: Answer) -> Marked:
    """The marks of one answer to a question of a paper."""
    papers = {paper.id: paper}
    known, usage = gold.known, given.usage
    sound = (claim for claim in given.claims if not claim_issues(claim, papers, question.text))
    text = isinstance(gold.value, str)
    return Marked(
        question=question.id,
        type=question.type,
        paper=question.paper,
        text=question.text,
        right=is_right(given, gold) if known else None,
        f1=set_f1(given, gold) if known else None,
        found=given.found,
        issues=len(verify(given, papers).issues),
        gold=gold.value,
        value=given.value,
        contained=contains(sound, gold) if text else None,
        recalls=recalls(given, gold, paper),
        hints=hinted(given, gold),
        tokens=usage.get("tokens_in", 0) + usage.get("tokens_out", 0),
        usd=usage.get("usd", 0.0),
        stopped=given.stopped,
    )


def results(marks: Iterable[Marked]) -> dict[str, Result]:
    """The marks by type of question, and "all"."""
    groups: dict[str, list[Marked]] = {}
    for one in marks:
        groups.setdefault(one.type or "other", []).append(one)
    groups = dict(sorted(groups.items()))
    return {name: _result(group) for name, group in {**groups, "all": [m for g in groups.values() for m in g]}.items()}


def _result(group: list[Marked]) -> Result:
    low, high = interval((one.paper, one.right) for one in group if one.right is not None)
    recalled = [one.recalls for one in group if one.recalls is not None]
    return Result(
        asked=len(group),
        known=sum(one.right is not None for one in group),
        right=sum(one.right is True for one in group),
        found=sum(one.found for one in group),
        verified=sum(one.found and not one.issues for one in group),
        low=low,
        high=high,
        f1=_mean(one.f1 for one in group),
        contained=_mean(one.contained for one in group),
        recalls=tuple(sum(column) / len(recalled) for column in zip(*recalled, strict=True)) if recalled else None,
        hints=_mean(one.hints for one in group),
        tokens=sum(one.tokens for one in group),
        usd=sum(one.usd for one in group),
    )


def interval(marks: Iterable[tuple[str, bool]]) -> tuple[float, float] | tuple[None, None]:
    """The 95 % interval of the share that is right, from (paper, right) pairs; papers are drawn again."""
    counts: dict[str, Counts] = {}
    for paper, right in marks:
        before = counts.get(paper, (0, 0, 0))
        counts[paper] = before[0] + right, 0, before[2] + (not right)
    if not counts:
        return None, None
    found = score(counts, share=True)
    return found.low, found.high


def _mean(values: Iterable[float | None]) -> float | None:
    listed = [value for value in values if value is not None]
    return sum(listed) / len(listed) if listed else None


def rows(found: Mapping[str, Result]) -> list[dict[str, Any]]:
    """The results as rows of a table, one a type."""
    return [{"type": name, **_row(result)} for name, result in found.items()]


def _row(result: Result) -> dict[str, Any]:
    recall = result.recalls or (None,) * 4
    return {
        "asked": result.asked,
        "with_gold": result.known,
        "right": result.right,
        "exact": result.exact if result.known else None,
        "low": result.low,
        "high": result.high,
        "set_f1": result.f1,
        "contained": result.contained,
        **dict(zip(("recall@1", "recall@3", "recall@5", "recall"), recall, strict=True)),
        "hints": result.hints,
        "abstained": result.abstained,
        "verified": result.verified / result.found if result.found else None,
        "tokens": result.tokens or None,
        "usd": result.usd or None,
    }


def compact(found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows without the columns in which no row has anything."""
    used = [name for name in found[0] if any(row[name] is not None for row in found)] if found else []
    return [{name: row[name] for name in used} for row in found]


@dataclass(frozen=True, slots=True)
class Summary:
    """One set of questions: the marks of each repeat.

    `mode` says who answered; `unasked` is how many questions are about papers that are not there.
    """

    name: str
    mode: str
    unasked: int
    repeats: tuple[tuple[Marked, ...], ...]

    @property
    def marks(self) -> tuple[Marked, ...]:
        """The marks of all repeats."""
        return tuple(one for marks in self.repeats for one in marks)


def tables(summary: Summary) -> list[tuple[str, str]]:
    """The titles and tables of a set: by type, and the spread over repeats."""
    found = [("By type", rows(results(summary.marks))), ("Spread over repeats", spread(summary))]
    return [(title, shown(compact(table))) for title, table in found if table]


def spread(summary: Summary) -> list[dict[str, Any]]:
    """Each figure over the repeats: mean, standard deviation, least and most; nothing for a single repeat."""
    if len(summary.repeats) < 2:
        return []
    figures = [_figures(marks) for marks in summary.repeats]
    found = []
    for name in figures[0]:
        values = [row[name] for row in figures if row[name] is not None]
        if values:
            row = {"mean": mean(values), "sd": pstdev(values), "least": min(values), "most": max(values)}
            found.append({"figure": name, "repeats": len(values), **row})
    return [*found, _agreement(summary.repeats)]


def _figures(marks: Sequence[Marked]) -> dict[str, Any]:
    whole = rows(results(marks))[-1]
    names = ("exact", "set_f1", "contained", "recall", "hints", "abstained", "verified", "tokens", "usd")
    return {name: whole[name] for name in names} | {"stopped": sum(bool(one.stopped) for one in marks) / len(marks)}


def _agreement(repeats: Sequence[Sequence[Marked]]) -> dict[str, Any]:
    """The share of questions that are marked alike in all repeats."""
    alike = [len({(one.right, one.contained, one.found) for one in same}) == 1 for same in zip(*repeats, strict=True)]
    share = sum(alike) / len(alike)
    return {"figure": "marked alike", "repeats": len(repeats), "mean": share, "sd": 0.0, "least": share, "most": share}


def as_json(summary: Summary) -> dict[str, Any]:
    """All figures and marks of a set as JSON values."""
    return {
        "mode": summary.mode,
        "unasked": summary.unasked,
        "types": rows(results(summary.marks)),
        "spread": spread(summary),
        "questions": [[asdict(one) for one in marks] for marks in summary.repeats],
    }
