"""The graph over the chunks of documents: SAGE's, with citations between documents, kept in step as documents change.

A change is followed at once as far as that is cheap: edges of gone chunks go, new chunks get their order and their own
links. For likeness, and for names in texts and cells, all chunks are compared; that waits until the graph is made anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.graph.entities import Extractor, entities
from kag.retrieval.graph.features import SIGNALS, Signal, columns_signal, content_signal, entity_signal, topic_signal
from kag.retrieval.graph.links import LINK, REFERS, LinkOptions, link_edges
from kag.retrieval.graph.pairs import BATCH, Pairs, kept_pairs
from kag.retrieval.index import Index
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import Edge, Graph, Node
from kag.retrieval.vectors import Array, Vectors, np

DOC_DOC, TABLE_TABLE, TABLE_DOC = "doc_doc", "table_table", "table_doc"
LIKENESS = frozenset((DOC_DOC, TABLE_TABLE, TABLE_DOC))


@dataclass(frozen=True, slots=True)
class PairKind:
    """A kind of pair and how much each signal counts in it; a record counts as a document."""

    label: str
    one: bool  # whether the first is a table
    other: bool
    weights: Mapping[str, float]


PAIR_KINDS = (
    PairKind(DOC_DOC, False, False, {"content": 0.5, "topic": 0.2, "entity": 0.3}),
    PairKind(TABLE_TABLE, True, True, {"column": 0.4, "topic": 0.3, "entity": 0.3}),
    PairKind(TABLE_DOC, True, False, {"content": 0.4, "topic": 0.3, "entity": 0.3}),
)


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """Options of edges. Pairs below the quantile `share` of a kind get no edge, and each chunk has `nearest` edges of a
    kind.

    Up to `exact` chunks of a kind all pairs are compared and the percentile is exact. Above, candidates are, and the
    percentile is that of `sample` pairs: the share of pairs below it is then off by sqrt(p (1 - p) / sample).
    """

    links: LinkOptions = field(default_factory=LinkOptions)
    likeness: bool = True
    signals: frozenset[str] = SIGNALS
    share: float = 0.95
    nearest: int = 8
    exact: int = 100_000
    sample: int = 1_000_000


def sage_graph(
    chunks: Sequence[Chunk],
    vectors: Vectors | None = None,
    options: GraphOptions = GraphOptions(),
    extract: Extractor = entities,
) -> CompactGraph:
    """The graph over chunks. `vectors` has a row of length 1 a chunk; without it content is compared by words.

    `extract` names the entities of chunks that come without; a model may do it.
    """
    likeness = likeness_edges(chunks, vectors, options, extract) if options.likeness else ()
    nodes = (Node(chunk.id, str(chunk.kind)) for chunk in chunks)
    return CompactGraph(nodes, chain(link_edges(chunks, options.links), likeness))


def likeness_edges(
    chunks: Sequence[Chunk],
    vectors: Vectors | None = None,
    options: GraphOptions = GraphOptions(),
    extract: Extractor = entities,
) -> Iterator[Edge]:
    """The edges of likeness; each with its `scores` by signal and the `shared` entities or columns."""
    signals: dict[str, Signal] = {
        "content": content_signal(chunks, vectors),
        "topic": topic_signal(chunks),
        "entity": entity_signal(tuple(chunk.entities) or tuple(extract(chunk.text)) for chunk in chunks),
        "column": columns_signal(chunks),
    }
    tables = np.fromiter((chunk.kind is ChunkKind.TABLE for chunk in chunks), dtype=bool)
    for kind in PAIR_KINDS:
        weights = {name: weight for name, weight in kind.weights.items() if name in options.signals}
        total = sum(weights.values()) or 1.0
        ones, others = np.flatnonzero(tables == kind.one), np.flatnonzero(tables == kind.other)
        pairs = Pairs([(signals[name], weight / total) for name, weight in weights.items()], ones, others)
        one, other, scores = kept_pairs(pairs, options.share, options.nearest, options.exact, options.sample)
        for at in range(0, len(one), BATCH):
            part = slice(at, at + BATCH)
            reasons = _reasons({name: signals[name] for name in weights}, signals, one[part], other[part])
            ends = zip(one[part].tolist(), other[part].tolist(), scores[part].tolist(), reasons, strict=True)
            yield from (Edge(chunks[a].id, chunks[b].id, kind.label, score, why) for a, b, score, why in ends)


def _reasons(
    scored: Mapping[str, Signal], signals: Mapping[str, Signal], ones: Array, others: Array
) -> Iterator[Mapping[str, Any]]:
    """Return the metadata of each edge: its similarity by signal, and shared entities and columns."""
    columns = [signal.pairs(ones, others).astype(float).round(4).tolist() for signal in scored.values()]
    shared = zip(signals["entity"].shared(ones, others), signals["column"].shared(ones, others), strict=True)
    for (names, headers), *parts in zip(shared, *columns, strict=True):
        yield {"scores": dict(zip(scored, parts, strict=True)), "shared": names + headers}


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
    """Return the graph after a change of its index: without the chunks that are `gone`, with the new ones."""
    nodes = {node.id: node for node in graph.nodes if node.id not in gone and node.id in index.chunks}
    fresh = [index.chunks[name] for name in _names(index) if name not in nodes]
    nodes |= {chunk.id: Node(chunk.id, str(chunk.kind), {_WAITS: True}) for chunk in fresh}
    across = (number for number, edge in graph.numbered(frozenset((CITES,))) if edge.props.get(_ACROSS))
    own = (_meant(edge, nodes[edge.target].label) for edge in link_edges(fresh, OWN))
    return graph.changed(nodes.values(), chain(own, _across(index, citations)), across)


def waiting(graph: Graph) -> int:
    """Return the number of chunks added since the graph was made; they have no similarity edges yet."""
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
