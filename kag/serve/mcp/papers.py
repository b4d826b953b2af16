"""`OpenPapers`: the papers at a PATH as agents read them: opened when first asked for, and again when they changed.

What is open is lent to one call at a time. A call that finds all of it lent waits a moment, then has the papers opened
once more, so that a long question does not keep short ones waiting; `SIDE` times at most. Nothing is written: a corpus
without an index of its own is given one in memory. Pictures of pages come from the sources that the server was given.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kag.agents.read.read_options import ReadOptions, checked
from kag.core.tool import Tool, toolset
from kag.qa.library import Library, open_library

if TYPE_CHECKING:
    from kag.corpus.store import Corpus
    from kag.qa.answer_batch import Asking
    from kag.qa.library import Shelf
    from kag.serve.mcp.reader_tools import ReaderTools


SIDE = 4  # calls that are answered side by side
PATIENCE = 0.2  # seconds that a call waits for another's end before papers are opened once more


@dataclass(frozen=True, slots=True)
class Opened:
    """Papers with their index, who answers about them, all tools over them by name, and the ten of a reader."""

    shelf: Shelf
    asking: Asking
    reader: ReaderTools
    tools: dict[str, Tool]
    reader_tools: dict[str, Tool]


@dataclass(frozen=True, slots=True)
class _Open:
    """Opened papers with their state; closing them is on the stack."""

    state: object
    opened: Opened
    stack: ExitStack


class OpenPapers:
    """A run, a folder of runs or a corpus; threads may share it, and each works with what is `lent` to it."""

    def __init__(self, path: Path, options: ReadOptions | None = None, sources: tuple[Path, ...] = ()) -> None:
        """Raise `RunError` or `CorpusError` if there are no papers, `ModelError` for an invalid model."""
        self.path, self.sources = path, sources
        self._options = checked(options or ReadOptions())
        self._corpus = _corpus_at(path)
        self._runs = None if self._corpus else open_library(path)
        self._changed = threading.Condition()
        self._idle: list[_Open] = []
        self._lent, self._opening = 0, False
        self._own: _Open | None = None

    def close(self) -> None:
        """Let go of what was read, and of the model."""
        with self._changed:
            idle, self._idle, own, self._own = self._idle, [], self._own, None
        for one in (*idle, *((own,) if own else ())):
            one.stack.close()

    @contextmanager
    def lent(self) -> Iterator[Opened]:
        """All that tools read, for this thread alone until it is given back."""
        taken = self._take()
        try:
            yield taken.opened
        finally:
            with self._changed:
                self._lent -= 1
                self._idle.append(taken)
                self._changed.notify_all()

    def _take(self) -> _Open:
        """Return an idle reader as soon as there is one; opens another if none is coming, or if the papers have
        changed."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle or not self._opening)
            self._changed.wait_for(lambda: self._idle or not self._lent, PATIENCE)
            self._changed.wait_for(lambda: self._idle or (self._lent < SIDE and not self._opening))
            idle = self._idle.pop() if self._idle else None
            self._lent, self._opening = self._lent + 1, idle is None
        taken = None
        try:
            state = self._state()
            if idle and idle.state != state:
                idle.stack.close()
                idle = None
            taken = idle or self._open(state)
            return taken
        finally:
            with self._changed:
                self._lent, self._opening = self._lent - (taken is None), False
                self._changed.notify_all()

    @property
    def ids(self) -> tuple[str, ...]:
        """The papers' ids, sorted; nothing of them is read."""
        return tuple(sorted(paper.id for paper in self._corpus.papers())) if self._corpus else tuple(self._runs or ())

    @property
    def library(self) -> Library:
        """The papers by id, with their run folders."""
        return self._corpus.library() if self._corpus else self._runs or Library({})

    @property
    def opened(self) -> Opened:
        """All that tools read, for a program of one thread; made again when a paper or the index is another."""
        state = self._state()
        if self._own is None or self._own.state != state:
            if self._own:
                self._own.stack.close()
            self._own = self._open(state)
        return self._own.opened

    def _state(self) -> object:
        from kag.corpus.search_index import indexed

        if self._corpus is None:
            return None
        self._corpus = _corpus_at(self.path) or self._corpus
        return self._corpus.papers(), indexed(self.path)

    def _open(self, state: object) -> _Open:
        from kag.agents.read.asking import open_corpus_papers, open_runs
        from kag.qa.views.search_tools import CorpusTools
        from kag.qa.views.views import CorpusViews
        from kag.serve.mcp.reader_tools import AnswerTools, ReaderTools

        with ExitStack() as stack:
            runs, shelf = self._papers()
            work = Path(stack.enter_context(TemporaryDirectory(prefix="kag-")))
            put = (
                open_corpus_papers(self._corpus, shelf, self._options, work)
                if self._corpus
                else open_runs(runs, self._options, work, lambda: shelf)
            )
            asking = stack.enter_context(put)
            reader = ReaderTools(shelf, asking, self.sources)
            years = {paper.id: paper.year for paper in shelf.papers}
            corpus = CorpusTools(shelf.index, shelf.library, years=years)
            tools = toolset(reader, AnswerTools(reader), corpus, CorpusViews(shelf.library))
            named, own = ({tool.name: tool for tool in group} for group in (tools, toolset(reader)))
            opened = Opened(shelf, asking, reader, named, own)
            return _Open(state, opened, stack.pop_all())

    def _papers(self) -> tuple[Library, Shelf]:
        """Reopen the papers for one reader, by id and as a collection."""
        from kag.corpus.search_index import indexed
        from kag.corpus.store import open_shelf
        from kag.qa.library import shelf_of

        library = self.library
        own = Library({name: library.path(name) for name in library})
        if self._corpus and indexed(self._corpus.root):
            return own, open_shelf(self._corpus.root)
        return own, shelf_of(own, layers=True)


def _corpus_at(path: Path) -> Corpus | None:
    """The corpus at a path, if it is one."""
    from kag.corpus.layout import is_corpus
    from kag.corpus.store import open_corpus

    return open_corpus(path) if is_corpus(path) else None
