"""`hybrid_builder`: the baseline builds the graph, and a model decides what the baseline marked as doubtful.

No doubts, no calls. The model sees the doubtful blocks with what stands around them and nothing else of the paper. It
says only what it would have otherwise; the rest stays as the baseline has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kag.agents.build import outline
from kag.agents.build.amend import amend
from kag.agents.build.doubts import Doubt, find_doubts
from kag.agents.build.prompts import DOUBT_TASK, doubt_signature
from kag.agents.build.rlm import facts
from kag.agents.build.view import doubts_view
from kag.agents.model.token_ledger import Ledger
from kag.agents.sandbox.runner import Interpreters, run_agent
from kag.values.errors import BadValue
from kag.values.tool import Tool, error_data, guard
from kag.values.trajectory import Step, Trajectory
from kag.values.types import Document
from kag.write.baseline import write_plan
from kag.write.build_plan import Plan, plan_sections
from kag.write.story import Builder, Tools


class Decisions:
    """The tools of the agent that decides doubts, and what it has decided.

    `answers` holds an answer a doubt, `places` where headings are put. An answer that was refused is to be given
    otherwise, or taken back with the program's own, before SUBMIT.
    """

    def __init__(self, plan: Plan, doubts: Sequence[Doubt], trajectory: Trajectory) -> None:
        self._plan = plan
        self._doubts = {f"d{number}": doubt for number, doubt in enumerate(doubts, start=1)}
        self._refused: dict[str, str] = {}
        self.answers: dict[Doubt, str] = {}
        self.places: dict[str, outline.Place] = {}
        offered = (self._decide, "decide", DECIDE), (self._nest, "nest", NEST)
        self.tools = {name: guard(Tool(name, doc, call), trajectory).call for call, name, doc in offered}
        for (_, name, doc), call in zip(offered, self.tools.values(), strict=True):
            call.__name__, call.__doc__ = name, doc

    @property
    def doubts(self) -> Mapping[str, Doubt]:
        """The doubts by the names the model knows them by."""
        return self._doubts

    def refusal(self, _fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        return "; ".join(self._refused.values()) or None

    def _decide(self, doubt_id: str, answer: str) -> dict[str, Any]:
        doubt = self._doubts.get(doubt_id)
        if doubt is None:
            return self._refuse(
                doubt_id, BadValue(f"there is no doubt {doubt_id!r}", hint=f"Doubts: {', '.join(self._doubts)}.")
            )
        if answer not in doubt.candidates:
            error = f"{answer!r} is no answer to {doubt_id}"
            return self._refuse(doubt_id, BadValue(error, hint=f"Answers: {', '.join(doubt.candidates)}."))
        self._refused = {name: why for name, why in self._refused.items() if name in self._doubts and name != doubt_id}
        self.answers[doubt] = answer
        return {"ok": True}

    def _nest(self, places: dict[str, str | int]) -> dict[str, Any]:
        try:
            outline.nested(self._plan.sections, self.places | places)
        except BadValue as error:
            return self._refuse("nest", error)
        self._refused.pop("nest", None)
        self.places |= places
        return {"ok": True}

    def _refuse(self, what: str, error: BadValue) -> dict[str, Any]:
        self._refused[what] = f"{error.message}. {error.hint}"
        return error_data(error)


DECIDE = """Answer a doubt with one of its answers. Returns {"ok": true} or {"ok": false, "error", "hint"}."""
NEST = """Put headings elsewhere, all in one call: {"h3": "h2"} below h2, {"h3": "top"}, or {"h3": 2} to a depth. \
What lies below a moved heading goes with it. Returns as decide."""


def hybrid_builder(
    lm: Any,
    ledger: Ledger,
    *,
    interpreters: Interpreters,
    max_iters: int,
    trajectory: Trajectory,
    why: str = "",
    task: str = DOUBT_TASK,
) -> Builder:
    """A builder that writes the baseline's plan, with its doubts decided by `lm` (a `dspy.LM`).

    Its facts: `doubts` (how many, by question), `changed` (answers that differ from the baseline's, headings that
    were moved), and those of `rlm_builder` when there was a doubt. What a stopped agent has not decided stays as the
    baseline has it.
    """

    def build(document: Document, tools: Tools) -> Mapping[str, Any]:
        plan = plan_sections(document)
        doubts = find_doubts(document, plan)
        unclear = outline.why_doubtful(plan.sections)
        asked = Counter[str](doubt.question for doubt in doubts) + Counter({"outline": 1} if unclear else {})
        told: dict[str, Any] = {"doubts": dict(sorted(asked.items()))}
        decisions = Decisions(plan, doubts, trajectory)
        if asked:
            trajectory.append(Step("note", "doubts", data={"doubts": _rows(decisions), "outline": unclear}))
            offered: dict[str, Callable[..., Any]] = {**decisions.tools, "read_window": tools["read_window"]}
            if not unclear:
                del offered["nest"]
            finish = run_agent(
                doubt_signature(task),
                {"doubts": {name: list(doubt.candidates) for name, doubt in decisions.doubts.items()}},
                offered,
                lm,
                interpreters=interpreters,
                gate=decisions.refusal,
                trajectory=trajectory,
                max_iters=max_iters,
                usage=ledger.summary,
                shown={"doubts": doubts_view(document, plan, decisions.doubts, unclear)},
            )
            told |= facts(finish, ledger)
        amended = amend(plan, decisions.answers, decisions.places)
        answered = sum(doubt.candidates[0] != answer for doubt, answer in decisions.answers.items())
        told["changed"] = answered + _moved(plan, amended)
        return told | write_plan(document, amended, tools)

    return Builder("hybrid", build, why, lm.model, trajectory)


def _rows(decisions: Decisions) -> list[dict[str, Any]]:
    """The doubts as the trajectory keeps them."""
    return [
        {"id": name, "question": doubt.question, "block": doubt.block, "program": doubt.candidates[0],
         "answers": list(doubt.candidates), "why": doubt.reason}
        for name, doubt in decisions.doubts.items()
    ]  # fmt: skip


def _moved(plan: Plan, amended: Plan) -> int:
    """How many sections lie elsewhere."""
    return sum(one.parent != other.parent for one, other in zip(plan.sections, amended.sections, strict=True))
