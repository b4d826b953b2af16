"""The search index follows the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.corpus.check import check_corpus, repair
from kag.corpus.search_index import make_index, open_index
from kag.corpus.transaction import open_writer
from kag.errors import CorpusError
from kag.retrieve.index import Index
from tests.unit.corpus.runs import put, remove


def texts(index: Index) -> dict[str, str]:
    return {name: chunk.text for name, chunk in index.chunks.items()}


def found(index: Index, words: str) -> set[str]:
    return {index.chunks[name].document for name, _ in index.sparse.search(words, 10)}


@pytest.fixture
def root(runs: dict[str, Path], tmp_path: Path) -> Path:
    put(tmp_path / "corpus", runs["ice"], runs["snow"])
    with open_writer(tmp_path / "corpus") as writer:
        assert make_index(writer) == ("ice", "snow")
        assert make_index(writer) == ()
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
