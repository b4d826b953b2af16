"""One paper from Python: open its run, take its parts as values, ask it, and check what it answers.

This is what `import kag` gives; `kag.qa.paper.PaperGraph`, which rules and tools read, is the graph behind it.
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Protocol, Unpack, runtime_checkable

from kag.core.display import html_table
from kag.core.errors import BadValue, RunError
from kag.core.evidence import Answer, Shown, read_answer
from kag.core.files import shown
from kag.core.report import Report
from kag.export.paper_parts import PaperParts
from kag.indexing.run import GRAPH, Run, load_run, read_file, read_files, write_run
from kag.qa.library import open_library
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import LONGEST, Question
from kag.text.language import require_english, require_question

if TYPE_CHECKING:
    from rdflib import Graph

    from kag.agents.model.options import Limits
    from kag.core.tool import Approval
    from kag.export.property_graph import Edges, Nodes
    from kag.layers.values import Claim, Entity, Findings, Measurement
    from kag.qa.found_place import Place
    from kag.qa.passage_index import SearchIndex

PathLike = str | os.PathLike[str]


@runtime_checkable
class Papers(Protocol):
    """One paper or many: their graphs by id are what an answer is verified by."""

    @property
    def graphs(self) -> Mapping[str, PaperGraph]: ...


def open(path: PathLike) -> Paper:
    """Open a paper that was indexed: its run folder, or a folder with runs of this paper alone (the newest counts).

    Raises `RunError` where there is no run, where it is damaged, or where the folder holds several papers.
    """
    library = open_library(Path(path))
    if len(library) > 1:
        hint = f"Open one of them, such as {next(iter(library))}, or put them into a Corpus."
        raise RunError(f"{shown(Path(path))} holds {len(library)} papers", hint=hint)
    (name,) = library
    return Paper(library[name], library.path(name))


class Paper(PaperParts):
    """A paper that was indexed. Made by `kag.index` and `kag.open`; nothing here changes it.

    Its parts are tuples of values in reading order. What is read is kept, so asking twice costs once. Threads may share
    a paper: everything is read-only, and at worst something is read twice.

    >>> import kag
    >>> paper = kag.index("test_data/urban_pollinators")
    >>> paper.authors[0], paper.year, len(paper.references)
    ('Ágnes Szőke', 2021, 28)
    """

    def __init__(self, graph: PaperGraph, path: Path | None = None, files: Mapping[str, bytes] | None = None) -> None:
        super().__init__(graph)
        self.path = path
        self._files = files or {}  # of a paper without a path

    def __repr__(self) -> str:
        return f"<kag.Paper {self.id!r}: {self.title[:60]!r}>"

    def _repr_html_(self) -> str:
        """Title, authors and counts for a notebook, escaped."""
        counts = {name: len(getattr(self, name)) for name in ("sections", "figures", "tables", "references")}
        facts = {
            "authors": ", ".join(self.authors),
            "year": self.year or "",
            "journal": self.journal,
            "DOI": self.doi,
            **counts,
            "warnings": "; ".join(warning["message"] for warning in self.warnings),
        }
        rows = [(name, value) for name, value in facts.items() if value != ""]
        return html_table(("paper", self.id), rows, self.title)

    @property
    def graphs(self) -> Mapping[str, PaperGraph]:
        """The graph as rules and tools read it, by the paper's id."""
        return {self.id: self._graph}

    @property
    def warnings(self) -> tuple[Mapping[str, str], ...]:
        """Return the warnings of the paper, as in `summary.json`."""
        return tuple(self.run.summary.get("warnings", ()))

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Return the entities of the paper, each with its mentions and identifiers."""
        return self._findings.entities

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """Return the measurements: values with unit, property, entity and conditions, including those of tables."""
        return self._findings.measurements

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The sentences that state results, conclusions, methods and the like."""
        return self._findings.claims

    @cached_property
    def _findings(self) -> Findings:
        from kag.layers.pipeline import findings_in

        return findings_in(read_files(self.path) if self.path else self._files)

    # questions --------------------------------------------------------------------------------

    def ask(
        self,
        question: str,
        *,
        lm: str = "",
        mode: str = "",
        rerank: bool = False,
        model: str = "",
        approve: Approval | None = None,
        **limits: Unpack[Limits],
    ) -> Answer:
        """Answer a question; each claim has a verbatim quote, page and boxes, and `kag.verify` checks it again.

        Without a model the graph answers exactly, or `Answer.passages` are the places that may answer the question, and
        `Answer.found` is False. With a model (`lm`, for example "anthropic/claude-sonnet-4-5") an agent reads the paper
        where the graph has no exact answer, within `limits` such as `max_usd`; `Answer.stopped` says why it failed.
        `mode` is "agent" or "exact"; `rerank` has a small local model rank passages again; `approve` decides before
        each call of a tool (`kag.core.tool.Approval`); `model` is a former name
        of `lm`. Raises `BadValue` for no question in English, `ModelError` and `MissingExtra`.

        >>> import kag
        >>> paper = kag.index("test_data/urban_pollinators")
        >>> paper.ask("How many tables are there?").text
        'The paper has 2 tables.'
        >>> paper.ask("How was flower cover estimated?").passages[0].page
        3
        """
        from kag.agents.read.asking import exact_of, opened_agent
        from kag.agents.read.read_options import ReadOptions, checked
        from kag.core.trajectory import Trajectory
        from kag.qa.pipeline import answer_question

        asked = as_question(question)
        options = checked(ReadOptions(mode=mode, lm=lm or model, rerank=rerank, approve=approve, **limits))
        with ExitStack() as stack:
            work = Path(stack.enter_context(TemporaryDirectory(prefix="kag-")))
            ask = opened_agent(options, work, stack)
            by = {"mode": options.mode, "model": options.model}
            answer, _ = answer_question(asked, self._graph, exact_of(options), ask, Trajectory(), **by)
        return answer

    def search(self, query: str, k: int = 10) -> tuple[Place, ...]:
        """At most `k` passages for a few words, the best first, each with a stretch to quote and where it is printed.

        `"half life"` asks for these words next to each other, `magnet*` for words that begin so, `-review` for texts
        without it; `section:methods`, `kind:caption` and `page:3` say where. Raises `BadValue` for an empty query.
        """
        from kag.qa.found_place import passage_place

        if not query.strip() or k < 1:
            raise BadValue("a search needs words and a number of hits", hint="Search for a word, with k of 1 or more.")
        return tuple(passage_place(self._graph, hit) for hit in self._passages.search(query, k).hits)

    @cached_property
    def _passages(self) -> SearchIndex:
        from kag.qa.passage_features import paper_index

        return paper_index(self._graph)

    # as a graph, and in other formats ---------------------------------------------------------

    def graph(self) -> Graph:
        """Return a copy of the whole graph as an `rdflib.Graph`, for queries or changes."""
        from kag.rdf.turtle import from_turtle

        return from_turtle(self._text(GRAPH).encode())

    def network(self) -> tuple[Nodes, Edges]:
        """The graph as nodes and edges for `networkx`.

        >>> import kag
        >>> nodes, edges = kag.index("test_data/urban_pollinators").network()
        >>> sorted({attributes["label"] for _, _, attributes in edges})[:4]
        ['cites', 'contains', 'containsAsHeader', 'continues']

        `graph = networkx.MultiDiGraph()`, then `graph.add_nodes_from(nodes)` and `graph.add_edges_from(edges)`.
        """
        from kag.export.property_graph import network

        return network(self._graph)

    def export(self, form: str) -> str:
        """The paper as "markdown", "html" or "jats", its figures named by their `Figure.image`; its references as
        "bibtex", "csl-json" or "ris"; its graph as "jsonld" or "turtle"; its layers as "annotations".
        """
        from kag.export.documents.write import WRITERS, document_text
        from kag.export.rdf_datasets import annotations_of, to_json_ld
        from kag.export.references import bibliography, to_bibtex, to_csl_json, to_ris

        if form in WRITERS:
            return document_text(self._graph, form)
        lists = {"bibtex": to_bibtex, "csl-json": to_csl_json, "ris": to_ris}
        if form in lists:
            return lists[form](bibliography(self._graph.graph, self._graph.content))
        if form == "annotations":
            return annotations_of(read_files(self.path) if self.path else self._files)
        if form not in ("jsonld", "turtle"):
            known = ", ".join((*WRITERS, *lists, "annotations", "jsonld", "turtle"))
            raise BadValue(f"unknown format {form[:40]!r}", hint=f"Use one of {known}.")
        return self._text(GRAPH) if form == "turtle" else to_json_ld(self.graph())

    # checks and files -------------------------------------------------------------------------

    def validate(self) -> Report:
        """Validate the graph against its SHACL shapes with pyshacl, the reference engine."""
        from kag.rdf.ontology import load_shapes
        from kag.rdf.profile import DOC
        from kag.rdf.pyshacl_validator import referee

        return referee(self.graph(), load_shapes(DOC))

    def audit(self, source: PathLike | None = None, *, password: str = "", language: str = "") -> Report:
        """Report blocks that were lost, doubled or changed since reading; with `source`, compared with the pages as
        they are now.

        `password` and `language` are those that a PDF was indexed with. Raises `RunError` where a file of the run is
        missing or damaged, `SourceError` where the pages cannot be read.
        """
        from kag.indexing.audit import audit
        from kag.indexing.isolated_reader import read_apart
        from kag.sources.reading import Reading

        run = self.run
        reading = Reading(
            run.summary["paper"], source=run.summary["source"].get("kind", ""), password=password, language=language
        )
        return audit(run, read_apart(Path(source), reading) if source else None)

    @cached_property
    def run(self) -> Run:
        """All that its run folder holds: graph, texts, ledger, skipped blocks, summary. Raises `RunError`."""
        if self.path:
            return load_run(self.path)
        with TemporaryDirectory(prefix="kag-") as folder:
            return load_run(self.save(folder))

    def save(self, out_dir: PathLike) -> Path:
        """Write the run to `out_dir/<paper>_<UTC>/`, whole or not at all, and return that folder."""
        return write_run(Path(out_dir), self.id, read_files(self.path) if self.path else self._files)

    def _text(self, name: str) -> str:
        """A file of the run."""
        data = self._files[name] if self.path is None else read_file(self.path, name)
        try:
            return data.decode("utf-8")
        except ValueError as error:
            hint = "The file was changed or damaged; index the paper again."
            raise RunError(f"{shown(Path(name))}: {error}", hint=hint) from error


def as_question(text: str) -> Question:
    """A question in words; raises `BadValue` when it has none, or more than 4,000 characters, or is not in English."""
    require_question(text, LONGEST)
    require_english(text)
    return Question("q1", text.strip())


def verify(answer: Answer | PathLike, papers: Papers | Iterable[Papers]) -> Report:
    """Verify an answer without a model; return its issues; raises `EvidenceError` for a file that is not an answer.

    >>> import kag
    >>> paper = kag.index("test_data/urban_pollinators")
    >>> verify(paper.ask("How many figures are there?"), paper).conforms
    True
    """
    from kag.qa.checking.verify import verify as check

    stated: tuple[Answer, Shown | None] = (answer, None) if isinstance(answer, Answer) else read_answer(Path(answer))
    graphs = [papers.graphs] if isinstance(papers, Papers) else [paper.graphs for paper in papers]
    return check(stated[0], ChainMap(*graphs), stated[1])  # type: ignore[arg-type]  # nothing is written to them
