"""Steps of jobs: to read papers apart, keep what they were made from, draw them, and put them into the corpus.

A step can be done twice. Whoever writes papers holds their locks meanwhile.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kag.core.display import pace
from kag.core.errors import MissingExtra, SourceError
from kag.core.files import partial_path, read_object, write_whole
from kag.core.workers import Ended, apart
from kag.corpus import changing
from kag.corpus.changing import with_layers
from kag.corpus.layout import is_corpus
from kag.corpus.store import open_corpus
from kag.corpus.transaction import Change
from kag.indexing.batch import Job as Paper
from kag.indexing.batch import index_all, look_over
from kag.indexing.isolated_reader import LIMITS
from kag.indexing.run import layers_of
from kag.serve.bounds import USUAL
from kag.serve.home import Home, checked_id
from kag.serve.jobs.journal import tell
from kag.serve.papers.corrections import Corrected, read_corrections
from kag.serve.papers.pictures import ToDraw, draw
from kag.serve.papers.uploads import unpack

PATIENCE = 300.0  # seconds that a writer of the corpus is waited for
ORIGIN = "origin.json"


@dataclass(frozen=True, slots=True)
class Work:
    """A job as its process sees it."""

    home: Home
    folder: Path
    given: dict[str, Any]
    paper: str

    def tell(self, stage: str, **more: Any) -> None:
        """Say how far it is."""
        tell(self.folder, stage, **more)


@contextmanager
def paper_locks(work: Work, papers: Sequence[str]) -> Iterator[None]:
    """Be the one writer of some papers; their locks are taken in order, so that two jobs never wait for each other."""
    with ExitStack() as stack:
        for paper in sorted(set(papers)):
            folder = work.home.folder / "locks" / checked_id(paper)
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(folder))
        yield


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a job, of a paper, or of all; waits for its holder."""
    with (folder / "lock").open("wb") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        except ImportError:  # only on POSIX systems
            pass
        yield


def unpack_archive(work: Work, archive: Path) -> Path:
    work.tell("unpacking")
    target = archive.parent / "unpacked" / archive.stem
    shutil.rmtree(target, ignore_errors=True)
    unpack(archive, target, USUAL)
    inside = list(target.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else target


def named_as_sent(work: Work, job: Paper) -> Paper:
    """The job under the name that its file was sent with."""
    return job if job.source.is_dir() or job.source.parent.name != "input" else replace(job, name=work.paper)


def unique_name(work: Work, job: Paper) -> Paper:
    """The job under a name that no other paper of the corpus has; `replace` takes the name of the one that has it."""
    name = job.name
    origin = _origin(work, name)
    there = any(paper.id == name for paper in open_corpus(work.home.root).papers()) or origin
    if there and origin != _digest(job.source) and not work.given.get("replace"):
        name = f"{name[:70]}-{_digest(job.source)[:8]}"
    return replace(job, name=name, options=with_corrections(work, name))


def _digest(source: Path) -> str:
    """The hash of a paper's file, or of all files of its folder with their names."""
    files = sorted(path for path in source.rglob("*") if path.is_file()) if source.is_dir() else [source]
    whole = hashlib.sha256()
    for path in files:
        whole.update(str(path.relative_to(source.parent)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _origin(work: Work, paper: str) -> str:
    """The hash of what a paper was made from, where that is kept."""
    try:
        return str(read_object(work.home.source(paper).with_name(f"{paper}.{ORIGIN}"))["sha256"])
    except (OSError, ValueError, KeyError):
        return ""


def with_corrections(work: Work, paper: str) -> Corrected:
    return Corrected(corrections=read_corrections(work.home.corrections(paper)))


def kept_source(work: Work, paper: str) -> Path | None:
    """Return the stored source of a paper: its one file, or its folder."""
    folder = work.home.source(paper)
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return inside[0] if len(inside) == 1 else None


def reindex_job(work: Work, paper: str, options: Corrected) -> Paper:
    """The job of indexing a paper once more from what is kept of it."""
    source = kept_source(work, paper)
    if source is None:
        hint = "Send the paper here once more; it was added in another way."
        raise SourceError(f"the pages of {paper} are not kept here", hint=hint)
    (job,) = look_over([source], work.folder / "runs").jobs
    return replace(job, name=paper, options=options)


def index_and_add(work: Work, papers: Sequence[Paper]) -> list[Change]:
    """Index papers, draw them and add them; failures are reported if no paper could be indexed."""
    runs = index_papers(work, papers)
    for paper, run in zip(papers, runs, strict=True):
        source = keep_source(work, paper)
        draw_pages(work, paper.name, run, source)
    return add_runs(work, runs)


def index_papers(work: Work, papers: Sequence[Paper]) -> list[Path]:
    """The runs of papers, in their order; raises `SourceError` where one cannot be made."""
    work.tell("reading", papers=[paper.name for paper in papers])
    jobs = [replace(paper, force=True) for paper in papers]
    runs: dict[str, Path] = {}
    start = time.monotonic()
    for number, done in enumerate(index_all(jobs, workers=1, limits=LIMITS), start=1):
        if done.run is None:
            raise SourceError(done.message, hint=done.hint)
        runs[done.job.name] = done.run
        rate = pace(number, len(jobs), time.monotonic() - start) if len(jobs) > 1 else ""
        stage = f"read {number} of {len(jobs)} papers ({rate})" if rate else "read"
        work.tell(stage, paper=done.job.name, pages=done.pages, triples=done.triples)
    return [runs[paper.name] for paper in papers]


def keep_source(work: Work, paper: Paper) -> Path:
    """Keep what a paper was made from, whole or as it was before; returns where it is."""
    folder = work.home.source(paper.name)
    if paper.source.is_relative_to(folder):
        return paper.source
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = partial_path(folder)
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    if paper.source.is_dir():
        shutil.copytree(paper.source, fresh / paper.name, copy_function=os.link)
    else:
        os.link(paper.source, fresh / f"{paper.name}{paper.source.suffix}")
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    origin = folder.with_name(f"{paper.name}.{ORIGIN}")
    write_whole(origin, f'{{"sha256": "{_digest(paper.source)}"}}\n')
    return next(folder.iterdir())


def draw_pages(work: Work, paper: str, run: Path, source: Path | None) -> None:
    """Pictures of the pages; where they cannot be drawn the boxes are."""
    work.tell("pictures", paper=paper)
    target = work.home.pages(paper)
    fresh, old = partial_path(target), partial_path(target.with_name(f"{target.name}-before"))
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    with closing(apart(draw, [ToDraw(run, source, fresh)], 1, LIMITS)) as done:
        _, result = next(done)
    if isinstance(result, Ended):
        work.tell("no pictures", why=result.why)
        return
    if target.exists():  # who reads the pages meanwhile has the old ones
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def add_runs(work: Work, runs: Sequence[Path]) -> list[Change]:
    """Put runs into the corpus, with the layers that papers have there."""
    work.tell("adding")
    with locked(work.home.folder), TemporaryDirectory(prefix="kag-") as made:  # layers stay as they are meanwhile
        layers = _layers(work)
        if layers:
            work.tell("layers")
            runs = with_layers(runs, layers, Path(made))
        changes = require_done(list(changing.put(work.home.root, runs, replace=True, patience=PATIENCE)))
    work.tell("search index")
    try:
        changing.index(work.home.root, patience=PATIENCE)
    except (MissingExtra, ImportError):
        work.tell("no search index", why="a package of kag-papers is missing")
    return changes


def _layers(work: Work) -> str:
    """The layers that papers of the corpus have, as it is now."""
    if not is_corpus(work.home.root):
        return ""
    library = open_corpus(work.home.root).library()
    return ",".join(sorted({name for paper in library for name in layers_of(library.path(paper))}))


def require_done(changes: list[Change]) -> list[Change]:
    for change in changes:
        if change.state == "failed":
            raise SourceError(change.message, hint=change.hint)
    return changes
