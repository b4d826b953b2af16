"""Embeddings from a server with OpenAI's `/embeddings` API, in the cloud or on this machine."""

from __future__ import annotations

import http.client
import json
import math
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from email.message import Message
from typing import Any

from kag.core.addresses import NoRedirect, is_private, web_parts
from kag.core.errors import ModelError
from kag.core.secrets import hide_secrets, hold_secrets_of
from kag.retrieval.meaning.arrays import Vectors, normalised, np

KEY = "OPENAI_API_KEY"
STATED = "KAG_EMBEDDINGS"
"""Environment variable that states an endpoint, URL#MODEL. Texts and key go to no server that the user has not stated,
whatever an index says of itself.
"""
LONGEST_WAIT = 30.0  # seconds between two attempts
LARGEST = 1 << 28  # bytes of an answer
_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))


class Endpoint:
    """An `Embedder`: texts to float32 rows of length 1 by `POST url/embeddings`.

    The key comes from the environment variable `key`, is sent to `url` alone and is in no message; none is sent where
    the variable is not set. `batch` texts go in one request; a busy or broken server is asked `attempts` times, with
    growing waits or those it asks for. Raises `ModelError`.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = KEY,
        batch: int = 64,
        attempts: int = 5,
        timeout: float = 60.0,
        wait: float = 1.0,
    ) -> None:
        hold_secrets_of(url)
        parts = web_parts(url)
        if parts is None:
            raise ModelError(f"{url!r} is not a web address", hint="Give one such as https://api.openai.com/v1.")
        self.url = url.rstrip("/").removesuffix("/embeddings") + "/embeddings"
        self.model = model
        self.id = f"{parts.netloc.rpartition('@')[2]}/{model}"
        self._safe = is_private(parts)
        self._key, self._batch, self._attempts = key, batch, attempts
        self._timeout, self._wait = timeout, wait
        self._opener = urllib.request.build_opener(NoRedirect)

    def __call__(self, texts: Sequence[str]) -> Vectors:
        rows: list[list[float]] = []
        for at in range(0, len(texts), self._batch):
            rows += self._vectors(list(texts[at : at + self._batch]))
        if len({len(row) for row in rows}) > 1:
            raise self._error("vectors of different sizes", "Ask for one model only.")
        return normalised(np.array(rows, dtype=np.float32).reshape(len(rows), len(rows[0]) if rows else 0))

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        body = {"model": self.model, "input": texts, "encoding_format": "float"}
        answer = self._post(json.dumps(body).encode())
        try:
            found = {int(one["index"]): [float(number) for number in one["embedding"]] for one in answer["data"]}
            rows = [found[place] for place in range(len(texts))]
        except (KeyError, TypeError, ValueError):
            raise self._error("an answer without one vector a text", "Is it an embedding model?") from None
        if not all(row and all(map(math.isfinite, row)) for row in rows):
            raise self._error("a vector that is empty or not finite", "Is it an embedding model?")
        return rows

    def _post(self, body: bytes) -> Any:
        """The answer to a request, as JSON; tries again where that may help."""
        problem, wait = "", self._wait
        for attempt in range(self._attempts):
            if attempt:
                time.sleep(min(wait, LONGEST_WAIT))
                wait = self._wait * 2**attempt
            try:
                with self._opener.open(self._request(body), timeout=self._timeout) as answer:
                    return json.loads(answer.read(LARGEST))
            except urllib.error.HTTPError as error:
                problem = self._reply_text(error)
                if error.code not in _AGAIN:
                    raise self._error(problem, f"Check the address, the model and {self._key}.") from None
                wait = max(wait, _asked_wait(error.headers))
            except ValueError:
                raise self._error("an answer that is not JSON", "Does the address end before /embeddings?") from None
            except (OSError, http.client.HTTPException) as error:
                problem = self._clean(str(getattr(error, "reason", error)) or type(error).__name__)
        raise self._error(problem, f"It was asked {self._attempts} times. Is the server running?")

    def _request(self, body: bytes) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "User-Agent": "kag"}
        secret = os.environ.get(self._key, "")
        if secret:
            if not self._safe:
                raise self._error("the key would be sent unencrypted", "Use an https address.")
            headers["Authorization"] = f"Bearer {secret}"
        return urllib.request.Request(self.url, body, headers)

    def _reply_text(self, error: urllib.error.HTTPError) -> str:
        """Status and the server's own words, shortened, without the key."""
        try:
            words = error.read(2000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            words = ""
        return f"status {error.code} {self._clean(words)[:200]}".strip()

    def _clean(self, words: str) -> str:
        secret = os.environ.get(self._key, "")
        return " ".join(hide_secrets(words.replace(secret, "[secret]") if secret else words).split())

    def _error(self, problem: str, hint: str) -> ModelError:
        return ModelError(f"{self.id}: {problem}", hint=hint)


def endpoint_of(words: str) -> Endpoint:
    """The endpoint that is written URL#MODEL; raises `ModelError`."""
    url, _, model = words.rpartition("#")
    if not url or not model:
        raise ModelError(f"{words!r} names no model", hint="Give URL#MODEL, as https://api.openai.com/v1#MODEL.")
    return Endpoint(url, model)


def _asked_wait(headers: Message) -> float:
    """Return the seconds that a server asks to wait; 0 if it names none."""
    try:
        return max(0.0, float(headers.get("Retry-After", "0")))
    except ValueError:
        return 0.0
