"""Reading a corpus: its papers, their files, all texts by content ref, and questions over many papers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kag.core.content import content_ref
from kag.core.errors import CorpusError
from kag.core.files import LARGEST, open_regular
from kag.corpus import catalogue, shared_works
from kag.corpus.catalogue import Listed
from kag.corpus.layout import Layout
from kag.corpus.search_index import open_index
from kag.corpus.transaction import settle
from kag.indexing.run import CONTENT
from kag.qa.library import Citation, Library, Shelf
from kag.qa.questions.papers import KnownPaper
from kag.retrieval.index import Index


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus for reading; each call sees its current state. Created by `open_corpus`."""

    layout: Layout

    @property
    def root(self) -> Path:
        """The folder of the corpus."""
        return self.layout.root

    def papers(self) -> tuple[Listed, ...]:
        """All papers, by id."""
        with catalogue.open_tables(self.layout.tables) as rows:
            return tuple(catalogue.papers(rows))

    def citations(self) -> tuple[tuple[str, str], ...]:
        """Pairs of paper IRIs: the first cites the second, and both are in the corpus."""
        with catalogue.open_tables(self.layout.tables) as rows:
            return tuple(shared_works.citations(rows))

    def library(self) -> Library:
        """The papers for the read side (views, questions, evidence), each read when first asked for."""
        return Library({paper.id: self.layout.held(paper.id, paper.version) for paper in self.papers()})

    def text(self, ref: str) -> str:
        """The text with a content ref; raises `CorpusError` when no paper has it or its file is damaged."""
        with catalogue.open_tables(self.layout.tables) as rows:
            held = catalogue.places(rows, ref)
            for paper, version, place in held:
                found = stored_text(self.layout.held(paper, version), place.start, place.length)
                if found is not None and content_ref(ref.partition(":")[0], found) == ref:
                    return found
        if held:
            raise CorpusError(f"{ref} is damaged in {held[0][0]}", hint="`kag corpus check` tells what else is.")
        raise CorpusError(f"no paper has the text {ref}", hint="Content refs are the values of kag:hasContentRef.")


def open_corpus(root: Path) -> Corpus:
    """A corpus; a change that a writer did not live to finish is finished first. Raises `CorpusError`."""
    Layout(root).require()
    settle(root)
    return Corpus(Layout(root))


def stored_text(folder: Path, start: int, length: int) -> str | None:
    """Return a text from a paper's content store; None if it is missing."""
    try:
        with open_regular(folder / CONTENT) as lines:
            lines.seek(start)
            return str(json.loads(lines.read(min(length, LARGEST)))["text"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def open_shelf(root: Path) -> Shelf:
    """The papers, index and citations of a corpus; raises `CorpusError` where it is none, has no paper or no index."""
    corpus = open_corpus(root)
    index = open_index(root)
    with catalogue.open_tables(corpus.layout.tables) as rows:
        authors = dict(shared_works.first_authors(rows))
        papers = catalogue.papers(rows)
        if not papers:
            raise CorpusError(
                f"{root} has no papers", hint="Add some: `kag corpus add PATH --corpus DIR`, in Python `Corpus.add`."
            )
        citations = tuple(Citation(*row) for row in shared_works.references(rows))
    known_papers = tuple(KnownPaper(paper.id, paper.title, paper.year, authors.get(paper.id, "")) for paper in papers)
    return Shelf(known_papers, corpus.library(), index, citations, _version(papers, index))


def _version(papers: Iterable[Listed], index: Index) -> str:
    """The hash of the papers' versions and of how the index is searched."""
    edges = sum(1 for _ in index.edges.edges) if index.edges is not None else 0
    contents = [[paper.id, paper.version] for paper in papers], index.vectors is not None, edges
    return hashlib.sha256(json.dumps(contents).encode()).hexdigest()
