"""`Reader`: a corpus as a server reads it: opened once, shared by threads, and opened again when it was changed."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.errors import KagError, UnknownNode
from kag.corpus.catalogue import Listed
from kag.corpus.store import Corpus as Store
from kag.corpus.store import open_corpus
from kag.paper import Paper
from kag.qa.answer_batch import extractor
from kag.qa.library import Library
from kag.qa.paper import PaperGraph
from kag.serve.home import Home, checked_id

if TYPE_CHECKING:
    from kag.qa.library import Shelf

FRESH = 0.5  # seconds for which what was read of the tables is taken to be so still
KEPT = 64  # papers that are kept open


class SharedLibrary(Library):
    """A library that threads may share: one of them reads a paper, the others wait for it."""

    def __init__(self, runs: Mapping[str, Path], loaded: Mapping[str, PaperGraph] | None = None) -> None:
        super().__init__(runs, loaded)
        self._turn = threading.RLock()

    def __getitem__(self, paper_id: str) -> PaperGraph:
        with self._turn:
            return super().__getitem__(paper_id)

    def still(self, runs: Mapping[str, Path]) -> dict[str, PaperGraph]:
        """The papers in memory that are the same among these."""
        with self._turn:
            return {name: graph for name, graph in self._loaded.items() if graph.path == runs.get(name)}


@dataclass(frozen=True, slots=True)
class Front:
    """A paper's row in a list besides the tables: its authors, and its number of warnings."""

    authors: tuple[str, ...] = ()
    warnings: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """The papers of a corpus at one moment, and which of them cite each other (ids)."""

    papers: tuple[Listed, ...]
    citations: tuple[tuple[str, str], ...]
    library: SharedLibrary

    @property
    def tag(self) -> str:
        """Another one when a paper is another: for `ETag`."""
        return hashlib.sha256("\n".join(f"{paper.id} {paper.version}" for paper in self.papers).encode()).hexdigest()[
            :16
        ]

    def listed(self, paper: str) -> Listed:
        """Return a paper's row; raises `UnknownNode`."""
        found = next((one for one in self.papers if one.id == checked_id(paper)), None)
        if found is None:
            raise UnknownNode(f"there is no paper {paper[:80]!r}", hint="Use an id from the list of papers.")
        return found


class Reader:
    """The reader of all requests. Many threads may call it."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._lock = threading.RLock()
        self._asking = threading.RLock()  # an index is asked by one thread at a time
        self._state: tuple[float, State] | None = None
        self.extract = extractor()  # the rules, with the word indexes of the papers asked last
        self.replies: dict[tuple[object, ...], Sequence[str]] = {}  # of models to steps of a search
        self._papers: dict[tuple[str, str], Paper] = {}
        self._fronts: dict[str, tuple[str, Front]] = {}  # with the version of the paper that they are of
        self._shelf: tuple[object, Shelf] | None = None

    def forget(self) -> None:
        """Look again at what there is: a job changed it."""
        with self._lock:
            self._state = self._state and (0.0, self._state[1])

    @property
    def state(self) -> State:
        """The papers as they are now, or were half a second ago."""
        with self._lock:
            if self._state and time.monotonic() - self._state[0] < FRESH:
                return self._state[1]
            store = self.store
            papers = store.papers()
            before = self._state and self._state[1]
            state = before if before and before.papers == papers else self._read(store, papers)
            self._state = time.monotonic(), state
            return state

    def _read(self, store: Store, papers: tuple[Listed, ...]) -> State:
        names = {paper.iri: paper.id for paper in papers}
        pairs = ((names.get(one), names.get(other)) for one, other in store.citations())
        library = store.library()
        known = {paper.id: library.path(paper.id) for paper in papers if paper.id in library}
        kept = self._state[1].library.still(known) if self._state else {}
        return State(papers, tuple((a, b) for a, b in pairs if a and b), SharedLibrary(known, kept))

    def paper(self, paper: str) -> Paper:
        """A paper with its parts; kept while it is asked for."""
        state = self.state
        listed = state.listed(paper)
        key = listed.id, listed.version
        with self._lock:
            if key not in self._papers:
                opened = Paper(state.library[listed.id], state.library.path(listed.id))
                self._papers[key] = opened
                if len(self._papers) > KEPT:
                    self._papers.pop(next(iter(self._papers)))
            return self._papers[key]

    def front(self, paper: str) -> Front:
        """The authors and warnings of a paper; kept until the paper changes. Nothing where its run cannot be read."""
        state = self.state
        version = state.listed(paper).version
        known = self._fronts.get(paper)
        if known is None or known[0] != version:
            try:
                run = state.library.path(paper)
                opened = Paper(PaperGraph.load(run), run)
                known = version, Front(opened.authors, len(opened.warnings))
            except KagError:
                known = version, Front()
            self._fronts[paper] = known
        return known[1]

    def graph(self, paper: str) -> PaperGraph:
        """A paper's graph as rules and views read it."""
        (graph,) = self.paper(paper).graphs.values()
        return graph

    @property
    def turn(self) -> threading.RLock:
        """Held while the index of all papers is asked."""
        return self._asking

    def shelf(self) -> Shelf:
        """All papers with their index; raises `CorpusError` where there is none, `MissingExtra`."""
        from kag.corpus.search_index import indexed
        from kag.corpus.store import open_shelf

        with self._asking:
            state = self.state.papers, indexed(self.home.root)
            if self._shelf is None or self._shelf[0] != state:
                self._shelf = state, open_shelf(self.home.root)
            return self._shelf[1]

    @property
    def store(self) -> Store:
        """The corpus in its current state, as `kag.corpus` reads it."""
        return open_corpus(self.home.root)
