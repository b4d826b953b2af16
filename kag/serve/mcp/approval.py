"""Approval of a call by the person at the client, and the prompts that a client can offer.

In the protocol from 2026 on the server replies that it needs an answer, and the client calls again with it; before, the
server asks within the call. A client that cannot ask has its calls refused. Prompts are our own words around what the
user gives, never a paper's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from kag.core.tool import DENIED
from kag.qa.views.view_bounds import printable

QUESTION = "approve"  # the name of the one question that a call can have
LONGEST_SHOWN = 2_000  # characters of arguments that are shown
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "arguments": {
            "type": "string",
            "title": "Arguments",
            "description": "JSON to call the tool with instead; empty leaves them as they are.",
        }
    },
}
UNABLE = {**DENIED, "hint": "The server asks a person before each call: use a client that supports elicitation."}

Decision = Mapping[str, Any] | None
"""The arguments to call a tool with; None refuses the call."""


async def decided(context: Any, params: types.CallToolRequestParams) -> Decision | types.InputRequiredResult:
    """Return a person's decision on a call, or the question for the client to ask before it calls again.

    Edited arguments that are no JSON object refuse the call.
    """
    given = params.arguments or {}
    answer = (params.input_responses or {}).get(QUESTION)
    if answer is None:
        request = _request(params.name, given)
        if not context.session.can_send_request:
            return types.InputRequiredResult(input_requests={QUESTION: request})
        answer = await context.session.elicit_form(request.params.message, SCHEMA, context.request_id)
    return _read(answer, given)


def can_ask(context: Any) -> bool:
    """Whether the client can put a question to a person."""
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def _request(name: str, given: Mapping[str, Any]) -> Any:
    words = printable(json.dumps(dict(given), ensure_ascii=False, default=str))
    shown = words if len(words) <= LONGEST_SHOWN else f"{words[:LONGEST_SHOWN]} ..."
    message = f"An agent wants to call {name} with {shown}"
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=SCHEMA))


def _read(answer: Any, given: Mapping[str, Any]) -> Decision:
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return None
    edited = str((answer.content or {}).get("arguments") or "").strip()
    if not edited:
        return given
    try:
        value = json.loads(edited)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


MOST_LETTERS = 4_000  # characters of an argument
_CHECK = "Quote each statement verbatim with paper and page, and check it with verify_claim before you make it."
PROMPTS: dict[str, tuple[str, str, str, str]] = {
    "answer_with_evidence": (
        "Answer a question from the papers, each statement with a checked quote.",
        "question",
        "The question.",
        f"Answer this question from the papers: {{}}\n{_CHECK} Say so if the papers do not answer it.",
    ),
    "summarise_paper": (
        "Summarise a paper: aim, methods, results, limits.",
        "paper",
        "A paper id from list_papers.",
        f"Summarise the paper {{}}: its aim, methods, results and limits. Begin with outline_paper. {_CHECK}",
    ),
    "compare_papers": (
        "Compare what several papers report on a topic, in a table.",
        "topic",
        "What to compare.",
        f"Compare what the papers report on {{}}: a table with one row per paper. Begin with search_papers. {_CHECK}",
    ),
}
"""By name: description, the one argument, its description, and the text with a place for it."""


async def list_prompts(context: Any, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    """All prompts."""
    rows = [
        types.Prompt(
            name=name,
            description=description,
            arguments=[types.PromptArgument(name=argument, description=what, required=True)],
        )
        for name, (description, argument, what, _) in PROMPTS.items()
    ]
    return types.ListPromptsResult(prompts=rows)


async def get_prompt(context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    """A prompt with its argument; an unknown prompt or argument is an error that names it."""
    if params.name not in PROMPTS:
        known = ", ".join(PROMPTS)
        raise MCPError(types.INVALID_PARAMS, f"unknown prompt {params.name[:80]!r}; prompts: {known}")
    description, argument, _, text = PROMPTS[params.name]
    given = (params.arguments or {}).get(argument, "").strip()
    if not given or len(given) > MOST_LETTERS:
        raise MCPError(
            types.INVALID_PARAMS, f"argument {argument!r} of {params.name} needs 1 to {MOST_LETTERS} characters"
        )
    message = types.PromptMessage(role="user", content=types.TextContent(text=text.replace("{}", given, 1)))
    return types.GetPromptResult(description=description, messages=[message])
