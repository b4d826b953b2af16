"""`Shelf`: what a question over many papers is put to. Papers without a corpus fill one, too."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kag.core.files import read_regular
from kag.qa.library import OPEN, Library
from kag.qa.paper import GRAPH, PaperGraph
from kag.qa.passages import Passage, passages
from kag.qa.questions.papers import KnownPaper
from kag.rdf.namespaces import FABIO

if TYPE_CHECKING:
    from kag.retrieval.chunk import Chunk
    from kag.retrieval.index import Index  # its packages are an extra


@lru_cache(maxsize=OPEN)
def _passages(paper: PaperGraph) -> tuple[Passage, ...]:
    """Those of the papers that were asked last are kept, as the papers are."""
    return passages(paper)


@dataclass(frozen=True, slots=True)
class Citation:
    """Between two papers of a shelf (ids): `reference` is the node of the first one's list that means the second."""

    citing: str
    reference: str
    cited: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """Many papers: by name, as graphs that are read when asked for, as chunks, and which of them cite each other.

    `version` is another one when any of it is another.
    """

    papers: tuple[KnownPaper, ...]
    library: Mapping[str, PaperGraph]
    index: Index
    citations: tuple[Citation, ...] = ()
    version: str = ""

    def passages(self, paper: str) -> tuple[Passage, ...]:
        """Everything printed in a paper."""
        return _passages(self.library[paper])

    def cited_by(self, paper: str) -> frozenset[str]:
        """The papers here that a paper cites."""
        return frozenset(one.cited for one in self.citations if one.citing == paper)

    def citing(self, paper: str) -> frozenset[str]:
        """The papers here that cite a paper."""
        return frozenset(one.citing for one in self.citations if one.cited == paper)


def shelf_of(library: Library, *, layers: bool = False) -> Shelf:
    """All papers of a library; every one of them is read. Citations between them are not known.

    With `layers` chunks know what the layers say of them, which facets need.
    """
    from kag.retrieval.index import Index  # its packages are an extra

    papers = {name: library[name] for name in library}
    index = Index.build(chunk for paper in papers.values() for chunk in _chunks(paper, layers))
    graphs = b"\n".join(hashlib.sha256(read_regular(library.path(name) / GRAPH)).digest() for name in library)
    known = tuple(_known(name, paper) for name, paper in papers.items())
    return Shelf(known, library, index, version=hashlib.sha256(graphs).hexdigest())


def _chunks(paper: PaperGraph, layers: bool) -> tuple[Chunk, ...]:
    from kag.qa.chunks import chunks  # they and their index take long to import
    from kag.qa.layer_queries.faceted_chunks import faceted_chunks

    return faceted_chunks(paper, chunks(paper)) if layers else chunks(paper)


def _known(name: str, paper: PaperGraph) -> KnownPaper:
    """A paper by the names that a question may use."""
    year = paper.graph.value(paper.document, str(FABIO.hasPublicationYear))
    return KnownPaper(name, paper.title, year)
