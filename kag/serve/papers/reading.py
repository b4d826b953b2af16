"""`Reader`: a corpus as a server reads it: opened once, shared by threads, and opened again when it was changed; and
`find`: search with facets, with the settings of the server, a page of places at a time.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kag.agents.read.read_options import ReadOptions
from kag.agents.retrieval_stages import open_stages
from kag.core.errors import BadValue, KagError, UnknownNode
from kag.corpus.catalogue import Listed
from kag.corpus.store import Corpus as Store
from kag.corpus.store import open_corpus
from kag.paper import Paper
from kag.qa.answer_batch import extractor
from kag.qa.found_place import Place
from kag.qa.library import Library
from kag.qa.paper import PaperGraph
from kag.qa.places import located
from kag.retrieval.facets import Chosen, Counts, faceted
from kag.retrieval.presets import PlanOptions
from kag.retrieval.retrieve import Found, search
from kag.retrieval.steps.rank import RULES, Stages
from kag.serve.home import Home, Settings, checked_id

if TYPE_CHECKING:
    from kag.qa.library import Shelf


FRESH = 0.5  # seconds for which what was read of the tables is taken to be so still
KEPT_PAPERS = 64  # papers that are kept open


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
                if len(self._papers) > KEPT_PAPERS:
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


WITH_MODEL = ("entity", "multi_query")  # the plans that have steps for a model
KEPT_REPLIES = 2_000  # replies of models that are kept, for the next page of a search


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search: its words, the chosen facet values, and a span of years; none is all.

    With `k` at most so many hits are found, `k_prime` more by expansion behind these; `hops` is how far a plan walks.
    0 leaves each to the settings.
    """

    query: str
    plan: str = ""
    chosen: Chosen = field(default_factory=dict)
    from_year: int | None = None
    to_year: int | None = None
    references: bool = False
    k: int = 0
    k_prime: int = 0
    hops: int = 0


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of hits with their places; of each facet how many hits have a value, what is chosen, what is lacking.

    `total` hits are on all pages, `kag.retrieval.facets.DEEP` at most.
    """

    query: str
    plan: str
    notes: tuple[str, ...]
    total: int
    items: tuple[Place, ...]
    facets: Counts
    chosen: Chosen
    facet_notes: tuple[str, ...]
    cursor: str


def find(reader: Reader, wanted: Wanted, settings: Settings, start: int = 0, count: int = 10) -> SearchPage:
    """One page of what is found; raises `BadValue` for an empty query, an unknown plan, and no such paper.

    Where the settings name a model, it does the steps of the plans entity and multi_query that one can do. Raises
    `ModelError` where it cannot be asked at all; where a call fails, rules stand in.
    """
    years = {paper.id: paper.year for paper in reader.state.papers}
    plan, options = wanted.plan or settings.plan, _options(wanted, settings)
    with _stages(reader, plan, settings) as stages, reader.turn:
        index = reader.shelf().index

        entries = wanted.references
        ask = partial(search, index, wanted.query, plan=plan, references=entries, stages=stages, options=options)

        def searched(documents: Collection[str], most: int) -> Found:
            k = min(most, wanted.k or (settings.hits if options.more else most))
            return ask(k=k, documents=documents)

        found = faceted(index, _within(wanted, years), years, searched)
        places = located(found.hits[start : start + count], wanted.query, index, reader.state.library)
    end, total = start + count, len(found.hits)
    facets = found.counts, found.chosen, found.notes
    more = str(end) if end < total else ""
    return SearchPage(wanted.query, found.found.plan, found.found.notes, total, places, *facets, more)


def _options(wanted: Wanted, settings: Settings) -> PlanOptions:
    """Return how far the plan expands: as in this search, else as in the settings; the hops of the settings are for the
    plan entity."""
    usual = settings.graph_expansion_hops if (wanted.plan or settings.plan) == "entity" else 0
    return PlanOptions(
        wanted.k_prime or settings.k_prime,
        wanted.hops or usual,
        settings.graph_min_entities_threshold,
        settings.graph_max_synonyms_per_entity,
        settings.graph_semantic_reranking_enabled,
    )


@contextmanager
def _stages(reader: Reader, plan: str, settings: Settings) -> Iterator[Stages]:
    """The steps of a plan by the model of the settings, else by rules. Hits are shown whole, so none is condensed."""
    rules = replace(RULES, condense=None)
    if not settings.model or plan not in WITH_MODEL:
        yield rules
        return
    options = ReadOptions(lm=settings.model, max_usd=settings.max_usd, max_calls=settings.max_calls)
    with open_stages(options, rules=rules) as model:
        asked = model.stages
        known = partial(_known, reader.replies, settings.model)
        synonyms = known(asked.synonyms) if asked.synonyms else None
        yield Stages(known(asked.extract), synonyms, known(asked.variants), None)


def _known(
    replies: dict[tuple[object, ...], Sequence[str]], model: str, ask: Callable[..., Sequence[str]]
) -> Callable[..., Sequence[str]]:
    """A step whose results are kept: one search runs a plan more than once, and its next page does so again."""

    def asked(*given: object) -> Sequence[str]:
        key = model, ask.__name__, *given
        if key not in replies:
            replies[key] = ask(*given)
            if len(replies) > KEPT_REPLIES:
                replies.pop(next(iter(replies)))
        return replies[key]

    return asked


def _within(wanted: Wanted, years: Mapping[str, str]) -> Chosen:
    """The choice, with a span of years as the years of papers in it. Raises `BadValue` where there are none."""
    if not (wanted.from_year or wanted.to_year):
        return wanted.chosen
    low, high = wanted.from_year or 0, wanted.to_year or 9999
    known = wanted.chosen.get("year") or sorted(set(years.values()))
    spanned = tuple(year for year in known if year.isdecimal() and low <= int(year) <= high)
    if not spanned:
        raise BadValue("no paper is of these years", hint="Choose others.")
    return {**wanted.chosen, "year": spanned}
