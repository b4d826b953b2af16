"""Each kind of damage is named, and what can be repaired is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pyoxigraph
import pytest

from kag.core.errors import CorpusError
from kag.corpus import catalogue, graphs, shared_works
from kag.corpus.check import check_corpus, repair
from kag.corpus.layout import Layout, write_intent
from kag.corpus.transaction import open_writer
from kag.indexing.run import GRAPH
from tests.unit.corpus.runs import make_run, put, state


@pytest.fixture
def root(runs: dict[str, Path], tmp_path: Path) -> Path:
    put(tmp_path / "corpus", runs["ice"], runs["snow"])
    return tmp_path / "corpus"


def only(root: Path, paper: str, file: str) -> Path:
    return next((root / "papers" / paper).glob(f"*/{file}"))


def change_store(root: Path, change: Callable[[pyoxigraph.Store], None]) -> None:
    with open_writer(root) as writer:
        change(writer.store)
        graphs.publish(writer.store, writer.layout)


def drop_a_triple(root: Path) -> None:
    ice = pyoxigraph.NamedNode("http://la3d.local/kag/doc/ice/document")
    change_store(root, lambda store: store.remove(next(store.quads_for_pattern(None, None, None, ice))))


def add_a_graph(root: Path) -> None:
    change_store(
        root, lambda store: graphs.change(store, {"http://la3d.local/kag/doc/old/document": ["<a:a> <a:b> <a:c>"]})
    )


def forget_citations(root: Path) -> None:
    change_store(root, lambda store: graphs.discard(store, [shared_works.GRAPH]))


def forget_a_text(root: Path) -> None:
    with catalogue.open_tables(root / "corpus.db", write=True) as rows:
        rows.execute("DELETE FROM place WHERE ref=(SELECT min(ref) FROM place)")


def leave_files(root: Path) -> None:
    shutil.copytree(only(root, "ice", "summary.json").parent, root / "papers" / "ice" / "0123456789abcdef")


@pytest.mark.parametrize(
    ("damage", "kind", "focus"),
    [
        (drop_a_triple, "graph", "ice"),
        (add_a_graph, "stray", "http://la3d.local/kag/doc/old/document"),
        (forget_citations, "works", shared_works.GRAPH),
        (forget_a_text, "tables", "corpus.db"),
        (leave_files, "stray", "ice/0123456789abcdef"),
    ],
)
def test_damage_is_named_and_repaired(damage: Callable[[Path], None], kind: str, focus: str, root: Path) -> None:
    before = state(root)
    assert check_corpus(root).issues == ()
    damage(root)
    issues = check_corpus(root).issues
    assert [(issue.component, issue.focus) for issue in issues] == [(kind, focus)]
    assert "--repair" in issues[0].message
    assert repair(root).issues == ()
    assert state(root) == before


@pytest.mark.parametrize("lost", ["corpus.db", "graph"])
def test_a_lost_store_is_made_again(lost: str, root: Path) -> None:
    before = state(root)
    path = root / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(CorpusError) as error:
        check_corpus(root)
    assert error.value.hint
    assert repair(root).issues == ()
    assert state(root) == before


def test_a_measured_number_comes_back_as_the_store_spells_it(tmp_path: Path) -> None:
    run = make_run(tmp_path, "rain", words="A depth of 2.50 m and a load of 3 × 10^20 kg")
    assert " 2.5E0 " in (run / GRAPH).read_text(encoding="utf-8")
    put(tmp_path / "corpus", run)
    before = state(tmp_path / "corpus")
    assert '> "2.5"^^<http://www.w3.org/2001/XMLSchema#double> <' in before[0]
    assert check_corpus(tmp_path / "corpus").issues == ()
    assert repair(tmp_path / "corpus").issues == ()
    assert state(tmp_path / "corpus") == before


def test_the_spelling_of_a_value_is_the_stores() -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    spelled = {
        f'"1.5E0"^^<{xsd}double>': f'"1.5"^^<{xsd}double>',
        f'"1.50"^^<{xsd}double>': f'"1.5"^^<{xsd}double>',
        f'"1"^^<{xsd}boolean>': f'"true"^^<{xsd}boolean>',
        f'"deep"^^<{xsd}double>': f'"deep"^^<{xsd}double>',
        f'"\\"1\\"^^<{xsd}integer>"': f'"\\"1\\"^^<{xsd}integer>"',
        '"ice"@en': '"ice"@en',
        "<http://a.org/b>": "<http://a.org/b>",
    }
    for value, stored in spelled.items():
        assert graphs.as_stored([f"<a:a> <a:b> {value}"]) == (f"<a:a> <a:b> {stored}",)
    lines = graphs.as_stored(f"<a:a> <a:b> {value}" for value in spelled)
    assert lines == tuple(sorted({f"<a:a> <a:b> {value}" for value in spelled.values()}))
    store = pyoxigraph.Store()
    graphs.change(store, {"a:g": [f"<a:a> <a:b> {value}" for value in spelled]})
    assert graphs.lines_of(store, "a:g") == lines


def test_changed_files_are_named_and_cured_by_update(runs: dict[str, Path], root: Path) -> None:
    before = state(root)
    file = only(root, "ice", "content_store.jsonl")
    file.write_text(file.read_text(encoding="utf-8").replace("Twelve", "Eleven"), encoding="utf-8")
    for report in (check_corpus(root), repair(root)):
        assert [(issue.component, issue.focus) for issue in report.issues] == [("files", "ice")]
        assert "kag corpus update" in report.issues[0].message
    put(root, runs["ice"], replace=True)
    assert check_corpus(root).issues == ()
    assert state(root) == before


def test_a_change_that_was_begun_is_named_and_finished(root: Path) -> None:
    write_intent(Layout(root), {"ice": None})
    assert [issue.component for issue in check_corpus(root).issues] == ["intent"]
    assert repair(root).issues == ()
    with catalogue.open_tables(root / "corpus.db") as rows:
        assert [paper.id for paper in catalogue.papers(rows)] == ["snow"]


def test_a_change_whose_files_are_nowhere_says_what_to_do(root: Path) -> None:
    before = state(root)
    write_intent(Layout(root), {"fog": "0123456789abcdef"})
    with pytest.raises(CorpusError, match="is nowhere") as error:
        repair(root)
    assert "intent.json" in error.value.hint
    Layout(root).intent.unlink()
    assert repair(root).issues == ()
    assert state(root) == before


def test_tables_that_the_disk_has_no_room_for_are_not_told_as_damaged(tmp_path: Path) -> None:
    def fill() -> None:
        with catalogue.open_tables(None, write=True) as rows:
            rows.execute("PRAGMA max_page_count = 1")
            rows.execute("CREATE TABLE more (words)")

    with pytest.raises(CorpusError, match="disk is full") as told:
        fill()
    assert "make room" in told.value.hint


def test_graphs_that_the_disk_has_no_room_for_are_not_told_as_damaged(tmp_path: Path) -> None:
    for said, hint in (("IO error: No space left on device: While appending", "make room"), ("Corruption", "--repair")):
        with pytest.raises(CorpusError, match=said[:8]) as told, graphs.reading(tmp_path):
            raise OSError(said)
        assert hint in told.value.hint


def test_an_index_that_was_only_begun_is_no_damage(root: Path) -> None:
    """As where the disk was full for the first one."""
    Layout(root).search.mkdir()
    assert check_corpus(root).conforms
