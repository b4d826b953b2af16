"""One run of the agent loop: dspy's RLM with every step on record, and every way it can end as a value.

A run ends by SUBMIT, which the sandbox refuses until the gate opens, or it is stopped: by its budget, its
model, its sandbox, or its last iteration. What the tools have done until then stays.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import dspy

from kag.agents.model.dspy_compat import BriefAdapter, BriefRLM, CodeInterpreterError, as_dspy_tools, shortened
from kag.agents.sandbox.marshalling import head_and_tail, words_of
from kag.agents.sandbox.sandbox import PRINTED, Execution
from kag.core.errors import BudgetExceeded, KagError, ModelError, SandboxError
from kag.core.secrets import hide_secrets
from kag.core.trajectory import Step, Trajectory, as_json

BRIEF_OUTPUT = 1_500  # characters of one step's output that the model sees
MAX_HISTORY = 16_000  # characters of earlier steps in a prompt, from which they are shortened
UNREADABLE = 3  # replies in a row that cannot be read
MAX_BLOCKS = 12  # of a step that are on record by name
KEPT_OUTPUT = 4_000  # characters of a step's output on record

_BLOCK = re.compile(r"\bb_p\d+_\d+")
Interpreters = Callable[..., Callable[[], Any]]
Gate = Callable[[dict[str, Any]], str | None]
Cause = Literal["", "budget", "iterations", "model", "sandbox", "error"]


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a run: `cause` is empty if the agent submitted; otherwise `stopped` explains it."""

    answer: str = ""
    iterations: int = 0
    cause: Cause = ""
    stopped: str = ""


class LastIteration(ModelError):
    """The agent has used up its iterations without an answer."""

    code = "iterations"


def run_agent(
    signature: Any,
    inputs: Mapping[str, Any],
    tools: Mapping[str, Callable[..., Any]],
    lm: Any,
    *,
    interpreters: Interpreters,
    gate: Gate,
    trajectory: Trajectory,
    max_iters: int,
    usage: Callable[[], Mapping[str, Any]],
    shown: Mapping[str, str],
    most_shown: int = BRIEF_OUTPUT,
    tool_help: bool = False,
) -> Finish:
    """Run the loop to its end; never raises for what a model, its provider or its code can do.

    `interpreters(gate=, on_step=)` makes the sandbox factory, `usage()` the running totals of the ledger
    (`tokens_in`, `tokens_out`, `usd`). The prompt shows the texts `shown` by input and nothing else of the inputs, and
    `most_shown` characters of each step's output; with `tool_help` it has one line a tool and a tool `help`. Raises
    `SandboxError` when the sandbox cannot start at all.
    """
    record = _Record(trajectory, usage)
    factory = interpreters(gate=gate, on_step=record.executed)
    agent = BriefRLM(
        signature,
        shown=shown,
        tool_help=tool_help,
        max_iters=max_iters,
        max_output_chars=most_shown,
        tools=as_dspy_tools(tools, record.refused),
        interpreter_factory=factory,
    )
    adapter = BriefAdapter(use_json_adapter_fallback=False)
    agent.generate_action = _Action(agent.generate_action, record, most_shown)
    agent.extract = _NoExtract()  # an answer drawn from an unfinished run is no answer
    try:
        with dspy.context(lm=lm, adapter=adapter):
            answer = str(agent(**inputs).answer)
    except Exception as error:  # whatever stopped the loop, the graph so far is kept
        return record.stopped(error)
    return Finish(answer, record.iterations)


class _Record:
    """Writes iterations to the trajectory: the action when it is chosen, its outcome when it has run."""

    def __init__(self, trajectory: Trajectory, usage: Callable[[], Mapping[str, Any]]) -> None:
        self._trajectory, self._usage = trajectory, usage
        self._before = dict(usage())
        self.iterations = 0
        self._seen = len(trajectory)  # steps whose blocks are on record

    def refused(self, name: str, given: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """A call with arguments of wrong types, which did not reach its tool."""
        call = {"args": [], "kwargs": as_json(given), "error": result["error"], "code": result["code"]}
        self._trajectory.append(Step("tool", name, ok=False, data=call))

    def chosen(self, reasoning: str, code: str, waited: float) -> None:
        """The model has replied; on record before the code runs, so that a killed run shows what it was about."""
        now = dict(self._usage())
        spent = {f"{key}": now[key] - self._before[key] for key in ("tokens_in", "tokens_out")}
        cost = round(now["usd"] - self._before["usd"], 9)
        self._before, self.iterations = now, self.iterations + 1
        data = {"iteration": self.iterations, "reasoning": reasoning, "code": code, **spent, "cost_usd": cost}
        data["waited_ms"] = round(waited * 1000)
        self._trajectory.append(Step("iteration", "action", data=data))

    def executed(self, execution: Execution) -> None:
        """The code has run."""
        data: dict[str, Any] = {
            "iteration": self.iterations,
            "output": head_and_tail(execution.output, KEPT_OUTPUT),
            "output_chars": len(execution.output),
            "tool_calls": execution.tool_calls,
            "duration_ms": round(execution.seconds * 1000),
            **self._blocks(),
        }
        if execution.error:  # what was printed before it stands in the output
            data["error"] = execution.error.partition("\n" + PRINTED)[0]
        if execution.refused:
            data["submit_refused"] = list(execution.refused)
        if execution.submitted is not None:
            data["submitted"] = execution.submitted
        self._trajectory.append(Step("iteration", "outcome", ok=not execution.error, data=data))

    def _blocks(self) -> dict[str, Any]:
        """The blocks that the tool calls of this step name, the first of them in order, and how many there are."""
        calls = (step.data for step in islice(self._trajectory, self._seen, None) if step.kind == "tool")
        named = re.findall(_BLOCK, " ".join(f"{data.get('args')} {data.get('kwargs')}" for data in calls))
        self._seen = len(self._trajectory)
        blocks = list(dict.fromkeys(named))
        return {"blocks": blocks[:MAX_BLOCKS], "block_count": len(blocks)} if blocks else {}

    def stopped(self, error: Exception) -> Finish:
        """The loop has ended without an answer."""
        cause, words = _cause(error)
        self._trajectory.append(Step("note", "stopped", ok=False, data={"cause": cause, "error": words}))
        return Finish("", self.iterations, cause, words)


class _Action(dspy.Module):  # type: ignore[misc]
    """The module that asks for the next action: notes each one, and lets the model repair a reply of no form."""

    def __init__(self, predict: Any, record: _Record, most_shown: int) -> None:
        super().__init__()
        self.predict, self.record, self.most_shown, self.unreadable = predict, record, most_shown, 0

    def forward(self, **given: Any) -> Any:
        given["repl_history"] = shortened(given["repl_history"], MAX_HISTORY, self.most_shown)
        begun = time.perf_counter()
        try:
            action = self.predict(**given)
            reasoning, code = str(action.reasoning or ""), str(action.code or "")
        except dspy.AdapterParseError as error:
            self.unreadable += 1
            if self.unreadable >= UNREADABLE:
                raise ModelError(
                    f"{UNREADABLE} replies in a row could not be read: {first_line(str(error))}",
                    hint="Choose a model that keeps to the format it is asked for.",
                ) from error
            reasoning = ""
            code = 'raise ValueError("Your reply could not be read. Give the fields reasoning and code as asked.")'
            action = dspy.Prediction(reasoning=reasoning, code=code)
        else:
            self.unreadable = 0
        self.record.chosen(reasoning, code, time.perf_counter() - begun)
        return action

    @property
    def signature(self) -> Any:
        """The signature of the inner predictor, which an optimizer may have changed."""
        return self.predict.signature


class _NoExtract(dspy.Module):  # type: ignore[misc]
    """Takes the place of dspy's extraction of an answer from an unfinished run."""

    def forward(self, **_: Any) -> Any:
        raise LastIteration(
            "the last iteration has passed without SUBMIT", hint="Allow more: --max-iters, in Python `max_iters`."
        )


def _cause(error: BaseException) -> tuple[Cause, str]:
    """Return the kind of end and its message; an error of ours inside dspy's takes precedence."""
    for one in _chain(error):
        if isinstance(one, LastIteration):
            return "iterations", one.message
        if isinstance(one, BudgetExceeded):
            return "budget", one.message
        if isinstance(one, SandboxError):
            return "sandbox", one.message
        if isinstance(one, KagError):
            return "model", one.message
    words = f"{type(error).__name__}: {first_line(hide_secrets(words_of(error)))}"
    if isinstance(error, CodeInterpreterError):
        return "sandbox", words
    return ("model", words) if isinstance(error, dspy.LMError) else ("error", words)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def first_line(text: str) -> str:
    """The first line of an error's text, at most 200 characters."""
    return (text.strip().splitlines() or [""])[0][:200]
