"""`Home`: a corpus and the server's own files, in the folder `serve/` of the corpus.

jobs/<id>/         a job: job.json, events.jsonl, the input, what became of it
sources/<paper>/   what a paper was indexed from, so that it can be indexed again and its pages shown
pages/<paper>/     pictures of its pages
corrections/       what people put right in the parse, a file a paper
answers/           answers that were asked for here, with their trajectories
settings.json      of retrieval and of models

A server that only reads keeps jobs, answers and settings in a folder of its own, and writes nothing to the corpus.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kag.core.errors import BadValue, UnknownNode
from kag.corpus import catalogue, graphs
from kag.corpus.layout import Layout, file_errors, is_paper
from kag.corpus.transaction import open_writer, settle


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of a corpus as a server uses it; paths of papers are made of checked ids alone."""

    root: Path
    own: Path | None = None

    @property
    def folder(self) -> Path:
        return self.root / "serve"

    @property
    def kept(self) -> Path:
        """Return the folder of the server's own files, outside the corpus."""
        return self.own or self.folder

    @property
    def jobs(self) -> Path:
        return self.kept / "jobs"

    @property
    def answers(self) -> Path:
        return self.kept / "answers"

    @property
    def settings(self) -> Path:
        return self.kept / "settings.json"

    def source(self, paper: str) -> Path:
        """The folder with what a paper was made from."""
        return self.folder / "sources" / checked_id(paper)

    def pages(self, paper: str) -> Path:
        """The folder with the pictures of a paper's pages."""
        return self.folder / "pages" / checked_id(paper)

    def corrections(self, paper: str) -> Path:
        """Return the file of a paper's corrections."""
        return self.folder / "corrections" / f"{checked_id(paper)}.jsonl"


def checked_id(paper: str) -> str:
    """A paper's id; raises `UnknownNode` for words that no paper can be called by, such as `../x`."""
    if not is_paper(paper):
        raise UnknownNode(f"there is no paper {paper[:80]!r}", hint="Use an id from the list of papers.")
    return paper


def open_home(root: Path, own: Path | None = None) -> Home:
    """The home at a path: a corpus, or a new or empty folder, which becomes one.

    With a folder of its `own` the server only reads, and nothing becomes a corpus. Raises `CorpusError`.
    """
    layout = Layout(root)
    if own is None and not layout.tables.is_file():
        with open_writer(root, create=True) as writer:
            with catalogue.open_tables(layout.tables, write=True):
                pass
            graphs.publish(writer.store, layout)
    layout.require()
    settle(root)
    home = Home(root, own)
    if home.folder.is_symlink():
        raise BadValue(f"{home.folder} is a symbolic link, and is not followed", hint="Delete it.")
    with file_errors(home.kept):
        for folder in (home.jobs, home.answers, home.kept / "corrections"):
            folder.mkdir(parents=True, exist_ok=True)
    return home
