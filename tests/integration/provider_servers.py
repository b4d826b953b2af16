"""A local server that speaks the providers' wire formats: it gives scripted replies and keeps what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """One HTTP reply. `cut` closes the connection after so many bytes; `delay` is in seconds."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    cut: int | None = None
    delay: float = 0.0


@dataclass(frozen=True)
class Asked:
    """One HTTP request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class ProviderServer:
    """Gives its replies in order, the last one again and again; `asked` holds the requests."""

    url: str
    replies: list[Reply]
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_reply(self, asked: Asked) -> Reply:
        with self.lock:
            reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
            self.asked.append(asked)
            return reply


@contextmanager
def serve(*replies: Reply) -> Iterator[ProviderServer]:
    """A server on a free port of this machine; it is down when the block is left."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    http.daemon_threads = True
    http.block_on_close = False
    state = ProviderServer(f"http://127.0.0.1:{http.server_port}", list(replies))
    http.state = state  # type: ignore[attr-defined]
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.state.next_reply(Asked("POST", self.path, headers, body))  # type: ignore[attr-defined]
        time.sleep(reply.delay)
        try:
            self._send(reply)
        except OSError:  # the client has given up waiting
            self.close_connection = True

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("content-type", reply.content_type)
        self.send_header("content-length", str(len(reply.body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body if reply.cut is None else reply.body[: reply.cut])
        self.wfile.flush()
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def json_reply(value: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(json.dumps(value).encode(), status, named)


def anthropic(text: str, *, stop: str = "end_turn", usage: dict[str, int] | None = None) -> Reply:
    """A reply of the Anthropic Messages API."""
    content = [{"type": "text", "text": text}] if text else []
    return json_reply(
        {
            "id": "msg_01",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": usage or {"input_tokens": 10, "output_tokens": 5},
        }
    )


def anthropic_error(status: int, kind: str, message: str, **headers: str) -> Reply:
    return json_reply({"type": "error", "error": {"type": kind, "message": message}}, status, **headers)


def openai(text: str | None, *, finish: str = "stop", usage: dict[str, object] | None = None, **message: str) -> Reply:
    """A reply of the OpenAI chat completions API."""
    return json_reply(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-4o",
            "choices": [
                {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
            ],
            "usage": usage or {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
    )


def openai_error(status: int, code: str, message: str, **headers: str) -> Reply:
    kind = "invalid_request_error"
    return json_reply({"error": {"message": message, "type": kind, "code": code}}, status, **headers)
