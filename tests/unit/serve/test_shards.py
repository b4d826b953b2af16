"""A corpus in shards, and replicas of one: the pages, the API and the tools are those of a corpus in one piece."""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import kag
from kag.corpus import changing
from kag.corpus.rebalance import rebalance
from kag.corpus.search_index import quiet
from kag.corpus.shard_set import create_shards, shard_set
from tests.serving import PDF

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


@pytest.fixture(scope="module")
def three(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("three") / "library"
    create_shards(root, 3)
    return made(root, bundled_runs)


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
    found = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.name.endswith(("-shm", "-wal")))
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


def test_every_page_and_endpoint_over_shards_says_what_one_piece_says(one: Path, three: Path, tmp_path: Path) -> None:
    with serving(one, tmp_path / "own1") as whole, serving(three, tmp_path / "own3") as shards:
        wanted, found = told(whole), told(shards)
        assert [path for path in wanted if wanted[path][0] != 200] == []
        assert [path for path in wanted if wanted[path] != found[path]] == []
        question = {"question": "How many sites were studied?"}
        assert whole.post(f"{BASE}/ask", json=question).json() == shards.post(f"{BASE}/ask", json=question).json()


def test_a_replica_writes_nothing_and_says_where_to_write(three: Path, tmp_path: Path) -> None:
    before = bytes_of(three)
    with serving(three, tmp_path / "own") as client:
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
    assert bytes_of(three) == before


def wait(client: Any, job: str) -> dict[str, Any]:
    while (found := client.get(f"{BASE}/jobs/{job}").json())["state"] in ("queued", "running"):
        time.sleep(0.05)
    assert isinstance(found, dict)
    return found


def test_a_server_over_shards_writes_to_the_shard_of_the_paper(three: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(three, tmp_path / "library"))
    with serving(root) as client:
        sent = client.post(f"{BASE}/papers", files={"file": (PDF.name, PDF.read_bytes(), "application/pdf")})
        assert sent.status_code == 202, sent.text
        done = wait(client, sent.json()[0]["id"])
        assert done["state"] == "done", done
        shards, paper = shard_set(root), done["paper"]
        assert shards
        assert [one.root for one in shards.layouts if (one.papers / paper).is_dir()] == [shards.home(paper).root]
        hits = client.get(f"{BASE}/search", params={"query": "tracers of zirconium"}).json()["items"]
        assert paper in {hit["paper"] for hit in hits}
        gone = wait(client, client.delete(f"{BASE}/papers/{paper}", headers={"If-Match": "*"}).json()["id"])
        assert gone["state"] == "done", gone
        assert not (shards.home(paper).papers / paper).exists()
    assert kag.Corpus(root).check().conforms


def test_a_server_sees_that_a_corpus_was_put_into_other_shards(three: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(three, tmp_path / "library"))
    with serving(root, tmp_path / "own") as client:
        before = client.get(f"{BASE}/search", params=GIVEN[f"{BASE}/search"]).json()
        rebalance(root, 2, quiet)
        changing.index(root, changing.Wish(graph=True))
        assert client.get(f"{BASE}/search", params=GIVEN[f"{BASE}/search"]).json() == before
        assert client.get(f"{BASE}/papers/{PAPER}/sections").status_code == 200


def test_the_tools_for_agents_are_those_of_one_piece(one: Path, three: Path, tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from kag.serve.mcp.papers import OpenPapers

    root = Path(shutil.copytree(three, tmp_path / "library"))
    whole, shards = OpenPapers(one), OpenPapers(root)
    try:
        assert whole.ids == shards.ids
        for name, arguments in (("search_knowledge_graph", {"query": "bees in gardens"}), ("list_papers", {})):
            assert whole.opened.tools[name].call(**arguments) == shards.opened.tools[name].call(**arguments), name
        kept = shards.opened
        assert shards.opened is kept
        list(changing.remove(root, [PAPER]))
        assert shards.opened is not kept
        assert PAPER not in shards.ids
    finally:
        whole.close()
        shards.close()


def test_a_replica_is_an_address_too(three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("obstore", reason="needs kag-papers[objects]")
    from kag.cli.options.anywhere import brought_here

    url = f"file://{tmp_path / 'store'}/library"
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / "writer"))
    with brought_here([url]) as (folder,):
        shutil.copytree(three, folder, dirs_exist_ok=True)
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
