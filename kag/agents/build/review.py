"""`review_builder`: the baseline builds the graph, and a model corrects its outline and its open choices.

The model sees the outline with what stands under each heading and the places where the rules were unsure, never the
whole paper. It answers with rows for what it would change; everything else stays as the baseline has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kag.agents.build import outline
from kag.agents.build.ambiguities import Ambiguity, find_ambiguities
from kag.agents.build.amend import amend
from kag.agents.build.gate import LossReport, run_facts
from kag.agents.build.paper_views import review_view
from kag.agents.build.prompts import REVIEW_TASK, review_signature
from kag.agents.model.budget import Ledger
from kag.agents.sandbox.runner import Interpreters, run_agent
from kag.core.errors import BadValue
from kag.core.trajectory import Step, Trajectory
from kag.core.types import Document
from kag.indexing.baseline import write_plan
from kag.indexing.build_plan import Plan, plan_sections
from kag.indexing.changes import changes, losses, state_of_plan
from kag.indexing.pipeline import Builder, Tools

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
        if refusal := self._losses.refusal(losses((one for one in found if one.block not in named), self._document)):
            return refusal
        self._trajectory.append(Step("note", "review", data={"rows": rows, "blocks": [one.block for one in found]}))
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
                complaints.append(f"{name!r}: {value!r} is no row: {FORM}")
        return answers, places, complaints

    def moved(self) -> int:
        """How many blocks and headings the rows changed."""
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
    """How many questions of each kind are asked; the outline is one."""
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
