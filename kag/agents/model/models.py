"""`open_model`, `open_server`: a model by its name, behind budget, ledger and cassette, as a `dspy.LM`.

    anthropic/claude-sonnet-4-5   openai/gpt-5   ollama_chat/llama3.1   hosted_vllm/qwen3     any dspy.LM name
    my_package.my_module:my_factory                                                       an engine of one's own
    offline                                                                               rules, no model

Keys come from the environment or a `.env` file only. DSPy's engine speaks to the provider; LiteLLM where DSPy's cannot.
A model behind any server that speaks `/chat/completions` (OCR, checking of claims) is named by address and name.

A growing prompt is cut where it grew, so that Anthropic's prompt cache holds all of it but the newest step. DSPy's RLM
sends one user text that repeats every earlier step, and Anthropic finds a cached beginning only at the border of a
block: each closed step becomes a block of its own, and the mark goes behind the last of them:

    system | variables, head | step 1 | ... | step N <- mark | iteration, instructions
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import dspy
from dspy.lm15 import CacheConfig, LM15Error, Message, Request, TextPart

from kag.agents.model import dspy_compat
from kag.agents.model.budget import Budget, Cassette, Ledger, Limits, Role
from kag.agents.model.engines import MeteredEngine, Source, as_it_is, as_model_error
from kag.agents.model.options import OFFLINE
from kag.agents.model.spans import hide_in_logs
from kag.core.addresses import is_private, web_parts
from kag.core.errors import MissingExtra, ModelError
from kag.core.secrets import hold_secrets_of, load_env_file

_HISTORY = "\n=== Step "
_STEP = re.compile(r"(?=\n=== Step \d+ ===\n)")
_HEAD = "[[ ## repl_history ## ]]"
_REST = "\n\n[[ ## iteration ## ]]"


def cache_closed_steps(request: Request) -> Request:
    """The request with its closed steps as marked blocks; any other request as it is."""
    *earlier, last = request.messages
    if last.role != "user" or len(last.parts) != 1 or not isinstance(last.parts[0], TextPart):
        return request
    text = last.parts[0].text
    head, rest = text.find(_HEAD), text.rfind(_REST)
    if head < 0 or rest < head or request.config.cache is None:
        return request
    head += len(_HEAD)
    steps = text[head:rest] if text.startswith(_HISTORY, head) else ""
    blocks = [text[:head], *(block for block in _STEP.split(steps) if block)]
    closed = Message.user([TextPart(block) for block in blocks])
    current = Message.user([TextPart(text[head + len(steps) :])])
    config = replace(request.config, cache=CacheConfig(prefix_until_index=len(earlier)))
    return replace(request, messages=(*earlier, closed, current), config=config)


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


@contextmanager
def opened_model(lm: str, limits: Limits, cassette: Cassette) -> Iterator[tuple[dspy.LM, Ledger]]:
    """A model by its name within limits, and its ledger; closed at the end. Raises what `open_model` raises."""
    ledger = Ledger()
    opened = open_model(lm, budget=Budget(limits), ledger=ledger, cassette=cassette)
    with closing(opened.engine):
        yield opened, ledger


def open_brief(spec: str, max_tokens: int, **stack: Any) -> dspy.LM:
    """`open_model` with a limit on each reply, or without where the model takes none; raises what it raises."""
    if spec == OFFLINE:
        return open_model(spec, **stack)
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
    if spec == OFFLINE:
        from kag.agents.offline_policy import source

        return source()
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
        raise ModelError(f"{base!r} is not an address of a server", hint="give it as in http://127.0.0.1:8000/v1")
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
        raise ModelError(f"{spec} is not a factory", hint="name a function or class that makes an engine")
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


_WIRE = "vllm"  # the plainest of lm15's dialects of that wire: all servers take what it sends
_LISTED = {"api.openai.com": "openai-chat"}  # servers whose prices are known, by the provider of the list


@dataclass(frozen=True, slots=True)
class Server:
    """The address of a model and its name there. `keys` are environment variables of its key; the first one that is set
    counts, even if it is empty. `timeout` is in seconds without a byte."""

    url: str
    model: str
    keys: tuple[str, ...]
    timeout: float = 300.0
    retries: int = 4

    @property
    def key(self) -> str:
        """The server's key; empty where there is none."""
        return next((os.environ[name].strip() for name in self.keys if name in os.environ), "")


def open_server(
    server: Server, budget: Budget, ledger: Ledger, *, role: Role, cassette: Cassette | None = None
) -> dspy.LM:
    """The model of a server; nothing is sent before the first call. Close with `lm.engine.close()`.

    A server without a key is one of one's own, and costs nothing; what one with a key costs is known of OpenAI's only,
    so that a limit in USD needs one in tokens beside it. Raises `ModelError` for an address that is none,
    and for one to which the key would go unencrypted.
    """
    hide_in_logs()
    address, key = base_of(server.url), server.key
    if key and not is_private(urlsplit(address)):
        hint = f"Use https; or set {server.keys[0]} to nothing where the server takes no key."
        raise ModelError(f"{host_of(address)}: the key would be sent unencrypted", hint=hint)
    if not server.model:
        raise ModelError("no model is named", hint="Give the name under which the server knows it.")
    seconds = max(0.001, min(server.timeout, budget.seconds_left()))
    keys = {_WIRE: key} if key else {}
    source = Source(
        f"hosted_vllm/{server.model}",
        lambda: dspy_compat.lm15_engine(keys, {_WIRE: address}, seconds),
        provider=_LISTED.get(urlsplit(address).hostname or "", _WIRE),
        listed=server.model,
        tariff="listed" if key else "local",
    )
    return model_over(source, budget=budget, ledger=ledger, cassette=cassette, role=role, retries=server.retries)


def base_of(url: str) -> str:
    """The address in front of `/chat/completions`: as given, with `/v1` where it has no path.

    >>> base_of("http://127.0.0.1:8000"), base_of("https://ocr.example/api/v1/chat/completions")
    ('http://127.0.0.1:8000/v1', 'https://ocr.example/api/v1')
    """
    hold_secrets_of(url)
    url = url.strip().rstrip("/").removesuffix("/chat/completions")
    parts = web_parts(url)
    if parts is None:
        raise ModelError(f"{url!r} is not an address of a server", hint="Give it as in http://127.0.0.1:8000/v1.")
    return url if parts.path.strip("/") else f"{url}/v1"


def host_of(url: str) -> str:
    """Host and port of an address, for records: neither user nor password.

    >>> host_of("https://me:secret-0123@ocr.example:8443/v1")
    'ocr.example:8443'
    """
    return urlsplit(url).netloc.rpartition("@")[2]
