"""`rlm_builder`: a builder whose decisions are a model's, made in code that runs in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from kag.agents.build.prompts import INDEX_TASK, index_signature
from kag.agents.build.view import blocks_view, document_view
from kag.agents.model.token_ledger import Ledger
from kag.agents.sandbox.runner import Finish, Interpreters, run_agent
from kag.values.trajectory import Trajectory
from kag.values.types import Document
from kag.write.story import Builder, Tools

NOT_READY = 'call finalize_graph() first; SUBMIT only after it has answered "READY" and nothing was changed since'


class ReadyGate:
    """Knows whether the last `finalize_graph` said READY and nothing has been changed since."""

    def __init__(self) -> None:
        self._ready = False

    def watch(self, tools: Tools) -> dict[str, Callable[..., Any]]:
        """The same tools, watched."""
        return {name: self._watched(name, call) for name, call in tools.items()}

    def refusal(self, _fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        return None if self._ready else NOT_READY

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def watched(*args: Any, **kwargs: Any) -> Any:
            result = call(*args, **kwargs)
            if name == "finalize_graph":
                self._ready = bool(result["ok"])
            elif name.startswith("op_") and result["ok"]:
                self._ready = False
            return result

        watched.__doc__ = " ".join((call.__doc__ or "").split())  # indentation is paid for in every prompt
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
    """A builder that lets `lm` (a `dspy.LM`) write the graph; its iterations go to `trajectory`.

    Its facts: `iterations`, `answer`, `usage` (the ledger's totals), and `stopped` with `cause` when the
    agent did not finish.
    """

    def build(document: Document, tools: Tools) -> Mapping[str, Any]:
        gate = ReadyGate()
        inputs = {
            "paper_id": document.paper_id,
            "blocks": blocks_view(document),
            "document": document_view(document),
        }
        finish = run_agent(
            index_signature(task),
            inputs,
            gate.watch(tools),
            lm,
            interpreters=interpreters,
            gate=gate.refusal,
            trajectory=trajectory,
            max_iters=max_iters,
            usage=ledger.summary,
        )
        return facts(finish, ledger)

    return Builder("rlm", build, why, lm.model, trajectory)


def facts(finish: Finish, ledger: Ledger) -> dict[str, Any]:
    """A run's end as facts for the summary."""
    ended = {"stopped": finish.stopped, "cause": finish.cause} if finish.cause else {"answer": finish.answer}
    return {"iterations": finish.iterations, **ended, "usage": ledger.summary()}
