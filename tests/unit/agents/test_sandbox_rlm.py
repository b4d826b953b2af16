"""The sandbox under the real `dspy.RLM`, with a script in the model's place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dspy

from kag.agents.model.dspy_compat import BriefAdapter, BriefRLM, as_dspy_tools
from kag.agents.sandbox.sandbox import sandbox_factory
from kag.core.errors import InvalidOperation
from kag.core.tool import Tool, guard
from kag.core.trajectory import Trajectory
from tests.unit.agents.scripted import scripted_lm


def run(tools: dict[str, Callable[..., Any]], *steps: str, **options: Any) -> tuple[dspy.Prediction, dspy.LM]:
    lm = scripted_lm(*steps)
    factory = options.pop("interpreter_factory", None) or sandbox_factory(**options)
    signature = dspy.Signature("blocks: list -> answer: int", "Count the blocks.")
    rlm = BriefRLM(signature, shown={}, tools=as_dspy_tools(tools), interpreter_factory=factory)
    with dspy.context(lm=lm, adapter=BriefAdapter(use_json_adapter_fallback=False)):
        return rlm(blocks=[{"id": "b1"}]), lm


def outputs(result: dspy.Prediction) -> list[str]:
    return [step["output"] for step in result.trajectory]


def test_tools_state_inputs_and_a_submit_of_the_wrong_type() -> None:
    def add(a: int, b: int = 1) -> dict[str, Any]:
        """Add numbers.

        Returns {"sum": 3}.
        """
        return {"sum": a + b}

    result, lm = run(
        {"add": add},
        "x = add(2, 3)['sum']\nblocks.append(x)\nprint(blocks[0]['id'])\nx",
        "add(a=x)['sum'] + len(blocks)",
        "y = 'text'\nSUBMIT(y)",
        "SUBMIT(answer=x + len(y))",
    )
    assert result.answer == 9
    assert outputs(result)[:2] == ["b1\n5\n", "8\n"]
    assert "[Type Error] answer: expected" in outputs(result)[2]
    prompt = str(lm.engine.requests[0])
    assert "Add numbers." in prompt
    assert '{"sum": 3}' in prompt
    assert "small, safe interpreter" in prompt
    assert "Sub-agents" not in prompt


def test_errors_and_refusals_go_back_to_the_model() -> None:
    ready: list[bool] = []

    def finish() -> None:
        """Finish."""
        ready.append(True)

    def gate(fields: dict[str, Any]) -> str | None:
        return None if ready else "call finish() first"

    result, _ = run(
        {"finish": finish},
        "SUBMIT(1)",
        "x = (",
        "[][1]",
        "finish()\nSUBMIT(1)",
        gate=gate,
    )
    assert outputs(result) == [
        "[Error] RuntimeError: SUBMIT refused: call finish() first\n  line 1: SUBMIT(1)",
        "[Error] SyntaxError: unexpected EOF while parsing\n  line 1: x = (",
        "[Error] IndexError: list index out of range\n  line 1: [][1]",
        "FINAL: {'answer': 1}",
    ]


def test_tools_keep_the_rules_of_guard() -> None:
    def op_link(subject: str, order: int = 0, more: list[str] | None = None) -> dict[str, Any]:
        """Link."""
        if subject == "none":
            raise InvalidOperation("no such node", hint="Create it.")
        return {"ok": True, "order": order}

    trajectory = Trajectory()
    tools = {"op_link": guard(Tool("op_link", "Link.", op_link), trajectory).call}
    result, _ = run(
        tools,
        "op_link('none')",
        "op_link()",
        "op_link('a', nothing=1)",
        "op_link(None)",
        "op_link('a', more='b')",
        "op_link('a', '7')",
        "SUBMIT(1)",
    )
    assert outputs(result)[:6] == [
        "{'ok': False, 'error': 'no such node', 'code': 'invalid_operation', 'hint': 'Create it.'}\n",
        "{'ok': False, 'error': \"test_tools_keep_the_rules_of_guard.<locals>.op_link() missing 1 required positional "
        "argument: 'subject'\", 'code': 'bad_call', 'hint': 'Call op_link as its description says.'}\n",
        "{'ok': False, 'error': \"test_tools_keep_the_rules_of_guard.<locals>.op_link() got an unexpected keyword "
        "argument 'nothing'\", 'code': 'bad_call', 'hint': 'Call op_link as its description says.'}\n",
        "{'ok': False, 'error': 'subject: Input should be a valid string, not NoneType', 'code': 'bad_call', "
        "'hint': 'Call op_link as its description says.'}\n",
        "{'ok': False, 'error': 'more: Input should be a valid list, not str', 'code': 'bad_call', "
        "'hint': 'Call op_link as its description says.'}\n",
        "{'ok': True, 'order': 7}\n",
    ]
    assert [step.ok for step in trajectory] == [False, False, False, True]
