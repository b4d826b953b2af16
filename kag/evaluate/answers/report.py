"""What the evaluation of answers says: tables for the terminal and the written report, and JSON values.

A written report holds figures and names of questions only; questions, answers and quotes stay in the JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

from kag.evaluate.answers.score import Marked, compact, results, rows
from kag.evaluate.statistics import DRAWS
from kag.evaluate.text_tables import shown
from kag.evaluate.written import made_with
from kag.safety.files import write_output

COLUMNS = f"""\
`exact`: the value is the gold, spelling evened out; `low` and `high` bound its 95 % interval ({DRAWS} draws of
papers). `set f1`: of the items of lists. `contained`: one claim that verifies has all words of a gold text.
`recall@k`: the share of the blocks that the gold rests on among the evidence of the first k claims, `recall` of all.
`hints`: the share of hints found in claims and quotes; hints are no gold. `abstained`: no answer, only passages.
`verified`: of the answers given, those in which every quote, span, hash, page, box and number holds when checked
again."""
NOT_MEASURED = """\
Answers in other words than the paper's, which only a model gives; questions over several papers; what figures show
besides their captions."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One set of questions with the marks of each repeat.

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
    """The titles and tables of a set: by type; spread over repeats."""
    found = [
        ("By type", rows(results(summary.marks))),
        ("Spread over repeats", spread(summary)),
    ]
    return [(title, shown(compact(table))) for title, table in found if table]


def spread(summary: Summary) -> list[dict[str, Any]]:
    """Each figure over the repeats: mean, standard deviation, least and most; nothing for a single one."""
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


def section(summary: Summary) -> str:
    """A set of questions as a section of a report."""
    asked = len(summary.repeats[0])
    papers = len({one.paper for one in summary.repeats[0]})
    unasked = f"; {summary.unasked} more are about papers that are not there" if summary.unasked else ""
    times = f", {len(summary.repeats)} times" if len(summary.repeats) > 1 else ""
    parts = [
        f"## {summary.name}",
        f"{asked} questions on {papers} papers{unasked}. Answered{times} by: {summary.mode}.",
    ]
    parts += [f"### {title}\n\n{table}" for title, table in tables(summary)]
    if wrong := _wrong(summary.repeats[0]):
        parts.append(f"### Not exact\n\n{wrong}")
    return "\n\n".join(parts)


def _wrong(marks: Iterable[Marked]) -> str:
    """The names of questions with gold that are not answered exactly, by type."""
    groups: dict[str, list[str]] = {}
    for one in marks:
        if one.right is False:
            groups.setdefault(one.type or "other", []).append(one.question)
    return "\n".join(f"- {kind}: {', '.join(names)}" for kind, names in sorted(groups.items()))


def write_report(path: Path, summaries: Sequence[Summary], *, command: str, notes: str = "") -> None:
    """Write the report as Markdown."""
    parts = [
        "# Questions: figures",
        f"{made_with()}. Command:\n\n    {command}",
        COLUMNS,
        notes.strip(),
        *map(section, summaries),
        f"## Not measured\n\n{NOT_MEASURED}",
    ]
    write_output(path, "\n\n".join(part for part in parts if part) + "\n")
