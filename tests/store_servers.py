"""SPARQL stores for tests: Oxigraph's server where it is installed, and a small one here that can be made to fail."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit
from urllib.request import parse_http_list, parse_keqv_list

import pytest


@contextmanager
def oxigraph(folder: Path) -> Iterator[str]:
    """The address of an Oxigraph server of one's own; skips where the wheel `oxigraph` is not installed."""
    program = shutil.which("oxigraph", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if program is None:
        pytest.skip("Oxigraph's server (the wheel `oxigraph`) is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "serve", "--location", str(folder), "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def asked(server: str, query: str) -> list[str]:
    """The lines of an answer to SPARQL, without the head."""
    request = urllib.request.Request(f"{server}/query?query={quote(query)}", headers={"Accept": "text/csv"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode().splitlines()[1:]


NONCE = "0123456789abcdef"


def _md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


class StandIn(ThreadingHTTPServer):
    """Speaks the Graph Store Protocol; `graphs` is what it holds, `faults` what it answers next in place of work.

    A fault is a status, or "slow" or "cut". `user` ("name:password") asks for basic credentials, or with `digest` for
    such; `token` for a bearer.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.graphs: dict[str, bytes] = {}
        self.updates: list[str] = []
        self.faults: list[int | str] = []
        self.seen: list[tuple[str, str]] = []
        self.user = self.token = ""
        self.digest = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/store"

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


@contextmanager
def stand_in() -> Iterator[StandIn]:
    with StandIn() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: StandIn

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self._work(b"")

    def do_PUT(self) -> None:
        self._work(self.rfile.read(int(self.headers["Content-Length"])))

    do_POST = do_PUT

    def _work(self, body: bytes) -> None:
        here, given = self.server, self.headers.get("Authorization", "")
        graph = parse_qs(urlsplit(self.path).query).get("graph", [""])[0]
        here.seen.append((self.command, given))
        fault = here.faults.pop(0) if here.faults else 0
        if fault == "slow":
            time.sleep(0.6)
        if fault == "cut":
            self.connection.close()
        elif here.digest and not self._digested(given):
            self._answer(
                401, b"who are you", {"WWW-Authenticate": f'Digest realm="papers", nonce="{NONCE}", qop="auth"'}
            )
        elif here.user and not here.digest and given != "Basic " + base64.b64encode(here.user.encode()).decode():
            self._answer(401, b"who are you, " + given.encode(), {"WWW-Authenticate": 'Basic realm="papers"'})
        elif here.token and given != f"Bearer {here.token}":
            self._answer(401, b"not " + given.encode(), {})
        elif isinstance(fault, int) and fault:
            self._answer(fault, b"as you wish", {"Location": "http://127.0.0.1:9/elsewhere"})
        elif self.command == "GET":
            held = here.graphs.get(graph)
            self._answer(404 if held is None else 200, held or b"", {})
        elif self.command == "POST":
            here.updates.append(body.decode())
            self._answer(204, b"", {})
        else:
            here.graphs[graph] = body
            self._answer(201, b"", {})

    def _digested(self, given: str) -> bool:
        """Whether a header proves the password (RFC 7616, MD5)."""
        said = parse_keqv_list(parse_http_list(given.removeprefix("Digest ")))
        name, _, password = self.server.user.partition(":")
        who = _md5(f"{name}:papers:{password}")
        what = _md5(f"{self.command}:{said.get('uri')}")
        proof = _md5(f"{who}:{NONCE}:{said.get('nc')}:{said.get('cnonce')}:auth:{what}")
        return said.get("uri") == self.path and said.get("response") == proof

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
