"""Questions on what papers say, marked: what was measured, who uses what, which claims disagree, tables of comparison.

A file is JSON lines. A question is `{"id", "kind", "question", "paper", "half", "answerable", "gold"}`; it is put to
all papers, or to `paper` alone. By its kind it is right when

- "papers": the papers that the answer quotes are those of `gold`;
- "compare" (the question is a property): the values of `gold`, by paper, stand in the cells of these papers;
- any other: all strings of one list of `gold` stand in the answer.

What is not answerable is right when nothing is said. `{"paper", "text"}` is a small paper of the set itself, in
Markdown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kag.evaluate.answers.gold import even
from kag.evaluate.answers.score import interval
from kag.evaluate.spread import in_order
from kag.questions.file import Question
from kag.read.across.own_shelf import shelf_of
from kag.read.across.rules import answer_across
from kag.read.exact.compose import answer
from kag.read.library import Library, named_paper, open_library
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import passages
from kag.read.said.compare import compare
from kag.safety.workers import Executor
from kag.text.plain import plain
from kag.values.errors import SourceError
from kag.values.evidence import Answer

_HINT = 'Give JSON lines of {"id", "kind", "question", "paper", "half", "answerable", "gold"}.'
COMPARE, PAPERS = "compare", "papers"
TOGETHER = 10  # questions for which one process opens the papers


@dataclass(frozen=True, slots=True)
class EntityQuestion:
    """A question; `gold` is a list of lists of strings, a list of papers, or strings by paper; None for no answer."""

    id: str
    kind: str
    text: str
    paper: str
    half: str
    gold: Any


@dataclass(frozen=True, slots=True)
class Marked:
    """A question with what came of it; `said` is the answer in short."""

    question: EntityQuestion
    right: bool
    said: str


def read_entity_questions(file: Path) -> tuple[tuple[EntityQuestion, ...], Mapping[str, str]]:
    """The questions of a file, and the texts of its own papers by name; raises `SourceError`."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        texts = {str(row["paper"]): str(row["text"]) for row in rows if "text" in row}
        return tuple(_question(row) for row in rows if "text" not in row), texts
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{file}: {error}", hint=_HINT) from error


def _question(row: Mapping[str, Any]) -> EntityQuestion:
    gold = row["gold"] if row["answerable"] else None
    shape = dict if row["kind"] == COMPARE else list
    if gold is not None and not (isinstance(gold, shape) and gold):
        raise ValueError(f"the gold of {row['id']} is no {shape.__name__}")
    return EntityQuestion(
        str(row["id"]), str(row["kind"]), str(row["question"]), str(row.get("paper", "")), str(row["half"]), gold
    )


def with_texts(runs: Sequence[Path], texts: Mapping[str, str], work: Path) -> Library:
    """The papers of runs, and those of texts, which are indexed in `work` with their layers; raises `RunError`."""
    from kag.layers.runs import Layers
    from kag.layers.story import chosen
    from kag.write.batch import find_papers, index_all

    sources = work / "texts"
    sources.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (sources / f"{name}.md").write_text(text, encoding="utf-8")
    made: list[Path] = []
    for outcome in index_all(find_papers(sorted(sources.iterdir()), work / "runs")) if texts else ():
        if outcome.run:
            Layers(chosen("entity,claim")).add_to(outcome.run)
            made.append(outcome.run)
    return open_library(*runs, *made)


def mark_all(questions: Iterable[EntityQuestion], library: Library, executor: Executor | None = None) -> list[Marked]:
    """All questions answered from the papers and marked, some at a time by whoever the executor has."""
    return in_order(partial(_mark, library), questions, executor, lambda number, _: number // TOGETHER)


def _mark(library: Library, questions: Iterable[EntityQuestion]) -> Iterator[Marked]:
    shelf = shelf_of(library)
    for one in questions:
        if one.kind == COMPARE:
            yield _compared(one, library)
            continue
        question = Question(one.id, one.text)
        if one.paper:
            yield _marked(one, _of_paper(question, library[named_paper(one.paper, library)]))
        else:
            yield _marked(one, answer_across(question, shelf, _of_paper, lambda _: None))


def _of_paper(question: Question, paper: PaperGraph) -> Answer:
    return answer(question, paper, SearchIndex(passages(paper)))


def _marked(one: EntityQuestion, found: Answer) -> Marked:
    texts = [plain(claim.text) for claim in found.claims]
    if found.value is not None:
        texts.append(str(found.value))
    said = " | ".join(texts)
    if one.gold is None:
        return Marked(one, not found.found, said)
    if one.kind == PAPERS:
        quoted = sorted({place.paper for claim in found.claims for place in claim.evidence})
        return Marked(one, quoted == sorted(one.gold), f"{', '.join(quoted)}: {said}")
    whole = even(said)
    return Marked(one, any(all(even(part) in whole for part in gold) for gold in one.gold), said)


def _compared(one: EntityQuestion, library: Library) -> Marked:
    table = compare(library, [one.text])
    cells = {row.paper: " ; ".join(value.text for value in row.cells[0]) for row in table.rows if row.cells[0]}
    said = str(cells)
    if one.gold is None:
        return Marked(one, not cells, said)
    right = all(even(part) in even(cells.get(paper, "")) for paper, parts in one.gold.items() for part in parts)
    return Marked(one, right, said)


def rows(marked: Sequence[Marked]) -> list[dict[str, object]]:
    """How many are right by kind and in all, with the 95 % interval of the share."""
    kinds = sorted({one.question.kind for one in marked})
    groups = [(kind, [one.right for one in marked if one.question.kind == kind]) for kind in kinds]
    return [_row(name, right) for name, right in (*groups, ("all", [one.right for one in marked]))]


def _row(name: str, right: Sequence[bool]) -> dict[str, object]:
    low, high = interval((str(n), one) for n, one in enumerate(right))
    return {
        "kind": name,
        "questions": len(right),
        "right": sum(right),
        "share": f"{sum(right) / len(right):.2f}",
        "95 %": f"{low:.2f} to {high:.2f}",
    }
