"""A server for tests: `kag serve` as a process, at a free port, ended as a person or a system would end it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

ROOT = Path(__file__).resolve().parent.parent
PDF = ROOT / "test_data" / "zirconium_tracers.pdf"


class Served:
    """A server that runs: `address` without a slash at its end, `token` where it asks for one."""

    def __init__(self, corpus: Path, options: Sequence[str] = (), port: int = 0) -> None:
        command = [sys.executable, "-m", "kag", "serve", str(corpus), "--port", str(port), "--log", *options]
        self.log: list[str] = []
        self.corpus = corpus
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ}
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        assert line.startswith("http://"), line + (self._process.stderr.read() if self._process.stderr else "")
        parts = urlsplit(line)
        self.address = f"http://{parts.netloc}"
        self.token = parse_qs(parts.query).get("token", [""])[0]
        threading.Thread(target=self._listen, daemon=True).start()
        self._await()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.log.append(line.rstrip())

    def _await(self) -> None:
        import httpx

        for _ in range(600):
            try:
                if httpx.get(f"{self.address}/healthz").status_code in (200, 421):
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    @property
    def port(self) -> int:
        found = urlsplit(self.address).port
        assert found
        return found

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self, number: int = signal.SIGTERM) -> int:
        """End it by a signal; returns its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self._process.wait(30)


@contextmanager
def served(corpus: Path, *options: str) -> Iterator[Served]:
    """A server over a corpus, ended afterwards."""
    server = Served(corpus, options)
    try:
        yield server
    finally:
        server.end()


def api(server: Served, path: str, method: str = "GET", **options: Any) -> Any:
    """The response of the API to one request."""
    import httpx

    return httpx.request(method, f"{server.address}/api/v1{path}", timeout=60, **options)


def finished(server: Served, job: str, seconds: float = 240) -> dict[str, Any]:
    """A job once it is neither waiting nor running."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        row: dict[str, Any] = api(server, f"/jobs/{job}").json()
        if row["state"] not in ("queued", "running"):
            return row
        time.sleep(0.1)
    raise AssertionError(f"the job {job} does not end: {row}")
