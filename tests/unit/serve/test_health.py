"""`/healthz`: open to anybody, and 503 with the reason while something keeps jobs from being done."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("httpx")

from starlette.testclient import TestClient

from kag.serve.app import Options, make_app
from kag.serve.guard.access import access_for
from kag.serve.jobs.worker_pool import WorkerPool


@pytest.mark.parametrize(("trouble", "status"), [("", 200), ("No space left on device", 503)])
def test_health_tells_what_keeps_jobs_from_being_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str, status: int
) -> None:
    monkeypatch.setattr(WorkerPool, "trouble", property(lambda pool: trouble))
    options = Options(tmp_path / "library", access_for("0.0.0.0", "a-token-of-some-length", ("testserver",)))
    with TestClient(make_app(options)) as client:
        found = client.get("/healthz")
    assert (found.status_code, found.text) == (status, f"{trouble or 'ok'}\n")
