"""Failures of models, and one call to a model outside the agent loop.

Errors pass through DSPy untouched and tell a person what to do. DSPy lets its own `LMError`s through and wraps all
others, so each error here is both: kag's and DSPy's. A call is texts in, a reply out, and the JSON values in a reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import dspy
from dspy.lm15 import LM15Error

from kag.agents.sandbox.runner import first_line
from kag.core.errors import BudgetExceeded, KagError, ModelError
from kag.core.secrets import hide_secrets

_LONGEST = 300
_HINTS = {
    "auth": "check the key in the environment, and that the account may use this model",
    "billing": "check the account's credit",
    "rate_limit": "wait, lower the number of papers at once, or ask the provider for a higher limit",
    "context_length": "use a model with a larger context window, or the review builder, which sends less",
    "timeout": "try again, or allow more time for a reply (timeout)",
    "transport": "check the network and the model's address, then try again",
    "server": "the provider has a problem: try again later",
    "unsupported_model": "check the model's name",
    "invalid_request": "check the options given with the model",
    "unsupported_feature": "leave that option out, or use another model",
    "not_configured": "set the provider's key in the environment",
    "refusal": "another model may accept this paper; the baseline builder needs none",
    "truncated": "allow longer replies (max_tokens)",
    "empty": "try again or use another model",
    "unexpected": "the engine has a fault, or the server does not speak the provider's format",
    "provider": "a proxy in between may have answered instead of the provider: check the model's address",
    "unreadable": "use a stronger model: this one does not keep to the asked format",
}


class ModelFailure(ModelError, dspy.LMError):  # type: ignore[misc]
    """A model call without a usable reply. `slug` is the reason, as in the ledger's `error`."""

    default_code = ModelError.code

    def __init__(self, message: str, *, hint: str, slug: str = "") -> None:
        super().__init__(message, hint=hint)
        self.slug = slug


class BudgetStop(BudgetExceeded, dspy.LMError):  # type: ignore[misc]
    """`BudgetExceeded` in the form that passes through DSPy."""

    default_code = BudgetExceeded.code


def failure(slug: str, message: str) -> ModelFailure:
    """A failure with the hint that belongs to its slug."""
    return ModelFailure(message, hint=_HINTS.get(slug, "the message says what the provider answered"), slug=slug)


def through_dspy(error: KagError) -> KagError:
    """The same error in the form that passes through DSPy."""
    if isinstance(error, (ModelFailure, BudgetStop)):
        return error
    if isinstance(error, BudgetExceeded):
        return BudgetStop(error.message, hint=error.hint)
    return ModelFailure(error.message, hint=error.hint, slug=error.code)


def as_model_error(error: Exception, model: str = "model") -> ModelError:
    """Any exception out of a model call or a DSPy module as kag's error, secrets hidden."""
    if isinstance(error, ModelError):
        return error
    slug = _slug(error)
    text = hide_secrets(str(getattr(error, "message", "") or error)).split("\n\n")[0]
    if slug == "unexpected":
        text = f"{type(error).__name__}: {text}"
    text = " ".join(text.split())
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}... ({len(text)} characters)"
    return failure(slug, f"{model}: {slug.replace('_', ' ')}: {text}")


def _slug(error: Exception) -> str:
    if isinstance(error, dspy.AdapterParseError):
        return "unreadable"
    if isinstance(error, (LM15Error, dspy.LMError)):
        return str(error.code or "provider")
    return "unexpected"


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
    kag_error = error if isinstance(error, KagError) else as_model_error(error)
    return ("budget" if isinstance(kag_error, BudgetExceeded) else "model"), first_line(kag_error.message)


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
