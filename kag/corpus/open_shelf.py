"""A corpus as the shelf that questions over many papers are put to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from kag.core.errors import CorpusError
from kag.corpus import catalogue, shared_works
from kag.corpus.catalogue import Listed
from kag.corpus.search_index import open_index
from kag.corpus.store import open_corpus
from kag.qa.across.paper_collection import Citation, Shelf
from kag.qa.questions.papers import KnownPaper
from kag.retrieval.index import Index


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
    known = tuple(KnownPaper(one.id, one.title, one.year, authors.get(one.id, "")) for one in papers)
    return Shelf(known, corpus.library(), index, citations, _version(papers, index))


def _version(papers: Iterable[Listed], index: Index) -> str:
    """The hash of the papers' versions and of how the index is searched."""
    edges = sum(1 for _ in index.edges.edges) if index.edges is not None else 0
    told = [[one.id, one.version] for one in papers], index.vectors is not None, edges
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
