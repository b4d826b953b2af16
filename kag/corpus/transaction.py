"""`Writer`: changes a corpus so that a crash leaves it as it was before a change, or the change is finished later.

stage -> intent -> files, graphs, tables -> old files go -> intent goes

Up to the intent nothing has changed; behind it each step can be done twice, and opening a writer does them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kag.core.display import OneLine
from kag.core.errors import CorpusBusy, CorpusError, CorpusReadOnly, KagError
from kag.core.files import clear_partials, own_folder, read_regular, sync, write_synced
from kag.corpus import catalogue, graphs, shared_entities, shared_works
from kag.corpus.catalogue import files_of as tables_of
from kag.corpus.layout import Intent, Layout, file_errors, is_version, locked, read_intent, write_intent
from kag.corpus.submission import Submission, files_of, read_submission, version_of
from kag.indexing.run import digest_of, paper_of
from kag.rdf.profile import layer_graphs

if TYPE_CHECKING:
    from pyoxigraph import Store

BATCH = 64
"""Papers that share one intent and one published state: what a reader sees grows by so many at a time."""

State = Literal["added", "replaced", "removed", "unchanged", "failed"]


@dataclass(frozen=True, slots=True, repr=False)
class Change(OneLine):
    """The outcome of one paper; `message` and `hint` say why it failed, `note` what is unusual about one that did
    not."""

    paper: str
    state: State
    message: str = ""
    hint: str = ""
    note: str = ""


@contextmanager
def open_writer(root: Path, *, create: bool = False, patience: float = 0.0) -> Iterator[Writer]:
    """The one writer of a corpus, after another has been waited for as many seconds; finishes what one has begun.

    Raises `CorpusBusy`, `CorpusError`.
    """
    layout = Layout(root)
    layout.create() if create else layout.require()
    with locked(layout, patience):
        writer = Writer(layout, graphs.open_store(layout))
        try:
            writer.finish()
            writer.require_all()
            yield writer
        finally:
            writer.close()


@contextmanager
def open_mender(root: Path) -> Iterator[Writer]:
    """A writer that begins with new tables and graphs where those that are there cannot be read.

    What they held is made again from the papers' files by whoever asks for it.
    """
    layout = Layout(root)
    layout.require(mend=True)
    with locked(layout):
        wanted = _readable(layout)
        writer = Writer(layout, graphs.renewed_store(layout, wanted))
        try:
            writer.finish()
            yield writer
        finally:
            writer.close()


def _readable(layout: Layout) -> list[str] | None:
    """The graphs that the tables know; None where the tables cannot be read, which are then taken away."""
    try:
        with catalogue.open_tables(layout.tables) as rows:
            if catalogue.sound(rows):
                return [row.iri for row in catalogue.papers(rows)]
    except CorpusError:
        pass
    with file_errors(layout.tables):
        for file in tables_of(layout.tables):
            file.unlink(missing_ok=True)
    return None


def settle(root: Path) -> None:
    """Finish the change of a writer that ended early, unless another is at work or nothing can be written."""
    if read_intent(Layout(root)):
        with suppress(CorpusBusy, CorpusReadOnly), open_writer(root):
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
        """Let go of the graphs."""
        self._store = None

    def require_all(self) -> None:
        """Raise `CorpusError` where tables or graphs lack papers: publishing would take them from readers too."""
        hint = "Run `kag corpus check --repair`, which makes tables and graphs again from the papers."
        with catalogue.open_tables(self.layout.tables, write=True) as rows, graphs.reading(self.layout.store):
            known = {row.iri for row in catalogue.papers(rows)}
            lost = known - graphs.names(self.store)
        if lost:
            raise CorpusError(f"{self.layout.store} lacks {len(lost)} graphs, such as {min(lost)}", hint=hint)
        if not known and any(self.layout.versions()):
            raise CorpusError(f"{self.layout.tables} knows none of the papers", hint=hint)

    def put(self, runs: Sequence[Path], *, replace: bool = False) -> Iterator[Change]:
        """Add run folders; a paper that is there in another version is replaced only with `replace`.

        A change is yielded when it is safe; a run that cannot be added does not keep the others out.
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
        """Carry out the pending intent, if any, and remove unfinished files of ended writers."""
        intent = read_intent(self.layout)
        if intent:
            self._carry_out(intent, {})
        for path in list(self.layout.leftovers()):
            self.layout.remove(path)
        clear_partials(self.layout.root)

    def redo(self, versions: Mapping[str, str]) -> None:
        """Make graphs and tables of papers again from their files, which are there, and publish them."""
        write_intent(self.layout, versions)
        self._carry_out(versions, {})

    def link(self) -> int:
        """Rebuild the links between the papers' layers; return the number of triples."""
        with catalogue.open_tables(self.layout.tables, write=True) as rows:
            held = {row.id: self.layout.held(row.id, row.version) for row in catalogue.papers(rows)}
        return shared_entities.renew(self.store, self.layout, held)

    # steps ------------------------------------------------------------------------------------

    def _versions(self, papers: Sequence[str]) -> dict[str, str]:
        with catalogue.open_tables(self.layout.tables, write=True) as rows:
            return {paper: row.version for paper, row in catalogue.find(rows, papers).items()}

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
            catalogue.require_room(paper)
            self._copy(run, paper)
        except KagError as error:
            return Change(name, "failed", error.message, error.hint)
        twin = self._twin(run, paper, staged)
        staged[paper.paper_id] = paper
        return Change(
            name, "replaced" if there else "added", note=f"made from the same bytes as {twin}" if twin else ""
        )

    def _twin(self, run: Path, paper: Submission, staged: Mapping[str, Submission]) -> str:
        """Another paper, of the corpus or staged, that was made from the same bytes; "" for none."""
        digest = digest_of(run)
        with catalogue.open_tables(self.layout.tables, write=True) as rows:
            known = [(row.id, self.layout.held(row.id, row.version)) for row in catalogue.alike(rows, paper)]
        for submission in staged.values():
            if (submission.title, submission.pages) == (paper.title, paper.pages):
                known.append((submission.paper_id, self.layout.stage(submission.paper_id, submission.version)))
        others = (folder for folder in sorted(known) if digest and folder[0] != paper.paper_id)
        return next((name for name, folder in others if digest_of(folder) == digest), "")

    def _copy(self, run: Path, paper: Submission) -> None:
        target = self.layout.stage(paper.paper_id, paper.version)
        self.layout.remove(target)
        with file_errors(target):
            target.mkdir(parents=True)
            for name in files_of(run):
                write_synced(target / name, read_regular(run / name))
            sync(target)
            sync(target.parent)

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
        """Apply an intent to files, graphs and tables; applying it twice has the effect of once.

        Nothing is changed before all that it names is found to be there. The tables are kept last: until then they
        know the graph of a paper that goes.
        """
        wanted = [known.get(paper) or self._named(paper, version) for paper, version in intent.items() if version]
        with file_errors(self.layout.root):
            for paper in wanted:
                self._take_over(paper.paper_id, paper.version)
            with catalogue.open_tables(self.layout.tables, write=True) as rows:
                before = {row.iri for row in catalogue.find(rows, intent).values()}
                shared_works.enter(rows, intent, wanted)
                wanted_graphs = {shared_works.GRAPH: shared_works.derived(rows)}
                for paper in wanted:
                    wanted_graphs |= paper.graphs
                gone = before.union(*map(layer_graphs, before)) - wanted_graphs.keys()
                with graphs.reading(self.layout.store):
                    shared_entities.forget(self.store, intent)
                    graphs.discard(self.store, gone)
                    graphs.change(self.store, wanted_graphs)
                graphs.publish(self.store, self.layout)
            for name, version in intent.items():
                self._clear(name, version)
            self.layout.intent.unlink()
            sync(self.layout.root)

    def _named(self, paper: str, version: str) -> Submission:
        """Return the version of a paper that an intent names, staged or committed; its files must match their names."""
        target, staged = self.layout.paper(paper, version), self.layout.stage(paper, version)
        folder = staged if own_folder(staged) else target
        hint = f"Delete {self.layout.intent}, run `kag corpus check --repair`, and give the paper again."
        if not own_folder(folder) or not own_folder(folder.parent):
            raise CorpusError(f"{target} is to be taken in and is nowhere", hint=hint)
        submission = read_submission(folder, validate=False)
        if (submission.paper_id, submission.version) != (paper, version):
            raise CorpusError(f"{folder} is to be taken in and holds something else", hint=hint)
        return submission

    def _take_over(self, paper: str, version: str) -> None:
        """Move a version's files from where they were staged, if that has not been done."""
        target, staged = self.layout.paper(paper, version), self.layout.stage(paper, version)
        if own_folder(staged):
            self.layout.remove(target)  # the same version, damaged
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.rename(target)
            for folder in (target.parent, self.layout.papers, self.layout.staged):
                sync(folder)

    def _clear(self, paper: str, keep: str | None) -> None:
        """Remove the files of a paper's other versions; other entries there do not belong to the corpus."""
        folder = self.layout.papers / paper
        for path in folder.iterdir() if own_folder(folder) else ():
            if is_version(path.name) and path.name != keep:
                self.layout.remove(path)
        if keep is None and own_folder(folder):
            with suppress(OSError):  # something else lies there
                folder.rmdir()
        sync(self.layout.papers)
