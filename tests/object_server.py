"""An S3 server of this machine, and a door before it at which requests go wrong as they do with real ones."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

BUCKET = "papers"
Fault = Callable[[str, str], str]
"""What goes wrong with a request, by its method and path: "", "503", "slow", "twice", "cut", "lost"."""


@dataclass
class Door:
    """Where requests come in; `fault` says what goes wrong with each, `seen` is what came."""

    port: int = 0
    fault: Fault = lambda method, path: ""
    seen: list[tuple[str, str]] = field(default_factory=list)

    def count(self, method: str, part: str = "") -> int:
        """How many requests of a method came for paths with this part."""
        return sum(one == method and part in path for one, path in self.seen)


@contextmanager
def s3_server() -> Iterator[int]:
    """A server with one bucket; its port."""
    import logging

    import boto3
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        client = boto3.client(
            "s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1", aws_access_key_id="k",
            aws_secret_access_key="s",
        )  # fmt: skip
        client.create_bucket(Bucket=BUCKET)
        yield port
    finally:
        server.stop()


class _Handler(BaseHTTPRequestHandler):
    """Passes requests on, and lets go wrong what is to go wrong."""

    protocol_version = "HTTP/1.1"
    behind, door, lock = 0, Door(), Lock()

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.lock:
            self.door.seen.append((self.command, self.path))
            fault = self.door.fault(self.command, self.path)
        if fault == "503":
            self._send(503, {}, b"<Error><Code>SlowDown</Code></Error>")
            return
        if fault == "slow":
            time.sleep(0.3)
        status, headers, data = self._passed(body)
        if fault == "twice":
            status, headers, data = self._passed(body)
        if fault == "lost":  # done, and nobody hears of it: the client asks again
            status, headers, data = 503, {}, b""
        if fault == "cut" and status == 200:
            data = data[: len(data) // 2]
            headers.pop("x-amz-checksum-crc32", None)
        self._send(status, headers, data)

    def _passed(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=30)
        connection.request(self.command, self.path, body, dict(self.headers))
        reply = connection.getresponse()
        data = reply.read()
        connection.close()
        return reply.status, dict(reply.getheaders()), data

    def _send(self, status: int, headers: dict[str, str], data: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, value)
        size = headers.get("Content-Length", headers.get("content-length", "0"))
        self.send_header("Content-Length", size if self.command == "HEAD" else str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = handle_any

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def door_to(port: int) -> Iterator[Door]:
    """A door before a server."""
    door = Door()
    handler = type("Handler", (_Handler,), {"behind": port, "door": door, "lock": Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    door.port = server.server_address[1]
    try:
        yield door
    finally:
        server.shutdown()
        server.server_close()
