"""Many papers from Python: questions of a file, and a corpus that can be changed, searched and asked.

This is what `import kag` gives; `kag/corpus/` is how it is kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from kag.agents.model.options import Limits
from kag.core.errors import CorpusError, EvidenceError, QueryError
from kag.core.evidence import Answer
from kag.core.report import Report
from kag.corpus import changing
from kag.corpus.catalogue import Listed
from kag.corpus.changing import ids_at, runs_at, with_layers
from kag.corpus.layout import Layout, is_corpus
from kag.corpus.store import Corpus as Store
from kag.corpus.store import open_corpus
from kag.corpus.transaction import Change
from kag.paper import Paper, PathLike, as_question, verify
from kag.qa.library import Library
from kag.sources.reading import Reading

if TYPE_CHECKING:
    from kag.core.tool import Approval
    from kag.qa.found_place import Place
    from kag.qa.library import Shelf
    from kag.retrieval.facets import Faceted

Given = PathLike | Paper
"""What goes into a corpus: a paper's file or folder, a run, a folder of either, or a `Paper`."""


def answer_all(
    questions: PathLike,
    graph_dir: PathLike,
    out_dir: PathLike | None = None,
    *,
    paper: str | None = None,
    lm: str = "",
    mode: str = "",
    **limits: Unpack[Limits],
) -> Iterator[Answer]:
    """Answer the questions of a file about the runs in a folder, as `kag qa` does; yields each answer when it is kept.

    `out_dir` (`graph_dir/qa` without one) gets answers/<id>.json, trajectories/<id>.jsonl and summary.json; questions
    answered there are not asked again. `paper` is the name that the file has for a single run. The other arguments are
    those of `Paper.ask`. Raises `EvidenceError` for a file that holds no such questions.
    """
    from kag.agents.read.asking import answer_file
    from kag.agents.read.read_options import ReadOptions, checked

    options = checked(ReadOptions(mode=mode, lm=lm, **limits))
    return answer_file(Path(questions), Path(graph_dir), Path(out_dir or Path(graph_dir) / "qa"), options, paper)


class Corpus(Mapping[str, Paper]):
    """Many papers in one folder: a mapping of paper ids to papers that is changed by `add`, `update` and `remove`.

    A folder that is not there yet becomes a corpus when the first paper is added. Each change is whole or not there,
    whatever kills the process; one process writes at a time (`CorpusBusy`), any number read. What is there is what
    anybody sees: nothing has to be saved. Use one `Corpus` object for each thread.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Corpus(folder + "/library") as corpus:
    ...     changes = corpus.add("test_data/urban_pollinators")
    ...     print(list(corpus), corpus["urban_pollinators"].title[:8])
    ['urban_pollinators'] Allotmen
    """

    def __init__(self, path: PathLike) -> None:
        """Raises `CorpusError` where the folder holds something else, or a corpus of another version."""
        self.path = Path(path)
        self._closed = False
        self._shelf: tuple[object, Shelf] | None = None
        empty = not self.path.exists() or (self.path.is_dir() and not any(self.path.iterdir()))
        if not empty:
            Layout(self.path).require()

    def __repr__(self) -> str:
        return f"<kag.Corpus {str(self.path)!r}{', closed' if self._closed else ''}>"

    def __eq__(self, other: object) -> bool:
        return self is other  # as a mapping it would open all papers to tell

    __hash__ = object.__hash__

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what was read; it cannot be used any more. All changes are kept already."""
        self._closed, self._shelf = True, None

    # the papers -------------------------------------------------------------------------------

    def __getitem__(self, paper_id: str) -> Paper:
        """A paper by its id; raises `KeyError`."""
        library = self._store.library()
        return Paper(library[paper_id], library.path(paper_id))

    def __iter__(self) -> Iterator[str]:
        return (paper.id for paper in self.papers)

    def __len__(self) -> int:
        return len(self.papers)

    def __contains__(self, paper_id: object) -> bool:
        return any(paper.id == paper_id for paper in self.papers)

    @property
    def papers(self) -> tuple[Listed, ...]:
        """Return the metadata of each paper by id, without opening it: title, year, DOI, pages, number of
        references."""
        self._require_open()
        return self._store.papers() if is_corpus(self.path) else ()

    @property
    def citations(self) -> list[tuple[str, str]]:
        """Pairs of ids: the first cites the second, and both are here. `networkx.DiGraph` takes them as they are."""
        names = {paper.iri: paper.id for paper in self.papers}
        return [(names[one], names[other]) for one, other in self._store.citations()] if names else []

    @property
    def graphs(self) -> Library:
        """The papers' graphs as rules and tools read them, by id."""
        return self._store.library()

    # changes ----------------------------------------------------------------------------------

    def add(
        self, *papers: Given, out_dir: PathLike | None = None, password: str = "", language: str = "", layers: str = ""
    ) -> tuple[Change, ...]:
        """Add papers; what is there with the same bytes is left alone.

        What is no run is indexed first (as `index_all` does; its run is kept where `out_dir` is given); `password` and
        `language` are for PDFs, as there; those without `layers` ("entity,claim") get them. Raises
        `CorpusError` when a paper could not be added, or is there in another version (see `update`): the others are in.
        """
        return self._put(papers, out_dir, Reading(password=password, language=language), layers, replace=False)

    def update(
        self, *papers: Given, out_dir: PathLike | None = None, password: str = "", language: str = "", layers: str = ""
    ) -> tuple[Change, ...]:
        """`add`, and replace those that are there in another version."""
        return self._put(papers, out_dir, Reading(password=password, language=language), layers, replace=True)

    def remove(self, *papers: PathLike) -> tuple[Change, ...]:
        """Remove papers by id, or by the path they were added from. Raises `CorpusError` when one is not there."""
        ids = [paper for given in papers for paper in ids_at(os.fspath(given))]
        self._store  # noqa: B018 - a corpus that is closed or not there is told first
        return _all_done(tuple(changing.remove(self.path, ids)))

    def _put(
        self, papers: Sequence[Given], out_dir: PathLike | None, reading: Reading, layers: str, *, replace: bool
    ) -> tuple[Change, ...]:
        self._require_open()
        with ExitStack() as stack:
            folder = Path(out_dir or stack.enter_context(TemporaryDirectory(prefix="kag-")))
            paths = [_path(paper, folder) for paper in papers]
            runs, failed = runs_at(paths, folder, lambda *_: None, reading)
            changes = [Change(outcome.job.name, "failed", outcome.message, outcome.hint) for outcome in failed]
            if layers:
                runs = with_layers(runs, layers, Path(stack.enter_context(TemporaryDirectory(prefix="kag-"))))
            if runs:
                changes += changing.put(self.path, runs, replace=replace)
        return _all_done(tuple(changes))

    def index(self, *, vectors: bool = False, graph: bool = False, layers: str = "") -> None:
        """Make or update the index of `ask` and `search`: by words, by `vectors` (bge-small on this machine) and with a
        `graph` over the passages (SAGE). It follows every later change. `layers` ("entity,claim") are made for papers
        that lack them, with links between the layers of all papers as they are now.

        Raises `MissingExtra` for `vectors` without `kag-papers[vectors]`.
        """
        self._store  # noqa: B018
        if layers:
            with TemporaryDirectory(prefix="kag-") as folder:
                _all_done(changing.link(self.path, layers, Path(folder))[0])
        changing.index(self.path, changing.IndexOptions(vectors, graph))

    # questions --------------------------------------------------------------------------------

    def ask(
        self,
        question: str,
        *,
        paper: str = "",
        lm: str = "",
        mode: str = "",
        rerank: bool = False,
        model: str = "",
        approve: Approval | None = None,
        **limits: Unpack[Limits],
    ) -> Answer:
        """Answer a question from all papers, or from one `paper`, as `Paper.ask` does. The first makes an index."""
        from kag.agents.read.asking import open_corpus_papers
        from kag.agents.read.read_options import ReadOptions, checked
        from kag.core.trajectory import Trajectory
        from kag.qa.answer_batch import Put

        asked = as_question(question)
        if paper and paper not in self:
            raise EvidenceError(f"there is no paper {paper[:80]!r}", hint=f"There are {', '.join(list(self)[:5])}.")
        if paper:
            return self[paper].ask(question, lm=lm or model, mode=mode, rerank=rerank, approve=approve, **limits)
        options = checked(ReadOptions(mode=mode, lm=lm or model, rerank=rerank, approve=approve, **limits))
        with ExitStack() as stack:
            work = Path(stack.enter_context(TemporaryDirectory(prefix="kag-")))
            opened = open_corpus_papers(self._store, self._opened_shelf(), options, work)
            answer, _ = stack.enter_context(opened).respond(Put(asked, ""), Trajectory())
        return answer

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        plan: str = "",
        papers: Iterable[str] = (),
        references: bool = False,
        facets: Mapping[str, Any] | None = None,
        k_prime: int = 0,
        hops: int = 0,
    ) -> tuple[Place, ...]:
        """At most `k` passages, the best first, each with a stretch to quote and where it is printed.

        With `k_prime` so many more follow that a plan reaches by expansion; `hops` is how far it walks (1 to 3).
        `plan` is how to search ("bm25", "hybrid", "sage", ...), by default the best that the index allows; one that
        needs what the index lacks falls back. `papers` limits it to some; with `references` entries of reference lists
        are hits too. `facets` limits it to what has one of the values of each, as {"entity": "species:people",
        "role": ["result", "conclusion"]} (`Corpus.facets` tells which there are). Raises `BadValue` for an empty query,
        an unknown plan, paper or facet.
        """
        from kag.qa.places import located
        from kag.retrieval.presets import PlanOptions
        from kag.retrieval.retrieve import search

        shelf, some, far = self._opened_shelf(), tuple(papers), PlanOptions(k_prime, hops)
        if facets:
            hits = self._faceted(query, plan, some, references, facets).hits[:k]
        else:
            hits = search(shelf.index, query, plan=plan, k=k, documents=some, references=references, options=far).hits
        return located(hits, query, shelf.index, shelf.library)

    def facets(
        self,
        query: str,
        chosen: Mapping[str, Any] | None = None,
        *,
        plan: str = "",
        papers: Iterable[str] = (),
        references: bool = False,
    ) -> dict[str, dict[str, int]]:
        """By what a search can be narrowed down: of each facet its values, with how many of the first 200 hits have
        them and what is `chosen` of the others. Entities and roles of claims are those of papers with layers.

        The arguments are those of `search`.
        """
        found = self._faceted(query, plan, tuple(papers), references, chosen or {})
        return {name: dict(counts) for name, counts in found.counts.items()}

    def _faceted(
        self, query: str, plan: str, papers: tuple[str, ...], references: bool, facets: Mapping[str, Any]
    ) -> Faceted:
        from kag.retrieval.facets import faceted, finder, given, within

        index = self._opened_shelf().index
        wanted = within(given(facets), papers)
        years = {paper.id: paper.year for paper in self.papers}
        return faceted(index, wanted, years, finder(index, query, plan, references))

    def sparql(self, query: str) -> list[dict[str, str]]:
        """The rows of a read-only SPARQL query over all graphs, each as variable -> value; unbound ones are left out.

        `GRAPH ?paper {...}` tells the papers apart. Raises `QueryError` for a query that is refused or wrong, or takes
        more than 10 s, 1,000 rows or 1 MB.
        """
        from kag.corpus.sparql.query import ask

        self._store  # noqa: B018 - it is brought into step
        table = ask(self.path, query)
        if table.ended:
            raise QueryError(f"there is more than the limit of {table.ended} allows", hint="Give LIMIT and OFFSET.")
        return [
            {name: term["value"] for name, term in zip(table.names, row, strict=True) if term} for row in table.rows
        ]

    def verify(self, answer: Answer | PathLike) -> Report:
        """All that does not hold in an answer (see `kag.verify`)."""
        return verify(answer, self)

    def check(self) -> Report:
        """All that is wrong with files, graphs, tables and index; `kag corpus check --repair` puts it right."""
        from kag.corpus.check import check_corpus

        self._store  # noqa: B018
        return check_corpus(self.path)

    # what is open -----------------------------------------------------------------------------

    def _require_open(self) -> None:
        if self._closed:
            raise CorpusError("this corpus is closed", hint="Open it again: kag.Corpus(path).")

    @property
    def _store(self) -> Store:
        self._require_open()
        return open_corpus(self.path)

    def _opened_shelf(self) -> Shelf:
        """The papers with their index; what was opened is kept until a paper or the index is another."""
        from kag.corpus.search_index import indexed
        from kag.corpus.store import open_shelf

        store = self._store
        if not indexed(self.path):
            self.index()
        state = store.papers(), indexed(self.path)
        if self._shelf is None or self._shelf[0] != state:
            self._shelf = (store.papers(), indexed(self.path)), open_shelf(self.path)
        return self._shelf[1]


def _path(paper: Given, folder: Path) -> Path:
    """Return the path of a paper; a paper in memory is written into a folder first."""
    if not isinstance(paper, Paper):
        return Path(paper)
    return paper.path or paper.save(folder)


def _all_done(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes; raises `CorpusError` where one failed."""
    failed = [change for change in changes if change.state == "failed"]
    if failed:
        rest = f" (and {len(failed) - 1} more of {len(changes)})" if len(failed) > 1 else ""
        raise CorpusError(f"{failed[0].message}{rest}", hint=failed[0].hint)
    return changes
