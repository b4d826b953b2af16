"""The sandbox of an agent's code: `MontyInterpreter`, or dspy's own interpreter (Pyodide in Deno).

Monty starts in milliseconds and has no file, network or environment. A step that breaks a limit or kills its worker is
undone: a new worker continues from the state before the step. What its tool calls did stays, because the graph lives on
this side. Deno runs the whole language, takes seconds to start and has no limit but time.
"""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from kag.agents.model.dspy_compat import (
    HOST_TOKEN_VAR,
    CodeExecutionError,
    CodeInterpreterError,
    FinalOutput,
    PythonInterpreter,
)
from kag.agents.sandbox.marshalling import (
    Outcome,
    Output,
    head_and_tail,
    located,
    outcome,
    plain,
    prepared,
    step_code,
    words_of,
)
from kag.agents.sandbox.worker import Limits, Worker, monty, original
from kag.core.errors import BudgetExceeded, KagError, SandboxError

PRELUDE_FILE = "<python-input-0>"  # what Monty calls the first code of a session
ERROR_OUTPUT = 1000  # characters of the output that an error message repeats, half from each end
PRINTED = "Printed before the error:\n"
LONGEST_STEP = 200_000  # characters of a step's code
UNDONE = "The step was undone: its names are as before it. What its tool calls did stays."

Gate = Callable[[dict[str, Any]], str | None]

EXECUTION_INSTRUCTIONS = """\
Python runs in a small, safe interpreter: no files, network or other modules than json, re, math, collections, \
itertools (imported), functools, datetime, random, copy, typing, csv, hashlib, base64, unicodedata. \
Not supported: class inheritance, `yield`, `del`, @property; a method as a value (write `lambda s: s.lower()`, \
`lambda k: d.get(k)`); a function in re.sub; json.dumps(default=...); globals(), vars(), locals(). \
Call tools by position or name, not inside map(), filter() or a sort key; results are plain JSON. \
A step may run 10 seconds (tools not counted) and use 512 MB, or it is undone."""


@dataclass(frozen=True, slots=True)
class Execution:
    """One step: its code, what it printed, its error as the model reads it, what it submitted with success, why not."""

    step: int
    code: str
    output: str
    error: str | None
    submitted: dict[str, Any] | None
    tool_calls: int
    seconds: float
    refused: tuple[str, ...] = ()


class _TooMuch(Exception):
    """A step exceeded a limit that is enforced outside the sandbox."""


class MontyInterpreter:
    """The sandbox as `dspy.RLM` wants it (dspy's CodeInterpreter protocol).

    `gate` sees what SUBMIT is given, by field; a reason refuses it inside the sandbox, as a
    RuntimeError that the model reads, and the session continues. `on_step` is called for each step as it happens.
    """

    execution_instructions = EXECUTION_INSTRUCTIONS

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        gate: Gate | None = None,
        on_step: Callable[[Execution], None] | None = None,
    ) -> None:
        self.tools: dict[str, Callable[..., Any]] = {}
        self.output_fields: list[dict[str, Any]] | None = None
        self._limits = limits or Limits()
        self._worker = Worker(self._limits)
        self._gate, self._on_step = gate, on_step
        self._step = self._calls = 0
        self._tool_seconds = 0.0
        self._refused: list[str] = []  # why SUBMIT was refused in this step

    # life -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the worker; nothing when it runs. Raises `SandboxError`."""
        self._worker.start()

    def shutdown(self) -> None:
        """End the worker."""
        self._worker.close()

    @property
    def worker_pid(self) -> int | None:
        """The process id of the worker, None when there is none."""
        return self._worker.pid

    # one step ---------------------------------------------------------------------------------

    def execute(self, code: str, variables: dict[str, Any] | None = None) -> Any:
        """Run one step; returns what it printed, None for nothing, dspy's FinalOutput after SUBMIT.

        Raises SyntaxError and dspy's CodeExecutionError for what the model can repair, `SandboxError`
        and `BudgetExceeded` for what it cannot.
        """
        if HOST_TOKEN_VAR in (variables or {}):
            raise CodeExecutionError("there are no sub-agents in this sandbox")
        self._worker.start()
        self._worker.give(variables or {})
        self._step, self._calls, self._tool_seconds, self._refused = self._step + 1, 0, 0.0, list[str]()
        code = step_code(code)
        output, begun = Output(self._limits.output), time.perf_counter()
        final, failure = None, None
        try:
            final, failure = self._run(code, output)
        except BudgetExceeded as stop:
            failure = stop
        if self._on_step:
            record = output.text(), str(failure) if failure else None, final.output if final else None
            seconds = time.perf_counter() - begun
            self._on_step(Execution(self._step, code, *record, self._calls, seconds, tuple(self._refused)))
        if failure:
            raise failure
        return final or output.text() or None

    def _run(self, code: str, output: Output) -> tuple[FinalOutput | None, Exception | None]:
        """Run a step and leave a sound session behind: as the step left it, or as it was before."""
        if len(code) > LONGEST_STEP:
            return None, CodeExecutionError(
                f"The step has {len(code)} characters, more than the {LONGEST_STEP} allowed."
            )
        final: FinalOutput | None = None
        inside: Exception | None = None
        try:
            final = self._drive(code, output)
        except (KagError, KeyboardInterrupt):
            self._worker.abandon()
            raise
        except Exception as error:
            inside = error
        undone = _breaks(inside) or not self._worker.keep()
        if undone:
            self._worker.undo()
        if final is not None or (inside is None and not undone):
            return final, None
        return None, self._failure(inside, undone, code, output)

    def _drive(self, code: str, output: Output) -> FinalOutput | None:
        """Run the code to its end, or to a SUBMIT that is not refused, answering each call it makes."""
        step = prepared(code)
        begun, asked = time.perf_counter(), 0
        moment = self._worker.begin(step, [*self.tools, "SUBMIT"], output.write)
        while not isinstance(moment, monty.MontyComplete):
            asked += 1
            self._within(asked, time.perf_counter() - begun)
            name = original(moment.function_name) if isinstance(moment, monty.FunctionSnapshot) else ""
            if isinstance(moment, monty.FunctionSnapshot) and name == "SUBMIT":
                fields, refusal = self._submission(moment.args, moment.kwargs)
                if refusal:
                    self._refused.append(refusal["message"])
                else:
                    self._leave(moment)
                    return FinalOutput(fields)
                moment = moment.resume(refusal)
            elif isinstance(moment, monty.FunctionSnapshot) and not moment.is_os_function and name in self.tools:
                moment = moment.resume(self._tool(name, moment.args, moment.kwargs))
            else:
                moment = moment.resume_auto()
        if step.shows and moment.output != "None":
            output.write("stdout", f"{moment.output}\n")
        return None

    def _within(self, asked: int, seconds: float) -> None:
        """Raise `_TooMuch` for a step that has asked this side so often, has run so long, or has used its tools so."""
        limits = self._limits
        if asked > limits.tool_calls:
            raise _TooMuch(
                f"RuntimeError: the step called tools or looked up unknown names more than {limits.tool_calls} times."
            )
        if self._tool_seconds > limits.tool_seconds or seconds > limits.seconds + limits.tool_seconds:
            raise _TooMuch(f"TimeoutError: the tools of this step took longer than {limits.tool_seconds:g} s.")

    def _tool(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool; returns how the sandbox goes on: with its result, or raising what it raised."""
        begun = time.perf_counter()
        came = outcome(self.tools[name], args, kwargs)
        seconds = time.perf_counter() - begun
        self._calls, self._tool_seconds = self._calls + 1, self._tool_seconds + seconds
        return came.raised or {"return_value": came.result}

    def _submission(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        """Return the fields given to SUBMIT, and the refusal of the sandbox, or None."""
        names = [field["name"] for field in self.output_fields or [{"name": "output"}]]
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        signature = inspect.Signature([inspect.Parameter(name, kind) for name in names])
        try:
            fields: dict[str, Any] = plain(signature.bind(*args, **kwargs).arguments)
        except (TypeError, ValueError) as error:
            return {}, {"exc_type": "TypeError", "message": f"SUBMIT({', '.join(names)}): {words_of(error)}"}
        reason = refusal_of(self._gate, fields)
        return fields, {"exc_type": "RuntimeError", "message": f"SUBMIT refused: {reason}"} if reason else None

    def _leave(self, moment: monty.FunctionSnapshot) -> None:
        """End the step at its SUBMIT, as sys.exit would; a step that goes on all the same is undone."""
        try:
            ended = isinstance(moment.resume({"exc_type": "SystemExit", "message": "submitted"}), monty.MontyComplete)
        except monty.MontyError as error:
            ended = isinstance(error.exception(), SystemExit)
        if not ended:
            self._worker.undo()

    def _failure(self, inside: Exception | None, undone: bool, code: str, output: Output) -> Exception:
        """Return the error for the model, without anything that differs from run to run."""
        if isinstance(inside, monty.MontySyntaxError):
            return SyntaxError(located(f"SyntaxError: {inside}", inside.traceback(), code, PRELUDE_FILE))
        if not undone and isinstance(inside, monty.MontyRuntimeError):
            cause = inside.exception()
            text = f"KeyError: {cause}" if isinstance(cause, KeyError) else str(inside)  # Monty leaves the quotes out
            message = located(text, inside.traceback(), code, PRELUDE_FILE)
        else:
            message = f"{self._cause(inside)} {UNDONE}"
        shown = head_and_tail(output.text(), ERROR_OUTPUT)
        error: Exception = CodeExecutionError(f"{message}\n{PRINTED}{shown}" if shown else message)
        return error

    def _cause(self, inside: Exception | None) -> str:
        cause = inside.exception() if isinstance(inside, monty.MontyError) else None
        if isinstance(inside, _TooMuch):
            return str(inside)
        if isinstance(cause, TimeoutError):
            return f"TimeoutError: the step ran longer than {self._limits.seconds:g} s."
        if inside is None or isinstance(cause, MemoryError):
            return f"MemoryError: the session needs more than {self._limits.memory >> 20} MB."
        return "The sandbox crashed in this step and was replaced."


def refusal_of(gate: Gate | None, fields: dict[str, Any]) -> str:
    """Why a gate refuses what SUBMIT was given; empty when it does not."""
    judged = outcome(gate, (fields,), {}) if gate else Outcome()
    return str(judged.raised["message"] if judged.raised else judged.result or "")


def _breaks(inside: Exception | None) -> bool:
    """Whether the session is unusable after this: stopped in the middle, full, or gone."""
    if inside is None:
        return False
    if not isinstance(inside, monty.MontyRuntimeError | monty.MontySyntaxError):
        return True
    return isinstance(inside.exception(), TimeoutError | MemoryError)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A zero-argument maker of interpreters, as `dspy.RLM(interpreter_factory=...)` takes it."""

    make: Callable[[], Any]
    execution_instructions: str

    def __call__(self) -> Any:
        return self.make()


DENO_HINT = 'Install Deno 2 (pip install "dspy[deno]") where it can fetch its modules once, or use --sandbox monty.'


class DenoInterpreter(PythonInterpreter):  # type: ignore[misc]
    """dspy's interpreter behind the same gate and observer. A step that takes too long ends Deno, and the run."""

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        gate: Gate | None = None,
        on_step: Callable[[Execution], None] | None = None,
    ) -> None:
        super().__init__()
        self._limits, self._gate, self._on_step = limits or Limits(), gate, on_step
        self._step = self._calls = 0

    def start(self) -> None:
        """Start Deno and try it. Raises `SandboxError`."""
        try:
            super().start()
        except (CodeInterpreterError, OSError, ValueError) as error:
            message = f"the deno sandbox cannot start: {str(error).splitlines()[0]}"
            raise SandboxError(message, hint=DENO_HINT) from error

    def execute(self, code: str, variables: dict[str, Any] | None = None) -> Any:
        """Run one step, as `MontyInterpreter.execute`."""
        self.start()
        self._step, self._calls, begun = self._step + 1, 0, time.perf_counter()
        result, failure = None, None
        timer = threading.Timer(self._limits.seconds + self._limits.tool_seconds, self.deno_process.kill)
        timer.start()
        try:
            result = self._gated(super().execute(code, variables))
        except Exception as error:
            failure = str(error)
            raise
        finally:
            timer.cancel()
            if self._on_step:
                final = result.output if isinstance(result, FinalOutput) else None
                output = "" if final is not None or result is None else str(result)
                record = output, failure, final, self._calls, time.perf_counter() - begun
                self._on_step(Execution(self._step, code, *record))
        return result

    def invoke_tool(self, tool_name: str, kwargs: dict[str, Any]) -> Any:
        """Call a tool for the sandbox."""
        self._calls += 1
        return super().invoke_tool(tool_name, kwargs)

    def _gated(self, result: Any) -> Any:
        if isinstance(result, FinalOutput) and (reason := refusal_of(self._gate, result.output)):
            raise CodeExecutionError(f"SUBMIT refused: {reason}")
        return result


def sandbox_factory(name: Literal["monty", "deno"] = "monty", **options: Any) -> Sandbox:
    """Return the sandbox of the agent's code, with the `limits`, `gate` and `on_step` of its interpreters.

    Raises `SandboxError` where Deno cannot start, so that a run does not begin there.
    """
    if name == "monty":
        return Sandbox(lambda: MontyInterpreter(**options), EXECUTION_INSTRUCTIONS)
    trial = DenoInterpreter()
    try:
        trial.start()
    finally:
        trial.shutdown()
    return Sandbox(lambda: DenoInterpreter(**options), PythonInterpreter.execution_instructions)
