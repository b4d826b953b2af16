"""Questions: to one paper or to all, streamed while they are answered, stored with their steps.

What is told while a question is answered: each step of a trajectory as it happens, then what was searched, and each
claim with its passage after it was checked again (`kag.qa.checking.verify`); one that does not hold is told as
dropped. The rules answer in one go, so that their claims come together; a model's steps come one by one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kag.agents.read.asking import open_corpus_papers, open_runs
from kag.agents.read.read_options import ReadOptions, checked
from kag.core.errors import UnknownNode
from kag.core.evidence import Answer, Claim, read_answer
from kag.core.files import own_file, read_regular, write_whole
from kag.core.trajectory import Trajectory
from kag.paper import as_question
from kag.qa.answer_batch import Put
from kag.qa.answer_text import shown_table
from kag.qa.checking.verify import verify
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.serve.home import Home
from kag.serve.papers.reading import Reader

TABLES = 30  # quotes of a claim whose tables are looked for
_PAGE = re.compile(r"b_p0*(\d+)_")
_LONGEST = 120
_TOOLS = {
    "g_overview": "Reading the overview",
    "g_search": "Searching for “{query}”",
    "search_knowledge_graph": "Searching all papers for “{query}”",
    "query_graph": "Querying the graph",
    "g_section_content": "Reading {place}",
    "g_node_detail": "Reading {place}",
    "g_figure_info": "Looking at {place}",
    "g_node_refs": "Following the references of {place}",
}
_NOTES = {
    "mode": "Looking for an exact answer in the graph",
    "opening": "Choosing passages to begin with",
    "judge": "Checking a claim against its quotes",
    "checker": "Choosing who checks the claims",
    "stopped": "Stopped: {error}",
}
_NAME = re.compile(r"[a-z0-9-]{1,80}")
_STEPS = 16_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the paper it is put to ("" for all), and who may answer within which limits."""

    question: str
    paper: str = ""
    mode: str = ""
    model: str = ""
    max_usd: float | None = None
    max_calls: int | None = None

    @property
    def options(self) -> ReadOptions:
        """The same as the read side takes it; raises `ModelError` where they do not go together."""
        mode: Any = self.mode
        if not self.model:
            return checked(ReadOptions(mode=mode))
        return checked(ReadOptions(mode=mode, lm=self.model, max_usd=self.max_usd, max_calls=self.max_calls))


def ask(source: Home | Reader, asked: Asked, tell: Callable[[str], object] | None = None) -> tuple[Answer, str]:
    """Answer a question; return the answer and its trajectory as JSON lines. `tell` receives each line.

    Raises `BadValue` for no question, `UnknownNode` for no such paper, `ModelError`, `CorpusError`.
    """
    reader = source if isinstance(source, Reader) else Reader(source)
    question = Question(name_of(asked.question, asked.paper), as_question(asked.question).text)
    options, trajectory = asked.options, Trajectory(tell)
    with ExitStack() as stack:
        work = Path(stack.enter_context(TemporaryDirectory(prefix="kag-")))
        if asked.paper:
            paper = reader.state.listed(asked.paper).id
            opened = stack.enter_context(open_runs(reader.state.library, options, work, extract=reader.extract))
            answer, _ = opened.respond(Put(question, paper), trajectory)
        else:
            stack.enter_context(reader.turn)
            together = open_corpus_papers(reader.store, reader.shelf(), options, work)
            answer, _ = stack.enter_context(together).respond(Put(question, ""), trajectory)
    return answer, trajectory.to_jsonl()


def name_of(question: str, paper: str) -> str:
    """A name for an answer: the same question to the same paper has the same one.

    >>> name_of("What does Table 1 show?", "smith2020")[:23]
    'what-does-table-1-show-'
    """
    words = re.sub(r"[^a-z0-9]+", "-", question.lower())[:40].strip("-")
    whole = hashlib.sha256(f"{paper}\n{question}".encode("utf-8", "replace")).hexdigest()
    return f"{words or 'question'}-{whole[:8]}"


def answer_events(answer: Answer, graphs: Mapping[str, PaperGraph]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of an answer: what was searched, passages, claims that hold, what was dropped, and the whole."""
    for search in answer.searches:
        yield "search", {"text": search}
    for number, claim in enumerate(answer.claims):
        alone = replace(answer, claims=(claim,), value=None)
        broken = [
            issue for issue in verify(alone, graphs).issues if issue.severity == "Violation" and _of_claim(issue.focus)
        ]
        for one in claim.evidence:
            yield "passage", {"paper": one.paper, "node": one.node, "page": one.page, "quote": one.quote}
        if broken:
            yield "dropped", {"text": claim.text, "why": broken[0].message}
        else:
            yield "claim", {"number": number, **asdict(claim), "tables": tables_of(claim, graphs)}
    for one in (quoted for passage in answer.passages for quoted in passage.evidence):
        yield "passage", {"paper": one.paper, "node": one.node, "page": one.page, "quote": one.quote}
    for dropped in answer.dropped:
        yield "dropped", asdict(dropped)


def tables_of(claim: Claim, papers: Mapping[str, PaperGraph]) -> list[str]:
    """Return the tables that contain a claim's quotes or have them as captions, as lines of text; each once, at most
    `TABLES`."""
    shown = ("\n".join(shown_table(one, papers)) for one in claim.evidence[:TABLES])
    return list(filter(None, dict.fromkeys(shown)))


def _of_claim(focus: str) -> bool:
    return focus.startswith("claims[")


# answers that are kept ------------------------------------------------------------------------


def keep(home: Home, answer: Answer, steps: str) -> str:
    """Keep an answer and the way there; returns its name."""
    write_whole(home.answers / f"{answer.id}.json", answer.to_json())
    write_whole(home.answers / f"{answer.id}.trajectory.jsonl", steps)
    return answer.id


def answers(home: Home) -> list[Path]:
    """The files of the answers that were kept, the newest first."""
    if not home.answers.is_dir():
        return []
    paths = [path for path in home.answers.glob("*.json") if _NAME.fullmatch(path.stem) and own_file(path)]
    return sorted(paths, key=lambda path: (-path.stat().st_mtime_ns, path.name))


def kept_answer(home: Home, name: str) -> Answer:
    """An answer by its name; raises `UnknownNode`."""
    path = home.answers / f"{name}.json"
    if not _NAME.fullmatch(name) or not own_file(path):
        raise UnknownNode(f"there is no answer {name[:80]!r}", hint="Use a name from the list of answers.")
    return read_answer(path)[0]


def kept_steps(home: Home, name: str) -> Sequence[Mapping[str, Any]]:
    """The trajectory of an answer, step by step."""
    kept_answer(home, name)
    try:
        text = read_regular(home.answers / f"{name}.trajectory.jsonl", _STEPS).decode("utf-8", "replace")
    except OSError:
        return ()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


# steps in words --------------------------------------------------------------------------------


def step_words(step: Mapping[str, Any]) -> str:
    """Return one step in words; "" for a step that is not shown to people.

    >>> step_words({"kind": "tool", "name": "g_node_detail", "args": ["ex:b_p003_0004"]})
    'Reading page 3'
    """
    kind, name = str(step.get("kind", "")), str(step.get("name", ""))
    if kind == "iteration":
        return "Deciding what to read next" if name == "action" else ""
    if kind == "call":
        return "Asking the model"
    subject = _subject(step)
    page = _PAGE.search(subject)
    place = f"page {page[1]}" if page else subject or "the paper"
    error = " ".join(str(step.get("error", "")).split())[:_LONGEST]
    return (_TOOLS if kind == "tool" else _NOTES).get(name, "").format(query=subject, place=place, error=error)


def _subject(step: Mapping[str, Any]) -> str:
    """Return the subject of a tool call: its node or its query, else its last text argument."""
    named, given = step.get("kwargs", {}), step.get("args", [])
    for key in ("query", "node_iri", "figure_iri", "section_iri"):
        if isinstance(named, Mapping) and isinstance(named.get(key), str):
            return " ".join(named[key].split())[:_LONGEST]
    words = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return " ".join(words[-1].split())[:_LONGEST] if words else ""
