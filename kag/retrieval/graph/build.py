"""The graph over the chunks of documents: SAGE's, with citations between documents, kept in step as documents change.

A change is followed at once as far as that is cheap: edges of gone chunks go, new chunks get their order and their own
links. For likeness, and for names in texts and cells, all chunks are compared; that waits until the graph is made anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from kag.retrieval.chunk import Chunk, ChunkKind
from kag.retrieval.graph.edges import GraphOptions, sage_graph
from kag.retrieval.graph.links import LINK, REFERS, LinkOptions, link_edges
from kag.retrieval.index import Index
from kag.retrieval.meaning.arrays import Vectors
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.property_graph import Edge, Graph, Node

CITES = "cites"
"""Label of a link to an entry of a reference list, and from there to the paper it is about; others are `REFERS`."""

USUAL = GraphOptions()
OWN = LinkOptions(cells=False, context=False, mentions=False)
_ACROSS, _WAITS = "across", "waits"


class Citation(NamedTuple):
    """A reference (node) of a document that leads to another document of the same index."""

    document: str
    node: str
    cited: str


def chunk_graph(index: Index, citations: Iterable[Citation] = (), options: GraphOptions = USUAL) -> CompactGraph:
    """The whole graph of an index; it does not depend on the order in which documents came."""
    chunks = list(in_order(index))
    graph = sage_graph(chunks, _vectors(index, chunks), options)
    own = (_meant(edge, graph.node(edge.target).label) for edge in graph.edges)
    return CompactGraph(graph.nodes, chain(own, _across(index, citations)))


def followed(
    graph: CompactGraph, index: Index, gone: Collection[str], citations: Iterable[Citation] = ()
) -> CompactGraph:
    """The graph after a change of its index: without the chunks that are `gone`, with those that it lacks."""
    nodes = {node.id: node for node in graph.nodes if node.id not in gone and node.id in index.chunks}
    fresh = [index.chunks[name] for name in _names(index) if name not in nodes]
    nodes |= {chunk.id: Node(chunk.id, str(chunk.kind), {_WAITS: True}) for chunk in fresh}
    across = (number for number, edge in graph.numbered(frozenset((CITES,))) if edge.props.get(_ACROSS))
    own = (_meant(edge, nodes[edge.target].label) for edge in link_edges(fresh, OWN))
    return graph.changed(nodes.values(), chain(own, _across(index, citations)), across)


def waiting(graph: Graph) -> int:
    """How many chunks came after the graph was made, and have no edges of likeness yet."""
    return sum(bool(node.props.get(_WAITS)) for node in graph.nodes)


def in_order(index: Index) -> Iterator[Chunk]:
    """The chunks by document, those of one in their order."""
    return (index.chunks[name] for name in _names(index))


def _names(index: Index) -> Iterator[str]:
    return (name for document in index.documents for name in index.of_document(document))


def _vectors(index: Index, chunks: Sequence[Chunk]) -> Vectors | None:
    if index.vectors is None or not chunks:
        return None
    places = {name: place for place, name in enumerate(index.vectors.ids)}
    return index.vectors.matrix[[places[chunk.id] for chunk in chunks]]


def _meant(edge: Edge, target: str) -> Edge:
    """The edge, a link by what it means; `target` is the kind of chunk that it leads to.

    An entry says little together with the text that cites it, so it is no pairing as a link is.
    """
    if edge.label != LINK:
        return edge
    return replace(edge, label=CITES if target == ChunkKind.RECORD else REFERS)


def _across(index: Index, citations: Iterable[Citation]) -> Iterator[Edge]:
    """From each reference's chunk to the first chunk of the document it leads to."""
    covering: dict[str, dict[str, str]] = {}
    for document, node, cited in sorted(citations):
        if document not in covering:
            names = reversed(index.of_document(document))
            covering[document] = {source: name for name in names for source in index.chunks[name].sources}
        head = next(iter(index.of_document(cited)), None)
        if head and document != cited and node in covering[document]:
            yield Edge(covering[document][node], head, CITES, 1.0, {_ACROSS: True})
