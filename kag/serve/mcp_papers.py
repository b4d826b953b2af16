"""`OpenPapers`: the papers at a PATH as agents read them: opened when first asked for, and again when they changed.

Nothing is written: a corpus without an index of its own is given one in memory.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kag.agents.read.read_options import ReadOptions, checked
from kag.read.library import Library, open_library
from kag.values.tool import Tool, toolset

if TYPE_CHECKING:
    from kag.corpus.store import Corpus
    from kag.read.across.shelf import Shelf
    from kag.read.answer_batch import Asking


@dataclass(frozen=True, slots=True)
class Opened:
    """Papers with their index, who answers about them, and the tools over them."""

    shelf: Shelf
    asking: Asking
    tools: dict[str, Tool]


class OpenPapers:
    """A run, a folder of runs or a corpus. One thread reads at a time: hold `turn`."""

    def __init__(self, path: Path, options: ReadOptions | None = None, sources: tuple[Path, ...] = ()) -> None:
        """Raises `RunError` or `CorpusError` where there are no papers, `ModelError` for a model that cannot be."""
        self.path, self.sources, self.turn = path, sources, threading.Lock()
        self._options = checked(options or ReadOptions())
        self._corpus = _corpus_at(path)
        self._runs = None if self._corpus else open_library(path)
        self._kept: tuple[object, Opened] | None = None
        self._stack = ExitStack()

    def close(self) -> None:
        """Let go of what was read, and of the model."""
        self._kept = None
        self._stack.close()

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
        """All that tools read; made again when a paper or the index is another."""
        state = self._state()
        if self._kept is None or self._kept[0] != state:
            self.close()
            self._kept = state, self._open()
        return self._kept[1]

    def _state(self) -> object:
        from kag.corpus.search_index import indexed

        if self._corpus is None:
            return None
        self._corpus = _corpus_at(self.path) or self._corpus  # it may be in other shards than before
        return self._corpus.papers(), indexed(self.path)

    def _open(self) -> Opened:
        from kag.agents.read.asking import open_corpus_papers
        from kag.agents.read.asking_runs import open_runs
        from kag.read.views.corpus_views import CorpusViews
        from kag.read.views.search_tools import CorpusTools
        from kag.serve.toolset import LibraryTools

        shelf = self._shelf()
        work = Path(self._stack.enter_context(TemporaryDirectory(prefix="kag-")))
        put = (
            open_corpus_papers(self._corpus, shelf, self._options, work)
            if self._corpus
            else open_runs(self.library, self._options, work, shelf)
        )
        asking = self._stack.enter_context(put)
        owners = (
            LibraryTools(shelf, asking, self.sources),
            CorpusTools(shelf.index, shelf.library),
            CorpusViews(shelf.library),
        )
        return Opened(shelf, asking, {tool.name: tool for tool in toolset(*owners)})

    def _shelf(self) -> Shelf:
        from kag.corpus.open_shelf import open_shelf
        from kag.corpus.search_index import indexed
        from kag.read.across.own_shelf import shelf_of

        if self._corpus and indexed(self._corpus.root):
            return open_shelf(self._corpus.root)
        return shelf_of(self.library)


def _corpus_at(path: Path) -> Corpus | None:
    """The corpus at a path, if it is one."""
    from kag.corpus.changing import is_corpus
    from kag.corpus.store import open_corpus

    return open_corpus(path) if is_corpus(path) else None
