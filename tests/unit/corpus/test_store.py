"""Reading a corpus: its texts, its papers for the read side."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.content import content_ref
from kag.core.errors import CorpusError
from kag.corpus.store import open_corpus
from tests.unit.corpus.runs import SHARED, make_run, put, remove


def test_a_text_is_there_as_long_as_one_paper_has_it(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    put(root, runs["ice"], runs["fog"])
    shared, alone = content_ref("paragraph", SHARED), content_ref("paragraph", "fog was found at all of these sites.")
    corpus = open_corpus(root)
    assert corpus.text(shared) == SHARED
    assert corpus.text(alone)
    remove(root, "fog")
    assert corpus.text(shared) == SHARED
    with pytest.raises(CorpusError, match="no paper has the text"):
        corpus.text(alone)
    remove(root, "ice")
    with pytest.raises(CorpusError, match="no paper has the text"):
        corpus.text(shared)


def test_a_damaged_text_is_read_from_who_has_it_whole(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    put(root, runs["ice"], runs["fog"])
    corpus, ref = open_corpus(root), content_ref("paragraph", SHARED)
    for paper in ("fog", "ice"):
        assert corpus.text(ref) == SHARED
        store = next((root / "papers" / paper).glob("*/content_store.jsonl"))
        store.write_bytes(store.read_bytes().replace(b"Twelve", b"Eleven"))
    with pytest.raises(CorpusError, match="damaged"):
        corpus.text(ref)


def test_papers_are_open_to_the_read_side(runs: dict[str, Path], tmp_path: Path) -> None:
    put(tmp_path / "corpus", runs["ice"], runs["snow"])
    library = open_corpus(tmp_path / "corpus").library()
    assert list(library) == ["ice", "snow"]
    paper = library["snow"]
    assert paper.title == "Sensors under river ice"
    assert any(node.text == SHARED for node in paper.nodes.values())


def test_all_entries_of_a_list_count_as_references(tmp_path: Path) -> None:
    nameless = make_run(tmp_path, "mist", cites="P. J. Lima and J. Berg, Riv. Lett., 2005, 7, 15-18.")
    put(tmp_path / "corpus", nameless)
    opened = open_corpus(tmp_path / "corpus")
    (listed,) = opened.papers()
    entries = [node for node in opened.library()["mist"].nodes.values() if node.kind == "BibliographicReference"]
    assert listed.references == len(entries) == 4
