"""Prompts that a client can offer its user: our own words around what the user gives, never a paper's."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

_LONGEST = 4_000  # characters of an argument
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
    if not given or len(given) > _LONGEST:
        raise MCPError(types.INVALID_PARAMS, f"argument {argument!r} of {params.name} needs 1 to {_LONGEST} characters")
    message = types.PromptMessage(role="user", content=types.TextContent(text=text.replace("{}", given, 1)))
    return types.GetPromptResult(description=description, messages=[message])
