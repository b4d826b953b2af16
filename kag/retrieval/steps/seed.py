"""Seeds of retrieval: the chunks nearest to a question by words, by vectors, and by both.

FLAT is what every other plan is measured against. What was computed about the last questions to an index is
remembered, so that the stages of a plan do it once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from kag.core.errors import BadValue
from kag.retrieval.chunking import Chunk, Hit, Query
from kag.retrieval.graph.entities import Extractor, acronyms, entities, name_form
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan, Seed
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.elements import Edge, Node
from kag.retrieval.property_graph.paths import within_hops
from kag.retrieval.vectors import Array, Vectors, np

T = TypeVar("T")
QUESTIONS = 8  # that are remembered: a question and its variants

_Known = dict[tuple[int, Query], dict[Hashable, Any]]
_KNOWN: WeakKeyDictionary[Index, _Known] = WeakKeyDictionary()


def remembered(query: Query, index: Index, what: Hashable, make: Callable[[], T]) -> T:
    """Return the result of `make`, cached for a question until the index changes; it must not hold the index."""
    questions = _KNOWN.setdefault(index, {})
    known = questions.setdefault((index.changes, query), {})
    for old in list(questions)[:-QUESTIONS]:
        questions.pop(old, None)
    if what not in known:
        known[what] = make()
    value: T = known[what]
    return value


def vector_of(query: Query, index: Index) -> Vectors:
    """The question's vector; raises `MissingExtra` where the index has no embedder."""

    def embedded() -> Vectors:
        row: Vectors = index.embedder([query.text])[0]
        return row

    return remembered(query, index, "vector", embedded)


DEEP = 100  # hits of each ranking that a fusion looks at, at least
CONSTANT = 60  # of reciprocal rank fusion: how little the first places differ


def bm25(query: Query, index: Index, k: int) -> Sequence[Hit]:
    """The k best chunks by words."""
    return _known(index.sparse.search(query.text, k, query.scope), index)


def dense(query: Query, index: Index, k: int) -> Sequence[Hit]:
    """The k nearest chunks by vectors; none where the index has no vectors."""
    if index.vectors is None:
        return ()
    return _known(index.vectors.search(vector_of(query, index), k, index.within(query.scope)), index)


def deep(seed: Seed, query: Query, index: Index, k: int = DEEP) -> Sequence[Hit]:
    """A ranking of at least `DEEP` hits, made once for a question."""
    return remembered(query, index, (seed, max(k, DEEP)), lambda: seed(query, index, max(k, DEEP)))


def reciprocal_rank(query: Query, index: Index, k: int) -> Sequence[Hit]:
    """Both rankings: a chunk scores the sum of 1 / (60 + its place in each).

    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (2009).
    """
    return fused(deep(seed, query, index, k) for seed in (bm25, dense))[:k]


def fused(rankings: Iterable[Sequence[Hit]]) -> Sequence[Hit]:
    """All rankings as one: a chunk scores the sum of 1 / (60 + its place in each), and keeps how it was found first."""
    scores: dict[str, float] = {}
    via: dict[str, str] = {}
    for ranking in rankings:
        for place, hit in enumerate(ranking, start=1):
            scores[hit.chunk] = scores.get(hit.chunk, 0.0) + 1 / (CONSTANT + place)
            via.setdefault(hit.chunk, hit.via)
    return [Hit(hit.chunk, hit.score, via[hit.chunk]) for hit in _best(scores, len(scores))]


def mixed(weight: float = 0.5) -> Seed:
    """Both rankings by their scores, each stretched to 0 to 1: `weight` of the vectors', the rest of the words'."""

    def seed(query: Query, index: Index, k: int) -> Sequence[Hit]:
        scores: dict[str, float] = {}
        for one, share in ((bm25, 1 - weight), (dense, weight)):
            for name, score in _stretched(deep(one, query, index, k)).items():
                scores[name] = scores.get(name, 0.0) + share * score
        return _best(scores, k)

    return seed


FLAT: Mapping[str, Plan] = {
    plan.name: plan
    for plan in (
        Plan("bm25", bm25),
        Plan("dense", dense),
        Plan("hybrid", reciprocal_rank),
        Plan("hybrid_linear", mixed()),
    )
}


def _stretched(hits: Sequence[Hit]) -> dict[str, float]:
    """The scores with the best as 1 and the last as 0; equals are all 1."""
    if not hits:
        return {}
    least, most = hits[-1].score, hits[0].score
    span = most - least
    return {hit.chunk: (hit.score - least) / span if span > 0 else 1.0 for hit in hits}


def _best(scores: Mapping[str, float], k: int) -> Sequence[Hit]:
    return _hits(sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k])


def _known(found: Sequence[tuple[str, float]], index: Index) -> tuple[Hit, ...]:
    """The hits that the index has: an engine may be a change ahead of it."""
    return _hits([hit for hit in found if hit[0] in index.chunks])


def _hits(found: Sequence[tuple[str, float]]) -> tuple[Hit, ...]:
    return tuple(Hit(name, score) for name, score in found)


MENTIONED_IN = "MENTIONED_IN"
EXPANDED = "expanded names"
SYNONYM_OF = 2  # names at the top that synonyms are asked for
MOST_NAMES = 60  # that a question is expanded to
MEANT_BY = 20  # chunks whose vectors stand for a name

Synonyms = Callable[[str, int], Sequence[str]]
"""Other names of a name, at most so many."""


@dataclass(frozen=True, slots=True)
class EntityOptions:
    """`hops` 1 to 3; below `threshold` names, 5 to 20, up to `synonyms` for a name, 1 to 5; `rerank` by vectors.

    A synonym that is asked for counts where the cosine of its vector and the name's is above `likeness`.
    Raises `BadValue` outside these ranges.
    """

    hops: int = 1
    threshold: int = 10
    synonyms: int = 3
    rerank: bool = True
    likeness: float = 0.7

    def __post_init__(self) -> None:
        ranges = {"hops": (1, 3), "threshold": (5, 20), "synonyms": (1, 5)}
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                raise BadValue(f"{name} is {getattr(self, name)}", hint=f"Give a number from {low} to {high}.")


USUAL = EntityOptions()


class EntityGraph:
    """The names in chunks: the chunks that mention each, the names next to it, and its acronyms."""

    def __init__(self, chunks: Iterable[Chunk], extract: Extractor = entities) -> None:
        self._synonyms: dict[str, dict[str, None]] = {}
        self._likeness: dict[tuple[str, str], float] = {}
        nodes, edges = list[Node](), list[Edge]()
        for chunk in chunks:
            nodes.append(Node(chunk.id, "chunk"))
            for name in dict.fromkeys(map(name_form, (*(chunk.entities or extract(chunk.text)), chunk.title))):
                if name:
                    nodes.append(Node(_key(name), "entity"))
                    edges.append(Edge(_key(name), chunk.id, MENTIONED_IN))
            for short, long in acronyms(chunk.text):
                self._synonyms.setdefault(name_form(short), {})[name_form(long)] = None
                self._synonyms.setdefault(name_form(long), {})[name_form(short)] = None
        self._named = {node.id: node.id.removeprefix(_key("")) for node in nodes if node.label == "entity"}
        self.graph = CompactGraph(nodes, edges)

    def known(self, names: Iterable[str]) -> list[str]:
        """The names of these that some chunk mentions, in one form each."""
        return [name for name in dict.fromkeys(map(name_form, names)) if _key(name) in self.graph]

    def near(self, names: Sequence[str], hops: int) -> list[str]:
        """Return these names and those within so many hops, where a hop is a shared chunk; the nearest first."""
        reached = within_hops(self.graph, map(_key, names), 2 * hops, limit=50 * MOST_NAMES)
        return [self._named[node] for node in reached if node in self._named][:MOST_NAMES]

    def synonyms(self, name: str, most: int) -> Sequence[str]:
        """The short or long forms that the chunks themselves give a name."""
        return tuple(self._synonyms.get(name_form(name), ()))[:most]

    def alike(self, name: str, others: Sequence[str], index: Index, least: float) -> Sequence[str]:
        """Return those of some other names with vectors near the name's; all without vectors. Cosines are cached for
        the next question."""
        if index.vectors is None or index.embed is None:
            return others
        new = [fromkey for fromkey in dict.fromkeys(others) if (name, fromkey) not in self._likeness]
        if new:
            rows = index.embed([name, *new])
            self._likeness |= {(name, other): float(rows[0] @ row) for other, row in zip(new, rows[1:], strict=True)}
        return [other for other in others if self._likeness[name, other] > least]

    def chunks_of(self, names: Iterable[str]) -> Mapping[str, int]:
        """The chunks that mention any of the names, and how many of them each mentions."""
        chunks, counts = np.unique(self._mentioning(names), return_counts=True)
        return dict(zip(self.graph.names(chunks.tolist()), counts.tolist(), strict=True))

    def first_of(self, name: str, most: int) -> Sequence[str]:
        """The first chunks, at most so many, that mention a name."""
        return self.graph.names(self._mentioning([name])[:most].tolist())

    def _mentioning(self, names: Iterable[str]) -> Array:
        """The numbers of the chunks that mention each of the names."""
        return self.graph.ends(self.graph.places(map(_key, names)))[1]


_MADE: WeakKeyDictionary[Index, tuple[int, EntityGraph]] = WeakKeyDictionary()


def entity_graph(index: Index) -> EntityGraph:
    """The names in an index's chunks: made when it is first asked for, and again when the index has changed."""
    changes, graph = _MADE.get(index, (None, None))
    if graph is None or changes != index.changes:
        graph = EntityGraph(index.chunks.values())
        _MADE[index] = index.changes, graph
    return graph


def by_entities(
    graph: EntityGraph | None = None,
    options: EntityOptions = USUAL,
    extract: Extractor = entities,
    synonyms: Synonyms | None = None,
) -> Seed:
    """A seed that finds chunks by the names they mention: those with most of the question's own, then of the near ones.

    The graph is that of the index's own chunks if none is given. `extract` and `synonyms` may be a model's; without the
    latter the corpus' own acronyms serve.
    """

    def seed(query: Query, index: Index, k: int) -> Sequence[Hit]:
        known = graph or entity_graph(index)
        also = synonyms or known.synonyms
        printed = {name_form(name): name for name in reversed(extract(query.text))}  # of two spellings the first
        asked = list(reversed(printed))
        names = known.near(known.known(asked), options.hops)
        if len(names) < options.threshold:
            tops = (printed[top] for top in asked[:SYNONYM_OF])
            more = list[str]()
            for top in tops:
                others = list(also(top, options.synonyms))[: options.synonyms]
                more += known.alike(top, others, index, options.likeness) if synonyms else others
            names = list(dict.fromkeys((*names, *known.known(more))))
        own = known.chunks_of(name for name in names if name in asked)
        if options.rerank:
            names = _reranked(query, names, known, index)
        remembered(query, index, EXPANDED, list[str])[:] = names
        counts = known.chunks_of(names)
        allowed = index.within(query.scope)
        found = [name for name in counts if name in index.chunks and (allowed is None or name in allowed)]
        found.sort(key=lambda name: (-own.get(name, 0), -counts[name], name))
        return [Hit(name, own.get(name, 0) + counts[name] / (1 + len(names)), MENTIONED_IN) for name in found[:k]]

    return seed


def matched(query: Query, index: Index, chunks: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Of the names that a question was expanded to, those that each of the chunks mentions."""
    names = dict.fromkeys(remembered(query, index, EXPANDED, list[str]))
    known, found = entity_graph(index), dict[str, list[str]]({chunk: [] for chunk in chunks})
    for name in names:
        for chunk in known.chunks_of([name]):
            if chunk in found:
                found[chunk].append(name)
    return {chunk: tuple(some) for chunk, some in found.items()}


def _reranked(query: Query, names: list[str], known: EntityGraph, index: Index) -> list[str]:
    """Return the half of the names that is nearest to the question by vectors, where a name's is the mean of its
    chunks'; all without vectors or with few names."""
    if index.vectors is None or len(names) < 4:
        return names
    vectors, asked = index.vectors, vector_of(query, index)
    near = {}
    for name in names:
        rows = [vectors[chunk] for chunk in known.first_of(name, MEANT_BY) if chunk in vectors]
        mean = np.mean(rows, axis=0) if rows else np.zeros_like(asked)
        near[name] = float(mean @ asked) / float(np.linalg.norm(mean) or 1.0)
    return sorted(names, key=lambda name: -near[name])[: (len(names) + 1) // 2]


def _key(name: str) -> str:
    return f"entity:{name}"
