"""Many questions: which paper each is put to, one after the other, each kept as soon as it is answered."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kag import __version__
from kag.core.errors import EvidenceError
from kag.core.evidence import Answer
from kag.core.files import naming, read_regular
from kag.core.trajectory import Trajectory
from kag.qa.answer_folder import ASKED, WORK, Answered, earlier_answer, free_name, keep_answer
from kag.qa.answering import answer
from kag.qa.checking.verify import verify
from kag.qa.library import Library
from kag.qa.paper import GRAPH, PaperGraph
from kag.qa.pipeline import Ask, Extract, ExtractCorpus, answer_question, note
from kag.qa.questions.file import Question

if TYPE_CHECKING:
    from kag.qa.library import Shelf
    from kag.qa.passage_ranking import Reader

STEPS = "trajectory.jsonl"  # of the question under way
_SHOWN = 10  # papers that an error names


class Manner(Protocol):
    """How questions are answered: the mode, and the models ("" for none)."""

    @property
    def mode(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def vision(self) -> str: ...
    @property
    def rerank(self) -> bool: ...


class Trace(Protocol):
    """Return a trajectory's sink as a trace (`kag.agents.model.spans.traced`)."""

    def __call__(
        self, write: Callable[[str], object], *, builder: str, model: str
    ) -> AbstractContextManager[Callable[[str], object]]: ...


def untraced(
    write: Callable[[str], object], *, builder: str, model: str
) -> AbstractContextManager[Callable[[str], object]]:
    """Nobody watches."""
    return nullcontext(write)


@dataclass(frozen=True, slots=True)
class Put:
    """A question and the id of the paper it is put to; "" for all papers together."""

    question: Question
    paper: str


def assign(questions: Sequence[Question], library: Library, paper: str | None = None) -> list[Put]:
    """Assign questions to papers; raises `EvidenceError` if that is ambiguous.

    With `paper` only the questions whose `paper` field says so are asked. A library of one paper is asked all that
    remain; without `paper`, those that name it or none. In a larger library the question names its paper by id, or
    by the beginning of one id alone; one that names none is put to all papers together.
    """
    chosen = [question for question in questions if paper is None or question.paper == paper]
    if not chosen:
        named = ", ".join(sorted({question.paper for question in questions if question.paper})[:10]) or "none"
        raise EvidenceError(f"no question is about {paper!r}", hint=f"Papers that questions name: {named}.")
    if len(library) > 1:
        return [Put(question, _named(question, library) if question.paper else "") for question in chosen]
    (only,) = library
    if paper is None:
        chosen = [question for question in chosen if only.startswith(question.paper)]
    if not chosen:
        hint = "Give --paper with the name that the file has for this paper."
        raise EvidenceError(f"no question is about {only!r}, the paper of this run", hint=hint)
    return [Put(question, only) for question in chosen]


def _named(question: Question, library: Library) -> str:
    """The paper of a library that a question names."""
    if question.paper in library:
        return question.paper
    matching = [name for name in library if name.startswith(question.paper)]
    if len(matching) == 1:
        return matching[0]
    known = ", ".join((matching or list(library))[:_SHOWN])
    which = "several papers begin so" if matching else "there is none of that name"
    more = ", and more" if len(matching or library) > _SHOWN else ""
    raise EvidenceError(
        f"question {question.id!r} names the paper {question.paper!r}, and {which}", hint=f"Papers here: {known}{more}."
    )


@dataclass(frozen=True, slots=True)
class Asking:
    """An answering function: `respond` answers one question and reports what stopped a model; `state` identifies what
    was read of a paper (or of all, ""), so that stored answers can be reused; `papers` verify answers."""

    papers: Mapping[str, PaperGraph]
    respond: Callable[[Put, Trajectory], tuple[Answer, str]]
    state: Callable[[str], str]


def asking_of(
    library: Library,
    shelf: Callable[[], Shelf],
    options: Manner,
    extract: Extract,
    *,
    across: ExtractCorpus,
    ask: Ask | None,
) -> Asking:
    """A question of one paper is put to that paper, any other to the shelf, which is made when it is first needed.

    `extract` answers from one paper without a model, `across` from the shelf; `ask` is the agent.
    """
    shelf = cache(shelf)

    def respond(put: Put, trajectory: Trajectory) -> tuple[Answer, str]:
        how: dict[str, Any] = {"mode": options.mode, "model": options.model}
        if put.paper:
            return answer_question(put.question, library[put.paper], extract, ask, trajectory, **how)
        return answer_question(put.question, shelf(), across, ask, trajectory, **how)

    @cache
    def state(paper: str) -> str:
        if not paper:
            return shelf().version
        return hashlib.sha256(read_regular(library.path(paper) / GRAPH)).hexdigest()

    return Asking(library, respond, state)


def answer_all(
    puts: Sequence[Put],
    asking: Asking,
    folder: Path,
    options: Manner,
    *,
    force: bool = False,
    trace: Trace = untraced,
) -> Iterator[Answered]:
    """Answer each question into the folder, or find that this was done already; what is given back was verified."""
    for put in (_own(put, folder) for put in puts):
        asked = _asked(put, options, asking.state(put.paper))
        earlier = None if force else earlier_answer(folder, put.question.id, asked)
        if earlier:
            yield Answered(earlier, verify(earlier, asking.papers).issues, kept=True)
        else:
            yield _answered(put, asking, folder, options, asked, trace)


def _own(put: Put, folder: Path) -> Put:
    """A question under a name that no other question has in the folder."""
    asked = put.question
    return replace(put, question=replace(asked, id=free_name(folder, asked.id, asked.text, put.paper)))


def _asked(put: Put, options: Manner, state: str) -> dict[str, Any]:
    """All that decides an answer: what makes one of an earlier command still good."""
    return {
        "id": put.question.id,
        "question": put.question.text,
        "paper": put.paper,
        "mode": options.mode,
        "model": options.model,
        "vision": options.vision,
        "rerank": options.rerank,
        "graph": state,
        "kag_version": __version__,
    }


def _answered(
    put: Put, asking: Asking, folder: Path, options: Manner, asked: Mapping[str, Any], trace: Trace
) -> Answered:
    (folder / WORK).mkdir(parents=True, exist_ok=True)
    with (
        _kept(folder / WORK / STEPS) as keep,
        trace(keep, builder=f"qa-{options.mode}", model=options.model) as write,
    ):
        trajectory = Trajectory(write)
        note(trajectory, ASKED, **asked)
        answer, cause = asking.respond(put, trajectory)
    issues = verify(answer, asking.papers).issues
    keep_answer(folder, answer, trajectory.to_jsonl())
    return Answered(answer, issues, cause)


@contextmanager
def _kept(path: Path) -> Iterator[Callable[[str], object]]:
    """Writes steps as they are made; where they cannot be written the error names their file."""
    with naming(path):
        steps = path.open("wb", buffering=0)

    def keep(line: str) -> None:
        with naming(path):
            left = line.encode("utf-8", "surrogatepass")
            while left:  # a disk that gets full takes the first bytes without an error
                left = left[steps.write(left) :]

    with steps:
        yield keep


def clear_work(folder: Path) -> None:
    """Forget what a command under way had kept."""
    shutil.rmtree(folder / WORK, ignore_errors=True)


def extractor(reader: Reader | None = None) -> Extract:
    """Answers without a model as a function of question and paper; `reader` ranks the best passages again."""
    return lambda question, paper: answer(question, paper, reader)
