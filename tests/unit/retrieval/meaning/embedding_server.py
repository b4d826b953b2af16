"""A server that speaks the `/embeddings` request of OpenAI on this machine."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """Answers with what stands in `script`, then with vectors; keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[dict, str | None]] = []
        self.script: list[tuple[int, dict[str, str], bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((body, self.headers.get("Authorization")))
        rows = [{"index": n, "embedding": [len(text), 4.0]} for n, text in enumerate(body["input"])]
        answer = 200, {}, json.dumps({"data": rows[::-1]}).encode()
        status, headers, words = self.server.script.pop(0) if self.server.script else answer
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(words))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(words)

    def log_message(self, *args) -> None:
        pass
