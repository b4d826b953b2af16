"""The process that does one job: `python -m kag.serve.jobs.work CORPUS JOB`. It may be killed, and begun again.

What is written last is what became of the job; everything before can be done twice. Nobody else does the same job
meanwhile: its folder has a lock.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kag.core.errors import KagError, SourceError
from kag.core.files import own_folder, read_object, write_whole
from kag.corpus import changing
from kag.corpus.layout import is_paper
from kag.corpus.store import open_corpus
from kag.indexing.batch import Job as Paper
from kag.indexing.batch import look_over
from kag.indexing.run import LAYER_FILES
from kag.serve.home import Home
from kag.serve.jobs.journal import finish, now, outcome
from kag.serve.jobs.steps import (
    ORIGIN,
    PATIENCE,
    Work,
    add_runs,
    draw_pages,
    index_and_add,
    index_papers,
    keep_source,
    kept_source,
    locked,
    named_as_sent,
    paper_locks,
    reindex_job,
    require_done,
    unique_name,
    unpack_archive,
    with_corrections,
)
from kag.serve.papers.corrections import (
    Corrected,
    Correction,
    calls_of,
    read_corrections,
    version_of,
    write_corrections,
)
from kag.serve.papers.pictures import LIST
from kag.serve.papers.uploads import ARCHIVE
from kag.serve.problems import without
from kag.sources.reading import Reading


def main(arguments: Sequence[str]) -> int:
    """Do a job; every failure is recorded."""
    root, folder = map(Path, arguments)
    with locked(folder):
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


# kinds of jobs --------------------------------------------------------------------------------


def _add(work: Work) -> dict[str, Any]:
    """Papers come in: unpack, index, draw, add, and bring the search into step."""
    file = work.folder / "input" / work.given["file"]
    source = unpack_archive(work, file) if file.suffix == ARCHIVE else file
    reading = Reading(language=work.given.get("language", ""))
    work.tell("looking")
    found = [named_as_sent(work, job) for job in look_over([source], work.folder / "runs", reading=reading).jobs]
    with paper_locks(work, [job.name for job in found]):
        papers = [unique_name(work, job) for job in found]
        if work.given.get("hold"):
            for paper in papers:
                keep_source(work, paper)
            return {"papers": [paper.name for paper in papers], "held": True, **_only(papers)}
        changes = index_and_add(work, papers)
    return {"papers": [change.paper for change in changes], "states": [c.state for c in changes], **_only(papers)}


def _only(papers: Sequence[Paper]) -> dict[str, str]:
    return {"paper": papers[0].name} if len(papers) == 1 else {}


def _correct(work: Work) -> dict[str, Any]:
    """Correct a paper: the calls are tried on it, and kept if the graph conforms."""
    work.tell("looking")
    with paper_locks(work, [work.paper]):
        what, wanted = _wanted(work)
        job = reindex_job(work, work.paper, Corrected(corrections=wanted, strict=work.given["kind"] != "undo"))
        run = index_papers(work, [job])[0]
        write_corrections(work.home.corrections(work.paper), wanted)
        add_runs(work, [run])
    return {"paper": work.paper, "what": what}


def _wanted(work: Work) -> tuple[str, tuple[Correction, ...]]:
    """Return the requested correction in words, and all corrections of the paper.

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
    with paper_locks(work, [work.paper]):
        begun = work.folder / "begun"
        if not begun.exists():
            _require_version(work)
        begun.touch()
        if any(paper.id == work.paper for paper in open_corpus(work.home.root).papers()):
            changes = require_done(list(changing.remove(work.home.root, [work.paper], patience=PATIENCE)))
            states = [change.state for change in changes]
        for folder in (work.home.source(work.paper), work.home.pages(work.paper)):
            shutil.rmtree(folder, ignore_errors=True)
        work.home.corrections(work.paper).unlink(missing_ok=True)
        work.home.source(work.paper).with_name(f"{work.paper}.{ORIGIN}").unlink(missing_ok=True)
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
    with paper_locks(work, waiting):
        there = {paper.id for paper in corpus.papers()}  # one may have come, or gone, meanwhile
        names = [name for name in waiting if name not in there and kept_source(work, name)]
        papers = [reindex_job(work, name, with_corrections(work, name)) for name in names]
        changes = index_and_add(work, papers) if papers else []
    _draw_missing(work)
    if work.given.get("layers"):
        work.tell("layers")
        with locked(work.home.folder), TemporaryDirectory(prefix="kag-") as made:
            require_done(list(changing.link(work.home.root, ",".join(LAYER_FILES), Path(made), patience=PATIENCE)[0]))
    work.tell("search index")
    options = changing.IndexOptions(bool(work.given.get("vectors")), bool(work.given.get("graph", True)))
    step = changing.index(work.home.root, options, patience=PATIENCE)
    return {"papers": [change.paper for change in changes], "chunks": step.chunks}


def _draw_missing(work: Work) -> None:
    """Draw the papers that have no pictures."""
    for name in [paper.id for paper in open_corpus(work.home.root).papers()]:
        with paper_locks(work, [name]):
            corpus = open_corpus(work.home.root)
            there = any(paper.id == name for paper in corpus.papers())
            if there and not (work.home.pages(name) / LIST).is_file():
                draw_pages(work, name, corpus.library().path(name), kept_source(work, name))


def _ask(work: Work) -> dict[str, Any]:
    """Answer a question without a waiting client."""
    from kag.serve.papers.asking import Asked, ask, keep

    work.tell("asking")
    asked = Asked(**work.given)
    answer, steps = ask(work.home, asked)
    name = keep(work.home, answer, steps)
    return {"answer": name, "found": answer.found}


_KINDS = {"add": _add, "correct": _correct, "remove": _remove, "populate": _populate, "ask": _ask}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
