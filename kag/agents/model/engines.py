"""`MeteredEngine`: the one way to a model, whoever asks. Around a provider's engine it puts, from outside in,

    a usable reply or a labelled error -> ledger -> budget -> cassette -> retries -> provider

An engine, here as in DSPy, is any object with `complete(Request) -> Response`, and optionally `close()`. Errors pass
through DSPy untouched and say what to do: DSPy lets its own `LMError`s through and wraps all others, so each error here
is both, kag's and DSPy's. `put` is one call outside the agent loop: texts in, a reply out.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import dspy
from dspy.lm15 import RETRYABLE_ERRORS, LM15Error, Message, Request, Response, TextPart, Usage

from kag.agents.model import dspy_compat
from kag.agents.model.budget import Budget, Call, Cassette, Cost, Json, Ledger, Priced, Role, canonical
from kag.agents.sandbox.runner import first_line
from kag.core.errors import BudgetExceeded, KagError, ModelError
from kag.core.secrets import hide_secrets

if TYPE_CHECKING:
    import dspy


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


Tariff = Literal["listed", "local", "policy"]

LONGEST_WAIT = 300.0  # seconds; a provider that asks for more is not waited for
_AGAIN = (*RETRYABLE_ERRORS, dspy.LMRateLimitError, dspy.LMServerError, dspy.LMTimeoutError, dspy.LMTransportError)


def as_it_is(request: Request) -> Request:
    return request


@dataclass(frozen=True, slots=True)
class Source:
    """A source of replies and their prices.

    `open` makes the provider's engine at the first call that needs it, so that a replay needs no key.
    `provider` and `listed` name the entry of the price list, for the tariff "listed"; "local" is a server of
    one's own that takes no key, "policy" is rules and no model: both cost nothing. `shape` gives a request the
    form this provider caches best; ledger and cassette know the request without it.
    """

    model: str
    open: Callable[[], Any]
    provider: str | None = None
    listed: str = ""
    tariff: Tariff = "listed"
    shape: Callable[[Request], Request] = as_it_is

    def price(self, request: Request, response: Response) -> tuple[float | None, Priced]:
        """US dollars of a call (None when not known) and where the figure is from."""
        if self.tariff != "listed":
            return 0.0, self.tariff
        usd = dspy_compat.usd(response, provider=self.provider, model=self.listed, request=request)
        return None if usd is None else round(usd, 9), usd is not None

    def least(self, request: Request, tokens: int) -> tuple[int, float | None]:
        """Tokens and US dollars that a call takes at least: those of its prompt, with no prompt cache."""
        if self.tariff == "policy":
            return 0, 0.0
        usage = Usage(input_tokens=tokens, output_tokens=0)
        nothing = Message.assistant([TextPart("")])
        prompt = Response(id=None, model=self.listed or self.model, message=nothing, finish_reason="stop", usage=usage)
        return tokens, self.price(request, prompt)[0]


@dataclass(slots=True)
class _Trial:
    """A call under way."""

    started: float
    attempts: int = 0


class MeteredEngine:
    """An engine for `dspy.LM(engine=...)`; threads may share it.

    Every call ends in a reply with text or a tool call, or in a `ModelError` (`BudgetExceeded` among them)
    that DSPy neither wraps nor repeats.
    """

    def __init__(
        self,
        source: Source,
        *,
        budget: Budget,
        ledger: Ledger,
        cassette: Cassette | None = None,
        role: Role = "main",
        retries: int = 4,
    ) -> None:
        self._source, self._role = source, role
        self._budget, self._ledger, self._cassette = budget, ledger, cassette
        self._retries = retries
        self._lock = threading.Lock()
        self._engine: Any = None

    def complete(self, request: Request) -> Response:
        """The reply to a request, accounted for."""
        trial = _Trial(time.perf_counter())
        asked = canonical(dspy_compat.request_json(request))
        tokens = estimate_tokens(asked)
        try:
            with self._budget.call(self._expected(request, tokens)) as charge:
                response = self._reply(request, asked, trial)
                row = self._row(request, response, tokens, trial)
                self._ledger.add(row)
                charge(Cost(row.tokens_in + row.tokens_out, row.usd or 0.0))
            _refuse_unusable(response, self._source.model)
        except KagError as error:
            raise through_dspy(error) from error
        except Exception as error:
            model_error = as_model_error(error, self._source.model)
            self._ledger.add(self._failed(getattr(model_error, "slug", model_error.code), trial))
            raise model_error from error
        return response

    def close(self) -> None:
        """Close the provider's connections; a later call opens them again."""
        with self._lock:
            engine, self._engine = self._engine, None
        if hasattr(engine, "close"):
            engine.close()

    def _expected(self, request: Request, tokens: int) -> Cost:
        tokens, usd = self._source.least(request, tokens)
        limits = self._budget.limits
        if usd is None and limits.usd is not None and limits.tokens is None:
            raise BudgetExceeded(
                f"no price is known for {self._source.model}, so a limit in USD cannot be kept",
                hint="give a limit in tokens as well",
            )
        return Cost(tokens, usd or 0.0)

    def _reply(self, request: Request, asked: Json, trial: _Trial) -> Response:
        found = self._cassette.find(asked) if self._cassette else None
        if found is None:
            found = canonical(dspy_compat.response_json(self._fetch(request, trial)))
            if self._cassette:
                self._cassette.add(asked, found)
        # What is replayed later and what goes on now are one and the same, and neither holds a secret.
        return dspy_compat.response_from_json(found)

    def _fetch(self, request: Request, trial: _Trial) -> Response:
        while True:
            trial.attempts += 1
            try:
                response = self._opened().complete(self._source.shape(request))
            except _AGAIN as error:
                seconds = _pause(error, trial.attempts)
                if trial.attempts > self._retries or seconds > LONGEST_WAIT:
                    raise
                self._budget.wait(seconds)
                continue
            if not isinstance(response, Response):
                raise TypeError(f"complete() gave {type(response).__name__}, not an lm15 Response")
            return response

    def _opened(self) -> Any:
        with self._lock:
            if self._engine is None:
                self._engine = self._source.open()
            return self._engine

    def _row(self, request: Request, response: Response, tokens: int, trial: _Trial) -> Call:
        measured = response.usage.input_tokens is not None and response.usage.output_tokens is not None
        response = response if measured else _complete_usage(response, tokens)
        counts = dspy_compat.token_counts(response, self._source.provider)
        usd, priced = self._source.price(request, response)
        return Call(
            self._role,
            self._source.model,
            tokens_in=counts["prompt_tokens"],
            tokens_out=counts["completion_tokens"],
            cache_read=response.usage.cache_read_tokens or 0,
            cache_write=response.usage.cache_write_tokens or 0,
            measured=measured,
            usd=usd,
            priced=priced,
            replayed=trial.attempts == 0,
            finish=response.finish_reason,
            attempts=trial.attempts,
            ms=_since(trial.started),
        )

    def _failed(self, slug: str, trial: _Trial) -> Call:
        return Call(self._role, self._source.model, error=slug, attempts=trial.attempts, ms=_since(trial.started))


def _pause(error: Exception, attempts: int) -> float:
    """Seconds until the next attempt: as the provider asks, else 1, 2, 4, ... up to a minute."""
    asked = getattr(error, "retry_after", None)
    return float(asked) if asked is not None else float(min(2 ** (attempts - 1), 60))


def _complete_usage(response: Response, tokens: int) -> Response:
    """The response with counts the provider did not report estimated from the text."""
    usage = response.usage
    prompt = tokens if usage.input_tokens is None else usage.input_tokens
    reply = len(response.text or "") // 4 if usage.output_tokens is None else usage.output_tokens
    return replace(response, usage=replace(usage, input_tokens=prompt, output_tokens=reply, total_tokens=None))


def estimate_tokens(asked: Json) -> int:
    """About how many tokens a request has: 4 characters of its text each."""
    return len(json.dumps(asked, ensure_ascii=False)) // 4


def _since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)


def _refuse_unusable(response: Response, model: str) -> None:
    """Raise for an empty reply; a reply that was cut off after some text is still a reply."""
    parts = response.message.parts
    refusal = next((part.text for part in parts if part.type == "refusal"), None)
    if response.finish_reason == "content_filter" or refusal:
        raise failure("refusal", f"{model} refuses: {(refusal or response.text or 'no reason given')[:300]}")
    if any(part.type == "tool_call" for part in parts) or (response.text or "").strip():
        return
    if response.finish_reason == "length":
        raise failure("truncated", f"{model}: the reply was cut off before its first word")
    raise failure("empty", f"{model}: the reply is empty")
