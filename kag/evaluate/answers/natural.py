"""Natural questions: typed as researchers do, of many kinds, with gold that was written before any answer was seen.

A file is JSON lines: `{"id", "paper", "kind", "question", "half": name of a part, "group", "wording", "answerable",
"gold": [[string, ...], ...], "says": "yes", "no" or null}`. An answer is right that has all strings of one of the lists
of `gold`, and says yes or no where `says` does; to what is not answerable silence is right. Wordings
above 0 are paraphrases of the question of their group with wording 0, and count only for how many are answered alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from kag.evaluate.answers.gold import even
from kag.evaluate.answers.score import Ask, interval
from kag.evaluate.calibration import expected_error, reliability
from kag.questions.file import Question
from kag.read.checking.verify import verify
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage, passages
from kag.read.quote import evidence
from kag.text.plain import plain
from kag.text.search_text import tokens
from kag.text.sentences import sentences
from kag.values.errors import SourceError
from kag.values.evidence import Answer, Claim

CONFIDENT = 0.5  # a wrong answer above it is wrong with confidence
SENTENCES = 3  # that the plain picker gives
_HINT = 'Give JSON lines of {"id", "paper", "kind", "question", "half", "answerable", "gold", "says"}.'
_OTHER = frozenset({"reference", "sectiontitle", "title", "listofauthors", "listoforganizations", "figurelabel"})


@dataclass(frozen=True, slots=True)
class Natural:
    """A question with its gold; `gold` is empty where the paper does not answer it."""

    id: str
    paper: str
    kind: str
    text: str
    half: str
    group: str
    wording: int
    gold: tuple[tuple[str, ...], ...]
    says: str


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer judged: `first` is whether its value and first claim alone are right, `confidence` that of the first
    claim, 0 of silence; `said` is what it comes to, evened out, to compare wordings by."""

    question: Natural
    right: bool
    first: bool
    found: bool
    confidence: float
    issues: int
    said: str

    @property
    def confidently_wrong(self) -> bool:
        """Whether something wrong is said as if it were sure."""
        return self.found and not self.right and self.confidence > CONFIDENT


def read_natural(file: Path) -> tuple[Natural, ...]:
    """The questions of a file; raises `SourceError`."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return tuple(_natural(row) for row in rows)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{file}: {error}", hint=_HINT) from error


def _natural(row: Mapping[str, Any]) -> Natural:
    gold = tuple(tuple(map(str, one)) for one in row["gold"] or ()) if row["answerable"] else ()
    return Natural(
        id=str(row["id"]),
        paper=str(row["paper"]),
        kind=str(row["kind"]) if row["answerable"] else "unanswerable",
        text=str(row["question"]),
        half=str(row["half"]),
        group=str(row.get("group", row["id"])),
        wording=int(row.get("wording", 0)),
        gold=gold,
        says=str(row.get("says") or ""),
    )


def judge_all(questions: Iterable[Natural], papers: Mapping[str, PaperGraph], ask: Ask) -> tuple[Judged, ...]:
    """All questions whose paper is there, answered and judged."""
    known = (one for one in questions if one.paper in papers)
    return tuple(judge(one, ask(Question(one.id, one.text), papers[one.paper]), papers[one.paper]) for one in known)


def judge(question: Natural, answer: Answer, paper: PaperGraph) -> Judged:
    """One answer judged, its evidence checked again."""
    value = "" if answer.value is None else str(answer.value)
    texts = [claim.text for claim in answer.claims]
    first = texts[:1]
    return Judged(
        question=question,
        right=_is_right(question, value, texts),
        first=_is_right(question, value, first),
        found=answer.found,
        confidence=answer.claims[0].confidence if answer.claims else 0.0,
        issues=len(verify(answer, {paper.id: paper}).issues),
        said=even(value or " ".join(first)),
    )


def _is_right(question: Natural, value: str, texts: Sequence[str]) -> bool:
    if not question.gold:
        return not texts
    said = even(" ".join([value, *texts]))
    holds = bool(texts) and any(all(even(words) in said for words in one) for one in question.gold)
    verdict = value if value in ("yes", "no") else ""
    return holds and (verdict == question.says or (not verdict and question.kind != "yes_no") or not question.says)


def plain_picker() -> Ask:
    """A plain BM25 over sentences, with all words of the question: the best three, as sure as nothing tells (0)."""
    ready: dict[str, tuple[SearchIndex, list[tuple[int, int, int]], tuple[Passage, ...]]] = {}

    def ask(question: Question, paper: PaperGraph) -> Answer:
        if paper.id not in ready:
            ready[paper.id] = _sentence_index(paper)
        index, spans, whole = ready[paper.id]
        scores = index.scores({token.text: 1.0 for token in tokens(question.text)})
        order = sorted(scores, key=lambda at: (-round(scores[at], 6), at))[:SENTENCES]
        claims = tuple(_picked(paper, whole[spans[at][0]], *spans[at][1:]) for at in order)
        return Answer(question.id, question.text, "extractive", "BM25", claims, searches=("BM25",), papers=(paper.id,))

    return ask


def _sentence_index(paper: PaperGraph) -> tuple[SearchIndex, list[tuple[int, int, int]], tuple[Passage, ...]]:
    whole = passages(paper)
    spans = [
        (number, *span) for number, one in enumerate(whole) if one.kind not in _OTHER for span in sentences(one.text)
    ]
    index = SearchIndex(
        Passage(str(at), whole[number].text[start:end]) for at, (number, start, end) in enumerate(spans)
    )
    return index, spans, whole


def _picked(paper: PaperGraph, passage: Passage, start: int, end: int) -> Claim:
    places = tuple(evidence(paper, *span) for span in passage.places(start, end))
    return Claim(" ".join(plain(one.quote) for one in places), places, 0.0)


def natural_rows(found: Iterable[Judged]) -> list[dict[str, Any]]:
    """Figures by kind of question, then of all that are answerable, of all that are not, and of all."""
    main = [one for one in found if one.question.wording == 0]
    kinds = sorted({one.question.kind for one in main} - {"unanswerable"})
    groups = [(kind, [one for one in main if one.question.kind == kind]) for kind in kinds]
    groups += [
        ("answerable", [one for one in main if one.question.gold]),
        ("unanswerable", [one for one in main if not one.question.gold]),
        ("all", main),
    ]
    return [_row(name, group) for name, group in groups if group]


def _row(name: str, group: Sequence[Judged]) -> dict[str, Any]:
    low, high = interval((one.question.paper, one.right) for one in group)
    size = len(group)
    return {
        "kind": name,
        "asked": size,
        "right": sum(one.right for one in group) / size,
        "low": low,
        "high": high,
        "right by first claim": sum(one.first for one in group) / size,
        "silent": sum(not one.found for one in group) / size,
        "wrong": sum(one.found and not one.right for one in group) / size,
        "wrong, confident": sum(one.confidently_wrong for one in group) / size,
        "verified": sum(not one.issues for one in group) / size,
    }


def alike(found: Iterable[Judged]) -> dict[str, float]:
    """Over groups of wordings: the share in which all are answered alike, and in which all are right or all are not;
    over pairs of wordings in them, the share answered alike; over all that have an answer, the share that is right."""
    groups: dict[str, list[Judged]] = {}
    for one in found:
        groups.setdefault(one.question.group, []).append(one)
    several = [group for group in groups.values() if len(group) > 1]
    pairs = [one.said == other.said for group in several for one, other in combinations(group, 2)]
    return {
        "groups": len(several),
        "same answer": _share([len({one.said for one in group}) == 1 for group in several]),
        "same mark": _share([len({one.right for one in group}) == 1 for group in several]),
        "pairs alike": _share(pairs),
        "all wordings right": _share([one.right for group in groups.values() for one in group if one.question.gold]),
    }


def _share(held: Sequence[bool]) -> float:
    return sum(held) / len(held) if held else 0.0


def reliability_rows(found: Iterable[Judged]) -> list[dict[str, Any]]:
    """The reliability table of the answers given, and their expected calibration error as its last row."""
    rated = [(one.confidence, one.right, 1.0) for one in found if one.found and one.question.wording == 0]
    rows = [
        {
            "confidence": f"{one.low:.1f} to {one.high:.1f}",
            "answers": int(one.answers),
            "mean": one.confidence,
            "right": one.right,
        }
        for one in reliability(rated)
    ]
    return [
        *rows,
        {"confidence": "calibration error", "answers": len(rated), "mean": expected_error(rated), "right": None},
    ]
