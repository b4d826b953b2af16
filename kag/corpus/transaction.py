"""`Writer`: changes a corpus so that a crash leaves it as it was before a change, or the change is finished later.

stage -> intent -> files, graphs, tables -> old files go -> intent goes

Up to the intent nothing has changed; behind it each step can be done twice, and opening a writer does them again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kag.corpus import graphs, tables, works
from kag.corpus.layout import Intent, Layout, read_intent, write_intent
from kag.corpus.submission import Submission, read_submission, version_of
from kag.errors import CorpusBusy, CorpusError, KagError
from kag.files import sync
from kag.run import FILES, paper_of

if TYPE_CHECKING:
    from pyoxigraph import Store

BATCH = 16
"""Papers that share one intent and one published state: what a reader sees grows by so many at a time."""

State = Literal["added", "replaced", "removed", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one paper; `message` and `hint` say why it failed."""

    paper: str
    state: State
    message: str = ""
    hint: str = ""


@contextmanager
def open_writer(root: Path, *, create: bool = False) -> Iterator[Writer]:
    """The one writer of a corpus; finishes what an earlier one has begun. Raises `CorpusBusy`, `CorpusError`."""
    layout = Layout(root)
    layout.create() if create else layout.require()
    writer = Writer(layout, graphs.open_store(layout))
    try:
        writer.finish()
        yield writer
    finally:
        writer.close()


def settle(root: Path) -> None:
    """Finish what a writer that is gone has begun; where one is still at work, leave it to that."""
    if read_intent(Layout(root)):
        with suppress(CorpusBusy), open_writer(root):
            pass


class Writer:
    """Adds, replaces and removes papers; made by `open_writer`."""

    def __init__(self, layout: Layout, store: Store) -> None:
        self.layout = layout
        self._store: Store | None = store

    @property
    def store(self) -> Store:
        """The graphs."""
        if self._store is None:
            raise CorpusError("this writer is closed", hint="Open another one.")
        return self._store

    def close(self) -> None:
        """Let others write."""
        self.layout.writer.unlink(missing_ok=True)
        self._store = None

    def put(self, runs: Sequence[Path], *, replace: bool = False) -> Iterator[Change]:
        """Add run folders; a paper that is there in another version is replaced only when that is wished.

        A change is told when it is safe; a run that cannot be added does not keep the others out.
        """
        for at in range(0, len(runs), BATCH):
            staged: dict[str, Submission] = {}
            changes = [self._stage(run, staged, replace) for run in runs[at : at + BATCH]]
            self._decide({paper.paper_id: paper.version for paper in staged.values()}, staged)
            yield from changes

    def remove(self, papers: Sequence[str]) -> Iterator[Change]:
        """Remove papers by id."""
        for at in range(0, len(papers), BATCH):
            batch = list(dict.fromkeys(papers[at : at + BATCH]))
            known = self._versions(batch)
            self._decide(dict.fromkeys(known), {})
            for paper in batch:
                if paper in known:
                    yield Change(paper, "removed")
                else:
                    hint = "`kag corpus list` shows the papers that are in it."
                    yield Change(paper, "failed", f"{paper} is not in the corpus", hint)

    def finish(self) -> None:
        """Do what the intent says, if there is one, and forget what was staged without one."""
        intent = read_intent(self.layout)
        if intent:
            self._carry_out(intent, {})
        shutil.rmtree(self.layout.staged, ignore_errors=True)

    def redo(self, versions: Mapping[str, str]) -> None:
        """Make graphs and tables of papers again from their files, which are there."""
        self._decide(versions, {})

    # steps ------------------------------------------------------------------------------------

    def _versions(self, papers: Sequence[str]) -> dict[str, str]:
        with tables.open_tables(self.layout.tables, write=True) as rows:
            return {paper: row.version for paper, row in tables.find(rows, papers).items()}

    def _stage(self, run: Path, staged: dict[str, Submission], replace: bool) -> Change:
        """Check a run and copy its files to where they can be taken over by a rename."""
        name = paper_of(run) or run.name
        try:
            version = version_of(run)
            there = staged[name].version if name in staged else self._versions([name]).get(name)
            if there == version and not (replace and self._damaged(name, version)):
                return Change(name, "unchanged")
            if there and not replace:
                hint = "Give `kag corpus update` to replace it."
                raise CorpusError(f"{name} is in the corpus in another version", hint=hint)
            paper = read_submission(run)
        except KagError as error:
            return Change(name, "failed", error.message, error.hint)
        _copy(run, self.layout.stage(paper.paper_id, paper.version))
        staged[paper.paper_id] = paper
        return Change(name, "replaced" if there else "added")

    def _damaged(self, paper: str, version: str) -> bool:
        try:
            return version_of(self.layout.paper(paper, version)) != version
        except CorpusError:
            return True

    def _decide(self, intent: Intent, known: Mapping[str, Submission]) -> None:
        if intent:
            write_intent(self.layout, intent)
            self._carry_out(intent, known)

    def _carry_out(self, intent: Intent, known: Mapping[str, Submission]) -> None:
        """Make files, graphs and tables as the intent says; doing it twice is the same as once.

        The tables are kept last: until then they know the graph of a paper that goes.
        """
        wanted = [self._take_over(paper, version, known) for paper, version in intent.items() if version]
        with tables.open_tables(self.layout.tables, write=True) as rows:
            gone = {row.iri for row in tables.find(rows, intent).values()} - {paper.iri for paper in wanted}
            works.enter(rows, intent, wanted)
            graphs.discard(self.store, gone)
            graphs.change(self.store, {p.iri: p.triples for p in wanted} | {works.GRAPH: works.derived(rows)})
            graphs.publish(self.store, self.layout)
        for name, version in intent.items():
            self._clear(name, version)
        self.layout.intent.unlink()
        sync(self.layout.root)

    def _take_over(self, paper: str, version: str, known: Mapping[str, Submission]) -> Submission:
        """Move a version's files from where they were staged, if that has not been done."""
        target, staged = self.layout.paper(paper, version), self.layout.stage(paper, version)
        if staged.is_dir():
            shutil.rmtree(target, ignore_errors=True)  # the same version, damaged
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.rename(target)
            sync(target.parent)
        if not target.is_dir():
            hint = f"Delete {self.layout.intent}, run `kag corpus check --repair`, and give the paper again."
            raise CorpusError(f"{target} is to be taken in and is nowhere", hint=hint)
        return known[paper] if paper in known else read_submission(target, validate=False)

    def _clear(self, paper: str, keep: str | None) -> None:
        """Remove the files of a paper's other versions."""
        folder = self.layout.papers / paper
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name != keep:
                shutil.rmtree(path)
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def _copy(run: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in FILES:
        with (run / name).open("rb") as source, (target / name).open("wb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
