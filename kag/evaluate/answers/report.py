"""The figures of answered questions: tables for the terminal, and JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import mean, pstdev
from typing import Any

from kag.evaluate.answers.score import Marked, compact, results, rows
from kag.evaluate.text_tables import shown


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
