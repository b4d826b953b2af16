"""Plans put to all questions of a set: their rankings at each k, and how long they took.

All plans give equally many hits at each k. One whose first hits are the same for every k is run once, for the largest;
one that depends on how many it may give is run for each. Whatever was run is kept, a line a question: a command that
was interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.files import append_line
from kag.retrieval.chunk import Query
from kag.retrieval.plan import Plan, retrieve
from scripts.benchmarks.retrieval.index import Prepared
from scripts.benchmarks.retrieval.score import Scores, scored
from scripts.benchmarks.retrieval.sets import RetrievalQuestion, RetrievalSet
from scripts.benchmarks.retrieval.variants import Variant

TOLD = 50  # questions between two words about them
CHECKED = 20  # questions on which a plan is run for every k, to see whether once is enough

Tell = Callable[[str], None]
Rankings = Mapping[int, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Run:
    """A plan's rankings by k and question, and its seconds a question at the largest k, without those of the model."""

    name: str
    rankings: Rankings
    seconds: tuple[float, ...]

    def scores(self, data: RetrievalSet) -> Scores:
        """The scores at every k, each of the ranking that was made for it."""
        found: dict[str, Sequence[float]] = {}
        for k, rankings in self.rankings.items():
            found.update(scored(data, rankings, (k,)))
        return found


def runs(
    prepared: Prepared, data: RetrievalSet, variants: Sequence[Variant], ks: Sequence[int], tell: Tell
) -> Iterator[Run]:
    """A run of each variant on the questions of `data`, which may be some of the set's."""
    for variant in variants:
        yield _run(prepared, data, variant, sorted(ks), tell)


def _run(prepared: Prepared, data: RetrievalSet, variant: Variant, ks: Sequence[int], tell: Tell) -> Run:
    kept = _Kept(prepared.folder / f"{_file_name(data.name)}.{_file_name(variant.name)}.jsonl")
    missing = [question for question in data.questions if not kept.has(question.id, ks)]
    if missing:
        whole = prepared.index.edges
        prepared.index.edges = prepared.graph(variant.without, variant.instead)
        try:
            _ask(prepared, missing, variant, ks, kept, lambda done: tell(f"{data.name}, {variant.name}: {done}"))
        finally:
            prepared.index.edges = whole
    rankings = {k: {question.id: kept.ranking(question.id, k) for question in data.questions} for k in ks}
    return Run(variant.name, rankings, tuple(kept.seconds(question.id) for question in data.questions))


def _ask(
    prepared: Prepared,
    questions: Sequence[RetrievalQuestion],
    variant: Variant,
    ks: Sequence[int],
    kept: _Kept,
    tell: Tell,
) -> None:
    prepared.embed([question.text for question in questions])
    plans = {k: variant.make(prepared.index, k) for k in ks}
    once = _steady(prepared, questions[:: len(questions) // CHECKED + 1], plans)
    for number, question in enumerate(questions):
        if number % TOLD == 0:
            tell(f"{number} of {len(questions)} questions")
        kept.add(question.id, *_asked(prepared, question, plans, once))


def _asked(
    prepared: Prepared, question: RetrievalQuestion, plans: Mapping[int, Plan], once: bool
) -> tuple[dict[int, Sequence[str]], float]:
    """The rankings by k, and the seconds of the longest of them, which comes first: nothing is in memory yet."""
    query, embed, most = Query(question.text, question.scope), prepared.embed, max(plans)
    begin, model = time.perf_counter(), embed.seconds
    longest = _ranking(query, prepared, plans[most], most)
    seconds = time.perf_counter() - begin - (embed.seconds - model)
    if once:
        return {k: longest[:k] for k in plans}, seconds
    others = {k: _ranking(query, prepared, plan, k) for k, plan in plans.items() if k != most}
    return {**others, most: longest}, seconds


def _ranking(query: Query, prepared: Prepared, plan: Plan, k: int) -> Sequence[str]:
    return [hit.chunk for hit in retrieve(query, prepared.index, plan).hits][:k]


def _steady(prepared: Prepared, questions: Sequence[RetrievalQuestion], plans: Mapping[int, Plan]) -> bool:
    """Whether the first k of the longest ranking are the ranking for k, on these questions."""
    most = max(plans)
    for question in questions:
        query = Query(question.text, question.scope)
        longest = _ranking(query, prepared, plans[most], most)
        if any(_ranking(query, prepared, plan, k) != longest[:k] for k, plan in plans.items() if k != most):
            return False
    return True


class _Kept:
    """Rankings in a file, a line a question; the last line of a question counts, one that was cut off does not."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: dict[str, dict[str, Any]] = {}
        if path.is_file():
            with path.open(encoding="utf-8") as lines:
                for line in lines:
                    self._take(line)

    def _take(self, line: str) -> None:
        try:
            row = json.loads(line)
        except ValueError:
            return
        known = self._rows.get(row["question"], {}).get("rankings", {})
        self._rows[row["question"]] = {**row, "rankings": {**known, **row["rankings"]}}

    def has(self, question: str, ks: Sequence[int]) -> bool:
        row = self._rows.get(question)
        return row is not None and all(str(k) in row["rankings"] for k in ks)

    def add(self, question: str, rankings: Mapping[int, Sequence[str]], seconds: float) -> None:
        told = {str(k): list(names) for k, names in sorted(rankings.items())}
        line = json.dumps({"question": question, "seconds": seconds, "rankings": told}, ensure_ascii=False)
        append_line(self._path, line)
        self._take(line)

    def ranking(self, question: str, k: int) -> Sequence[str]:
        found: list[str] = self._rows[question]["rankings"][str(k)]
        return found

    def seconds(self, question: str) -> float:
        return float(self._rows[question]["seconds"])


def _file_name(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "_", name.lower())
