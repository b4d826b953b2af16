"""`hybrid_builder`: the baseline builds the graph, and a model decides what the baseline marked as doubtful.

No doubts, no calls. The model sees the doubtful blocks with what stands around them and nothing else of the
paper, and can answer only with the candidates of each doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kag.agents.build.amend import amend
from kag.agents.build.doubts import Doubt, find_doubts
from kag.agents.build.prompts import DOUBT_TASK, doubt_signature
from kag.agents.build.rlm import facts
from kag.agents.build.view import blocks_view
from kag.agents.model.token_ledger import Ledger
from kag.agents.sandbox.runner import Interpreters, run_agent
from kag.values.trajectory import Step, Trajectory
from kag.values.types import Document
from kag.write.baseline import write_plan
from kag.write.build_plan import plan_sections
from kag.write.story import Builder, Tools

AROUND = 2  # blocks shown on each side of a doubtful one
UNDECIDED = "open_doubts() still lists doubts; decide each of them first"


class Decisions:
    """The tools of the agent that decides doubts, and what it has decided."""

    def __init__(self, doubts: Sequence[Doubt], trajectory: Trajectory) -> None:
        self._doubts = {f"d{number}": doubt for number, doubt in enumerate(doubts, start=1)}
        self._trajectory = trajectory
        self.answers: dict[Doubt, str] = {}

    def decide(self, doubt_id: str, answer: str) -> dict[str, Any]:
        """Answer a doubt with one of its candidates; a later answer replaces an earlier one.

        Returns {"ok": true, "open": <doubts left>} or {"ok": false, "error", "code", "hint"}.
        """
        doubt = self._doubts.get(doubt_id)
        if doubt is None:
            result = _refused(f"there is no doubt {doubt_id!r}", f"Doubts are {', '.join(self._doubts)}.")
        elif answer not in doubt.candidates:
            result = _refused(
                f"{answer!r} is no candidate of {doubt_id}", f"Candidates: {', '.join(doubt.candidates)}."
            )
        else:
            self.answers[doubt] = answer
            result = {"ok": True, "open": len(self._doubts) - len(self.answers)}
        told = {} if result["ok"] else {"error": result["error"]}
        self._trajectory.append(Step("tool", "decide", result["ok"], {"args": [doubt_id, answer], **told}))
        return result

    def open_doubts(self) -> list[str]:
        """The ids of doubts without an answer.

        Returns ["d1", ...], [] when all are decided.
        """
        return [name for name, doubt in self._doubts.items() if doubt not in self.answers]

    def refusal(self, _fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        return UNDECIDED if self.open_doubts() else None

    def shown(self, document: Document) -> list[dict[str, Any]]:
        """The doubts as the agent sees them."""
        blocks = blocks_view(document)
        places = {block["id"]: place for place, block in enumerate(blocks)}
        rows = []
        for name, doubt in self._doubts.items():
            place = places[doubt.block]
            near = blocks[max(0, place - AROUND) : place + AROUND + 1]
            named = [block for block in blocks if block["id"] in doubt.candidates and block not in near]
            rows.append(
                {
                    "id": name,
                    "block": doubt.block,
                    "question": doubt.question,
                    "reason": doubt.reason,
                    "candidates": list(doubt.candidates),
                    "around": [{key: block[key] for key in ("id", "label", "text")} for block in [*near, *named]],
                }
            )
        return rows


def _refused(error: str, hint: str) -> dict[str, Any]:
    return {"ok": False, "error": error, "code": "bad_value", "hint": hint}


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

    Its facts: `doubts` (how many, by question), `changed` (how many answers differ from the baseline's), and those
    of `rlm_builder` when there was a doubt. What a stopped agent has not decided stays as the baseline has it.
    """

    def build(document: Document, tools: Tools) -> Mapping[str, Any]:
        plan = plan_sections(document)
        doubts = find_doubts(document, plan)
        told: dict[str, Any] = {"doubts": dict(sorted(Counter(doubt.question for doubt in doubts).items()))}
        decisions = Decisions(doubts, trajectory)
        if doubts:
            own: dict[str, Callable[..., Any]] = {"decide": decisions.decide, "open_doubts": decisions.open_doubts}
            finish = run_agent(
                doubt_signature(task),
                {"doubts": decisions.shown(document)},
                {**own, "read_window": tools["read_window"]},
                lm,
                interpreters=interpreters,
                gate=decisions.refusal,
                trajectory=trajectory,
                max_iters=max_iters,
                usage=ledger.summary,
            )
            told |= facts(finish, ledger)
        told["changed"] = sum(doubt.candidates[0] != answer for doubt, answer in decisions.answers.items())
        return told | write_plan(document, amend(plan, decisions.answers), tools)

    return Builder("hybrid", build, why, lm.model, trajectory)
