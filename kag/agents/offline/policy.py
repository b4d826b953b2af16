"""`offline-policy/1`: rules in the place of a model, so that the whole agent path runs without one.

It is an engine, `complete(Request) -> Response`. It sees the prompt and nothing else, as a model does, and
answers with reasoning and code: rules over the `blocks` in the sandbox, and calls of the tools. No part of
the paper reaches it but what its own code printed. It costs nothing and is no model: the ledger says "policy".
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.agents.model.engines import Source
from kag.agents.model.options import POLICY
from kag.agents.offline import policy_cells, reading_policy
from kag.text.section_titles import phrases_of_types, titles
from kag.values.errors import ModelError

MAX_REPAIRS = 3

_RULES_NEED = "import re\nfrom typing import Any\n\n"
_STEP = re.compile(r"^=== Step \d+ ===$", re.M)
_OUTPUT = re.compile(r"^Output \([\d,]+ chars\):\n", re.M)
_NEXT = re.compile(r"^next: ([a-z ]+)$", re.M)

# What to do next, why, the rules it needs, and the code.
_CELLS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "explore": ("See which blocks there are.", (), policy_cells.EXPLORE),
    "structure": (
        "Leave out what is no part of the paper, match captions, nest headings.",
        ("noise", "floats", "headings", "titles"),
        policy_cells.STRUCTURE,
    ),
    "content": ("Decide what each block in a section is.", ("content",), policy_cells.CONTENT),
    "write": (
        "Write the graph through the tools, and ask whether it is finished.",
        (),
        policy_cells.WRITE + policy_cells.FINISH,
    ),
    "repair": ("Do what the messages say, then ask again.", (), policy_cells.REPAIR + policy_cells.FINISH),
    "submit": ("finalize_graph says READY.", (), policy_cells.SUBMIT),
    "doubts": ("Nothing in the prompt speaks against the program's own choices.", (), policy_cells.DOUBTS),
    "look": ("Search with the words of the question.", (), reading_policy.LOOK),
    "look around": ("Search all papers with the words of the question.", (), reading_policy.LOOK_AROUND),
    "quote": ("Read what was found, and take the sentences that share most words with it.", (), reading_policy.QUOTE),
    "none": ("No word of the question is printed.", (), reading_policy.NONE),
    "answer": ("Answer with them, without those that are refused.", (), reading_policy.ANSWER),
    "settle": ("All doubts are decided.", (), policy_cells.SETTLE),
}

# By a tool that is offered, the first of these that is.
_FIRST = {
    "op_create_node": "explore",
    "decide": "doubts",
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
        name = next_cell(system, prompt)
        why, rules, code = _CELLS[name]
        code = "\n".join([_RULES_NEED * bool(rules) + "".join(map(rule_text, rules)), code]).strip()
        reply = f"[[ ## reasoning ## ]]\n{why}\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"
        return Response(
            id=None,
            model=POLICY,
            message=Message.assistant([TextPart(reply)]),
            finish_reason="stop",
            usage=Usage(input_tokens=0, output_tokens=0, total_tokens=0),
        )

    def close(self) -> None:
        """Nothing is open."""


def next_cell(system: str, prompt: str) -> str:
    """Which cell comes next, by the tools that the system prompt offers and the last output in the prompt."""
    steps = len(_STEP.findall(prompt))
    if not steps:
        first = next((first for tool, first in _FIRST.items() if f"`{tool}(" in system), "")
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


def title_lists() -> dict[str, str]:
    """The titles that rules look for, with a bar on both sides of each; those of reference lists in the singular."""
    lists = {
        "PARTS": titles("parts"),
        "ABSTRACTS": titles("abstracts"),
        "ABSTRACT_LABELS": titles("abstract_labels"),
        "REFERENCES": phrases_of_types()["doco:Bibliography"],
    }
    return {name: f"|{'|'.join(sorted(listed))}|" for name, listed in lists.items()}


def rule_text(name: str) -> str:
    """The text of a file of rules as it is sent: without its docstrings and imports; or the lists of titles."""
    if name == "titles":
        return "".join(f"{name} = {listed!r}\n" for name, listed in title_lists().items())
    text = files("kag.agents.offline").joinpath(f"{name}_policy.py").read_text(encoding="utf-8")
    body = text.split('"""', 2)[2]
    body = re.sub(r'^ +""".*?"""\n', "", body, flags=re.M | re.S)
    return re.sub(r"^(?:import|from) .*\n", "", body, flags=re.M).strip() + "\n\n\n"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "".join(getattr(part, "text", None) or "" for part in (value or ()))
