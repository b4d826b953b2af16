"""The read pipeline: a question is put to a paper, or to many, and what comes back can be verified.

    question -> a structured query?  (questions/reader)     -> exact answer from the graph (exact/, or SPARQL over many)
             -> else, with a model:  (agents/read/answerer) -> claims with quotes, re-checked by machine (checking/)
             -> else                 (passage_ranking)      -> ranked passages, which are never called an answer

The graph always answers first: that costs nothing, and what it says, or its passages, stand in when a model fails.
Without a model this is `kag.qa.answering`, which comes in as an argument, `extract`; the agent comes in as `ask`, and
nothing of what it says gets past `kag.agents.read.claims`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from kag.core.evidence import AGENT, Answer, Claim, Dropped, Value
from kag.core.trajectory import Step, Trajectory
from kag.qa.modes import is_certain
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question

if TYPE_CHECKING:
    from kag.qa.library import Shelf


@dataclass(frozen=True, slots=True)
class Reading:
    """An agent's result for a question: claims that verify, dropped ones, searches.

    `reason` is why the papers do not say it, where one of them gives a reason. `stopped` says in words why there is no
    answer of the model, `cause` in one ("budget", "model", "sandbox", "iterations", "unverified"); both are empty
    otherwise. `usage` counts calls, tokens and US dollars. `value` is the answer as data, where claims count.
    """

    claims: tuple[Claim, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    searches: tuple[str, ...] = ()
    reason: Claim | None = None
    cause: str = ""
    stopped: str = ""
    usage: Mapping[str, float] = field(default_factory=dict)
    value: Value = None


Source = TypeVar("Source")  # what is asked: a `PaperGraph`, or a `Shelf` of papers
Extract = Callable[[Question, PaperGraph], Answer]
ExtractCorpus = Callable[[Question, "Shelf"], Answer]
Ask = Callable[[Question, "PaperGraph | Shelf", Trajectory], Reading]


def answer_question(
    question: Question,
    source: Source,
    extract: Callable[[Question, Source], Answer],
    ask: Callable[[Question, Source, Trajectory], Reading] | None,
    trajectory: Trajectory,
    *,
    mode: str = "exact",
    model: str = "",
) -> tuple[Answer, str]:
    """Answer one question of a paper or of a shelf; also return what stopped the model ("" when nothing did).

    `extract` answers from the graph and the text without a model, `ask` puts the question to the agent (None: there is
    none), `model` is its name. Steps go to the trajectory. Raises what `ask` raises before its first call.
    """
    extracted = extract(question, source)
    if ask is None or mode == "exact" or is_certain(extracted):
        why = "the graph answers it" if ask and mode == "agent" else "no model is asked"
        note(trajectory, "mode", mode="exact", why=why)
        return extracted, ""
    note(trajectory, "mode", mode="agent", why="the graph alone does not answer it for certain")
    reading = ask(question, source, trajectory)
    if reading.stopped:
        label = f"{extracted.label}; {model} was stopped"
        dropped = (*extracted.dropped, *reading.dropped)
        stands_in = replace(extracted, label=label, dropped=dropped, usage=reading.usage, stopped=reading.stopped)
        return stands_in, reading.cause
    answer = Answer(
        id=question.id,
        question=question.text,
        mode=AGENT,
        label=model,
        claims=reading.claims,
        value=reading.value,
        reason=reading.reason,
        dropped=reading.dropped,
        searches=reading.searches,
        papers=_papers(source, reading),
        usage=reading.usage,
        notes=extracted.notes,
    )
    return answer, ""


def _papers(source: object, reading: Reading) -> tuple[str, ...]:
    """The paper that was asked; of many, those that are quoted."""
    if isinstance(source, PaperGraph):
        return (source.id,)
    claims = (*reading.claims, *((reading.reason,) if reading.reason else ()))
    return tuple(dict.fromkeys(one.paper for claim in claims for one in claim.evidence))


def note(trajectory: Trajectory, name: str, **data: Any) -> None:
    """Write a step that is neither a tool call nor an iteration."""
    trajectory.append(Step("note", name, data=data))
