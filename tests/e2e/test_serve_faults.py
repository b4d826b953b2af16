"""A server that is killed, stopped, or asked by very many at once: no job is lost, and nobody gets half of anything."""

from __future__ import annotations

import concurrent.futures
import signal
import time
from pathlib import Path

import pytest

import kag
from tests.conftest import BUNDLED
from tests.serving import PDF, Served, api, finished

pytest.importorskip("starlette", reason="the extra serve is not installed")
httpx = pytest.importorskip("httpx")


def upload(server: Served, name: str) -> str:
    sent = api(server, "/papers", "POST", files={"file": (name, PDF.read_bytes())})
    assert sent.status_code == 202, sent.text
    return str(sent.json()[0]["id"])


@pytest.mark.parametrize("stage", ["reading", "pictures", "adding", "search index"])
def test_jobs_survive_a_kill(tmp_path: Path, stage: str) -> None:
    library = tmp_path / "library"
    server = Served(library, ["--workers", "1"])
    jobs = [upload(server, f"{name}.pdf") for name in ("first", "second")]
    deadline = time.monotonic() + 60
    while api(server, f"/jobs/{jobs[0]}").json()["stage"] != stage and time.monotonic() < deadline:
        time.sleep(0.01)
    server.end(signal.SIGKILL)
    again = Served(library)
    try:
        rows = [finished(again, job) for job in jobs]
        assert [row["state"] for row in rows] == ["done", "done"], rows
        assert rows[0]["attempts"] >= 1
        assert sorted(one["id"] for one in api(again, "/papers").json()["items"]) == ["first", "second"]
        assert kag.Corpus(library).check().conforms
    finally:
        assert again.end() == 143  # as all commands end at a signal


def test_a_stop_is_in_order_and_soon(tmp_path: Path) -> None:
    server = Served(tmp_path / "library")
    job = upload(server, "paper.pdf")
    began = time.monotonic()
    assert server.end(signal.SIGTERM) == 143
    assert time.monotonic() - began < 15
    again = Served(tmp_path / "library")
    assert finished(again, job)["state"] == "done"
    stopped = again.end(signal.SIGINT)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # where the tests ignore it, so does what they start
        assert stopped == 130


def test_a_job_is_cancelled_and_begun_again(tmp_path: Path) -> None:
    server = Served(tmp_path / "library", ["--workers", "1"])
    try:
        first, second = upload(server, "first.pdf"), upload(server, "second.pdf")
        assert api(server, f"/jobs/{second}", "DELETE").json()["state"] == "cancelled"
        assert api(server, f"/jobs/{first}", "DELETE").json()["state"] == "cancelled"
        time.sleep(0.5)
        assert api(server, "/papers").json()["total"] == 0
        assert api(server, f"/jobs/{first}/again", "POST").status_code == 202
        assert finished(server, first)["state"] == "done"
        assert api(server, f"/jobs/{first}/again", "POST").status_code == 409
        with httpx.stream(
            "GET", f"{server.address}/api/v1/jobs/{first}/events", headers={"Last-Event-ID": "2"}
        ) as told:
            lines = list(told.iter_lines())
        assert "id: 3" in lines
        assert "id: 2" not in lines
        assert "event: state" in lines
    finally:
        server.end()


def test_fifty_readers_and_five_uploads_at_once(tmp_path: Path) -> None:
    library = tmp_path / "library"
    with kag.Corpus(library) as corpus:
        corpus.add(BUNDLED / "reservoir_sensors")
        corpus.index()
    server = Served(library)
    paths = ("/", "/papers/reservoir_sensors", "/api/v1/papers", "/api/v1/papers/reservoir_sensors/references")
    paths += ("/search?query=sensors", "/api/v1/papers/reservoir_sensors/nodes")

    def read(number: int) -> list[int]:
        with httpx.Client(base_url=server.address, timeout=120) as client:
            return [client.get(paths[(number + step) % len(paths)]).status_code for step in range(6)]

    try:
        with concurrent.futures.ThreadPoolExecutor(60) as pool:
            sent = [pool.submit(upload, server, f"paper{n}.pdf") for n in range(5)]
            found = [pool.submit(read, n) for n in range(50)]
            assert {code for one in found for code in one.result()} == {200}
            jobs = [one.result() for one in sent]
        assert {finished(server, job)["state"] for job in jobs} == {"done"}
        assert api(server, "/papers").json()["total"] == 6
        assert not [line for line in server.log if "error" in line.lower()]
    finally:
        server.end()


def test_who_asks_too_much_is_told_to_wait(tmp_path: Path) -> None:
    from dataclasses import replace

    from starlette.testclient import TestClient

    from kag.serve.app import Options, make_app
    from kag.serve.bounds import USUAL
    from kag.serve.guard.access import access_for

    bounds = replace(USUAL, reads=0.5, burst=3, workers=1)
    app = make_app(Options(tmp_path / "library", access_for("127.0.0.1", names=("testserver",)), bounds))
    with TestClient(app) as client:
        found = [client.get("/api/v1/papers") for _ in range(5)]
    assert [one.status_code for one in found] == [200, 200, 200, 429, 429]
    assert int(found[-1].headers["retry-after"]) >= 1
    assert found[-1].headers["content-type"] == "application/problem+json"
