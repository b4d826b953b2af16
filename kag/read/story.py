"""The read story: a question is put to a paper, or to many, and what comes back verifies.

    rules answer -> router -> (model: draft -> claims that verify) -> Answer

The rules always answer first: they cost nothing, and what they say stands in when a model fails. The model comes
in as an argument, `ask`; nothing of what it says gets past `kag.agents.read.claims`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from kag.questions.file import Question
from kag.read.paper import PaperGraph
from kag.read.router import Mode, Rung, choose
from kag.read.whole import entry_text, text_tokens, whole_text
from kag.values.evidence import Answer, Claim, Dropped
from kag.values.trajectory import Step, Trajectory

if TYPE_CHECKING:
    from kag.read.across.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Reading:
    """What a model made of a question: claims that verify, what was left out, what was searched.

    `stopped` says in words why there is no answer of the model, `cause` in one ("budget", "model", "sandbox",
    "iterations", "unverified"); both are empty otherwise. `usage` counts calls, tokens and US dollars.
    """

    claims: tuple[Claim, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    searches: tuple[str, ...] = ()
    cause: str = ""
    stopped: str = ""
    usage: Mapping[str, float] = field(default_factory=dict)


Source = TypeVar("Source")  # what is asked: a `PaperGraph`, or a `Shelf` of papers
Extract = Callable[[Question, PaperGraph], Answer]
Ask = Callable[[Rung, Question, PaperGraph, Trajectory], Reading]
ExtractCorpus = Callable[[Question, "Shelf"], Answer]
AskCorpus = Callable[[Rung, Question, "Shelf", Trajectory], Reading]


def answer_question(
    question: Question,
    source: Source,
    extract: Callable[[Question, Source], Answer],
    ask: Callable[[Rung, Question, Source, Trajectory], Reading] | None,
    trajectory: Trajectory,
    *,
    mode: Mode = "auto",
    model: str = "",
    max_tokens: int | None = None,
) -> tuple[Answer, str]:
    """Answer one question of a paper or of a shelf, and say what kept the model from it ("" when nothing did).

    `extract` are the rules, `ask` puts the question to a model (None: there is none), `model` is its name,
    `max_tokens` the user's limit. Steps go to the trajectory. Raises what `ask` raises before its first call.
    """
    extracted = extract(question, source)
    tokens = _tokens(source) if ask and mode != "extractive" else 0
    rung = choose(mode if ask else "extractive", extracted, tokens, max_tokens)
    note(trajectory, "rung", mode=rung.name, why=rung.why)
    if ask is None or rung.name == "extractive":
        return extracted, ""
    reading = ask(rung, question, source, trajectory)
    if reading.stopped:
        label = f"{extracted.label}; {model} was stopped"
        stands_in = replace(extracted, label=label, dropped=(*extracted.dropped, *reading.dropped))
        return replace(stands_in, usage=reading.usage, stopped=reading.stopped), reading.cause
    answer = Answer(
        id=question.id,
        question=question.text,
        mode=rung.name,
        label=model,
        claims=reading.claims,
        dropped=reading.dropped,
        searches=reading.searches,
        papers=_papers(source, reading),
        usage=reading.usage,
    )
    return answer, ""


def _tokens(source: object) -> int | None:
    """How many tokens one reading takes; None for many papers, which are never read as a whole."""
    if not isinstance(source, PaperGraph):
        return None
    return text_tokens(whole_text(source)) + text_tokens(entry_text(source, whole=True))


def _papers(source: object, reading: Reading) -> tuple[str, ...]:
    """The paper that was asked; of many, those that are quoted."""
    if isinstance(source, PaperGraph):
        return (source.id,)
    return tuple(dict.fromkeys(one.paper for claim in reading.claims for one in claim.evidence))


def note(trajectory: Trajectory, name: str, **data: Any) -> None:
    """Write a step that is neither a tool call nor an iteration."""
    trajectory.append(Step("note", name, data=data))
