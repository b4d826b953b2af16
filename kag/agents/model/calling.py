"""One call to a model outside the agent loop: texts in, a reply out, and the JSON values that a reply holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kag.agents.model.failures import as_model_error
from kag.agents.sandbox.runner import first_line
from kag.core.errors import BudgetExceeded, KagError

if TYPE_CHECKING:
    import dspy

MAX_PLACES = 50  # in a reply where JSON is looked for


def put(lm: dspy.LM, task: str, texts: Sequence[str]) -> Any:
    """The response (lm15 `Response`) to a task and texts; all texts but the last are what a provider may cache.

    Raises what the engine raises: `ModelError`, `BudgetExceeded` among them. Threads may share `lm`.
    """
    from dspy.lm15 import CacheConfig, Config, Message, Request, TextPart

    cached = lm.kwargs.get("prompt_cache") and len(texts) > 1
    config = Config(
        max_tokens=lm.kwargs.get("max_tokens"),
        temperature=lm.kwargs.get("temperature"),
        cache=CacheConfig(prefix_until_index=len(texts) - 2) if cached else None,
    )
    messages = tuple(Message.user([TextPart(text)]) for text in texts)
    return lm(Request(model=lm.model, system=task, messages=messages, config=config))


def cause_of(error: Exception) -> tuple[str, str]:
    """Why a call brought no reply: "budget" or "model", and the first line of it in words."""
    found = error if isinstance(error, KagError) else as_model_error(error)
    return ("budget" if isinstance(found, BudgetExceeded) else "model"), first_line(found.message)


def json_in(reply: str, begin: str) -> Iterator[Any]:
    """The JSON values in a reply that begin with this character ("{" or "["), at the first 50 places where one may."""
    decoder, at = json.JSONDecoder(), -1
    for _ in range(MAX_PLACES):
        at = reply.find(begin, at + 1)
        if at < 0:
            return
        try:
            found, _ = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            continue
        yield found
