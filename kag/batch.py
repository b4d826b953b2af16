"""Many papers: in parallel processes, resumable, and none lost because another failed."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kag import __version__
from kag.agents.options import AgentOptions, work_folder
from kag.errors import KagError, SourceError

if TYPE_CHECKING:
    from kag.types import Document
    from kag.write import Builder, Describer

State = Literal["indexed", "up to date", "failed"]


@dataclass(frozen=True, slots=True)
class Job:
    """One paper to index: its folder, its name in `out_dir`, and how."""

    source: Path
    name: str
    out_dir: Path
    figures: Path | None = None
    force: bool = False
    options: AgentOptions = field(default_factory=AgentOptions)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job; `run` is None when it failed, `hint` says what to do then.

    A run whose agent was stopped has a `message` too, and the exit code 3 when its model or sandbox failed.
    """

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
    from kag.files import clear_partials

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
    from kag.run import PROCEDURES, write_run
    from kag.write import index_document

    try:
        document = read_document(job.source, paper_id=job.name, figures=job.figures)
        done = None if job.force else _done(job, document)
        if done:
            return Outcome(job, "up to date", done, document.pages)
        with _builder(job, document) as builder, _describer(job) as describe:
            procedures = ProcedureStore(job.out_dir / PROCEDURES)
            indexed = index_document(document, builder, procedures=procedures, describe=describe)
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
    outcome = Outcome(job, "indexed", run, indexed.pages, indexed.triples)
    if "stopped" in indexed.facts:
        return _stopped(outcome, indexed.facts)
    return _cleared(_rescued(outcome, len(indexed.rescued)))


def _done(job: Job, document: Document) -> Path | None:
    """The finished run of the same paper, made in the same way."""
    from kag.run import finished_run

    options = job.options
    return finished_run(
        job.out_dir,
        job.name,
        sha256=document.sha256,
        version=__version__,
        builder=options.builder,
        model=options.model,
        vision=options.vision,
    )


def _builder(job: Job, document: Document) -> AbstractContextManager[Builder]:
    """Who builds; an agent's packages are imported only when an agent does."""
    from kag.write import BASELINE

    if job.options.builder == "baseline":
        return nullcontext(replace(BASELINE, why=job.options.why))
    from kag.agents.builders import open_builder

    return open_builder(job.options, document, work_folder(job.out_dir, job.name), afresh=job.force)


def _describer(job: Job) -> AbstractContextManager[Describer | None]:
    """Who describes the figures, if anybody."""
    if not job.options.vision:
        return nullcontext(None)
    from kag.agents.describers import open_describer

    return open_describer(job.options, job.source, job.figures, job.out_dir)


def _stopped(outcome: Outcome, facts: Mapping[str, object]) -> Outcome:
    """A run that its agent did not finish; its records stay, so that the same command goes on from them."""
    failed = facts["cause"] not in ("budget", "iterations")
    message = f"{outcome.job.name}: the agent was stopped ({facts['stopped']}); the baseline completed the graph"
    return replace(outcome, message=message, hint="Give the same command again to go on.", exit_code=3 if failed else 0)


def _rescued(outcome: Outcome, lost: int) -> Outcome:
    """A run that tells what kag failed on in its paper."""
    if not lost:
        return outcome
    elements = "1 element" if lost == 1 else f"{lost} elements"
    message = f'{outcome.job.name}: kag failed on {elements}, kept as printed; summary.json lists them under "rescued"'
    return replace(outcome, message=message, hint="This is a bug in kag; please report it with the paper's pages.")


def _cleared(outcome: Outcome) -> Outcome:
    """A finished run, which needs the records of its agent no more."""
    shutil.rmtree(work_folder(outcome.job.out_dir, outcome.job.name), ignore_errors=True)
    return outcome


def default_workers() -> int:
    """One process a core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def totals(outcomes: Sequence[Outcome]) -> Mapping[State, int]:
    """How many papers ended in each state."""
    counts: dict[State, int] = {"indexed": 0, "up to date": 0, "failed": 0}
    for outcome in outcomes:
        counts[outcome.state] += 1
    return counts
