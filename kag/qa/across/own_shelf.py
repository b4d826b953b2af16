"""`shelf_of`: runs as a shelf, with an index that is made for the talk at hand. A corpus keeps one."""

from __future__ import annotations

import hashlib

from kag.core.files import read_regular
from kag.qa.across.paper_collection import Shelf
from kag.qa.chunks import chunks
from kag.qa.library import Library
from kag.qa.paper import GRAPH, PaperGraph
from kag.qa.questions.papers import KnownPaper
from kag.rdf.namespaces import FABIO
from kag.retrieval.chunk import Chunk


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
    from kag.qa.layer_queries.faceted_chunks import faceted_chunks

    return faceted_chunks(paper, chunks(paper)) if layers else chunks(paper)


def _known(name: str, paper: PaperGraph) -> KnownPaper:
    """A paper by the names that a question may use."""
    year = paper.graph.value(paper.document, str(FABIO.hasPublicationYear))
    return KnownPaper(name, paper.title, year)
