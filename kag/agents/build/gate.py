"""Conditions for SUBMIT in a builder with a model: a finished graph, and losses against the baseline confirmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

from kag.core.trajectory import Step, Trajectory
from kag.core.types import Document
from kag.indexing.changes import losses, warning
from kag.indexing.pipeline import Tools

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
