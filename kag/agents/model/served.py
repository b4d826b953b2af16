"""`open_server`: a model behind any server that speaks `/chat/completions`, with budget and ledger as all models.

It is named by address and name, where `open_model` takes a provider: OCR and checking of claims are such models.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from kag.agents.model import dspy_compat  # first: it says what to install when dspy is missing

# isort: split
import dspy

from kag.agents.model.budget import Budget
from kag.agents.model.cassette import Cassette
from kag.agents.model.engines import Source
from kag.agents.model.logs import hide_in_logs
from kag.agents.model.models import model_over
from kag.agents.model.token_ledger import Ledger, Role
from kag.core.addresses import is_private
from kag.core.errors import ModelError
from kag.core.secrets import hold_secrets_of

_WIRE = "vllm"  # the plainest of lm15's dialects of that wire: all servers take what it sends
_LISTED = {"api.openai.com": "openai-chat"}  # servers whose prices are known, by the provider of the list


@dataclass(frozen=True, slots=True)
class Server:
    """Where a model is served, and under which name; `keys` are environment variables of its key, the first one counts
    that is set, also where it is set to nothing. `timeout` is in seconds without a byte."""

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
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known:
        raise ModelError(f"{url!r} is no address of a server", hint="Give it as in http://127.0.0.1:8000/v1.")
    return url if parts.path.strip("/") else f"{url}/v1"


def host_of(url: str) -> str:
    """Host and port of an address, for records: neither user nor password.

    >>> host_of("https://me:secret-0123@ocr.example:8443/v1")
    'ocr.example:8443'
    """
    return urlsplit(url).netloc.rpartition("@")[2]
