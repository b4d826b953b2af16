"""A stranger's corpus: files damaged or made to lead elsewhere, then opened, listed, checked, searched, repaired."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from scripts.attacks.case import Case
from scripts.attacks.corpus_damage import CHANGES, Damage

KIND = "a stranger's or damaged corpus"
CASES = 400
SECONDS = 60  # that one case may take
PAPERS = Path(__file__).parents[2] / "test_data"


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Damage copies of one corpus; a process of its own opens them, so that one that hangs or dies is seen."""
    worker = _Worker()
    try:
        before = worker.ask("make", work / "made")
        for number in range(cases):
            here = work / str(number)
            shutil.copytree(work / "made", here)
            (here / "victim" / "inner").mkdir(parents=True)
            for name in ("kept", "inner/kept"):
                (here / "victim" / name).write_text("not a corpus' business", encoding="utf-8")
            damage = CHANGES[number % len(CHANGES)](random, here / "corpus", here / "victim")
            outside = _outside(here)
            done = worker.ask("try", here / "corpus")
            failed = done if isinstance(done, str) else _failed(damage, before, done)
            if _outside(here) != outside:
                failed = "something outside the corpus was changed"
            yield Case(damage.name, failed)
            shutil.rmtree(here)
    finally:
        worker.end()


def _failed(damage: Damage, before: Any, done: dict[str, Any]) -> str:
    """What is wrong with what became of a case; empty where nothing is."""
    crashed = next((f"{step}: {told}" for step, told in done.items() if str(told).startswith("crash")), "")
    if crashed:
        return crashed
    if damage.seen and done["check"] == []:
        return "check saw nothing"
    if done["check"] == [] and done["state"] != before:
        return "check saw nothing, and the corpus holds something else"
    unasked = "the vectors of this corpus are by" in str(done["repair"])  # and who made them must not be asked
    if damage.mended and not unasked and (done["repair"] != [] or done["after"] != before):
        return f"repair left {str(done['repair'])[:300]}"
    return ""


def _outside(here: Path) -> str:
    """All beside the corpus, names and bytes."""
    digest = hashlib.sha256()
    for path in sorted(here.rglob("*")):
        if not path.is_relative_to(here / "corpus"):
            digest.update(f"{path} {path.is_dir()}".encode() + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()


class _Worker:
    """A process that is asked one thing at a time, and replaced when it does not answer."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()

    def ask(self, what: str, path: Path) -> Any:
        self._pipe.send((what, path))
        try:
            if self._pipe.poll(SECONDS):
                return self._pipe.recv()
            told = f"it hung for {SECONDS} s"
        except (EOFError, OSError):
            self._process.join()
            told = f"the process died: {self._process.exitcode}"
        self.end()
        self._start()
        return told

    def end(self) -> None:
        with suppress(OSError):
            self._pipe.send(("end", Path()))
            self._process.join(2)  # so that it can take its own scratch folders away
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection) -> None:
    os.environ["RUST_BACKTRACE"] = "0"
    os.fsync = lambda _: None  # no case is about sudden deaths, and waiting for the disk is most of its time
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.path.insert(0, str(PAPERS.parent))
    while True:
        what, path = pipe.recv()
        if what == "end":
            return
        pipe.send(_make(path) if what == "make" else _try(path))


def _make(folder: Path) -> Any:
    """The corpus that all cases begin with: first pages of two papers, an index with graph and vectors.

    Gives what it holds.
    """
    from kag.corpus.search_index import make_index
    from kag.corpus.transaction import open_writer
    from kag.indexing.pipeline import index_paper
    from kag.retrieval.index import Index

    runs = []
    for paper in ("urban_pollinators", "reservoir_sensors"):
        pages = folder / "pages" / paper
        pages.mkdir(parents=True)
        shutil.copyfile(PAPERS / paper / "page_001.md", pages / "page_001.md")
        runs.append(folder / "runs" / paper)
        runs[-1].mkdir(parents=True)
        for name, content in index_paper(pages, paper_id=paper).files.items():
            (runs[-1] / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    root = folder / "corpus"
    with open_writer(root, create=True) as writer:
        list(writer.put(runs))
        make_index(writer)
    plain = Index.load(root / "search")
    index = Index.build(plain.chunks.values(), _Embedder())
    index.save(root / "search")
    with open_writer(root) as writer:
        make_index(writer, graph=True)
    shutil.rmtree(folder / "runs")
    shutil.rmtree(folder / "pages")
    return _state(root)


class _Embedder:
    """Vectors of three numbers by a model that nobody can ask."""

    id = "http://127.0.0.1:9/v1#none"

    def __call__(self, texts: Any) -> list[list[float]]:
        return [[float(len(text) % 7), float(len(text) % 5), 1.0] for text in texts]


def _try(root: Path) -> dict[str, Any]:
    """What each way to use the corpus came to: its result, what it said, or how it crashed."""
    from kag.corpus.check import check_corpus, repair
    from kag.corpus.search_index import make_index, open_index
    from kag.corpus.store import open_corpus
    from kag.corpus.transaction import open_writer
    from kag.qa.places import located
    from kag.retrieval.retrieve import search

    def found() -> int:
        index = open_index(root)
        hits = [hit for plan in ("sage", "bm25") for hit in search(index, "sensors in the reservoir", plan=plan).hits]
        return len(located(hits, "sensors", index, open_corpus(root).library()))

    def write(paper: str) -> int:
        with open_writer(root) as writer:
            gone = list(writer.remove([paper]))
            make_index(writer)
        return len(gone)

    steps: dict[str, Callable[[], Any]] = {
        "check": lambda: [str(issue) for issue in check_corpus(root).issues],
        "list": lambda: len(open_corpus(root).papers()) + len(open_corpus(root).citations()),
        "read": lambda: [len(paper.graph.of_class("")) for paper in open_corpus(root).library().values()],
        "state": lambda: _state(root),
        "search": found,
        "write": lambda: write("nobody"),
        "repair": lambda: [str(issue) for issue in repair(root).issues],
        "after": lambda: _state(root),
        "change": lambda: write("reservoir_sensors"),
    }
    done: dict[str, Any] = {}
    for name, step in steps.items():
        silent = done.get("check") == []
        needed = {"state": silent, "after": done.get("repair") == [], "change": silent}
        if needed.get(name, True):
            done[name] = _outcome(step)
    return done


def _outcome(step: Callable[[], Any]) -> Any:
    from kag.core.errors import KagError

    try:
        return step()
    except KagError as error:
        return f"{error.code}: {error.message} {error.hint}"
    except BaseException as error:  # a panic of the engine is one
        where = error.__traceback__
        while where and where.tb_next:
            where = where.tb_next
        at = f"{where.tb_frame.f_code.co_filename}:{where.tb_lineno}" if where else ""
        return f"crash {type(error).__name__} {str(error)[:200]} {at}"


def _state(root: Path) -> list[str]:
    """Hashes of the graphs and tables of a corpus, and of what is searched."""
    from kag.corpus import catalogue, graphs
    from kag.corpus.layout import Layout
    from kag.retrieval.index import Index

    layout = Layout(root)
    with graphs.reading(layout.snapshots):
        lines = "".join(graphs.nquads(graphs.open_snapshot(layout)))
    with catalogue.open_tables(layout.tables) as rows:
        told = repr(list(catalogue.dump(rows)))
    chunks = repr(sorted(chunk.text for chunk in Index.load(root / "search").chunks.values()))
    return [hashlib.sha256(part.encode("utf-8", "replace")).hexdigest() for part in (lines, told, chunks)]
