"""The process that does one job: `python -m kag.serve.jobs.work CORPUS JOB`. It may be killed, and begun again.

What is written last is what became of the job; everything before can be done twice. Nobody else does the same job
meanwhile: its folder has a lock.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kag.corpus import changing
from kag.corpus.layering import with_layers
from kag.corpus.safe_names import is_paper
from kag.corpus.shard_set import is_corpus
from kag.corpus.store import open_corpus
from kag.corpus.transaction import Change
from kag.safety.files import own_folder, partial_path, read_object, write_whole
from kag.safety.workers import Ended, apart
from kag.serve.bounds import USUAL
from kag.serve.home import Home, checked_id
from kag.serve.jobs.journal import finish, now, outcome, tell
from kag.serve.papers.corrections import (
    Corrected,
    Correction,
    calls_of,
    read_corrections,
    version_of,
    write_corrections,
)
from kag.serve.papers.pictures import LIST, ToDraw, draw
from kag.serve.papers.uploads import ARCHIVE, unpack
from kag.serve.problems import without
from kag.sources.reading import Reading
from kag.values.errors import KagError, MissingExtra, SourceError
from kag.write.batch import Job as Paper
from kag.write.batch import index_all, look_over
from kag.write.read_apart import LIMITS
from kag.write.run import LAYER_FILES, layers_of

_PATIENCE = 300.0  # seconds that a writer of the corpus is waited for
_ORIGIN = "origin.json"


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


def main(arguments: Sequence[str]) -> int:
    """Do a job; whatever goes wrong is put on record."""
    root, folder = map(Path, arguments)
    with _alone(folder):
        if outcome(folder):
            return 0
        row = read_object(folder / "job.json")
        work = Work(Home(root, folder.parent.parent), folder, row["given"], row["paper"])
        try:
            result = _KINDS[row["kind"]](work)
        except KagError as error:
            inside = (folder / "input", folder, work.home.root)
            finish(folder, "failed", without(error.message, *inside), without(error.hint, *inside))
            return 0
        finish(folder, "done", **result)
        for done in ("runs", "input"):  # what is wanted of it is in the corpus, and among the sources
            shutil.rmtree(folder / done, ignore_errors=True)
    return 0


@contextmanager
def _writing(work: Work, papers: Sequence[str]) -> Iterator[None]:
    """Be the one writer of some papers; their locks are taken in order, so that two jobs never wait for each other."""
    with ExitStack() as stack:
        for paper in sorted(set(papers)):
            folder = work.home.folder / "locks" / checked_id(paper)
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(_alone(folder))
        yield


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the lock of a job, of a paper, or of all; waits for whoever has it."""
    with (folder / "lock").open("wb") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        except ImportError:  # only on POSIX systems
            pass
        yield


# kinds of jobs --------------------------------------------------------------------------------


def _add(work: Work) -> dict[str, Any]:
    """Papers come in: unpack, index, draw, add, and bring the search into step."""
    file = work.folder / "input" / work.given["file"]
    source = _unpacked(work, file) if file.suffix == ARCHIVE else file
    reading = Reading(language=work.given.get("language", ""))
    work.tell("looking")
    found = [_called(work, job) for job in look_over([source], work.folder / "runs", reading=reading).jobs]
    with _writing(work, [job.name for job in found]):
        papers = [_named(work, job) for job in found]
        if work.given.get("hold"):
            for paper in papers:
                _keep_source(work, paper)
            return {"papers": [paper.name for paper in papers], "held": True, **_only(papers)}
        changes = _taken_up(work, papers)
    return {"papers": [change.paper for change in changes], "states": [c.state for c in changes], **_only(papers)}


def _only(papers: Sequence[Paper]) -> dict[str, str]:
    return {"paper": papers[0].name} if len(papers) == 1 else {}


def _correct(work: Work) -> dict[str, Any]:
    """A paper is put right: its calls are tried on it, and kept where the graph conforms."""
    work.tell("looking")
    with _writing(work, [work.paper]):
        what, wanted = _wanted(work)
        job = _again(work, work.paper, Corrected(wanted, strict=work.given["kind"] != "undo"))
        run = _indexed(work, [job])[0]
        write_corrections(work.home.corrections(work.paper), wanted)
        _put(work, [run])
    return {"paper": work.paper, "what": what}


def _wanted(work: Work) -> tuple[str, tuple[Correction, ...]]:
    """What is put right, in words, and all corrections that the paper shall have.

    They are decided once: a job that was killed finds them in its folder, and does not make its own correction twice.
    """
    decided, given = work.folder / "corrections.jsonl", work.given
    if decided.is_file():
        return read_object(work.folder / "what.json")["what"], read_corrections(decided)
    _require_version(work)
    kept = read_corrections(work.home.corrections(work.paper))
    if given["kind"] == "undo":
        if not kept:
            raise SourceError("nothing was put right here", hint="There is nothing to take back.")
        wanted, what = kept[:-1], f"taken back: {kept[-1].what}"
    else:
        graph = open_corpus(work.home.root).library()[work.paper]
        what, calls = calls_of(graph, given["kind"], given["node"], given.get("target", ""), given.get("reason", ""))
        wanted = (*kept, Correction(given["who"], now(), what, calls))
    write_whole(work.folder / "what.json", json.dumps({"what": what}) + "\n")
    write_corrections(decided, wanted)
    return what, wanted


def _require_version(work: Work) -> None:
    """Raise `SourceError` where the paper is not the one any more that the change was made to."""
    version = work.given.get("version", "")
    if version_of(work.home, work.paper) != version and version:
        raise SourceError(f"{work.paper} was changed meanwhile", hint="Look at it again, then make the change.")


def _remove(work: Work) -> dict[str, Any]:
    """A paper goes, with what was kept of it here; done again after a kill, it goes on with what is left."""
    work.tell("removing")
    states = ["removed"]
    with _writing(work, [work.paper]):
        begun = work.folder / "begun"
        if not begun.exists():
            _require_version(work)
        begun.touch()
        if any(paper.id == work.paper for paper in open_corpus(work.home.root).papers()):
            changes = _all_done(list(changing.remove(work.home.root, [work.paper], patience=_PATIENCE)))
            states = [change.state for change in changes]
        for folder in (work.home.source(work.paper), work.home.pages(work.paper)):
            shutil.rmtree(folder, ignore_errors=True)
        work.home.corrections(work.paper).unlink(missing_ok=True)
        work.home.source(work.paper).with_name(f"{work.paper}.{_ORIGIN}").unlink(missing_ok=True)
    return {"paper": work.paper, "states": states}


def _populate(work: Work) -> dict[str, Any]:
    """Everything that is not built is: papers that were only kept, pictures, layers, the index, its graph."""
    corpus = open_corpus(work.home.root)
    here = {paper.id for paper in corpus.papers()}
    folder = work.home.folder / "sources"
    held = (
        sorted(path.name for path in folder.iterdir() if is_paper(path.name) and own_folder(path))
        if own_folder(folder)
        else []
    )
    waiting = [name for name in held if name not in here]
    with _writing(work, waiting):
        there = {paper.id for paper in corpus.papers()}  # one may have come, or gone, meanwhile
        names = [name for name in waiting if name not in there and _source(work, name)]
        papers = [_again(work, name, _corrected(work, name)) for name in names]
        changes = _taken_up(work, papers) if papers else []
    _draw_missing(work)
    if work.given.get("layers"):
        work.tell("layers")
        with _alone(work.home.folder), TemporaryDirectory(prefix="kag-") as made:
            _all_done(list(changing.link(work.home.root, ",".join(LAYER_FILES), Path(made), patience=_PATIENCE)[0]))
    work.tell("search index")
    wish = changing.Wish(bool(work.given.get("vectors")), bool(work.given.get("graph", True)))
    step = changing.index(work.home.root, wish, patience=_PATIENCE)
    return {"papers": [change.paper for change in changes], "chunks": step.chunks}


def _draw_missing(work: Work) -> None:
    """Draw the papers that have no pictures."""
    for name in [paper.id for paper in open_corpus(work.home.root).papers()]:
        with _writing(work, [name]):
            corpus = open_corpus(work.home.root)
            there = any(paper.id == name for paper in corpus.papers())
            if there and not (work.home.pages(name) / LIST).is_file():
                _draw(work, name, corpus.library().path(name), _source(work, name))


def _ask(work: Work) -> dict[str, Any]:
    """A question that somebody does not wait for."""
    from kag.serve.papers.asking import Asked, ask, keep

    work.tell("asking")
    asked = Asked(**work.given)
    answer, steps = ask(work.home, asked)
    name = keep(work.home, answer, steps)
    return {"answer": name, "found": answer.found}


_KINDS = {"add": _add, "correct": _correct, "remove": _remove, "populate": _populate, "ask": _ask}


# steps of them --------------------------------------------------------------------------------


def _unpacked(work: Work, archive: Path) -> Path:
    work.tell("unpacking")
    target = archive.parent / "unpacked" / archive.stem
    shutil.rmtree(target, ignore_errors=True)
    unpack(archive, target, USUAL)
    inside = list(target.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else target


def _called(work: Work, job: Paper) -> Paper:
    """The job under the name that its file was sent with."""
    return job if job.source.is_dir() or job.source.parent.name != "input" else replace(job, name=work.paper)


def _named(work: Work, job: Paper) -> Paper:
    """The job under a name that no other paper of the corpus has; `replace` takes the name of the one that has it."""
    name = job.name
    origin = _origin(work, name)
    there = any(paper.id == name for paper in open_corpus(work.home.root).papers()) or origin
    if there and origin != _digest(job.source) and not work.given.get("replace"):
        name = f"{name[:70]}-{_digest(job.source)[:8]}"
    return replace(job, name=name, options=_corrected(work, name))


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
        return str(read_object(work.home.source(paper).with_name(f"{paper}.{_ORIGIN}"))["sha256"])
    except (OSError, ValueError, KeyError):
        return ""


def _corrected(work: Work, paper: str) -> Corrected:
    return Corrected(read_corrections(work.home.corrections(paper)))


def _source(work: Work, paper: str) -> Path | None:
    """What is kept of a paper: its one file, or its folder."""
    folder = work.home.source(paper)
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return inside[0] if len(inside) == 1 else None


def _again(work: Work, paper: str, options: Corrected) -> Paper:
    """The job of indexing a paper once more from what is kept of it."""
    source = _source(work, paper)
    if source is None:
        hint = "Send the paper here once more; it was added in another way."
        raise SourceError(f"the pages of {paper} are not kept here", hint=hint)
    (job,) = look_over([source], work.folder / "runs").jobs
    return replace(job, name=paper, options=options)


def _taken_up(work: Work, papers: Sequence[Paper]) -> list[Change]:
    """Index papers, draw them and add them; what could not be indexed is told where nothing could."""
    runs = _indexed(work, papers)
    for paper, run in zip(papers, runs, strict=True):
        source = _keep_source(work, paper)
        _draw(work, paper.name, run, source)
    return _put(work, runs)


def _indexed(work: Work, papers: Sequence[Paper]) -> list[Path]:
    """The runs of papers, in their order; raises `SourceError` where one cannot be made."""
    work.tell("reading", papers=[paper.name for paper in papers])
    jobs = [replace(paper, force=True) for paper in papers]
    runs: dict[str, Path] = {}
    for done in index_all(jobs, workers=1, limits=LIMITS):
        if done.run is None:
            raise SourceError(done.message, hint=done.hint)
        runs[done.job.name] = done.run
        work.tell("read", paper=done.job.name, pages=done.pages, triples=done.triples)
    return [runs[paper.name] for paper in papers]


def _keep_source(work: Work, paper: Paper) -> Path:
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
    origin = folder.with_name(f"{paper.name}.{_ORIGIN}")
    write_whole(origin, f'{{"sha256": "{_digest(paper.source)}"}}\n')
    return next(folder.iterdir())


def _draw(work: Work, paper: str, run: Path, source: Path | None) -> None:
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


def _put(work: Work, runs: Sequence[Path]) -> list[Change]:
    """Put runs into the corpus, with the layers that papers have there."""
    work.tell("adding")
    with _alone(work.home.folder), TemporaryDirectory(prefix="kag-") as made:  # layers stay as they are meanwhile
        layers = _layers(work)
        if layers:
            work.tell("layers")
            runs = with_layers(runs, layers, Path(made))
        changes = _all_done(list(changing.put(work.home.root, runs, replace=True, patience=_PATIENCE)))
    work.tell("search index")
    try:
        changing.index(work.home.root, patience=_PATIENCE)
    except (MissingExtra, ImportError):
        work.tell("no search index", why="kag-papers[retrieve] is not installed")
    return changes


def _layers(work: Work) -> str:
    """The layers that papers of the corpus have, as it is now."""
    if not is_corpus(work.home.root):
        return ""
    library = open_corpus(work.home.root).library()
    return ",".join(sorted({name for paper in library for name in layers_of(library.path(paper))}))


def _all_done(changes: list[Change]) -> list[Change]:
    for change in changes:
        if change.state == "failed":
            raise SourceError(change.message, hint=change.hint)
    return changes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
