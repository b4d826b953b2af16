"""A person decides before each call of a tool: the client asks them, by elicitation, and the server obeys.

In the protocol from 2026 on the server replies that it needs an answer, and the client calls again with it; before, the
server asks within the call. A client that cannot ask has its calls refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import mcp_types as types

from kag.core.tool import DENIED
from kag.qa.views.view_bounds import printable

QUESTION = "approve"  # the name of the one question that a call can have
LONGEST = 2_000  # characters of arguments that are shown
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
    shown = words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."
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
