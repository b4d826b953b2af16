"""Many papers: in parallel processes, resumable, and none lost because another failed."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Literal

from kag import __version__
from kag.errors import KagError, SourceError

State = Literal["indexed", "up to date", "failed"]


@dataclass(frozen=True, slots=True)
class Job:
    """One paper to index: its folder, its name in `out_dir`, and how."""

    source: Path
    name: str
    out_dir: Path
    figures: Path | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job; `run` is None when it failed, `hint` says what to do then."""

    job: Job
    state: State
    run: Path | None = None
    pages: int = 0
    triples: int = 0
    message: str = ""
    hint: str = ""
    exit_code: int = 0


def find_papers(paths: Sequence[Path], out_dir: Path, *, figures: Path | None = None, force: bool = False) -> list[Job]:
    """A job for each OCR folder: the paths themselves, or else the OCR folders directly inside them.

    Raises `SourceError` when a path holds no paper, or two papers have one name.
    """
    from kag.document.ocr import is_ocr_folder, safe_paper_id

    folders: list[Path] = []
    for path in paths:
        inside = (
            [path]
            if is_ocr_folder(path) or not path.is_dir()
            else sorted(p for p in path.iterdir() if is_ocr_folder(p))
        )
        if not inside:
            raise SourceError(
                f"{path}: no OCR pages here or in the folders inside",
                hint="Give folders that hold page_NNN.md files, document.md or *_det.mmd.",
            )
        folders.extend(inside)
    jobs: dict[str, Job] = {}
    for folder in folders:
        name = safe_paper_id(folder.resolve().name)
        other = jobs.get(name)
        if other and other.source.resolve() != folder.resolve():
            raise SourceError(
                f"{other.source} and {folder} would both be paper {name!r}",
                hint="Rename one of the folders, or index them into different --out-dir folders with --paper-id.",
            )
        jobs[name] = Job(folder, name, out_dir, figures, force)
    return list(jobs.values())


def passed_over(paths: Sequence[Path]) -> list[Path]:
    """Folders inside the given ones that hold no OCR pages, and so are no papers."""
    from kag.document.ocr import is_ocr_folder

    return [
        inside
        for path in paths
        if path.is_dir() and not is_ocr_folder(path)
        for inside in sorted(path.iterdir())
        if inside.is_dir() and not inside.name.startswith(".") and not is_ocr_folder(inside)
    ]


def index_all(jobs: Sequence[Job], *, workers: int = 1) -> Iterator[Outcome]:
    """Index papers and yield each outcome as it comes; a failure is an outcome, not an exception.

    With one worker everything runs in this process. A worker that dies (out of memory, killed) takes
    only its own paper down: the others are tried again, each in a process of its own.
    """
    from kag.run import clear_partials

    for out_dir in {job.out_dir for job in jobs}:
        clear_partials(out_dir)
    if workers <= 1 or len(jobs) <= 1:
        _collect_rarely()
        yield from map(run_job, jobs)
        return
    done: set[str] = set()
    for outcome in _pool(jobs, workers):
        done.add(outcome.job.name)
        yield outcome
    for job in jobs:
        if job.name not in done:
            yield from _alone(job)


def _pool(jobs: Sequence[Job], workers: int) -> Iterator[Outcome]:
    """Outcomes of all jobs a pool lives to finish."""
    context = get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context, initializer=_follow_parent) as pool:
        futures: dict[Future[Outcome], Job] = {pool.submit(run_job, job): job for job in jobs}
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            return
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _follow_parent() -> None:
    """Begin a worker: Ctrl-C is the parent's, which lets papers under way finish; die with it when it is killed."""
    _collect_rarely()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _alone(job: Job) -> Iterator[Outcome]:
    outcome = next(_pool([job], 1), None)
    if outcome is None:
        lost = "the process died while indexing it"
        outcome = Outcome(
            job, "failed", message=f"{job.source}: {lost}", hint="Check memory; the other papers are done.", exit_code=2
        )
    yield outcome


def _collect_rarely() -> None:
    """Look for cyclic garbage seldom: a paper's many objects live until it is done, and looking finds nothing."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def run_job(job: Job) -> Outcome:
    """Index one paper into its run folder, or find that this was done already."""
    from kag.document.ocr import read_document
    from kag.memory import ProcedureStore
    from kag.run import PROCEDURES, finished_run, write_run
    from kag.write import BASELINE, index_document

    try:
        document = read_document(job.source, paper_id=job.name, figures=job.figures)
        done = (
            None
            if job.force
            else finished_run(job.out_dir, job.name, sha256=document.sha256, version=__version__, builder=BASELINE.name)
        )
        if done:
            return Outcome(job, "up to date", done, document.pages)
        indexed = index_document(document, BASELINE, procedures=ProcedureStore(job.out_dir / PROCEDURES))
        run = write_run(job.out_dir, job.name, indexed.files)
    except KagError as error:
        return Outcome(job, "failed", message=error.message, hint=error.hint, exit_code=error.exit_code)
    except Exception as error:  # a bug must not cost the papers behind it
        return Outcome(
            job,
            "failed",
            message=f"{job.source}: {type(error).__name__}: {error}",
            hint="This is a bug in kag; please report it with the paper's pages.",
            exit_code=2,
        )
    return Outcome(job, "indexed", run, indexed.pages, indexed.triples)


def default_workers() -> int:
    """One process a core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def totals(outcomes: Sequence[Outcome]) -> Mapping[State, int]:
    """How many papers ended in each state."""
    counts: dict[State, int] = {"indexed": 0, "up to date": 0, "failed": 0}
    for outcome in outcomes:
        counts[outcome.state] += 1
    return counts
