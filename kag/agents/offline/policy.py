"""`offline-policy/1`: rules in the place of a model, so that the whole agent path runs without one.

It is an engine, `complete(Request) -> Response`. It sees the prompt and nothing else, as a model does, and
answers with reasoning and code: the rules' plan written call by call, a review that changes nothing, questions answered
by shared words. It costs nothing and is no model: the ledger says "policy".
"""

from __future__ import annotations

import re
from typing import Any

from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.agents.build.prompts import WRITE
from kag.agents.model.engines import Source
from kag.agents.model.options import POLICY
from kag.agents.offline import ingest_policy, policy_cells, reading_policy
from kag.core.errors import ModelError

MAX_REPAIRS = 3

_STEP = re.compile(r"^=== Step \d+ ===$", re.M)
_OUTPUT = re.compile(r"^Output \([\d,]+ chars\):\n", re.M)
_NEXT = re.compile(r"^next: ([a-z ]+)$", re.M)

# What to do next, why, and the code.
_CELLS: dict[str, tuple[str, str]] = {
    "explore": ("Ask for the rules' plan.", policy_cells.EXPLORE),
    "write": ("Write it, and ask whether the graph is finished.", WRITE + policy_cells.FINISH),
    "repair": ("Do what the messages say, then ask again.", policy_cells.REPAIR + policy_cells.FINISH),
    "submit": ("finalize_graph says READY.", policy_cells.SUBMIT),
    "review": ("Nothing in the prompt speaks against the rules' choices.", policy_cells.REVIEW),
    "layers": ("Nothing in the prompt speaks against the rules' layers.", policy_cells.LAYERS),
    "look": ("Search with the words of the question.", reading_policy.LOOK),
    "look around": ("Search all papers with the words of the question.", reading_policy.LOOK_AROUND),
    "read": ("See what stands around the best place, what it cites, and a figure.", reading_policy.READ),
    "quote": ("Take the sentences that share most words with the question.", reading_policy.QUOTE),
    "none": ("No word of the question is printed.", reading_policy.NONE),
    "answer": ("Answer with them, without those that are refused.", reading_policy.ANSWER),
}

# By a tool that is offered, the first of these that is.
_FIRST = {
    "op_create_node": "explore",
    "search_knowledge_graph": "look around",
    "g_search": "look",
}


def source() -> Source:
    """The policy as a source of replies for the engine stack."""
    return Source(POLICY, OfflinePolicy, tariff="policy")


class OfflinePolicy:
    """The engine. It keeps nothing between calls: the prompt says where the work stands."""

    def complete(self, request: Request) -> Response:
        """The next action; raises `ModelError` where the rules lead no further."""
        system, prompt = _text(request.system), "\n".join(_text(message.parts) for message in request.messages)
        reply = ingest_policy.reply(system, prompt) if ingest_policy.asked(system) else _cell(system, prompt)
        return Response(
            id=None,
            model=POLICY,
            message=Message.assistant([TextPart(reply)]),
            finish_reason="stop",
            usage=Usage(input_tokens=0, output_tokens=0, total_tokens=0),
        )

    def close(self) -> None:
        """Nothing is open."""


def _cell(system: str, prompt: str) -> str:
    """Reasoning and code, as the agent loop wants them."""
    why, code = _CELLS[next_cell(system, prompt)]
    return f"[[ ## reasoning ## ]]\n{why}\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"


def next_cell(system: str, prompt: str) -> str:
    """Which cell comes next, by the tools that the system prompt offers and the last output in the prompt."""
    steps = len(_STEP.findall(prompt))
    if not steps:
        if "Terms of graph=" in system:
            return "layers"
        if "`outline` (" in system:
            return "review"
        first = next((first for tool, first in _FIRST.items() if re.search(rf"^\s*- `?{tool}\(", system, re.M)), "")
        if not first:
            raise ModelError(f"{POLICY} only drives the agent loops", hint="Take mode agent, or a model.")
        return first
    last = _OUTPUT.split(prompt)[-1].split("\n[[ ## ")[0]
    said = _NEXT.findall(last)
    if not said or said[-1] not in _CELLS:
        raise ModelError(f"{POLICY} gives up: {last.strip()[:200]!r}", hint="Take a model, or the builder baseline.")
    if said[-1] == "repair" and prompt.count("next: repair\n") > MAX_REPAIRS:
        raise ModelError(
            f"{POLICY} gives up after {MAX_REPAIRS} repairs", hint="Take a model, or the builder baseline."
        )
    return str(said[-1])


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "".join(getattr(part, "text", None) or "" for part in (value or ()))
