"""Many papers: in parallel processes, resumable, and none lost because another failed."""

from __future__ import annotations

import os
import shutil
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, cast

from kag import __version__
from kag.core.display import OneLine
from kag.core.errors import BUG, KagError, SourceError, fault, rescued, wants_memory
from kag.core.files import about, clear_partials, hint_for, shown
from kag.core.workers import UNLIMITED, Ended, Executor, Limits, collect_rarely, forks, here, processes
from kag.indexing.isolated_reader import LIMITS, ended, read_apart
from kag.indexing.run import look_anew
from kag.sources.reader_registry import OCR, is_pdf
from kag.sources.reading import AS_IT_IS, Reading
from kag.sources.survey import Form, nothing_at, survey

if TYPE_CHECKING:
    from kag.core.types import Document
    from kag.indexing.pipeline import Builder, Describer

State = Literal["indexed", "up to date", "failed"]

_LOOK = "or look at what is on its pages."
_BUG = "This is a bug in kag; please report it with the paper's pages."


class Making(Protocol):
    """The builder and the describer: rules (`Rules`), or a model (`kag.agents.model.options.ModelMaking`).

    `builder`, `model` and `vision` name them, "" for nobody. `work` is a folder for records of a build under way;
    `afresh` forgets those of a build before.
    """

    @property
    def builder(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def vision(self) -> str: ...
    def open_builder(self, document: Document, work: Path, *, afresh: bool) -> AbstractContextManager[Builder]: ...
    def open_describer(
        self, source: Path, figures: Path | None, out_dir: Path
    ) -> AbstractContextManager[Describer | None]: ...


class Addition(Protocol):
    """Something that adds files to a run, as `kag.layers.pipeline.Layers` and `kag.qa.passage_ranking` do."""

    def prepare(self) -> None:
        """Read models and lists, once for all processes that are made from this one."""

    def files(self, files: Mapping[str, str | bytes]) -> Mapping[str, str | bytes]:
        """The files to add, from those of the run."""

    def add_to(self, run: Path) -> bool:
        """Add the files to a run that lacks them; False where it has them."""


class Transcribing(Protocol):
    """A transcriber of the pages of a PDF (`kag.agents.ocr.folder.Transcriber`)."""

    def pages_of(self, pdf: Path, name: str, out_dir: Path, password: str) -> Path:
        """The folder of OCR pages that was made of a PDF; raises `SourceError` and `ModelError`."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules alone build papers, without descriptions of figures; `why` is the reason for that choice."""

    why: str = "no model configured"
    builder: str = "baseline"
    model: str = ""
    vision: str = ""

    def open_builder(self, document: Document, work: Path, *, afresh: bool) -> AbstractContextManager[Builder]:
        """The baseline, which needs no records."""
        from kag.indexing.pipeline import BASELINE

        return nullcontext(replace(BASELINE, why=self.why))

    def open_describer(self, source: Path, figures: Path | None, out_dir: Path) -> AbstractContextManager[None]:
        """Nobody."""
        return nullcontext(None)


@dataclass(frozen=True, slots=True)
class Job:
    """One paper to index: its file or folder, its name in `out_dir`, and how.

    `kind` is what is read of it, `others` are other forms of it, which are not. `ocr` reads a PDF's pages, `layers`
    says what the paper says and `vectors` embeds its passages, if anybody.
    """

    source: Path
    name: str
    out_dir: Path
    figures: Path | None = None
    force: bool = False
    options: Making = field(default_factory=Rules)
    reading: Reading = AS_IT_IS
    others: tuple[Form, ...] = ()
    kind: str = ""
    ocr: Transcribing | None = None
    layers: Addition | None = None
    vectors: Addition | None = None

    @property
    def additions(self) -> Mapping[str, Addition]:
        """Return the additions to the run, by name."""
        named = {"layers": self.layers, "vectors": self.vectors}
        return {name: addition for name, addition in named.items() if addition is not None}


@dataclass(frozen=True, slots=True, repr=False)
class Outcome(OneLine):
    """The outcome of a job; `run` is None if it failed, and `hint` says what to do.

    A run whose agent was stopped has a `message` too, and the exit code 3 when its model or sandbox failed.
    """

    shown: ClassVar[tuple[str, ...]] = ("job.name", "state", "run", "pages", "triples", "message")

    job: Job
    state: State
    run: Path | None = None
    pages: int = 0
    triples: int = 0
    message: str = ""
    hint: str = ""
    exit_code: int = 0


def work_folder(out_dir: Path, name: str) -> Path:
    """Return the folder of the agent's records of a paper until its run is finished."""
    return out_dir / f".work-{name}"


@dataclass(frozen=True, slots=True)
class Finding:
    """The papers that were found at some paths, and what was not taken, each with the reason."""

    jobs: tuple[Job, ...]
    left: tuple[tuple[Path, str], ...]


def find_papers(paths: Sequence[Path], out_dir: Path, *, figures: Path | None = None, force: bool = False) -> list[Job]:
    """The jobs of `look_over`; raises what that raises."""
    return list(look_over(paths, out_dir, figures=figures, force=force).jobs)


def look_over(
    paths: Sequence[Path],
    out_dir: Path,
    *,
    figures: Path | None = None,
    force: bool = False,
    reading: Reading = AS_IT_IS,
) -> Finding:
    """Find the papers at some paths (see `kag.sources.survey`); return a job for each, and the skipped files.

    A path may be a symbolic link, since who gives it knows it; links inside are not followed. Raises `SourceError`
    when a path holds no paper, or two papers have one name.
    """
    jobs: dict[str, Job] = {}
    left: list[tuple[Path, str]] = []
    for path in paths:
        seen = survey(path, reading.source)
        if not seen.papers:
            raise nothing_at(path, seen)
        left += seen.left
        for paper in seen.papers:
            source, name = paper.form.path, paper.paper_id
            job = jobs.get(name)
            if job and os.path.realpath(job.source) != os.path.realpath(source):
                raise SourceError(
                    f"{shown(job.source)} and {shown(source)} would both be paper {name!r}",
                    hint="Rename one of them, or index them into different --out-dir folders with --paper-id.",
                )
            jobs[name] = Job(source, name, out_dir, figures, force, Rules(), reading, paper.others, paper.form.kind)
    return Finding(tuple(jobs.values()), tuple(left))


def passed_over(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return the skipped files at some paths, with the reasons."""
    return [left for path in paths for left in survey(path).left]


def index_all(
    jobs: Sequence[Job], *, workers: int = 1, limits: Limits = UNLIMITED, executor: Executor | None = None
) -> Iterator[Outcome]:
    """Index papers and yield each outcome as it comes; a failure is an outcome, not an exception.

    Raises `RunError` before the first paper where runs cannot be written. With one worker and no limits everything runs
    in this process, except PDFs. Otherwise `executor` or `workers` processes do the work, and a paper beyond its limits
    fails alone.
    """
    from kag.indexing.run import writable

    inside = (
        executor is None
        and limits == UNLIMITED
        and min(workers, len(jobs)) <= 1
        and not any(is_pdf(job.kind) for job in jobs)
    )
    collect_rarely()
    if not inside and forks():
        import kag.indexing.pipeline  # noqa: F401 - once, for all processes

        for addition in {id(one): one for job in jobs for one in job.additions.values()}.values():
            addition.prepare()
    folders = {job.out_dir for job in jobs}
    for out_dir in folders:
        writable(out_dir)
        clear_partials(out_dir)
        with suppress(OSError):  # it can be written to and not read
            look_anew(out_dir)
    done = here(run_job, jobs) if inside else (executor or processes(workers))(run_job, jobs, limits)
    try:
        with closing(done):
            for job, result in done:
                yield _ended(job, result, limits) if isinstance(result, Ended) else result
    finally:
        for out_dir in folders:
            clear_partials(out_dir)


def limits_for(options: Making, seconds: float | None, megabytes: int, *, ocr: bool = False) -> Limits:
    """The limits that were asked for, 0 for none; where a model is asked, its own limits decide how long it takes."""
    if seconds is None:
        seconds = None if options.model or options.vision or ocr else LIMITS.seconds
    return Limits(seconds or None, megabytes or None)


def _ended(job: Job, why: Ended, limits: Limits) -> Outcome:
    hint = {
        "time": f"Give it more with --paper-seconds, {_LOOK}",
        "memory": f"Give it more with --paper-mb, {_LOOK}",
        "died": "Check memory, and --paper-mb: a library that is granted no more ends its process.",
    }[why.why]
    error = ended(job.source, why, limits, hint)
    return Outcome(job, "failed", message=error.message, hint=error.hint, exit_code=error.exit_code)


def run_job(job: Job) -> Outcome:
    """`make_run` as one of many: errors become outcomes."""
    try:
        return make_run(job)
    except Exception as error:  # a bug must not cost the papers behind it
        if wants_memory(error):
            raise MemoryError from error
        return _failed(job, error)


def _failed(job: Job, error: Exception) -> Outcome:
    match error:
        case KagError():
            message, hint, code = error.message, error.hint, error.exit_code
        case OSError():
            message, hint, code = about(job.source, error), hint_for(error), 2
        case _:
            message, hint, code = f"{shown(job.source)}: {fault(error)}", _BUG, BUG
    return Outcome(job, "failed", message=message, hint=hint, exit_code=code)


def make_run(job: Job) -> Outcome:
    """Index one paper into its run folder, or find that this was done already; raises `KagError` and `OSError`."""
    from kag.indexing.memory import ProcedureStore
    from kag.indexing.pipeline import index_document
    from kag.indexing.run import PROCEDURES, write_run

    job = _transcribed(job)
    document = read_apart(job.source, replace(job.reading, paper_id=job.name, figures=job.figures))
    done = None if job.force else _done(job, document)
    if done:
        is_new = any([addition.add_to(done) for addition in job.additions.values()])
        return Outcome(job, "indexed" if is_new else "up to date", done, document.pages)
    work = work_folder(job.out_dir, job.name)
    with (
        _pictures_of(document, job) as (folder, figures),
        job.options.open_builder(document, work, afresh=job.force) as builder,
        job.options.open_describer(folder, figures, job.out_dir) as describe,
    ):
        procedures = ProcedureStore(job.out_dir / PROCEDURES)
        indexed = index_document(document, builder, procedures=procedures, describe=describe)
    files: ChainMap[str, str | bytes] = ChainMap(dict(indexed.files), cast(Any, document.pictures))  # none is copied
    added, lost = _added_to(job, files)
    run = write_run(job.out_dir, job.name, files.new_child(added), replace=job.force)
    outcome = Outcome(job, "indexed", run, indexed.pages, indexed.triples)
    if lost:
        outcome = replace(outcome, message=f"{job.name}: {lost}", hint=_BUG)
    if indexed.undescribed:
        message = f"{job.name}: the figures have no descriptions: {indexed.undescribed}"
        outcome = replace(outcome, message=message, hint="Run the same command again to add them.")
    if "stopped" in indexed.facts:
        return _stopped(outcome, indexed.facts)
    return _cleared(_rescued(outcome, len(indexed.rescued)))


def _added_to(job: Job, files: Mapping[str, str | bytes]) -> tuple[dict[str, str | bytes], str]:
    """Return the files of the additions; a bug in their maker costs these files, not the run."""
    found: dict[str, str | bytes] = {}
    lost: list[str] = []
    for name, addition in job.additions.items():
        try:
            found |= addition.files(files)
        except Exception as error:
            rescued("", name, error)
            lost.append(f"no {name} were made: {fault(error)}")
    return found, "; ".join(lost)


def _transcribed(job: Job) -> Job:
    """Return the job of the transcribed pages, if there is a transcriber."""
    if job.ocr is None or not is_pdf(job.kind):
        return job
    pages = job.ocr.pages_of(job.source, job.name, job.out_dir, job.reading.password)
    return replace(job, source=pages, kind=OCR, reading=replace(job.reading, source=OCR))


@contextmanager
def _pictures_of(document: Document, job: Job) -> Iterator[tuple[Path, Path | None]]:
    """Yield the folder of the pictures during the build: next to the pages, or a temporary one if reading made them."""
    if not document.pictures:
        yield job.source, job.figures
        return
    with TemporaryDirectory(prefix="kag-") as place:
        for path, data in document.pictures.items():
            (Path(place) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(place) / path).write_bytes(data)
        yield Path(place), None


def _done(job: Job, document: Document) -> Path | None:
    """The finished run of the same paper, made in the same way."""
    from kag.indexing.run import Made, finished_run, make_newest

    how = job.options.builder, job.options.model, job.options.vision
    made = Made(document.sha256, document.source, __version__, *how, document.metadata.url)
    done = finished_run(job.out_dir, job.name, made)
    if done:
        make_newest(done, job.name)
    return done


def _stopped(outcome: Outcome, facts: Mapping[str, object]) -> Outcome:
    """A run that its agent did not finish; its records stay, so that the same command goes on from them."""
    failed = facts["cause"] not in ("budget", "iterations")
    message = f"{outcome.job.name}: the agent was stopped ({facts['stopped']}); the baseline completed the graph"
    return replace(outcome, message=message, hint="Give the same command again to go on.", exit_code=3 if failed else 0)


def _rescued(outcome: Outcome, lost: int) -> Outcome:
    """Return the outcome of a run with elements that kag failed on."""
    if not lost:
        return outcome
    elements = "1 element" if lost == 1 else f"{lost} elements"
    message = f'{outcome.job.name}: kag failed on {elements}, kept as printed; summary.json lists them under "rescued"'
    return replace(outcome, message=message, hint=_BUG)


def _cleared(outcome: Outcome) -> Outcome:
    """A finished run, which needs the records of its agent no more."""
    shutil.rmtree(work_folder(outcome.job.out_dir, outcome.job.name), ignore_errors=True)
    return outcome


def default_workers() -> int:
    """One process a core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
