"""`sandbox_factory`: which sandbox an agent's code runs in: Monty, or dspy's own (Pyodide in Deno).

Deno runs the whole language. It is slow (seconds to start), keeps no checkpoint and has no limit of memory. A step that
runs too long is ended by killing Deno, and the run with it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from kag.agents.model.dspy_compat import CodeExecutionError, CodeInterpreterError, FinalOutput, PythonInterpreter
from kag.agents.sandbox.marshalling import SHARED_ERRORS, Outcome, outcome, plain, words_of
from kag.agents.sandbox.sandbox import EXECUTION_INSTRUCTIONS, Execution, MontyInterpreter, Sandbox, ToolCall
from kag.agents.sandbox.worker import Limits
from kag.core.errors import BudgetExceeded, SandboxError
from kag.core.trajectory import as_json

HINT = 'Install Deno 2 (pip install "dspy[deno]") where it can fetch its modules once, or use --sandbox monty.'


_ERRORS: dict[str, type[Exception]] = {
    kind.__name__: kind for kind in SHARED_ERRORS if not issubclass(kind, UnicodeError)
}


class DenoInterpreter(PythonInterpreter):  # type: ignore[misc]
    """dspy's interpreter with our gate, our observers and an end to each step.

    What is fatal to Deno raises `SandboxError`; what the model can repair raises as in dspy.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        gate: Callable[[dict[str, Any]], str | None] | None = None,
        on_step: Callable[[Execution], None] | None = None,
        on_tool: Callable[[ToolCall], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._limits = limits or Limits()
        self._gate, self._on_step, self._on_tool = gate, on_step, on_tool
        self._step = self._calls = 0
        self._stop: BudgetExceeded | None = None

    def start(self) -> None:
        """Start Deno and try it. Raises `SandboxError`."""
        with _fatal("the deno sandbox cannot start"):
            super().start()

    def execute(self, code: str, variables: dict[str, Any] | None = None) -> Any:
        """Run one step, as `MontyInterpreter.execute`."""
        self._step, self._calls, self._stop = self._step + 1, 0, None
        begun, result, failure = time.perf_counter(), None, None
        try:
            self.start()
            with _fatal("the deno sandbox has died"), self._deadline():
                result = self._gated(super().execute(code, variables))
        except (CodeExecutionError, SyntaxError, SandboxError, BudgetExceeded) as error:
            failure = self._stop or error
        final = result.output if isinstance(result, FinalOutput) else None
        if self._on_step:
            output = "" if final is not None or result is None else str(result)
            record = output, str(failure) if failure else None, final
            self._on_step(Execution(self._step, code, *record, self._calls, time.perf_counter() - begun))
        if failure:
            raise failure
        return result

    def invoke_tool(self, tool_name: str, kwargs: dict[str, Any]) -> Any:
        """Call a tool for the sandbox and record the call."""
        self._calls += 1
        if self._calls > self._limits.tool_calls or self._stop:
            raise RuntimeError(f"the step may call tools {self._limits.tool_calls} times, and not after a stop")
        begun = time.perf_counter()
        try:
            came = outcome(super().invoke_tool, (tool_name, kwargs), {})
        except BudgetExceeded as stop:  # dspy makes data of it; `execute` raises it again
            self._stop = stop
            raise
        if self._on_tool:
            record = as_json(kwargs), came.result, came.error
            self._on_tool(ToolCall(self._step, tool_name, [], *record, time.perf_counter() - begun))
        if came.raised:
            raise _ERRORS.get(came.raised["exc_type"], ValueError)(came.raised["message"])
        return came.result

    def _gated(self, result: Any) -> Any:
        """Return the result of the code, unless the run has to stop or the gate refuses it."""
        if self._stop:
            raise self._stop
        if not isinstance(result, FinalOutput):
            return result
        try:
            final = FinalOutput(plain(result.output))
        except (TypeError, ValueError) as error:
            raise CodeExecutionError(f"SUBMIT: {words_of(error)}") from error
        judged = outcome(self._gate, (final.output,), {}) if self._gate else Outcome()
        reason = judged.raised["message"] if judged.raised else judged.result
        if reason:
            raise CodeExecutionError(f"SUBMIT refused: {reason}")
        return final

    @contextmanager
    def _deadline(self) -> Iterator[None]:
        """Kill Deno when the step takes longer than its own time and that of its tools together."""
        seconds, late = self._limits.seconds + self._limits.tool_seconds, threading.Event()

        def kill() -> None:
            late.set()
            self.deno_process.kill()

        timer = threading.Timer(seconds, kill)
        timer.start()
        try:
            yield
        except CodeInterpreterError as error:
            if late.is_set():
                raise SandboxError(f"a step ran longer than {seconds:g} s in the deno sandbox", hint=HINT) from error
            raise
        finally:
            timer.cancel()


@contextmanager
def _fatal(what: str) -> Iterator[None]:
    """Return an error that dspy cannot recover from as a `SandboxError`."""
    try:
        yield
    except (CodeExecutionError, SandboxError):
        raise
    except (CodeInterpreterError, OSError, ValueError) as error:
        raise SandboxError(f"{what}: {str(error).splitlines()[0]}", hint=HINT) from error


def deno_sandbox(**options: Any) -> Sandbox:
    """A maker of `DenoInterpreter`s, tried once here, so that a run does not begin where Deno cannot start.

    Raises `SandboxError`.
    """
    trial = DenoInterpreter()
    try:
        trial.start()
    finally:
        trial.shutdown()
    return Sandbox(lambda: DenoInterpreter(**options), PythonInterpreter.execution_instructions)


def sandbox_factory(
    name: Literal["monty", "deno"] = "monty",
    *,
    limits: Limits | None = None,
    gate: Callable[[dict[str, Any]], str | None] | None = None,
    on_step: Callable[[Execution], None] | None = None,
    on_tool: Callable[[ToolCall], None] | None = None,
    checkpoint: bytes | None = None,
) -> Sandbox:
    """Return the sandbox of the agent's code: "monty", or "deno" for dspy's own.

    Deno keeps no checkpoint and knows no limit but time. Raises `SandboxError` when it cannot start here.
    """
    if name == "deno":
        return deno_sandbox(limits=limits, gate=gate, on_step=on_step, on_tool=on_tool)

    def make() -> MontyInterpreter:
        return MontyInterpreter(limits=limits, gate=gate, on_step=on_step, on_tool=on_tool, checkpoint=checkpoint)

    return Sandbox(make, EXECUTION_INSTRUCTIONS)
