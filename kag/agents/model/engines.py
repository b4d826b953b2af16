"""`MeteredEngine`: the one way to a model, whoever asks. Around a provider's engine it puts, from outside in,

    a usable reply or a labelled error -> ledger -> budget -> cassette -> retries -> provider

An engine, here as in DSPy, is any object with `complete(Request) -> Response`, optionally
`stream(Request) -> events`, and optionally `close()`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import dspy
from dspy.lm15 import RETRYABLE_ERRORS, Message, Request, Response, TextPart, Usage, response_to_events

from kag.agents.model import dspy_compat
from kag.agents.model.budget import Budget, Call, Cost, Ledger, Priced, Role
from kag.agents.model.cassette import Cassette, Json, canonical
from kag.agents.model.failures import as_model_error, failure, through_dspy
from kag.core.errors import BudgetExceeded, KagError

Tariff = Literal["listed", "local", "policy"]
Fetched = Generator[Any, None, tuple[Response, Iterable[Any]]]  # yields stream events; ends in reply and last events

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
    emitted: bool = False


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
        run = self._run(request, streaming=False)
        while True:
            try:
                next(run)
            except StopIteration as end:
                response: Response = end.value
                return response

    def stream(self, request: Request) -> Iterator[Any]:
        """The same call as lm15 stream events; accounted before the last event goes out."""
        yield from self._run(request, streaming=True)

    def close(self) -> None:
        """Close the provider's connections; a later call opens them again."""
        with self._lock:
            engine, self._engine = self._engine, None
        if hasattr(engine, "close"):
            engine.close()

    def _run(self, request: Request, *, streaming: bool) -> Generator[Any, None, Response]:
        trial = _Trial(time.perf_counter())
        asked = canonical(dspy_compat.request_json(request))
        tokens = estimate_tokens(asked)
        try:
            with self._budget.call(self._expected(request, tokens)) as charge:
                response, last = yield from self._reply(request, asked, trial, streaming=streaming)
                row = self._row(request, response, tokens, trial)
                self._ledger.add(row)
                charge(Cost(row.tokens_in + row.tokens_out, row.usd or 0.0))
            _refuse_unusable(response, self._source.model)
        except KagError as error:
            raise through_dspy(error) from error
        except GeneratorExit:
            self._ledger.add(self._failed("cancelled", trial))
            raise
        except Exception as error:
            model_error = as_model_error(error, self._source.model)
            self._ledger.add(self._failed(getattr(model_error, "slug", model_error.code), trial))
            raise model_error from error
        yield from last
        return response

    def _expected(self, request: Request, tokens: int) -> Cost:
        tokens, usd = self._source.least(request, tokens)
        limits = self._budget.limits
        if usd is None and limits.usd is not None and limits.tokens is None:
            raise BudgetExceeded(
                f"no price is known for {self._source.model}, so a limit in USD cannot be kept",
                hint="give a limit in tokens as well",
            )
        return Cost(tokens, usd or 0.0)

    def _reply(self, request: Request, asked: Json, trial: _Trial, *, streaming: bool) -> Fetched:
        found = self._cassette.find(asked) if self._cassette else None
        if found is not None:
            response = dspy_compat.response_from_json(found)
            return response, response_to_events(response) if streaming else ()
        response, last = yield from self._fetch(request, trial, streaming=streaming)
        kept = canonical(dspy_compat.response_json(response))
        if self._cassette:
            self._cassette.add(asked, kept)
        # What is replayed later and what goes on now are one and the same, and neither holds a secret.
        return dspy_compat.response_from_json(kept), last

    def _fetch(self, request: Request, trial: _Trial, *, streaming: bool) -> Fetched:
        while True:
            trial.attempts += 1
            try:
                return (yield from self._attempt(request, trial, streaming=streaming))
            except _AGAIN as error:
                seconds = _pause(error, trial.attempts)
                if trial.emitted or trial.attempts > self._retries or seconds > LONGEST_WAIT:
                    raise
                self._budget.wait(seconds)

    def _attempt(self, request: Request, trial: _Trial, *, streaming: bool) -> Fetched:
        engine, request = self._opened(), self._source.shape(request)
        if not streaming or not hasattr(engine, "stream"):
            response = engine.complete(request)
            if not isinstance(response, Response):
                raise TypeError(f"complete() gave {type(response).__name__}, not an lm15 Response")
            return response, response_to_events(response) if streaming else ()
        whole, last = dspy_compat.stream_accumulator(request), []
        for event in dspy_compat.checked_stream(engine.stream(request)):
            whole.push(event)
            if event.type == "end":
                last.append(event)
            else:
                trial.emitted = True
                yield event
        return whole.response(), last

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
