"""A changed byte anywhere in what is derived is seen and mended; what is whole is kept."""

from __future__ import annotations

import gc
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from kag.core.errors import CorpusError, KagError, ModelError, RunError
from kag.corpus.check import check_corpus, repair
from kag.corpus.layout import write_intent
from kag.corpus.search_index import make_index, open_index
from kag.corpus.store import open_corpus
from kag.corpus.submission import version_of
from kag.corpus.transaction import open_writer
from kag.retrieval.index import Index
from kag.retrieval.retrieve import search
from tests.unit.corpus.runs import put, remove, state
from tests.unit.retrieval.meaning.embedding_server import Server

pytestmark = pytest.mark.slow

WORDS = "twelve sites along the river"


@pytest.fixture(scope="module")
def made(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with an index and a graph over it."""
    root = tmp_path_factory.mktemp("made") / "corpus"
    put(root, runs["ice"], runs["snow"])
    with open_writer(root) as writer:
        make_index(writer, graph=True)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "corpus")
    return tmp_path / "corpus"


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.unlink()  # it may be shared with what is published
    path.write_bytes(data)


def _told(act: Callable[[], str]) -> str:
    """What is said, or the hint of the error."""
    try:
        return act()
    except KagError as error:
        return error.hint


def derived(root: Path) -> list[Path]:
    """All files of the index and of the published graphs that have a byte."""
    files = [*root.glob("search/**/*"), *root.glob("graph/snapshots/**/*")]
    return sorted(path for path in files if path.is_file() and path.stat().st_size)


def texts(root: Path) -> dict[str, str]:
    return {name: chunk.text for name, chunk in Index.load(root / "search").chunks.items()}


def test_a_changed_byte_is_seen_in_any_file_and_mended(made: Path, root: Path) -> None:
    before, chunks, files = state(root), texts(root), derived(root)
    names = {path.suffix or path.name for path in files}
    assert {".sst", ".npy", ".jsonl", ".term", ".bin", ".json", "CURRENT", "current"} <= names
    for path in files:
        data = path.read_bytes()
        flip(path)
        assert "--repair" in _told(lambda: check_corpus(root).issues[0].message), path
        path.write_bytes(data)
    assert check_corpus(root).issues == ()
    for part in ("chunks.jsonl", "meta.json", "weight.npy", "CURRENT", "checksums.json", "current"):
        flip(next(path for path in derived(root) if path.name == part))
        assert repair(root).issues == (), part
        assert (state(root), texts(root)) == (before, chunks)
        edges = open_index(root).edges
        assert edges is not None
        assert len(list(edges.edges)) == len(list(Index.load(made / "search").edges.edges))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("corpus.db", b""),
        ("corpus.db", b"SQLite format 3\0 and so on"),
        ("corpus.db-wal", b"noise" * 9999),
        ("graph/store/CURRENT", b""),
        ("graph/store/MANIFEST-*", b"noise" * 9999),
    ],
)
def test_a_damaged_store_is_made_again_from_the_papers(name: str, how: bytes, root: Path) -> None:
    before = state(root)
    (path,) = root.glob(name) or [root / name]
    path.write_bytes(how)
    assert repair(root).issues == ()
    assert state(root) == before


def test_papers_are_not_forgotten_with_the_tables(runs: dict[str, Path], root: Path) -> None:
    before = state(root)
    for path in root.glob("corpus.db*"):
        path.unlink()
    with pytest.raises(CorpusError, match="knows none of the papers"):
        put(root, runs["fog"])
    shutil.rmtree(root / "graph")
    assert repair(root).issues == ()
    assert state(root) == before


def test_a_damaged_index_ends_a_search_with_a_clear_error(root: Path) -> None:
    ended: set[str] = set()
    for path in sorted(root.glob("search/index-*/**/*")):
        if path.is_file() and path.stat().st_size:
            data = path.read_bytes()
            path.write_bytes(bytes(byte ^ 0x55 for byte in data))
            told = _told(lambda: "".join(search(open_index(root), WORDS, plan=plan).plan for plan in ("sage", "bm25")))
            assert told == "sagebm25" or "--repair" in told
            ended |= {path.name} if "--repair" in told else set()
            path.write_bytes(data)
    assert {"chunks.json", "nodes.json", "meta.json", "checksums.json", "source.npy"} <= ended


def test_damage_is_not_written_on(runs: dict[str, Path], root: Path) -> None:
    flip(next(root.glob("search/index-*/chunks.jsonl")))
    put(root, runs["fog"])
    with open_writer(root) as writer, pytest.raises(CorpusError, match=r"chunks\.jsonl of the search index is damaged"):
        make_index(writer)
    assert repair(root).issues == ()
    assert len(open_index(root).documents) == 3


def test_what_a_model_made_is_kept_where_it_is_whole(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, server = tmp_path / "corpus", Server()
    Thread(target=server.serve_forever, daemon=True).start()
    put(root, runs["ice"])
    with open_writer(root) as writer:
        make_index(writer, embedder=f"{server.url}#tiny")
    asked = len(server.asked)
    flip(next(root.glob("search/index-*/sparse/*.term")))
    assert repair(root).issues == ()
    assert len(server.asked) == asked, "vectors were whole"
    flip(next(root.glob("search/index-*/vectors/vectors.npy")))
    with pytest.raises(ModelError, match="tiny"):
        repair(root)
    monkeypatch.setenv("KAG_EMBEDDINGS", f"{server.url}#tiny")
    assert repair(root).issues == ()
    assert search(open_index(root), "sensors", plan="dense").plan == "dense"
    server.shutdown()
    server.server_close()


def test_tantivy_removes_only_its_own_files(root: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine", encoding="utf-8")
    (folder,) = root.glob("search/index-*")
    (folder / "checksums.json").unlink()  # as if it were from before there were any
    (folder / "sparse" / ".managed.json").write_text(
        json.dumps(["meta.json", str(tmp_path / "kept")]), encoding="utf-8"
    )
    index = Index.load(root / "search")
    index.delete(list(index.chunks)[:3])
    index.save(tmp_path / "saved")
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "mine"


def test_reading_an_index_leaves_nothing_beside_it(root: Path) -> None:
    def there() -> list[Path]:
        return sorted(path for path in (root / "search").rglob("*") if path.suffix != ".lock")

    before = there()
    assert search(open_index(root), "twelve sites").hits
    assert there() == before


@pytest.mark.parametrize("name", ["../../x", "index-zzzzzzzz", "", "index-", "/"])
def test_the_pointer_names_a_folder_of_the_index_or_nothing(name: str, root: Path) -> None:
    (root / "search" / "current").write_text(name, encoding="utf-8")
    with pytest.raises(RunError):
        Index.load(root / "search")
    assert repair(root).issues == ()
    assert search(open_index(root), "twelve sites").hits


def test_what_a_writer_of_an_index_left_goes(runs: dict[str, Path], root: Path) -> None:
    (root / "search" / "index-0123abcd").mkdir()
    (root / "search" / ".partial-000000-1-current").write_text("x", encoding="utf-8")
    remove(root, "nobody")
    assert sorted(path.name[:6] for path in (root / "search").iterdir()) == ["curren", "index-"]


def _unwritable(root: Path, act: Callable[[], None]) -> None:
    """Do something while a folder cannot be written; in a process of its own where rights do not bind this one."""
    gc.collect()  # stores that nobody holds are closed: they write in the background
    paths = [root, *root.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        if os.geteuid():
            act()
            return
        child = os.fork()
        if not child:
            try:
                os.setuid(65534)
                act()
                os._exit(0)
            except BaseException:
                import traceback

                traceback.print_exc()
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="rights are kept otherwise")
@pytest.mark.parametrize("log", [False, True], ids=["closed", "with a log"])
def test_a_corpus_that_cannot_be_written_can_be_read(log: bool, root: Path) -> None:
    for folder in root.parents:
        if folder.stat().st_uid == os.geteuid() and folder != Path(folder.anchor) and "pytest" in str(folder):
            folder.chmod(folder.stat().st_mode | 0o055)
    for end in ("-wal", "-shm"):
        (root / f"corpus.db{end}").unlink(missing_ok=True)
    before = state(root)
    if log:
        _leave_a_log(root / "corpus.db")
    else:
        for end in ("-wal", "-shm"):
            (root / f"corpus.db{end}").unlink(missing_ok=True)

    def act() -> None:
        assert [paper.id for paper in open_corpus(root).papers()] == ["ice", "snow"]
        assert check_corpus(root).issues == ()
        assert search(open_index(root), "twelve sites along the river").hits
        assert state(root) == before
        with pytest.raises(CorpusError, match="cannot be written") as error:
            remove(root, "ice")
        assert "copy it" in error.value.hint

    _unwritable(root, act)


def _leave_a_log(path: Path) -> None:
    """Move what the tables hold into a log that is still to be taken over, as a writer that is killed leaves it."""
    import sqlite3

    tables = sqlite3.connect(path)
    rows = tables.execute("SELECT * FROM paper").fetchall()
    tables.execute("PRAGMA wal_autocheckpoint=0")
    tables.execute("DELETE FROM paper")
    tables.commit()
    tables.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    tables.executemany("INSERT INTO paper VALUES(?,?,?,?,?,?,?,?,?)", rows)
    tables.commit()
    copies = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}
    tables.close()
    for end, data in copies.items():
        Path(f"{path}{end}").write_bytes(data)
    assert copies["-wal"]
    Path(f"{path}-shm").unlink(missing_ok=True)


@pytest.mark.parametrize("published", [True, False])
def test_a_store_that_a_failing_disk_left_unreadable_is_what_was_published(
    published: bool, runs: dict[str, Path], tmp_path: Path
) -> None:
    root, clean = tmp_path / "corpus", tmp_path / "clean"
    put(clean, runs["ice"], runs["fog"])
    put(root, runs["ice"])
    with open_writer(root) as writer:
        layout, version = writer.layout, version_of(runs["fog"])
    if not published:
        shutil.rmtree(root / "graph" / "snapshots")
        remove_tables(root)
    shutil.copytree(runs["fog"], layout.stage("fog", version))
    write_intent(layout, {"ice": version_of(runs["ice"]), "fog": version})
    for file in (root / "graph" / "store").glob("*.sst"):
        file.unlink()
    assert [paper.id for paper in open_corpus(root).papers()] == ["fog", "ice"]
    assert check_corpus(root).issues == ()
    assert state(root) == state(clean)


def remove_tables(root: Path) -> None:
    for file in root.glob("corpus.db*"):
        file.unlink()


def test_a_damaged_store_without_a_change_begun_is_not_touched(root: Path) -> None:
    for file in (root / "graph" / "store").glob("*.sst"):
        file.unlink()
    before = sorted(path.name for path in (root / "graph" / "store").iterdir())
    with pytest.raises(CorpusError, match="store") as error, open_writer(root):
        pass
    assert "--repair" in error.value.hint
    assert {*before} <= {path.name for path in (root / "graph" / "store").iterdir()}
