"""`sandbox_factory`: which sandbox an agent's code runs in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from kag.agents.sandbox.deno import deno_sandbox
from kag.agents.sandbox.sandbox import EXECUTION_INSTRUCTIONS, Execution, MontyInterpreter, Sandbox, ToolCall
from kag.agents.sandbox.worker import Limits


def sandbox_factory(
    name: Literal["monty", "deno"] = "monty",
    *,
    limits: Limits | None = None,
    gate: Callable[[dict[str, Any]], str | None] | None = None,
    on_step: Callable[[Execution], None] | None = None,
    on_tool: Callable[[ToolCall], None] | None = None,
    checkpoint: bytes | None = None,
) -> Sandbox:
    """Where the agent's code is to run: "monty", or "deno" for dspy's own where it can start.

    Deno keeps no checkpoint and knows no limit but time. Raises `SandboxError` when it cannot start here.
    """
    if name == "deno":
        return deno_sandbox(limits=limits, gate=gate, on_step=on_step, on_tool=on_tool)

    def make() -> MontyInterpreter:
        return MontyInterpreter(limits=limits, gate=gate, on_step=on_step, on_tool=on_tool, checkpoint=checkpoint)

    return Sandbox(make, EXECUTION_INSTRUCTIONS)
