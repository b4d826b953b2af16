"""Score search plans on a corpus against relevance judgements: recall, reciprocal rank and nDCG at k.

A file of judgements is JSON lines: `{"id", "question", "relevant": [...], "papers": [...]}`. An item of `relevant` is a
paper id, the IRI or id of a node (`smith2020/b_p003_0004`), or the id of a chunk. `papers`, if given, limits the search
to these papers. A CSV is read as STaRK's queries, whose items are nodes of a graph.

Recall@k is the share of the items that the first k chunks cover, MRR is 1 / the rank of the first
chunk that covers one, nDCG@k has binary gains (Järvelin and Kekäläinen 2002).

Evidence recall asks how high the passages rank that hold what a question's answer rests on.
"""

from __future__ import annotations

import csv
import io
import json
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from kag.core.display import Progress, counted, quiet
from kag.core.errors import SourceError
from kag.core.files import read_regular, shown
from kag.core.shapes import fitting
from kag.evaluate.statistics import means
from kag.qa.paper import PaperGraph
from kag.qa.passage_ranking import Passage, Reader, rank_passages
from kag.retrieval.chunking import Chunk
from kag.retrieval.index import Index
from kag.retrieval.retrieve import search
from kag.text.words import stems

HINT = 'Write one JSON object per line: {"id", "question", "relevant": ["paper/node", ...]}.'
_LINE = {"id": str, "question": str, "relevant": [str], "papers?": [str]}


@dataclass(frozen=True, slots=True)
class Judgement:
    """A question, what is relevant to it, and the papers that are searched (empty: all)."""

    id: str
    question: str
    relevant: tuple[str, ...]
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanScores:
    """The metrics of a plan, a value per question in file order, and the seconds per question."""

    plan: str
    notes: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    seconds: tuple[float, ...]

    def as_row(self) -> dict[str, Any]:
        """The mean of each metric with its 95 % interval (bootstrap over questions), and the median time."""
        found = {
            name: f"{mean.value:.3f} ({mean.low:.3f}-{mean.high:.3f})" for name, mean in means(self.values).items()
        }
        median = sorted(self.seconds)[len(self.seconds) // 2]
        return {"plan": self.plan, **found, "median ms": f"{1000 * median:.0f}"}


def _read_stark(path: Path) -> tuple[Judgement, ...]:
    """The queries of STaRK (Wu et al. 2024): a CSV with the columns id, query and answer_ids, a list of node ids."""
    rows = csv.DictReader(io.StringIO(read_regular(path).decode("utf-8", "replace")))
    judgements = []
    for row in rows:
        try:
            answers = fitting(json.loads(row["answer_ids"]), [int])
        except (KeyError, TypeError, ValueError) as error:
            hint = "Give a CSV with the columns id, query, answer_ids, as STaRK's stark_qa.csv."
            raise SourceError(f"{shown(path)}, line {rows.line_num}: {str(error)[:200]}", hint=hint) from error
        judgements.append(Judgement(row.get("id", ""), row.get("query", ""), tuple(dict.fromkeys(map(str, answers)))))
    if not judgements:
        raise SourceError(f"{shown(path)} has no questions", hint=HINT)
    return tuple(judgements)


def read_judgements(path: Path) -> tuple[Judgement, ...]:
    """The judgements of a file; raises `SourceError` with the line that has another form."""
    if path.suffix.lower() == ".csv":
        return _read_stark(path)
    judgements = []
    for number, line in enumerate(read_regular(path).decode("utf-8", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = fitting(json.loads(line), _LINE)
        except ValueError as error:
            raise SourceError(f"{shown(path)}, line {number}: {error}", hint=HINT) from error
        if not row["relevant"]:
            raise SourceError(f"{shown(path)}, line {number}: nothing is relevant", hint=HINT)
        relevant, papers = tuple(dict.fromkeys(row["relevant"])), tuple(row.get("papers") or ())
        judgements.append(Judgement(row["id"], row["question"], relevant, papers))
    if not judgements:
        raise SourceError(f"{shown(path)} has no questions", hint=HINT)
    return tuple(judgements)


def missing(judgements: Iterable[Judgement], index: Index) -> tuple[str, ...]:
    """The relevant items that no chunk of the index covers: they can never be found."""
    known = {name for chunk in index.chunks.values() for name in _names(chunk)}
    return tuple(sorted({item for judgement in judgements for item in judgement.relevant} - known))


def score_plan(
    judgements: Sequence[Judgement], index: Index, plan: str, ks: Sequence[int], progress: Progress = quiet
) -> PlanScores:
    """Search for every question with one plan and score what is found."""
    rows, seconds, notes = [], [], dict[str, None]()
    for judgement in counted(judgements, f"questions by {plan}", len(judgements), progress):
        begin = time.perf_counter()
        found = search(index, judgement.question, plan=plan, k=max(ks), documents=judgement.papers, references=True)
        seconds.append(time.perf_counter() - begin)
        notes.update(dict.fromkeys(found.notes))
        rows.append(_scores(judgement.relevant, [_names(index.chunks[hit.chunk]) for hit in found.hits], ks))
    values = {metric: tuple(row[metric] for row in rows) for metric in rows[0]}
    return PlanScores(plan, tuple(notes), values, tuple(seconds))


def _names(chunk: Chunk) -> frozenset[str]:
    """Everything that a judgement may call a chunk: its id, its paper, and its nodes by IRI and by id."""
    nodes = {f"{chunk.document}/{source.rpartition('/')[2]}" for source in chunk.sources}
    return frozenset((chunk.id, chunk.document, *chunk.sources, *nodes))


def _scores(relevant: Sequence[str], ranking: Sequence[frozenset[str]], ks: Sequence[int]) -> dict[str, float]:
    """The metrics of one ranking, each chunk given by its names."""
    wanted, seen, gains = set(relevant), set[str](), []
    for names in ranking:
        new = (names & wanted) - seen
        seen |= new
        gains.append(bool(new))
    row = {}
    for k in sorted(ks):
        covered = wanted.intersection(*[frozenset().union(*ranking[:k])]) if ranking else set()
        row[f"recall@{k}"] = len(covered) / len(wanted)
    first = next((rank for rank, gain in enumerate(gains, start=1) if gain), math.inf)
    row["mrr"] = 1 / first
    for k in sorted(ks):
        best = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(wanted)) + 1))
        row[f"ndcg@{k}"] = sum(1 / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1) if gain) / best
    return row


DEPTHS = (1, 3, 5, 10)
HELD = 0.6  # of a gold quote's words that a passage has which holds it


@dataclass(frozen=True, slots=True)
class EvidenceQuestion:
    """A question on one paper, with the quotes that hold the answer, or the ids of the blocks that do."""

    paper: str
    question: str
    quotes: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceRecall:
    """`ranks` are, by question, the place of the first passage that holds a quote; None where none of ten does.

    `first_ms` and `next_ms` are medians of the time of a paper's first question and of its later ones.
    """

    questions: tuple[EvidenceQuestion, ...]
    ranks: tuple[int | None, ...]
    first_ms: float
    next_ms: float
    unasked: int

    def rows(self) -> list[dict[str, Any]]:
        """The figures as one row of a table."""
        recalls = {f"recall@{depth}": self.recall(depth) for depth in DEPTHS}
        return [{"questions": len(self.ranks), **recalls}]

    def recall(self, depth: int) -> float:
        """The share of questions with evidence among the first passages."""
        return sum(rank is not None and rank <= depth for rank in self.ranks) / max(1, len(self.ranks))

    def as_json(self) -> dict[str, Any]:
        """The figures, and the rank of each question."""
        ranked = [
            {"paper": one.paper, "question": one.question, "rank": rank}
            for one, rank in zip(self.questions, self.ranks, strict=True)
        ]
        return {"figures": self.rows()[0], "first_ms": self.first_ms, "next_ms": self.next_ms, "questions": ranked}


def read_evidence_questions(path: Path) -> tuple[EvidenceQuestion, ...]:
    """Read JSON lines of {"paper", "question", "quotes"}, or "evidence" (block ids); raises `SourceError`."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return tuple(
            EvidenceQuestion(
                row["paper"], row["question"], tuple(row.get("quotes", ())), tuple(row.get("evidence") or ())
            )
            for row in rows
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        hint = 'Give JSON lines of {"paper", "question", "quotes": [...]}, or with "evidence", the ids of blocks.'
        raise SourceError(f"{path} has no evidence questions: {error}", hint=hint) from error


def evidence_recall(
    questions: Sequence[EvidenceQuestion],
    papers: Mapping[str, PaperGraph],
    reader: Reader | None = None,
    progress: Progress = quiet,
) -> EvidenceRecall:
    """Rank the passages of each question's paper and find the first that holds a gold quote."""
    asked = [one for one in questions if one.paper in papers and (one.quotes or one.blocks)]
    ranks, first, later = list[int | None](), list[float](), list[float]()
    seen: set[str] = set()
    for one in counted(asked, "questions", len(asked), progress):
        paper = papers[one.paper]
        start = time.perf_counter()
        passages = rank_passages(paper, one.question, max(DEPTHS), reader=reader)
        (later if one.paper in seen else first).append(1000 * (time.perf_counter() - start))
        seen.add(one.paper)
        ranks.append(next((place for place, passage in enumerate(passages, 1) if holds(passage, one)), None))
    unasked = len(questions) - len(asked)
    return EvidenceRecall(tuple(asked), tuple(ranks), median(first or [0]), median(later or [0]), unasked)


def holds(passage: Passage, question: EvidenceQuestion) -> bool:
    """Whether a passage prints one of the blocks, or has most of the words of one of the quotes."""
    if {iri.rpartition("/")[2] for iri in passage.nodes}.intersection(question.blocks):
        return True
    printed = set(stems(passage.text))
    wanted = (set(stems(quote)) for quote in question.quotes)
    return any(words and len(words & printed) >= HELD * len(words) for words in wanted)
