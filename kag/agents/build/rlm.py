"""`rlm_builder`: a builder whose decisions are a model's, made in code that runs in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from kag.agents.build.draft_view import draft_view
from kag.agents.build.prompts import INDEX_TASK, index_signature
from kag.agents.build.view import blocks_view
from kag.agents.model.token_ledger import Ledger
from kag.agents.sandbox.runner import Finish, Interpreters, run_agent
from kag.values.trajectory import Step, Trajectory
from kag.values.types import Document
from kag.write.build_plan import plan_sections
from kag.write.changes import losses, warning
from kag.write.draft import draft_of
from kag.write.story import Builder, Tools

NOT_READY = 'call finalize_graph() first; SUBMIT only after it has answered "READY" and nothing was changed since'


class Gate:
    """Knows whether the last `finalize_graph` said READY and nothing has been changed since, and whether it is told.

    What the graph has lost against the rules' draft is told once for each graph that differs in it: a SUBMIT that
    comes again with the same losses confirms them.
    """

    def __init__(self, document: Document, tools: Tools, trajectory: Trajectory) -> None:
        self._document, self._changes, self._trajectory = document, tools["changes"], trajectory
        self.tools = {name: self._watched(name, call) for name, call in tools.items() if name != "changes"}
        self._ready = False
        self._told: list[str] = []

    def refusal(self, _fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        if not self._ready:
            return NOT_READY
        lost = losses(self._changes(), self._document)
        if not set(lost) - set(self._told):
            return None
        self._told = lost
        self._trajectory.append(Step("note", "losses", data={"losses": lost}))
        return warning(lost)

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def watched(*args: Any, **kwargs: Any) -> Any:
            result = call(*args, **kwargs)
            if name == "finalize_graph":
                self._ready = bool(result["ok"])
            elif name == "write_graph" or (name.startswith("op_") and result["ok"]):
                self._ready = False
            return result

        return watched


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
    """A builder that lets `lm` (a `dspy.LM`) mend the rules' draft and write the graph; iterations go to `trajectory`.

    Its facts: `iterations`, `answer`, `usage` (the ledger's totals), and `stopped` with `cause` when the
    agent did not finish.
    """

    def build(document: Document, tools: Tools) -> Mapping[str, Any]:
        gate = Gate(document, tools, trajectory)
        draft = draft_of(document, plan_sections(document))
        finish = run_agent(
            index_signature(task),
            {"paper_id": document.paper_id, "draft": draft, "blocks": blocks_view(document)},
            gate.tools,
            lm,
            interpreters=interpreters,
            gate=gate.refusal,
            trajectory=trajectory,
            max_iters=max_iters,
            usage=ledger.summary,
            shown={"draft": draft_view(document, draft)},
        )
        return facts(finish, ledger)

    return Builder("rlm", build, why, lm.model, trajectory)


def facts(finish: Finish, ledger: Ledger) -> dict[str, Any]:
    """A run's end as facts for the summary."""
    ended = {"stopped": finish.stopped, "cause": finish.cause} if finish.cause else {"answer": finish.answer}
    return {"iterations": finish.iterations, **ended, "usage": ledger.summary()}
