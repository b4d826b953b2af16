"""Killed at any moment, a corpus is before or after each paper; read meanwhile, it is never torn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kag.corpus.check import check_corpus
from kag.corpus.sparql.query import ask
from kag.corpus.store import open_corpus
from scripts.benchmarks.bench_corpus import copy_run, name, state, storm
from tests.unit.corpus.runs import make_run

PAPERS = 30
READERS = 8

# Reads until the last paper is there: each graph that is seen must be whole, and none may go missing again.
READER = """
import sys, time
from pathlib import Path
from kag.corpus.store import open_corpus
from kag.corpus import graphs
root, wanted = Path(sys.argv[1]), int(sys.argv[2])
seen, end = 0, time.monotonic() + 240
while seen < wanted:
    assert time.monotonic() < end, "the papers never came"
    corpus = open_corpus(root)
    listed = {paper.iri: paper.triples for paper in corpus.papers()}
    store = graphs.open_snapshot(corpus.layout)
    there = {one: len(graphs.lines_of(store, one)) for one in graphs.names(store)}
    assert all(there[iri] == count for iri, count in listed.items()), "torn or missing"
    assert len(listed) >= seen, "a paper went"
    for paper in corpus.library().values():
        assert paper.nodes
    seen = len(listed)
    time.sleep(0.3)
"""


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    return [make_run(tmp_path / "made", paper) for paper in ("ice", "snow")]


def test_a_storm_of_changes_and_kills_ends_as_a_clean_build(sources: list[Path], tmp_path: Path) -> None:
    done = storm(sources, tmp_path, PAPERS, group=10, kills=0.5)
    assert done.killed >= 3
    assert state(tmp_path / "storm") == state(tmp_path / "clean")
    assert check_corpus(tmp_path / "storm").issues == ()
    papers = open_corpus(tmp_path / "storm").papers()
    assert len(papers) == PAPERS - PAPERS // 5
    assert len(open_corpus(tmp_path / "storm").citations()) > PAPERS // 2, "the copies cite each other"


def test_readers_beside_a_writer_see_whole_papers(sources: list[Path], tmp_path: Path) -> None:
    runs = [copy_run(sources[n % 2], tmp_path / "runs" / name(n), n, n + 1, 0) for n in range(13)]
    root = tmp_path / "corpus"
    add = [sys.executable, "-m", "kag", "corpus", "add", "--corpus", str(root)]
    subprocess.run([*add, str(runs[0])], check=True, capture_output=True)
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(root), str(len(runs))], stderr=subprocess.PIPE, text=True)
        for _ in range(READERS)
    ]
    for at in range(1, len(runs), 6):
        subprocess.run([*add, *map(str, runs[at : at + 6])], check=True, capture_output=True)
        assert ask(root, "ASK { ?s ?p ?o }").rows
    for reader in readers:
        _, told = reader.communicate(timeout=250)
        assert reader.returncode == 0, told
