"""SPARQL stores for tests: Oxigraph and Virtuoso where they are installed, and a small one that can be made to fail."""

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
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit
from urllib.request import parse_http_list, parse_keqv_list

import pytest


@dataclass(frozen=True, slots=True)
class Server:
    """Where a store takes graphs (with `options` of `kag push`), updates and queries, and who may write."""

    put: str
    options: tuple[str, ...]
    update: str
    query: str
    user: str = ""


@contextmanager
def oxigraph(folder: Path) -> Iterator[Server]:
    """An Oxigraph server of one's own; skips where the wheel `oxigraph` is not installed."""
    program = shutil.which("oxigraph", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if program is None:
        pytest.skip("Oxigraph's server (the wheel `oxigraph`) is not installed")
    folder.mkdir(parents=True)
    port = free_port()
    with _running([program, "serve", "--location", str(folder), "--bind", f"127.0.0.1:{port}"], folder, port):
        yield Server(*(f"http://127.0.0.1:{port}/store", (), *(f"http://127.0.0.1:{port}/{way}" for way in WAYS)))


WAYS = "update", "query"
INI = """
[Database]
DatabaseFile = v.db
TransactionFile = v.trx
ErrorLogFile = v.log
LockFile = v.lck
xa_persistent_file = v.pxa
FileExtend = 200
[TempDatabase]
DatabaseFile = t.db
TransactionFile = t.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
NumberOfBuffers = 2000
DirsAllowed = .
[HTTPServer]
ServerPort = 127.0.0.1:{http}
"""


@contextmanager
def virtuoso(folder: Path) -> Iterator[Server]:
    """A Virtuoso of one's own, user and password as it comes; skips where Debian's package is not installed."""
    program = shutil.which("virtuoso-t")
    if program is None:
        pytest.skip("Virtuoso is not installed (of Debian: virtuoso-opensource-7-bin)")
    folder.mkdir(parents=True)
    port = free_port()
    (folder / "virtuoso.ini").write_text(INI.format(sql=free_port(), http=port))
    here = f"http://127.0.0.1:{port}/sparql"
    with _running([program, "+foreground", "+configfile", "virtuoso.ini"], folder, port):
        yield Server(f"{here}-graph-crud-auth", ("--parameter", "graph-uri"), f"{here}-auth", here, "dba:dba")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def _running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """A server that is up; ends with the block."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(400):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield
        finally:
            server.terminate()


def asked(server: Server, query: str) -> list[str]:
    """The lines of an answer to SPARQL, without the head."""
    request = urllib.request.Request(f"{server.query}?query={quote(query)}", headers={"Accept": "text/csv"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode().splitlines()[1:]


NONCE = "0123456789abcdef"


def _md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


class StandIn(ThreadingHTTPServer):
    """Speaks the Graph Store Protocol; `graphs` is what it holds, `faults` what it answers next in place of work.

    A fault is a status, or "slow" or "cut". `user` ("name:password") asks for basic credentials, or with `digest` for
    such; `token` for a bearer. Who has none is answered before a body is read, as Virtuoso does.
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
        self._work(None)

    do_POST = do_PUT

    def _work(self, body: bytes | None) -> None:
        here, given = self.server, self.headers.get("Authorization", "")
        graph = parse_qs(urlsplit(self.path).query).get("graph", [""])[0]
        here.seen.append((self.command, given))
        fault = here.faults.pop(0) if here.faults else 0
        known = "Authorization" in self.headers or not (here.user or here.token)
        if body is None and known:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        self.close_connection = True
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
            here.updates.append((body or b"").decode())
            self._answer(204, b"", {})
        else:
            here.graphs[graph] = body or b""
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
