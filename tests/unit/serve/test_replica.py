"""A read-only server of a corpus, or of a copy of it from an object store, writes nothing to it."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import kag

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("httpx")

from starlette.testclient import TestClient

from kag.serve.api.routes import BASE, OPERATIONS
from kag.serve.app import Options, make_app
from kag.serve.guard.access import Access
from kag.serve.pages.routes import PAGES

PAPER = "urban_pollinators"
FILLED = {"paper": PAPER, "view": "overview", "form": "bibtex", "node": "s_front"}
GIVEN = {
    f"{BASE}/search": {"query": "bees in gardens"},
    "/search": {"q": "bees in gardens"},
    "/ask": {"question": "How many sites were studied?"},
    "/sparql": {"query": "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"},
}
SCORES = re.compile(r"(?<=\"score\":)[0-9.e-]+")  # one index adds them up in 32 bits
OF_A_SERVER = ("{answer}", "{job}", "/jobs")


@pytest.fixture(scope="module")
def one(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("one") / "library", bundled_runs)


def made(root: Path, runs: Path) -> Path:
    with kag.Corpus(root) as corpus:
        corpus.add(runs)
        corpus.index(graph=True)
    return root


@contextmanager
def serving(root: Path, own: Path | None = None) -> Iterator[Any]:
    app = make_app(Options(root, Access(frozenset(("testserver",))), own=own))
    with TestClient(app, base_url="http://testserver") as client:
        yield client


def bytes_of(root: Path) -> dict[str, str]:
    left_out = ("-shm", "-wal", ".lock")
    found = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.name.endswith(left_out))
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found[0]):.5f}"


def told(client: Any) -> dict[str, tuple[int, str]]:
    """What every page and endpoint says that needs no more than a paper and a question; scores to 5 places."""
    paths = [page.path for page in PAGES] + [BASE + one.path for one in OPERATIONS if one.method == "GET"]
    answers = {}
    for path in paths:
        if not any(word in path for word in OF_A_SERVER):
            found = client.get(path.format(**FILLED), params=GIVEN.get(path, {}))
            answers[path] = (found.status_code, SCORES.sub(_rounded, found.text))
    return answers


def test_a_replica_writes_nothing_and_says_where_to_write(one: Path, tmp_path: Path) -> None:
    before = bytes_of(one)
    with serving(one, tmp_path / "own") as client:
        told(client)
        refused = [
            client.post(f"{BASE}/papers", files={"file": ("x.pdf", b"%PDF-1.4", "application/pdf")}),
            client.delete(f"{BASE}/papers/{PAPER}", headers={"If-Match": "*"}),
            client.post(f"{BASE}/populate", json={}),
        ]
        assert [reply.status_code for reply in refused] == [403] * 3
        assert "only reads" in refused[0].text
        assert "the server that writes" in refused[0].text
        assert client.get(f"{BASE}/papers/{PAPER}").status_code == 200
    assert bytes_of(one) == before


def test_a_replica_is_an_address_too(one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("obstore", reason="needs kag-papers[object-storage]")
    from kag.cli.ending import brought_here

    url = f"file://{tmp_path / 'store'}/library"
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / "writer"))
    with brought_here([url]) as (folder,):
        shutil.copytree(one, folder, dirs_exist_ok=True)
    published = bytes_of(tmp_path / "store")
    for machine in ("one", "two"):
        monkeypatch.setenv("KAG_CACHE", str(tmp_path / machine))
        with (
            brought_here(["serve", url, "--read-only"]) as (_, folder, _),
            serving(Path(folder), tmp_path / "own") as it,
        ):
            assert it.get(f"{BASE}/papers/{PAPER}").status_code == 200
            assert it.get(f"{BASE}/search", params=GIVEN[f"{BASE}/search"]).json()["items"]
            (Path(folder) / "stray").write_text("of this machine")
    assert bytes_of(tmp_path / "store") == published
