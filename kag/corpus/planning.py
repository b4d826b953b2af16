"""What many papers will cost, foretold from a few that are indexed now, on this machine and with this code.

Time is CPU seconds a page, disk bytes a page, both after a first paper that pays what every process pays once. Work
grows in proportion to pages, but for that of one corpus, which grows faster (`GROWTH`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from kag.corpus.transaction import open_writer
from kag.values.errors import SourceError
from kag.write.batch import Job, index_all

HOUR, GB = 3600.0, 1e9
GROWTH = 1.15  # CPU time of adding papers to one corpus grows with this power of their number (measure_plan.py)
TRIPLE = 350  # bytes that a triple takes in the graphs of a corpus with many papers; those of few take half


@dataclass(frozen=True, slots=True)
class Sample:
    """What some papers took: CPU seconds and bytes, to index them and to have them in a corpus.

    `corpus_bytes` are those of their files there and of their graphs as they are in a large corpus; `taken_bytes` all
    that the corpus took for them.
    """

    papers: int
    pages: int
    index_seconds: float
    run_bytes: int
    corpus_seconds: float
    corpus_bytes: int
    taken_bytes: int


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


def measured(jobs: Sequence[Job]) -> Sample:
    """Index papers into a folder that goes again, and add them to a corpus; raises `SourceError` for fewer than two."""
    if len(jobs) < 2:
        raise SourceError("one paper tells no rate", hint="Give --sample a folder of two papers or more.")
    with TemporaryDirectory(prefix="kag-plan-") as folder:
        return taken(jobs, Path(folder))


def taken(jobs: Sequence[Job], folder: Path) -> Sample:
    """What papers take, but for the first one: they are indexed into a folder, and added to a corpus there."""
    own = [replace(job, out_dir=folder / "runs") for job in jobs]
    first = list(index_all(own[:1]))
    before = _cpu()
    outcomes = list(index_all(own[1:]))
    seconds = _cpu() - before
    failed = [outcome for outcome in (*first, *outcomes) if outcome.run is None]
    if failed:
        raise SourceError(failed[0].message, hint=failed[0].hint)
    pages = sum(outcome.pages for outcome in outcomes)
    made = [outcome.run for outcome in outcomes if outcome.run]
    size = sum(map(_size, made))
    corpus = folder / "corpus"
    with open_writer(corpus, create=True) as writer:
        list(writer.put([first[0].run] if first[0].run else []))
        small, before = _size(corpus), _cpu()
        list(writer.put(made))
        added = _cpu() - before
    triples = sum(outcome.triples for outcome in outcomes)
    return Sample(
        len(made),
        max(pages, 1),
        seconds,
        run_bytes=size,
        corpus_seconds=added,
        corpus_bytes=_size(corpus / "papers") + triples * TRIPLE,
        taken_bytes=_size(corpus) - small,
    )


def plan(sample: Sample, papers: int, pages: float, machines: Machines, tokens: float, usd: float) -> list[Cost]:
    """What `papers` of `pages` each will cost; `tokens` a paper at `usd` a million, 0 without a model."""
    scale = papers * pages / sample.pages
    index, corpus = sample.index_seconds * scale, sample.corpus_seconds * _grown(scale)
    rows = [
        Cost("index, CPU", index / HOUR, "h"),
        Cost("index, by the clock", machines.hours(index), "h"),
        Cost("corpus, CPU", corpus / HOUR, "h"),
        Cost("corpus, by the clock, a shard a core", machines.hours(corpus), "h"),
        Cost("runs on disk", sample.run_bytes * scale / GB, "GB"),
        Cost("corpus on disk", sample.corpus_bytes * scale / GB, "GB"),
    ]
    if tokens:
        rows += [Cost("tokens", papers * tokens / 1e6, "million"), Cost("model", papers * tokens / 1e6 * usd, "USD")]
    return rows


def _grown(scale: float) -> float:
    """How many times the work of a corpus a larger one is: its store merges what it has, again and again."""
    return float(scale * max(1.0, scale) ** (GROWTH - 1))


def _cpu() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def _size(folder: Path) -> int:
    """Bytes of a folder's files; one that has two names there, as published graphs have, is one."""
    found = (path.stat() for path in folder.rglob("*") if path.is_file())
    return sum({(one.st_dev, one.st_ino): one.st_size for one in found}.values())
