"""How right answers are: exact by type of question, evidence that verifies, and what was not answered.

Gold is a list of texts (a set, or an order), a number, counts by name, or a text; unanswerable questions have none.
Spelling does not count: case, blanks, dashes, LaTeX and section numbers are evened out on both sides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kag.answering.compose import answer
from kag.answering.resolve import bare
from kag.errors import EvidenceError
from kag.evidence import Answer
from kag.questions import Question, read_questions
from kag.reading.library import open_library
from kag.reading.paper import Paper
from kag.reading.passages import passages
from kag.reading.search import SearchIndex
from kag.search_text import search_text
from kag.text import plain
from kag.verify import verify

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class Gold:
    """What the right answer is: `value` is None where there is none (unanswerable), `known` is whether it is given."""

    value: object
    ordered: bool = False
    known: bool = True
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Marked:
    """One question marked: `f1` is that of the set for lists and 0 or 1 else; `issues` are what does not verify."""

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


@dataclass(frozen=True, slots=True)
class Result:
    """The marks of one type. `right` of `known` questions with gold; `verified` of the `found` answers."""

    asked: int
    known: int
    right: int
    found: int
    verified: int
    f1: float

    @property
    def exact(self) -> float:
        """The share of questions with gold that are answered exactly."""
        return self.right / self.known if self.known else 0.0

    @property
    def abstained(self) -> float:
        """The share of questions that the paper is said not to answer."""
        return 1 - self.found / self.asked if self.asked else 0.0


def read_gold(path: Path) -> tuple[tuple[Question, Gold], ...]:
    """The questions of a file with their gold; raises `EvidenceError` as `read_questions` does."""
    questions = read_questions(path)
    text = path.read_text(encoding="utf-8-sig")
    try:
        whole = json.loads(text)
        rows = whole.get("questions", [whole]) if isinstance(whole, dict) else whole
    except ValueError:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    if len(rows) != len(questions):
        raise EvidenceError(f"{path}: gold and questions do not pair", hint="Give one object for each question.")
    return tuple((question, _gold(row)) for question, row in zip(questions, rows, strict=True))


def _gold(row: Mapping[str, Any]) -> Gold:
    key = "gold" if "gold" in row else "answer"
    ordered = row.get("answer_kind") == "ordered list"
    return Gold(row.get(key), ordered, key in row, str(row.get("caption", "")))


def is_right(answer: Answer, gold: Gold) -> bool:
    """Whether an answer says exactly what the gold says; for a caption its first sentence is enough."""
    value, wanted = answer.value, gold.value
    if wanted is None:
        return not answer.found
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return False
        said, right = [_item(one) for one in value], [_item(one) for one in wanted]
        return said == right if gold.ordered else set(said) == set(right)
    if isinstance(wanted, dict):
        return isinstance(value, dict) and value == wanted
    if isinstance(wanted, int | float):
        return value == wanted or (isinstance(value, list) and len(value) == wanted)
    shown, text = even(str(value or answer.text)), even(str(wanted))
    return shown == text or _caption(shown, text, gold.caption)


def _caption(said: str, right: str, caption: str) -> bool:
    """A caption that is given whole, or whose first sentence is the gold."""
    if not caption:
        return False
    return said == even(caption) or said.startswith(right) or even(_SENTENCE.split(caption)[0]) == said


def set_f1(answer: Answer, gold: Gold) -> float | None:
    """The F1 of the items of a list; None when the gold is no list."""
    if not isinstance(gold.value, list):
        return None
    said = {_item(one) for one in answer.value} if isinstance(answer.value, list) else set()
    right = {_item(one) for one in gold.value}
    return 2 * len(said & right) / (len(said) + len(right)) if said or right else 1.0


def even(text: str) -> str:
    """A text as it is compared: case, blanks, dashes, LaTeX and final stops make no difference."""
    folded = re.sub(r"[-‐-―−]+", "-", search_text(plain(text)).text)
    return re.sub(r"[\s^]+", "", folded).strip(".,;:")


def _item(one: object) -> str:
    text = str(one)
    return text if text.isdigit() else even(bare(text)).replace(",", "")


def mark(
    golds: Iterable[tuple[Question, Gold]], papers: Mapping[str, Paper], ask: Callable[[Question, Paper], Answer]
) -> tuple[Marked, ...]:
    """Answer and mark all questions whose paper is there: named by its id, or by the beginning of one id alone."""
    paired = ((question, gold, _paper(question.paper, papers)) for question, gold in golds)
    return tuple(_mark(question, gold, papers[name], ask) for question, gold, name in paired if name)


def answer_all(golds: Iterable[tuple[Question, Gold]], runs: Path) -> tuple[Marked, ...]:
    """Mark the answers without a model on the papers of a run folder, or of a folder of runs; raises `RunError`."""
    library = open_library(runs)
    indexes: dict[str, SearchIndex] = {}

    def extractive(question: Question, paper: Paper) -> Answer:
        if paper.id not in indexes:
            indexes[paper.id] = SearchIndex(passages(paper))
        return answer(question, paper, indexes[paper.id])

    return mark(golds, library, extractive)


def _paper(name: str, papers: Mapping[str, Paper]) -> str:
    near = [known for known in papers if known.startswith(name)]
    return name if name in papers else near[0] if len(near) == 1 else ""


def _mark(question: Question, gold: Gold, paper: Paper, ask: Callable[[Question, Paper], Answer]) -> Marked:
    given = ask(question, paper)
    return Marked(
        question=question.id,
        type=question.type,
        paper=question.paper,
        text=question.text,
        right=is_right(given, gold) if gold.known else None,
        f1=set_f1(given, gold) if gold.known else None,
        found=given.found,
        issues=len(verify(given, {paper.id: paper}).issues),
        gold=gold.value,
        value=given.value,
    )


def results(marks: Iterable[Marked]) -> dict[str, Result]:
    """The marks by type of question, and "all"."""
    groups: dict[str, list[Marked]] = {}
    for one in marks:
        groups.setdefault(one.type or "other", []).append(one)
    groups = dict(sorted(groups.items()))
    return {name: _result(group) for name, group in {**groups, "all": [m for g in groups.values() for m in g]}.items()}


def _result(group: list[Marked]) -> Result:
    shares = [one.f1 for one in group if one.f1 is not None]
    return Result(
        asked=len(group),
        known=sum(one.right is not None for one in group),
        right=sum(one.right is True for one in group),
        found=sum(one.found for one in group),
        verified=sum(one.found and not one.issues for one in group),
        f1=sum(shares) / len(shares) if shares else 0.0,
    )


def rows(found: Mapping[str, Result]) -> list[dict[str, Any]]:
    """The results as rows of a table, one a type."""
    return [
        {
            "type": name,
            "asked": one.asked,
            "with_gold": one.known,
            "right": one.right,
            "exact": one.exact,
            "set_f1": one.f1,
            "abstained": one.abstained,
            "verified": one.verified / one.found if one.found else 1.0,
        }
        for name, one in found.items()
    ]


def to_json(marks: Iterable[Marked]) -> str:
    """All figures and marks as JSON."""
    marks = tuple(marks)
    found = rows(results(marks))
    return (
        json.dumps({"types": found, "questions": [asdict(one) for one in marks]}, ensure_ascii=False, indent=1) + "\n"
    )
