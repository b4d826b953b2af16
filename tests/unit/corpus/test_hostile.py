"""A stranger's corpus is data: nothing in it leads out of it, and nothing outside it is changed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kag.core.errors import CorpusBusy, CorpusError
from kag.corpus import graphs
from kag.corpus.check import check_corpus, repair
from kag.corpus.layout import Layout
from kag.corpus.store import open_corpus
from kag.corpus.transaction import open_writer
from tests.unit.corpus.runs import put, remove, state

pytestmark = pytest.mark.slow


@pytest.fixture
def root(runs: dict[str, Path], tmp_path: Path) -> Path:
    put(tmp_path / "corpus", runs["ice"], runs["fog"])
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "kept").write_text("mine", encoding="utf-8")
    return tmp_path / "corpus"


def victim(root: Path) -> list[tuple[str, str]]:
    return [(path.name, path.read_text(encoding="utf-8")) for path in (root.parent / "victim").iterdir()]


@pytest.mark.parametrize(
    "intent",
    [
        {"../../victim": None},
        {"ice": "../../../victim"},
        {"ice": 5},
        {"ice": "0" * 15 + "G"},
        {"fog": None, "/nowhere/victim": None},
        ["ice"],
    ],
)
def test_an_intent_is_looked_at_as_a_whole_before_anything_is_done(intent: object, root: Path) -> None:
    before = state(root)
    (root / "intent.json").write_text(json.dumps(intent), encoding="utf-8")
    for act in (open_corpus, repair, lambda path: remove(path, "ice")):
        with pytest.raises(CorpusError, match=r"intent\.json") as error:
            act(root)
        assert "delete it" in error.value.hint
    assert victim(root) == [("kept", "mine")]
    (root / "intent.json").unlink()
    assert state(root) == before


def test_an_intent_whose_files_are_not_all_there_moves_none(runs: dict[str, Path], root: Path) -> None:
    before = state(root)
    staged = root / "staged" / ("ice-" + "1" * 16)
    shutil.copytree(runs["ice2"], staged)  # what is staged is not what its name says
    (root / "intent.json").write_text(json.dumps({"fog": None, "ice": "1" * 16}), encoding="utf-8")
    with pytest.raises(CorpusError, match="holds something else"):
        open_corpus(root)
    assert staged.is_dir()
    (root / "intent.json").unlink()
    assert state(root) == before


def linked(path: Path, target: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize(
    "name", ["staged", "graph", "graph/store", "graph/snapshots", "corpus.db", "corpus.db-wal", "intent.json"]
)
def test_a_link_is_not_followed_and_repair_takes_it_away(name: str, root: Path) -> None:
    before = state(root)
    file = name.endswith(("wal", "json", "db"))
    linked(root / name, root.parent / "victim" / ("kept" if file else ""))
    for act in (open_corpus, check_corpus, lambda path: remove(path, "ice")):
        with pytest.raises(CorpusError, match="symbolic link") as error:
            act(root)
        assert "--repair" in error.value.hint
    assert repair(root).issues == ()
    assert (victim(root), state(root)) == ([("kept", "mine")], before)


def test_links_among_papers_and_states_are_not_followed(root: Path) -> None:
    (root / "graph" / "snapshots" / "9").symlink_to(root.parent / "victim")
    (root / "papers" / "owl").symlink_to(root.parent / "victim")
    (root / "papers" / "ice" / ("0" * 16)).symlink_to(root.parent / "victim")
    assert {issue.focus for issue in check_corpus(root).issues} == {"owl", "ice/" + "0" * 16}
    assert graphs.snapshot(Layout(root)).name == "1"
    remove(root, "nobody")
    assert sorted(path.name for path in (root / "graph" / "snapshots").iterdir()) == ["1"]
    linked(next((root / "papers" / "fog").iterdir()), root.parent / "victim")
    with pytest.raises(CorpusError, match="symbolic link"):
        open_corpus(root).library()
    remove(root, "fog", "ice")
    assert victim(root) == [("kept", "mine")]


@pytest.mark.parametrize(
    "place", ["papers/ice", "papers", "staged", "graph/snapshots", "search", ".", "..", "papers/../x"]
)
def test_only_what_a_corpus_made_is_removed(place: str, root: Path) -> None:
    layout = Layout(root)
    if place == "papers/ice":
        layout.remove(root / place)
        layout.remove(root / place)  # what is not there is no error
        assert not (root / place).exists()
        return
    with pytest.raises(CorpusError):
        layout.remove(root / place)
    linked(root / "papers" / "ice", root.parent)
    with pytest.raises(CorpusError, match="symbolic link"):
        layout.remove(root / "papers" / "ice" / "victim")
    (root / "corpus.json").unlink()
    with pytest.raises(CorpusError, match="is not a corpus"):
        layout.remove(root / "papers" / "fog")
    assert (root / "papers" / "fog").is_dir()
    assert victim(root) == [("kept", "mine")]


def test_what_lies_beside_versions_is_not_removed_with_them(root: Path) -> None:
    (root / "papers" / "ice" / "notes").mkdir()
    (root / "staged" / "notes").mkdir()
    remove(root, "ice")
    assert (root / "papers" / "ice" / "notes").is_dir()
    assert (root / "staged" / "notes").is_dir()
    (issue,) = check_corpus(root).issues
    assert (issue.component, issue.focus) == ("stray", "ice/notes")


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TRIGGER t AFTER INSERT ON paper BEGIN DELETE FROM mention; END",
        "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n",
        "CREATE TABLE more(x)",
        "ALTER TABLE paper ADD COLUMN more TEXT",
        "UPDATE paper SET id='../../victim' WHERE id='ice'",
        "UPDATE paper SET version='../../../victim' WHERE id='ice'",
        "UPDATE paper SET iri='a:b> <c:d> <e:f> .'",
        "UPDATE paper SET title=x'00ff'",
        "UPDATE paper SET pages='many'",
        "UPDATE paper SET title=zeroblob(40000000) WHERE id='ice'",
    ],
)
def test_tables_that_no_corpus_made_are_refused_and_made_again(script: str, root: Path) -> None:
    before = state(root)
    with closing(sqlite3.connect(root / "corpus.db")) as tables:
        tables.executescript(script)
    for act in (lambda path: open_corpus(path).papers(), check_corpus, lambda path: remove(path, "fog")):
        with pytest.raises(CorpusError) as error:
            act(root)
        assert "--repair" in error.value.hint
    assert repair(root).issues == ()
    assert (state(root), victim(root)) == (before, [("kept", "mine")])


def test_a_journal_cannot_have_other_files_removed(root: Path) -> None:
    name = str(root.parent / "victim" / "kept").encode()
    magic = bytes.fromhex("d9d505f920a163d7")
    tail = len(name).to_bytes(4, "big") + sum(name).to_bytes(4, "big") + magic
    head = magic + bytes(12) + (512).to_bytes(4, "big") + (4096).to_bytes(4, "big")
    (root / "corpus.db-journal").write_bytes(head.ljust(512, b"\0") + b"\xff" * 4 + name + tail)
    with pytest.raises(CorpusError, match="leads to other files"):
        remove(root, "ice")
    assert repair(root).issues == ()
    assert victim(root) == [("kept", "mine")]


@pytest.mark.parametrize(
    "value", ["[]", "5", '{"pid": {}, "host": 7}', '{"pid": 1, "host": "\\u001b[2J"}', "[" * 90_000]
)
def test_who_is_writing_may_be_any_json(value: str, root: Path) -> None:
    with open_writer(root):
        (root / "writer.json").write_text(value, encoding="utf-8")
        with pytest.raises(CorpusBusy, match="is being written by"), open_writer(root):
            pass
    remove(root, "ice")
    assert not (root / "writer.json").exists()


def test_what_dead_writers_left_goes_and_nothing_else(root: Path) -> None:
    left = ["staged/ice-" + "0" * 16, "graph/snapshots/.partial-000000-1-9", ".partial-000000-1-intent.json"]
    for name in left[:2]:
        (root / name).mkdir(parents=True)
    (root / "writer.json").write_text('{"pid": 1, "host": "gone"}', encoding="utf-8")
    assert check_corpus(root).issues == ()
    remove(root, "nobody")
    assert [name for name in left if (root / name).exists()] == []
    assert not (root / "writer.json").exists()


def test_a_check_beside_a_writer_looks_at_files_alone(runs: dict[str, Path], root: Path) -> None:
    with open_writer(root) as writer:
        list(writer.put([runs["snow"]]))
        (root / "intent.json").write_text(json.dumps({"owl": None}), encoding="utf-8")
        assert check_corpus(root).issues == ()
        next((root / "papers" / "ice").glob("*/skipped.jsonl")).write_text("x", encoding="utf-8")
        assert [issue.focus for issue in check_corpus(root).issues] == ["ice"]


@pytest.mark.parametrize("file", ["knowledge_graph.ttl", "content_store.jsonl", "summary.json"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_run_is_read_from_regular_files_only(file: str, kind: str, runs: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(runs["ice"], tmp_path / "run")
    path = tmp_path / "run" / file
    path.unlink()
    path.symlink_to(runs["ice"] / file) if kind == "link" else os.mkfifo(path)
    (change,) = put(tmp_path / "corpus", tmp_path / "run")
    assert (change.state, file in change.message) == ("failed", True)


def test_what_the_tables_cannot_hold_is_found_before_it_is_decided(runs: dict[str, Path], tmp_path: Path) -> None:
    breaks: dict[str, Callable[[str], str]] = {
        "content_store.jsonl": lambda text: text + text.splitlines(keepends=True)[0],  # one text twice
        "summary.json": lambda text: text.replace('"pages": 2', '"pages": ' + "9" * 400),
    }
    for file, change in breaks.items():
        run = tmp_path / file
        shutil.copytree(runs["ice"], run)
        text = (run / file).read_text(encoding="utf-8")
        assert change(text) != text
        (run / file).write_text(change(text), encoding="utf-8")
        changes = put(tmp_path / "corpus", run, runs["fog"])
        assert [change.state for change in changes] in (["failed", "added"], ["failed", "unchanged"])
    assert check_corpus(tmp_path / "corpus").issues == ()


def test_a_published_state_that_is_a_link_is_published_again(root: Path) -> None:
    before = state(root)
    linked(root / "graph" / "snapshots" / "1", root.parent / "victim")
    with pytest.raises(CorpusError, match="no graphs"):
        check_corpus(root)
    assert repair(root).issues == ()
    assert (victim(root), state(root)) == ([("kept", "mine")], before)


def test_a_mark_that_is_broken_is_not_told_to_be_missing(root: Path) -> None:
    (root / "corpus.json").write_text("{")
    with pytest.raises(CorpusError, match=r"corpus\.json is broken") as told:
        Layout(root).require()
    assert "corpus add" not in told.value.hint
    (root / "corpus.json").unlink()
    with pytest.raises(CorpusError, match=r"corpus\.json is missing") as told:
        Layout(root).require()
    assert "corpus add" in told.value.hint
