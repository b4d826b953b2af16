"""A stand-in for a model behind an OpenAI-compatible address, for measuring programs that will not start without one.

    python scripts/stand_in_model.py PORT

It answers /v1/embeddings with vectors made of hashes of words, and /v1/chat/completions with the capitalised words of
what it is asked as "entities", each related to the next, in the form that LightRAG 1.5 reads. It knows nothing.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SIZE = 384
_NAME = re.compile(r"\b[A-Z][a-z]{3,}(?: [A-Z][a-z]{2,})*")
_SEP = "<|#|>"


def vector(text: str) -> list[float]:
    """A vector of `SIZE` numbers: words counted at places that their hashes name, of length one."""
    found = [0.0] * SIZE
    for word in text.lower().split():
        found[int(hashlib.md5(word.encode(), usedforsecurity=False).hexdigest(), 16) % SIZE] += 1.0
    length = sum(one * one for one in found) ** 0.5 or 1.0
    return [one / length for one in found]


def extracted(text: str) -> str:
    """Names of a text and links between them as lines."""
    names = list(dict.fromkeys(_NAME.findall(text[-6000:])))[:20]
    lines = [_SEP.join(("entity", name, "concept", f"{name} is named.")) for name in names]
    pairs = itertools.pairwise(names)
    lines += [_SEP.join(("relation", one, other, "beside", f"{one} stands beside {other}.")) for one, other in pairs]
    return "\n".join([*lines, "<|COMPLETE|>"])


class Answers(BaseHTTPRequestHandler):
    """The two addresses."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a request."""
        asked: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
            rows = [{"object": "embedding", "index": n, "embedding": vector(str(t))} for n, t in enumerate(texts)]
            told: dict[str, Any] = {"object": "list", "data": rows, "model": "stand-in"}
            usage = {"prompt_tokens": 1, "total_tokens": 1}
        else:
            words = extracted(str(asked["messages"][-1]["content"]))
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}
            told = {"id": "1", "object": "chat.completion", "created": 1, "model": "stand-in", "choices": [choice]}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = json.dumps({**told, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *given: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
