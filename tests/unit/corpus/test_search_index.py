"""The search index follows the corpus."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from kag.core.errors import CorpusError
from kag.corpus.check import check_corpus, repair
from kag.corpus.layout import Layout
from kag.corpus.search_index import articles, make_index, open_index
from kag.corpus.transaction import open_writer
from kag.retrieval.graph.build import LIKENESS
from kag.retrieval.hits_json_ld import graph_lines
from kag.retrieval.index import Index
from kag.retrieval.retrieve import search
from tests.unit.corpus.conftest import DOI
from tests.unit.corpus.runs import put, remove
from tests.unit.retrieval.meaning.embedding_server import Server


def texts(index: Index) -> dict[str, str]:
    return {name: chunk.text for name, chunk in index.chunks.items()}


def found(index: Index, words: str) -> set[str]:
    return {index.chunks[name].document for name, _ in index.sparse.search(words, 10)}


@pytest.fixture
def root(runs: dict[str, Path], tmp_path: Path) -> Path:
    put(tmp_path / "corpus", runs["ice"], runs["snow"])
    with open_writer(tmp_path / "corpus") as writer:
        assert make_index(writer).papers == ("ice", "snow")
        assert make_index(writer).papers == ()
    return tmp_path / "corpus"


def test_changes_are_followed(runs: dict[str, Path], root: Path, tmp_path: Path) -> None:
    assert found(open_index(root), "twelve sites along the river") == {"ice", "snow"}
    assert found(open_index(root), "moss") == set()
    put(root, runs["ice2"], runs["fog"], replace=True)
    remove(root, "snow")
    assert {issue.focus for issue in check_corpus(root).issues} == {"ice", "fog", "snow"}
    index = open_index(root)  # brings it into step
    assert found(index, "twelve sites along the river") == {"ice", "fog"}
    assert found(index, "moss") == {"ice"}
    assert check_corpus(root).issues == ()
    put(tmp_path / "clean", runs["fog"], runs["ice2"])
    with open_writer(tmp_path / "clean") as writer:
        make_index(writer)
    assert texts(open_index(tmp_path / "clean")) == texts(index)


def test_repair_brings_it_into_step(root: Path) -> None:
    remove(root, "ice")
    assert [issue.component for issue in check_corpus(root).issues] == ["index"]
    assert repair(root).issues == ()


def test_a_writer_at_work_leaves_it_readable(root: Path) -> None:
    with open_writer(root) as writer:
        list(writer.remove(["ice"]))
        assert found(open_index(root), "twelve sites") == {"ice", "snow"}


def test_without_an_index(runs: dict[str, Path], tmp_path: Path) -> None:
    put(tmp_path / "corpus", runs["ice"])
    with pytest.raises(CorpusError, match="no search index") as error:
        open_index(tmp_path / "corpus")
    assert "kag corpus index" in error.value.hint


def cited(index: Index) -> set[tuple[str, str]]:
    """Which paper leads to which, by a reference of the first."""
    assert index.edges is not None
    assert {node.id for node in index.edges.nodes} == set(index.chunks)
    ends = ((edge.source, edge.target) for edge in index.edges.edges if edge.label == "cites")
    pairs = {(index.chunks[one].document, index.chunks[other].document) for one, other in ends}
    return {(one, other) for one, other in pairs if one != other}


def test_the_graph_follows_the_papers(runs: dict[str, Path], root: Path, tmp_path: Path) -> None:
    put(root, runs["fog"])
    with open_writer(root) as writer:
        assert make_index(writer).waiting == 0
        assert open_index(root).edges is None
        assert make_index(writer, graph=True).waiting == 0
    assert cited(open_index(root)) == {("snow", "ice")}
    remove(root, "ice")
    assert cited(open_index(root)) == set()
    put(root, runs["ice2"])
    index = open_index(root)
    assert cited(index) == {("snow", "ice")}
    new = index.of_document("ice")
    likeness = [edge for edge in index.edges.edges if edge.label in LIKENESS]
    assert {index.chunks[edge.source].document for edge in likeness} <= {"fog", "snow"}
    assert likeness
    with open_writer(root) as writer:
        step = make_index(writer)
        assert (step.papers, step.waiting, step.chunks) == ((), len(new), len(index.chunks))
        assert make_index(writer, graph=True).waiting == 0
    put(tmp_path / "clean", runs["snow"], runs["ice2"], runs["fog"])
    with open_writer(tmp_path / "clean") as writer:
        make_index(writer, graph=True)
    clean, here = open_index(tmp_path / "clean"), open_index(root)
    assert list(clean.edges.edges) == list(here.edges.edges)
    assert "".join(graph_lines(clean)) == "".join(graph_lines(here))


def test_what_is_known_of_papers(root: Path) -> None:
    known = articles(Layout(root))
    assert known["snow"].cites == (known["ice"].iri,)
    assert known["ice"].doi == DOI
    index = open_index(root)
    assert any(chunk.entities for chunk in index.chunks.values())


def test_a_damaged_index_is_named_with_the_way_out(root: Path) -> None:
    for file in (root / "search").glob("index-*/chunks*"):
        file.unlink()
    issues = check_corpus(root).issues
    assert {issue.component for issue in issues} == {"index"}
    assert {issue.focus.rpartition("/")[2] for issue in issues} == {"chunks.json", "chunks.jsonl"}
    with pytest.raises(CorpusError, match="cannot be read") as error:
        open_index(root)
    assert "--repair" in error.value.hint
    assert repair(root).issues == ()
    assert found(open_index(root), "twelve sites along the river") == {"ice", "snow"}


def test_vectors_by_an_endpoint_that_the_user_states(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, server = tmp_path / "corpus", Server()
    Thread(target=server.serve_forever, daemon=True).start()
    put(root, runs["ice"])
    with open_writer(root) as writer:
        make_index(writer, embedder=f"{server.url}#tiny")
        count = sum(len(body["input"]) for body, _ in server.asked)
        assert count == len(open_index(root).chunks)
        make_index(writer, embedder=f"{server.url}#tiny")  # nothing is asked twice
    assert sum(len(body["input"]) for body, _ in server.asked) == count
    asked = len(server.asked)  # a corpus says whose its vectors are, and is not obeyed: words rank
    assert "tiny" in search(open_index(root), "sensors", plan="dense").notes[0]
    assert len(server.asked) == asked
    monkeypatch.setenv("KAG_EMBEDDINGS", f"{server.url}#tiny")
    assert search(open_index(root), "sensors", plan="dense").hits
    assert server.asked[-1][0]["input"] == ["sensors"]
    monkeypatch.setenv("KAG_EMBEDDINGS", f"{server.url}#other")
    asked = len(server.asked)
    fallen = search(open_index(root), "sensors", plan="dense")
    assert (fallen.plan, len(server.asked)) == ("bm25", asked)
    server.shutdown()
    server.server_close()
