"""Evidence recall: how high the passages rank that hold what a question's answer rests on."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from kag.core.display import Progress, counted, quiet
from kag.core.errors import SourceError
from kag.qa.paper import PaperGraph
from kag.qa.passage_ranking import Passage, Reader, rank_passages
from kag.text.search_text import stems

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
        found = rank_passages(paper, one.question, max(DEPTHS), reader=reader)
        (later if one.paper in seen else first).append(1000 * (time.perf_counter() - start))
        seen.add(one.paper)
        ranks.append(next((place for place, passage in enumerate(found, 1) if holds(passage, one)), None))
    unasked = len(questions) - len(asked)
    return EvidenceRecall(tuple(asked), tuple(ranks), median(first or [0]), median(later or [0]), unasked)


def holds(passage: Passage, question: EvidenceQuestion) -> bool:
    """Whether a passage prints one of the blocks, or has most of the words of one of the quotes."""
    if {iri.rpartition("/")[2] for iri in passage.nodes}.intersection(question.blocks):
        return True
    printed = set(stems(passage.text))
    wanted = (set(stems(quote)) for quote in question.quotes)
    return any(words and len(words & printed) >= HELD * len(words) for words in wanted)
