"""The offline graph of SAGE (arXiv:2602.16964, section 2.1B): what stands in the text, and what is alike.

Likeness of two chunks is a weighted mean of signals: content, topic, entities, columns. Which of them count depends on
the kinds of the two. Of all pairs of two kinds those above the 95th percentile are kept, and of them each chunk's
nearest. Pairs are compared in blocks, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from kag.retrieval.chunk import Chunk, ChunkKind
from kag.retrieval.graph.entities import Extractor, entities
from kag.retrieval.graph.features import SIGNALS, Signal, columns_signal, content_signal, entity_signal, topic_signal
from kag.retrieval.graph.links import LinkOptions, link_edges
from kag.retrieval.graph.pairs import BATCH, Pairs, kept_pairs
from kag.retrieval.meaning.arrays import Array, Vectors, np
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.property_graph import Edge, Node

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
    """Which edges are made. `share` of the pairs of a kind are no edges, and each chunk has `nearest` of a kind.

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
    """What stands with each edge: its likeness by each signal that counts, and the entities and columns both have."""
    columns = [signal.pairs(ones, others).astype(float).round(4).tolist() for signal in scored.values()]
    shared = zip(signals["entity"].shared(ones, others), signals["column"].shared(ones, others), strict=True)
    for (names, headers), *parts in zip(shared, *columns, strict=True):
        yield {"scores": dict(zip(scored, parts, strict=True)), "shared": names + headers}
