"""What the evaluation of natural questions says: tables by half, JSON values, and the written report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kag.evaluate.answers.natural import (
    CONFIDENT,
    Judged,
    Natural,
    alike,
    judge_all,
    natural_rows,
    plain_picker,
    read_natural,
    reliability_rows,
)
from kag.evaluate.answers.score import Maker, extractive
from kag.evaluate.answers.swapped import SwapMark, Swapped, put_swapped, swap_rows, swapped
from kag.evaluate.spread import in_order
from kag.evaluate.text_tables import shown
from kag.evaluate.written import made_with
from kag.read.library import Library, open_library
from kag.read.passage_index import SearchIndex
from kag.read.passages import passages
from kag.safety.files import write_output
from kag.safety.workers import Executor

COLUMNS = f"""\
`right`: all strings of one of the gold lists stand in value and claims, and yes or no is said where it is asked; of
what is not answerable, silence. `low` and `high` bound its 95 % interval over papers. `right by first claim`: in value
and first claim alone. `wrong, confident`: not right, with a confidence above {CONFIDENT}. `verified`: every quote,
span, hash and page holds when checked again. Halves a and b were developed on. Part c was written last, on papers that
they do not use and on the bundled ones; of its answers few were looked at, and late. A noun exchanged: what is asked
for, or another thing named, is put in from a question on another paper where this one prints no word for it; silence is
right. Parts d and e are groups of five wordings on the bundled papers, written for their likeness before any answer
was seen; of d answers were read, of e none. `same answer`: all wordings of a group are answered alike, in value or else
in the first claim; `pairs alike`: two wordings of a group are."""

Tables = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Marks:
    """What was judged, what a plain BM25 over sentences comes to on the same questions, and what was answered to
    questions with a noun that the paper does not print."""

    ours: tuple[Judged, ...]
    plain: tuple[Judged, ...]
    swaps: tuple[SwapMark, ...] = ()

    def halves(self) -> tuple[str, ...]:
        """Into which parts the questions are divided."""
        return tuple(sorted({one.question.half for one in self.ours}))

    def as_json(self) -> list[dict[str, Any]]:
        """A row for each question."""
        return [
            {"id": one.question.id, "kind": one.question.kind, "half": one.question.half, "right": one.right,
             "first": one.first, "found": one.found, "confidence": one.confidence, "issues": one.issues}
            for one in self.ours
        ]  # fmt: skip


def natural_marks(
    files: Iterable[Path],
    runs: Path,
    halves: Collection[str] = (),
    executor: Executor | None = None,
    maker: Maker = extractive,
) -> Marks:
    """The questions of files, of `halves` if any is named, put to the papers of a folder of runs by whom `maker` makes;
    raises `SourceError` and `RunError`."""
    papers = open_library(runs)
    questions = [one for file in files for one in read_natural(file) if not halves or one.half in halves]
    asked = {one.paper: papers[one.paper] for one in questions if one.paper in papers}
    swaps = swapped(questions, {name: SearchIndex(passages(paper)) for name, paper in asked.items()})
    questions = [one for one in questions if one.paper in papers]

    def judged(maker: Maker) -> tuple[Judged, ...]:
        return tuple(in_order(partial(_judged, papers, maker), questions, executor, _paper))

    exchanged = in_order(partial(_exchanged, papers, maker), swaps, executor, _paper)
    return Marks(judged(maker), judged(plain_picker), tuple(exchanged))


def _judged(papers: Library, maker: Maker, questions: Iterable[Natural]) -> tuple[Judged, ...]:
    return judge_all(questions, papers, maker())


def _exchanged(papers: Library, maker: Maker, swaps: Iterable[Swapped]) -> tuple[SwapMark, ...]:
    return put_swapped(swaps, papers, maker())


def _paper(number: int, one: Natural | Swapped) -> str:
    return one.paper


def natural_tables(marks: Marks, half: str) -> Tables:
    """The tables of one half by title."""
    ours = [one for one in marks.ours if one.question.half == half]
    plain = [one for one in marks.plain if one.question.half == half]
    swaps = swap_rows(one for one in marks.swaps if one.asked.half == half)
    tables = {
        "by kind": natural_rows(ours),
        "plain BM25 over sentences, the first three": natural_rows(plain)[-3:],
        "reliability of the answers given": reliability_rows(ours),
        "wordings": [alike(ours)],
    }
    return tables | ({"a noun exchanged for one that the paper does not print": swaps} if swaps else {})


def write_natural(path: Path, halves: Mapping[str, Tables], *, command: str, notes: str = "") -> None:
    """Write the report: what it was made with, the notes, and the tables of each half."""
    parts = ["# Natural questions: figures", f"{made_with()}. Command:\n\n    {command}", COLUMNS, notes.strip()]
    for half, tables in halves.items():
        parts.append(f"## Half {half}")
        parts += [f"### {title[0].upper()}{title[1:]}\n\n{shown(_rounded(rows))}" for title, rows in tables.items()]
    write_output(path, "\n\n".join(part for part in parts if part) + "\n")


def _rounded(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {name: round(value, 3) if isinstance(value, float) else value for name, value in row.items()} for row in rows
    ]
