"""Estimate the cost of many papers from a few that are indexed now, on this machine and with this code.

Time is CPU seconds a page, disk bytes a page, both after a first paper that pays what every process pays once. Work
grows in proportion to pages, but for that of one corpus, which grows faster (`GROWTH`). Memory is that of one process:
of papers it is that of the largest, of a corpus it grows with every doubling of its papers.

The graphs of a corpus lie in a store that merges its files now and then, so that the same papers take more or less
space from day to day. What they come to once all is merged is measured on the sample; while a corpus is changed, the
state before the last merge may lie beside it, with nothing in common.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from kag.core.display import Progress, quiet
from kag.core.errors import KagError, RunError, SourceError
from kag.core.workers import UNLIMITED, Ended, here, never_fork, processes
from kag.corpus import graphs
from kag.corpus.layout import Layout
from kag.corpus.transaction import Writer, open_writer
from kag.indexing.batch import Job, index_all

HOUR, GB = 3600.0, 1e9
Item = TypeVar("Item")
Result = TypeVar("Result")
GROWTH = 1.15  # CPU time of adding papers to one corpus grows with this power of their number
STATES = 2  # of the graphs of a corpus, that lie there while it is changed


@dataclass(frozen=True, slots=True)
class Held:
    """Cost of papers in a corpus: CPU seconds, bytes of their files and of their merged graphs, and megabytes of the
    writer, with the first paper and with all."""

    seconds: float
    file_bytes: int
    graph_bytes: int
    first_mb: float
    mb: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Cost of a sample of papers: CPU seconds, bytes and memory, for indexing and for adding to a corpus.

    `failed` says of those that could not be indexed why; they count for nothing.
    `begun_mb` is what a process has before its first paper, `index_mb` what it had at most; 0 where it is not known.
    """

    papers: int
    pages: int
    index_seconds: float
    run_bytes: int
    begun_mb: float
    index_mb: float
    corpus: Held
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Machines:
    """So many machines with so many cores each, of which a share is used: 0.9 leaves a tenth to the system."""

    number: int
    cores: int
    used: float = 0.9

    def hours(self, seconds: float) -> float:
        """Hours by the clock for CPU seconds that all cores share."""
        return seconds / (self.number * self.cores * self.used) / HOUR


@dataclass(frozen=True, slots=True)
class Cost:
    """One line of a plan: what, how much, in which unit."""

    what: str
    amount: float
    unit: str


def measured(jobs: Sequence[Job], progress: Progress = quiet) -> Sample:
    """Index papers into a temporary folder, and add them to a corpus; `progress` counts indexed papers.

    Raises `SourceError` where fewer than two of them can be indexed.
    """
    if len(jobs) < 2:
        raise SourceError("an estimate needs at least two papers", hint="Give --sample a folder of two papers or more.")
    with TemporaryDirectory(prefix="kag-plan-") as folder:
        return taken(jobs, Path(folder), progress)


def taken(jobs: Sequence[Job], folder: Path, progress: Progress = quiet) -> Sample:
    """Measure the cost of papers, except the first: index them into a folder and add them to a corpus there.

    Each of the two steps has one process that does nothing else, so that its memory is its own. The first paper pays
    what a process pays once, and is not counted.
    """
    if _has_threads():
        never_fork()
    tasks = [replace(job, out_dir=folder / "runs") for job in jobs]
    papers = _apart(_indexed, tasks, progress)
    failed = tuple(paper.message for paper in papers if paper.run is None)
    made = [paper for paper in papers if paper.run is not None]
    if len(made) < 2:
        hint = "Give --sample, or a path, that has two papers which can be indexed."
        raise SourceError(f"an estimate needs at least two papers: {'; '.join(failed)}", hint=hint)
    runs = [paper.run for paper in made if paper.run is not None]
    [corpus] = _apart(_held, [(runs, folder / "corpus")])
    first, *rest = made
    pages, seconds = sum(paper.pages for paper in rest), sum(paper.seconds for paper in rest)
    size = sum(map(size_of, runs[1:]))
    return Sample(len(rest), max(pages, 1), seconds, size, first.mb, papers[-1].mb, corpus, failed)


@dataclass(frozen=True, slots=True)
class _Indexed:
    """One paper of the sample: its run, or why there is none; CPU seconds, and megabytes of its process at most."""

    run: Path | None
    pages: int
    seconds: float
    mb: float
    message: str


def _apart(task: Callable[[Item], Result], items: Sequence[Item], progress: Progress = quiet) -> list[Result]:
    """Do a task for each item in one process that does nothing else; raises its error, `RunError` if it is lost."""
    results: list[Result] = []
    for _, done in processes(1)(partial(_caught, task), items, UNLIMITED):
        if isinstance(done, Ended):
            raise RunError(f"part of the work is lost: {done}", hint="Run the command again.")
        if isinstance(done, KagError):
            raise done
        results.append(done)
        progress("papers", len(results), len(items))
    return results


def _caught(task: Callable[[Item], Result], item: Item) -> Result | KagError:
    try:
        return task(item)
    except KagError as error:
        return error


def _indexed(job: Job) -> _Indexed:
    """Index a paper by itself, in this process."""
    before = _cpu()
    [done] = index_all([job], executor=lambda task, items, _: here(task, items))
    return _Indexed(done.run, done.pages, _cpu() - before, peak_mb(), done.message)


def _held(work: tuple[Sequence[Path], Path]) -> Held:
    """Put runs into a new corpus; what the first takes is not counted."""
    runs, root = work
    layout = Layout(root)
    with open_writer(root, create=True) as writer:
        _put(writer, runs[:1])
        small, first, before = size_of(root / "papers"), peak_mb(), _cpu()
        _put(writer, runs[1:])
        seconds, most = _cpu() - before, peak_mb()
        with graphs.reading(layout.store):
            writer.store.optimize()
        merged = sum(path.stat().st_size for path in layout.store.glob("*.sst"))
    share = (len(runs) - 1) / len(runs)
    return Held(seconds, size_of(root / "papers") - small, int(merged * share), first, most)


def _put(writer: Writer, runs: Sequence[Path]) -> None:
    for change in writer.put(runs):
        if change.state == "failed":
            raise SourceError(change.message, hint=change.hint)


def plan(sample: Sample, papers: int, pages: float, machines: Machines, tokens: float, usd: float) -> list[Cost]:
    """Estimate the cost of `papers` of `pages` each; `tokens` a paper at `usd` a million, 0 without a model."""
    scale, held = papers * pages / sample.pages, sample.corpus
    longer = pages * sample.papers / sample.pages
    index, corpus = sample.index_seconds * scale, held.seconds * _grown(scale)
    rows = [
        Cost("index, CPU", index / HOUR, "h"),
        Cost("index, by the clock", machines.hours(index), "h"),
        Cost("corpus, CPU", corpus / HOUR, "h"),
        Cost("corpus, by the clock: it has one writer", corpus / HOUR, "h"),
        Cost("index, memory of a process", sample.begun_mb + (sample.index_mb - sample.begun_mb) * longer, "MB"),
        Cost("corpus, memory of its writer", _writer_mb(sample, scale), "MB"),
        Cost("runs on disk", sample.run_bytes * scale / GB, "GB"),
        Cost("corpus on disk", (held.file_bytes + held.graph_bytes) * scale / GB, "GB"),
        Cost("corpus on disk, at most", (held.file_bytes + STATES * held.graph_bytes) * scale / GB, "GB"),
    ]
    if tokens:
        rows += [Cost("tokens", papers * tokens / 1e6, "million"), Cost("model", papers * tokens / 1e6 * usd, "USD")]
    return rows


def _grown(scale: float) -> float:
    """Return the factor by which a larger corpus costs more: its store merges its data repeatedly."""
    return float(scale * max(1.0, scale) ** (GROWTH - 1))


def _writer_mb(sample: Sample, scale: float) -> float:
    """Memory grows by as much with each doubling as it did, on the mean, from the first paper to all of the sample."""
    held = sample.corpus
    each = (held.mb - held.first_mb) / math.log2(sample.papers + 1)
    return held.mb + each * max(0.0, math.log2(scale))


def _has_threads() -> bool:
    """Whether something, such as a store that was opened here, left threads that Python does not know of."""
    tasks = Path("/proc/self/task")
    return not tasks.is_dir() or len(list(tasks.iterdir())) > 1


def _cpu() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def peak_mb() -> float:
    """Return the peak memory of this process in megabytes; 0 if the system does not report it."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most / (2**20 if os.uname().sysname == "Darwin" else 2**10))


def size_of(folder: Path) -> int:
    """Bytes of a folder's files; one that has two names there, as published graphs have, is one."""
    found = (path.stat() for path in folder.rglob("*") if path.is_file())
    return sum({(one.st_dev, one.st_ino): one.st_size for one in found}.values())
