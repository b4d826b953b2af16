"""`open_model`: a model by its name, behind budget, ledger and cassette, as a `dspy.LM`.

    anthropic/claude-sonnet-4-5   openai/gpt-5   ollama_chat/llama3.1   hosted_vllm/qwen3     any dspy.LM name
    my_package.my_module:my_factory                                                       an engine of one's own

Keys come from the environment or a `.env` file only. DSPy's engine speaks to the provider; LiteLLM where DSPy's cannot.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from kag.agents.model import dspy_compat  # first: it says what to install when dspy is missing

# isort: split
import dspy
from dspy.lm15 import CacheConfig, LM15Error

from kag.agents.model.budget import Budget
from kag.agents.model.cassette import Cassette
from kag.agents.model.engines import MeteredEngine, Source, as_it_is
from kag.agents.model.failures import as_model_error
from kag.agents.model.logs import hide_in_logs
from kag.agents.model.prompt_cache import cache_closed_steps
from kag.agents.model.token_ledger import Ledger, Role
from kag.core.env_file import load_env_file
from kag.core.errors import MissingExtra, ModelError
from kag.core.secrets import hold_secrets_of

_FACTORY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_NAMES = "name a model as in anthropic/claude-sonnet-4-5, or an engine of your own as package.module:factory"
TIMEOUT = 300.0  # seconds without a byte from the provider


def open_model(
    spec: str,
    *,
    budget: Budget,
    ledger: Ledger,
    cassette: Cassette | None = None,
    role: Role = "main",
    api_base: str | None = None,
    timeout: float = TIMEOUT,
    retries: int = 4,
    **options: Any,
) -> dspy.LM:
    """The model that `spec` names; `options` are those of a request (`temperature`, `max_tokens`, ...).

    `api_base` is the address of an OpenAI- or Anthropic-compatible server; without it `<PROVIDER>_API_BASE` or
    `<PROVIDER>_BASE_URL` of the environment counts. `retries` counts repeated attempts after rate limits,
    overload and lost connections. Nothing is opened before the first call, and nothing at all when replaying.
    Close with `lm.engine.close()`. Raises `ModelError` for a name that leads nowhere or a key that is not
    set, and `MissingExtra` when LiteLLM is needed and not installed.
    """
    load_env_file()
    hide_in_logs()
    hold_secrets_of(api_base or "")
    if "api_key" in options:
        raise ModelError("a key was given as an option", hint="set it in the environment: options end up in records")
    replaying = cassette is not None and cassette.mode == "replay"
    seconds = max(0.001, min(timeout, budget.seconds_left()))
    source = _source(spec, api_base, seconds, check_key=not replaying)
    return model_over(source, budget=budget, ledger=ledger, cassette=cassette, role=role, retries=retries, **options)


def open_brief(spec: str, max_tokens: int, **stack: Any) -> dspy.LM:
    """`open_model` with a limit on each reply, or without where the model takes none; raises what it raises."""
    try:
        return open_model(spec, max_tokens=max_tokens, **stack)
    except ModelError:  # a model that thinks before it speaks takes no such limit; any other error comes again
        return open_model(spec, **stack)


def model_over(
    source: Source,
    *,
    budget: Budget,
    ledger: Ledger,
    cassette: Cassette | None = None,
    role: Role = "main",
    retries: int = 4,
    **options: Any,
) -> dspy.LM:
    """Any source of replies as a `dspy.LM` behind budget, ledger and cassette."""
    engine = MeteredEngine(source, budget=budget, ledger=ledger, cassette=cassette, role=role, retries=retries)
    if source.provider == "anthropic":
        options.setdefault("prompt_cache", CacheConfig())
    try:
        # DSPy neither caches (a silent provider call on a miss) nor retries (it would not ask the budget).
        return dspy.LM(source.model, engine=engine, cache=False, num_retries=0, **options)
    except (dspy.LMError, TypeError, ValueError) as error:
        raise as_model_error(error, source.model) from error


def _source(spec: str, api_base: str | None, seconds: float, *, check_key: bool) -> Source:
    if _FACTORY.fullmatch(spec):
        return _own(spec)
    try:
        route = dspy_compat.model_route(spec)
    except LM15Error:
        return _through_litellm(spec, api_base, seconds, check_key=check_key)
    prefix = (spec.partition("/")[0] if "/" in spec else route.provider).upper().replace("-", "_")
    names = route.key_names or (f"{prefix}_API_KEY",)
    key = next((os.environ[name] for name in names if os.environ.get(name)), None)
    if check_key and route.needs_key and key is None:
        raise ModelError(f"{spec} needs a key", hint=f"set {' or '.join(names)} in the environment")
    base = api_base or os.environ.get(f"{prefix}_API_BASE") or os.environ.get(f"{prefix}_BASE_URL")
    keys = {route.provider: key} if key else {}
    bases = {route.provider: _versioned(base) if route.versioned else base} if base else {}
    return Source(
        spec,
        lambda: dspy_compat.lm15_engine(keys, bases, seconds),
        provider=route.provider,
        listed=route.model,
        tariff="local" if route.keyless and key is None else "listed",
        shape=cache_closed_steps if route.provider == "anthropic" else as_it_is,
    )


def _versioned(base: str) -> str:
    """The address with `/v1` where it has no path: servers print theirs without."""
    address = urlsplit(base)
    if not address.scheme.startswith("http") or not address.netloc:
        raise ModelError(f"{base!r} is no address of a server", hint="give it as in http://127.0.0.1:8000/v1")
    return base.rstrip("/") + "/v1" if address.path in ("", "/") else base


def _own(spec: str) -> Source:
    """An engine of the user's own. `provider` and `priced` ("policy") are read from the factory if it has them."""
    module, _, name = spec.partition(":")
    try:
        factory = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        hint = f"{error}; the module must be importable, for instance through PYTHONPATH"
        raise ModelError(f"{spec} cannot be loaded", hint=hint) from error
    if not callable(factory):
        raise ModelError(f"{spec} is no factory", hint="name a function or class that makes an engine")
    tariff: Any = "policy" if getattr(factory, "priced", None) == "policy" else "listed"
    return Source(spec, _checked(spec, factory), provider=getattr(factory, "provider", None), tariff=tariff)


def _checked(spec: str, factory: Callable[[], Any]) -> Callable[[], Any]:
    def make() -> Any:
        engine = factory()
        if not callable(getattr(engine, "complete", None)):
            raise ModelError(f"{spec} makes no engine", hint="an engine has complete(Request) -> Response")
        return engine

    return make


def _through_litellm(spec: str, api_base: str | None, seconds: float, *, check_key: bool) -> Source:
    """A provider that only LiteLLM reaches; it has no prompt caching here."""
    try:
        provider, missing = dspy_compat.litellm_provider(spec)
    except ImportError as error:
        raise MissingExtra(f"{spec} is reached through LiteLLM only", hint="pip install litellm") from error
    if provider is None:
        raise ModelError(f"no provider is known for {spec!r}", hint=_NAMES)
    if check_key and missing:
        raise ModelError(f"{spec} needs a key", hint=f"set {' and '.join(missing)} in the environment")
    options = {"timeout": seconds} | ({"api_base": api_base} if api_base else {})
    return Source(spec, lambda: dspy_compat.litellm_engine(**options), provider=provider, listed=spec.partition("/")[2])
