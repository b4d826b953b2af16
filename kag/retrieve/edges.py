"""The offline graph of SAGE (arXiv:2602.16964, section 2.1B): what stands in the text, and what is alike.

Likeness of two chunks is a weighted mean of signals: content, topic, entities, columns. Which of them count depends on
the kinds of the two. Of all pairs of two kinds those above the 95th percentile are kept, and of them each chunk's
nearest. Pairs are compared in blocks, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kag.graph.property_graph import Edge, Node, PropertyGraph
from kag.retrieve.arrays import Array, Vectors, np
from kag.retrieve.chunk import Chunk, ChunkKind
from kag.retrieve.entities import Extractor, entities
from kag.retrieve.links import LinkOptions, link_edges
from kag.retrieve.percentile import percentile
from kag.retrieve.signals import SIGNALS, Signal, columns_signal, content_signal, entity_signal, topic_signal

DOC_DOC, TABLE_TABLE, TABLE_DOC = "doc_doc", "table_table", "table_doc"
LIKENESS = frozenset((DOC_DOC, TABLE_TABLE, TABLE_DOC))
BLOCK = 4_000_000  # pairs compared at once


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
    """Which edges are made. `share` of the pairs of a kind are no edges, and each chunk has `nearest` of a kind."""

    links: LinkOptions = field(default_factory=LinkOptions)
    likeness: bool = True
    signals: frozenset[str] = SIGNALS
    share: float = 0.95
    nearest: int = 8


def sage_graph(
    chunks: Sequence[Chunk],
    vectors: Vectors | None = None,
    options: GraphOptions = GraphOptions(),
    extract: Extractor = entities,
) -> PropertyGraph:
    """The graph over chunks. `vectors` has a row of length 1 a chunk; without it content is compared by words.

    `extract` names the entities of chunks that come without; a model may do it.
    """
    graph = PropertyGraph(Node(chunk.id, str(chunk.kind)) for chunk in chunks)
    for edge in link_edges(chunks, options.links):
        graph.add_edge(edge)
    if options.likeness:
        for edge in likeness_edges(chunks, vectors, options, extract):
            graph.add_edge(edge)
    return graph


def likeness_edges(
    chunks: Sequence[Chunk],
    vectors: Vectors | None = None,
    options: GraphOptions = GraphOptions(),
    extract: Extractor = entities,
) -> Iterator[Edge]:
    """The edges of likeness; each with its `scores` by signal and the `shared` entities or columns."""
    named = [tuple(chunk.entities) or tuple(extract(chunk.text)) for chunk in chunks]
    signals: dict[str, Signal] = {
        "content": content_signal(chunks, vectors),
        "topic": topic_signal(chunks),
        "entity": entity_signal(named),
        "column": columns_signal(chunks),
    }
    tables = np.array([chunk.kind is ChunkKind.TABLE for chunk in chunks], dtype=bool)
    for kind in PAIR_KINDS:
        weights = {name: weight for name, weight in kind.weights.items() if name in options.signals}
        ones, others = np.flatnonzero(tables == kind.one), np.flatnonzero(tables == kind.other)
        pairs = Pairs([(signals[name], weight) for name, weight in weights.items()], ones, others)
        for one, other, score in kept_pairs(pairs, options.share, options.nearest):
            parts = {name: round(signals[name].pair(one, other), 4) for name in weights}
            shared = signals["entity"].shared(one, other) + signals["column"].shared(one, other)
            props: dict[str, Any] = {"scores": parts, "shared": shared}
            yield Edge(chunks[one].id, chunks[other].id, kind.label, score, props)


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of chunks of two kinds, by their places, compared by weighted signals."""

    signals: Sequence[tuple[Signal, float]]
    ones: Array
    others: Array

    @property
    def same(self) -> bool:
        """Whether both are of one kind, so that each pair comes twice."""
        return len(self.ones) == len(self.others) and bool((self.ones == self.others).all())

    def blocks(self, ones: Array, others: Array) -> Iterator[tuple[Array, Array]]:
        """Some rows at a time, each with its likeness to all others (rows, others)."""
        rows = max(1, BLOCK // max(1, len(others)))
        total = sum(weight for _, weight in self.signals) or 1.0
        for at in range(0, len(ones), rows):
            block = ones[at : at + rows]
            scores = np.zeros((len(block), len(others)), dtype=np.float32)
            for signal, weight in self.signals:
                signal.add(scores, block, others, weight / total)
            yield block, scores

    def values(self) -> Iterator[Array]:
        """The likeness of every pair, each once."""
        if not self.same:
            yield from (scores for _, scores in self.blocks(self.ones, self.others))
            return
        rows = max(1, BLOCK // max(1, len(self.others)))
        for at in range(0, len(self.ones), rows):
            for block, scores in self.blocks(self.ones[at : at + rows], self.others[at:]):
                yield scores[np.triu_indices(len(block), 1, scores.shape[1])]


def kept_pairs(pairs: Pairs, share: float, nearest: int) -> Iterator[tuple[int, int, float]]:
    """The pairs above the percentile that are among the `nearest` of one of their ends, each once."""
    if not pairs.signals or not len(pairs.ones) or not len(pairs.others) or (pairs.same and len(pairs.ones) < 2):
        return
    least = percentile(pairs.values, share)
    done: set[tuple[int, int]] = set()
    sides = ((pairs.ones, pairs.others), (pairs.others, pairs.ones))
    for side, (ones, others) in enumerate(sides[: 1 if pairs.same else 2]):
        for block, scores in pairs.blocks(ones, others):
            for one, row in zip(block.tolist(), scores, strict=True):
                for place in _nearest(row, others, one, least, nearest):
                    other = int(others[place])
                    pair = (one, other) if not pairs.same and side == 0 else (other, one)
                    pair = (min(one, other), max(one, other)) if pairs.same else pair
                    if pair not in done:
                        done.add(pair)
                        yield (*pair, float(row[place]))


def _nearest(row: Array, others: Array, one: int, least: float, count: int) -> list[int]:
    """The places of the highest scores above `least`, equals by place; never the chunk itself."""
    places = np.flatnonzero((row > max(least, 0.0)) & (others != one))
    order = np.lexsort((places, -row[places]))
    found: list[int] = places[order[:count]].tolist()
    return found
