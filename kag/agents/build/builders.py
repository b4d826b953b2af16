"""`open_builder`: the builder that was asked for, with its model, budget and records, closed at the end.

`rlm_builder` is the context-first agent of the KAG design, which builds the graph from the blocks by `op_*` calls:
`document` (the paper's Markdown), `task` and `blocks` are variables of its sandbox; the prompt shows bounded previews.
In `review_builder` the baseline builds the graph, and a model corrects its outline and its open choices: it sees the
outline with what is under each heading and the places where the rules were unsure, never the whole paper, and answers
with rows for what it would change. SUBMIT is refused until the graph is finished and losses are confirmed.

A run keeps its records in a work folder while it goes on: the steps as they happen, and the model's replies. If it is
killed and started again, it answers from the recorded replies as far as they go, and so comes to the same graph; the
sandbox is deterministic, which makes that possible.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag import __version__
from kag.agents.build import outline
from kag.agents.build.ambiguities import Ambiguity, find_ambiguities
from kag.agents.build.outline import amend
from kag.agents.build.prompts import (
    GOAL,
    INDEX_TASK,
    REVIEW_TASK,
    blocks_preview,
    document_preview,
    index_signature,
    markdown,
    repl_blocks,
    review_signature,
    review_view,
)
from kag.agents.model.budget import Ledger, Limits, cassette_for
from kag.agents.model.models import opened_model
from kag.agents.model.options import AgentOptions
from kag.agents.model.spans import traced
from kag.agents.sandbox.runner import Interpreters, run_agent
from kag.agents.sandbox.sandbox import sandbox_factory
from kag.core.errors import BadValue
from kag.core.secrets import safe_json
from kag.core.trajectory import Step, Trajectory
from kag.core.types import Document
from kag.indexing.baseline import write_plan
from kag.indexing.build_plan import Plan, plan_sections
from kag.indexing.changes import changes, losses, state_of_plan, warning
from kag.indexing.pipeline import Builder, Tools

if TYPE_CHECKING:
    from kag.agents.model.budget import Ledger
    from kag.agents.sandbox.runner import Finish


NOT_READY = 'call finalize_graph() first; SUBMIT only after it has answered "READY" and nothing was changed since'


class LossReport:
    """Reports losses against the baseline once: a SUBMIT that comes again with the same losses confirms them."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._reported: Sequence[str] = ()

    def refusal(self, lost: Sequence[str]) -> str | None:
        """The report of losses that were not reported yet; None where there are none."""
        if not set(lost) - set(self._reported):
            return None
        self._reported = lost
        self._trajectory.append(Step("note", "losses", data={"losses": list(lost)}))
        return warning(lost)


class Gate:
    """Refuses SUBMIT until `finalize_graph` returned READY, nothing changed since, and losses are confirmed."""

    def __init__(self, document: Document, tools: Tools, trajectory: Trajectory) -> None:
        self._document, self._changes = document, tools["changes"]
        self._losses = LossReport(trajectory)
        self.tools = {name: self._watched(name, call) for name, call in tools.items() if name != "changes"}
        self._ready = False

    def refusal(self, _fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        if not self._ready:
            return NOT_READY
        return self._losses.refusal(losses(self._changes(), self._document))

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def watched(*args: Any, **kwargs: Any) -> Any:
            result = call(*args, **kwargs)
            if name == "finalize_graph":
                self._ready = bool(result["ok"])
            elif name.startswith("op_") and result["ok"]:
                self._ready = False
            return result

        return watched


def run_facts(finish: Finish, ledger: Ledger) -> dict[str, Any]:
    """A run's end as facts for the summary."""
    ended = {"stopped": finish.stopped, "cause": finish.cause} if finish.cause else {"answer": finish.answer}
    return {"iterations": finish.iterations, **ended, "usage": ledger.summary()}


def rlm_builder(
    lm: Any,
    ledger: Ledger,
    *,
    interpreters: Interpreters,
    max_iters: int,
    trajectory: Trajectory,
    why: str = "",
    task: str = INDEX_TASK,
) -> Builder:
    """A builder that lets `lm` (a `dspy.LM`) build the graph through the tools; iterations go to `trajectory`.

    Its facts: `iterations`, `answer`, `usage` (the ledger's totals), and `stopped` with `cause` when the
    agent did not finish.
    """

    def build(document: Document, tools: Tools) -> Mapping[str, Any]:
        gate = Gate(document, tools, trajectory)
        text = markdown(document)
        finish = run_agent(
            index_signature(task),
            {"document": text, "task": GOAL, "blocks": repl_blocks(document)},
            gate.tools,
            lm,
            interpreters=interpreters,
            gate=gate.refusal,
            trajectory=trajectory,
            max_iters=max_iters,
            usage=ledger.summary,
            shown={"document": document_preview(text), "task": f"`task`: {GOAL}", "blocks": blocks_preview(document)},
        )
        return run_facts(finish, ledger)

    return Builder("rlm", build, why, lm.model, trajectory)


FORM = 'SUBMIT({"h5": "h4", "d1": "none"}), or SUBMIT({}) if all is right'
MAX_COMPLAINTS = 1_500  # characters


class Review:
    """The rows of a review, checked: `plan` is the baseline's plan, `amended` the plan with the last rows applied."""

    def __init__(self, document: Document, plan: Plan, trajectory: Trajectory) -> None:
        self._document, self._trajectory = document, trajectory
        self._losses = LossReport(trajectory)
        self.plan = self.amended = plan
        self.ambiguities: Mapping[str, Ambiguity] = {
            f"d{number}": ambiguity for number, ambiguity in enumerate(find_ambiguities(document, plan), start=1)
        }
        self.is_needed = bool(self.ambiguities) or outline.is_ambiguous(plan.sections)

    def refusal(self, fields: Mapping[str, Any]) -> str | None:
        """Why these rows are refused; None when they are applied."""
        rows = fields.get("answer")
        if not isinstance(rows, dict):
            return f"the answer is a {type(rows).__name__}: {FORM}"
        answers, places, complaints = self._read(rows)
        if not complaints:
            try:
                amended = amend(self.plan, answers, places)
            except BadValue as error:
                complaints = [f"{error.message}. {error.hint}"]
        if complaints:
            self._trajectory.append(Step("note", "refused rows", ok=False, data={"complaints": complaints}))
            return "; ".join(complaints)[:MAX_COMPLAINTS]
        found = changes(state_of_plan(self.plan), state_of_plan(amended), self._document)
        named = outline.no_headings(self.plan.sections, places)  # what a row says needs no second one
        if refusal := self._losses.refusal(
            losses((change for change in found if change.block not in named), self._document)
        ):
            return refusal
        self._trajectory.append(
            Step("note", "review", data={"rows": rows, "blocks": [change.block for change in found]})
        )
        self.amended = amended
        return None

    def _read(self, rows: Mapping[Any, Any]) -> tuple[dict[Ambiguity, str], dict[str, outline.Place], list[str]]:
        """The answers, the places of headings, and what is wrong with the rest."""
        names = outline.headings(self.plan.sections)
        answers: dict[Ambiguity, str] = {}
        places: dict[str, outline.Place] = {}
        complaints: list[str] = []
        for name, value in rows.items():
            ambiguity = self.ambiguities.get(name)
            is_place = isinstance(value, str | int) and not isinstance(value, bool)
            if name in names and is_place:
                places[name] = value
            elif ambiguity and value in ambiguity.candidates:
                answers[ambiguity] = value
            elif ambiguity:
                complaints.append(f"{name}: {value!r} is not one of {', '.join(ambiguity.candidates)}")
            else:
                complaints.append(f"{name!r}: {value!r} is not a row: {FORM}")
        return answers, places, complaints

    def moved(self) -> int:
        """Count the blocks and headings that the rows changed."""
        found = changes(state_of_plan(self.plan), state_of_plan(self.amended), self._document)
        return len(found)


def review_builder(
    lm: Any,
    ledger: Ledger,
    *,
    interpreters: Interpreters,
    max_iters: int,
    trajectory: Trajectory,
    why: str = "",
    task: str = REVIEW_TASK,
) -> Builder:
    """A builder that writes the baseline's plan as corrected by `lm` (a `dspy.LM`).

    Its facts: `asked` (what the model was asked, by kind), `changed` (blocks that changed), and those of
    `rlm_builder` when the model was asked. Where the agent is stopped, the baseline's plan is written.
    """

    def build(document: Document, tools: Tools) -> Mapping[str, Any]:
        review = Review(document, plan_sections(document), trajectory)
        facts: dict[str, Any] = {"asked": _kinds(review)}
        if review.is_needed:
            trajectory.append(Step("note", "ambiguities", data={"ambiguities": _rows(review.ambiguities)}))
            finish = run_agent(
                review_signature(task),
                {"outline": outline.headings(review.plan.sections)},
                {"read_window": tools["read_window"]},
                lm,
                interpreters=interpreters,
                gate=review.refusal,
                trajectory=trajectory,
                max_iters=max_iters,
                usage=ledger.summary,
                shown={"outline": review_view(document, review.plan, review.ambiguities)},
            )
            facts |= run_facts(finish, ledger)
        facts["changed"] = review.moved()
        return facts | write_plan(document, review.amended, tools)

    return Builder("review", build, why, lm.model, trajectory)


def _kinds(review: Review) -> dict[str, int]:
    """Count the questions of each kind; the outline counts as one."""
    kinds = Counter[str](ambiguity.question for ambiguity in review.ambiguities.values())
    if outline.is_ambiguous(review.plan.sections):
        kinds["outline"] = 1
    return dict(sorted(kinds.items()))


def _rows(ambiguities: Mapping[str, Ambiguity]) -> Sequence[dict[str, Any]]:
    """The ambiguities as the trajectory keeps them."""
    return [
        {"id": name, "question": a.question, "block": a.block, "answers": list(a.candidates), "why": a.reason}
        for name, a in ambiguities.items()
    ]


IDENTITY, STEPS, REPLIES = "run.json", "trajectory.jsonl", "replies.jsonl"


@contextmanager
def open_builder(options: AgentOptions, document: Document, work: Path, *, afresh: bool = False) -> Iterator[Builder]:
    """The builder of one paper's run; `work` is its work folder, which is made, or found from a run before.

    `afresh` forgets a run before. Raises what `open_model` raises.
    """
    if afresh:
        shutil.rmtree(work, ignore_errors=True)
    _prepare(work, options, document)
    tape = cassette_for(options, work / REPLIES, resumed=(work / f"earlier-{STEPS}").is_file())
    make = review_builder if options.builder == "review" else rlm_builder
    with (
        opened_model(options.lm, Limits.of(options), tape) as (lm, ledger),
        (work / STEPS).open("w", encoding="utf-8", buffering=1) as steps,
        traced(steps.write, builder=options.builder, model=options.model) as write,
    ):
        yield make(
            lm,
            ledger,
            interpreters=partial(sandbox_factory, options.sandbox),
            max_iters=options.max_iters,
            trajectory=Trajectory(write),
            why=options.why,
        )


def _prepare(work: Path, options: AgentOptions, document: Document) -> None:
    """Keep a work folder of the same run; begin anew when anything that decides the run has changed."""
    identity = safe_json(
        {
            "kag_version": __version__,
            "source": document.sha256,
            "builder": options.builder,
            "model": options.model,
            "sandbox": options.sandbox,
        }
    )
    path = work / IDENTITY
    if path.is_file() and path.read_text(encoding="utf-8") == identity:
        if (work / STEPS).is_file():
            (work / STEPS).replace(work / f"earlier-{STEPS}")
        return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    path.write_text(identity, encoding="utf-8")
