"""Searching an index by the name of a plan: what was found, by which plan, and what it had to do without.

The reason of a hit is its places in the rankings by words and by meaning, and the edge that led to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from kag.core.errors import BadValue, MissingExtra, ModelError
from kag.retrieval.chunking import Bundle, Chunk, Hit, Query
from kag.retrieval.graph.links import place_texts
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan, retrieve
from kag.retrieval.presets import PRESETS, USUAL_BOUNDS, PlanOptions, preset
from kag.retrieval.property_graph.elements import Edge
from kag.retrieval.steps.rank import RULES, Stages
from kag.retrieval.steps.seed import DEEP, bm25, dense, matched, vector_of
from kag.text.language import require_question

LEAST, MOST = 800, 1800
"""Tokens of a chunk in the design of entity search (ADR-041)."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Adjacent chunks of one section in reading order, and their joined text."""

    text: str
    chunks: tuple[str, ...]


def surroundings(index: Index, name: str, count: Count, least: int = LEAST, most: int = MOST) -> Surroundings:
    """A chunk with the chunks around it until they have `least` units of `count`, never more than `most`.

    They are of its section; where that is shorter, of the section around it, up to the outermost. Entries of reference
    lists stand alone. A chunk longer than `most` is given whole.
    """
    order = index.of_document(index.chunks[name].document)
    here = first = last = order.index(name)
    chunk = index.chunks[name]
    size = count(chunk.text)
    path = _path(chunk)
    for depth in range(len(path), 0, -1):
        for place in _around(here, len(order)):
            if size >= least:
                break
            other = index.chunks[order[place]]
            if place not in (first - 1, last + 1) or _path(other)[:depth] != path[:depth]:
                continue
            if size + count(other.text) <= most:
                size += count(other.text)
                first, last = min(first, place), max(last, place)
    names = tuple(order[first : last + 1])
    return Surroundings("\n\n".join(index.chunks[one].text for one in names), names)


def _path(chunk: Chunk) -> list[str]:
    """The titles of a chunk's section from the top; none for an entry of a reference list."""
    return [] if chunk.metadata.get("kind") == "reference" else [part for part in chunk.topic.split(" > ") if part]


def _around(here: int, total: int) -> Iterator[int]:
    """Places after and before one, the nearest first."""
    for step in range(1, total):
        yield from (place for place in (here + step, here - step) if 0 <= place < total)


LONGEST = 1000  # characters of a question
WALKING = frozenset(("sage", "multi_query", "paths"))  # the plans that expand in the index's graph
BY_VECTORS = frozenset(("dense", "hybrid", "hybrid_linear"))  # the plans that say no more than BM25 without vectors


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a question, the best first; `plan` is the plan that ran, `notes` say why it differs from the
    requested one.

    `documents` are those that the search was limited to, if it was. `kept` is what a plan that condenses keeps of a
    chunk, by its id; `matched` the names of a question, and those near them, that a chunk mentions (plan entity).
    """

    query: str
    plan: str
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    documents: frozenset[str] = frozenset()
    kept: Mapping[str, str] = field(default_factory=dict)
    matched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def search(
    index: Index,
    text: str,
    *,
    plan: str = "",
    k: int = 10,
    documents: Collection[str] = (),
    references: bool = False,
    stages: Stages = RULES,
    options: PlanOptions = USUAL_BOUNDS,
) -> Found:
    """At most `k` chunks (and `options.more` expanded ones) for a question, of these documents where some are
    named; `stages` may be a model's.

    Entries of reference lists are ways to other chunks, and hits only with `references`: titles of others' works are
    full of a question's words, and answer nothing.

    Without a plan it is sage where the index has a graph, else hybrid where it has vectors, else bm25. A plan that
    needs what the index lacks falls back in that order, and a note says so; so it does where the model or server that
    makes vectors cannot be reached. Raises `BadValue` for a question without
    words or of more than 1,000 characters, an unknown plan or document, and k below 1.
    """
    require_question(text, LONGEST, "Search with")
    if k < 1:
        raise BadValue(f"k is {k}", hint="Give the number of hits, 1 or more.")
    for document in documents:
        if not index.of_document(document):
            raise BadValue(f"the index has no {document[:80]!r}", hint=_near(document, index))
    query = Query(text, frozenset(documents))
    index, lost = (index, ()) if plan == "bm25" else reachable(index, query)
    name, notes = usable(plan, index)
    with index.whole():
        bundle, hits = _retrieved(query, index, name, k, stages, references, options)
        names = matched(query, index, (hit.chunk for hit in hits)) if name == "entity" else {}
    kept = {hit.chunk: bundle.notes[hit.chunk] for hit in hits if hit.chunk in bundle.notes}
    return Found(text, name, hits, (*lost, *notes), query.scope, kept, names)


def reachable(index: Index, query: Query) -> tuple[Index, tuple[str, ...]]:
    """Return the index; without its vectors, and with a note, if the question cannot be embedded."""
    if index.vectors is None:
        return index, ()
    try:
        with index.whole():
            vector_of(query, index)
    except (MissingExtra, ModelError) as error:
        words = copy(index)
        words.vectors = None
        return words, (f"no vector for the question ({error.message}): ranked by words alone",)
    return index, ()


def _retrieved(
    query: Query, index: Index, plan: str, k: int, stages: Stages, references: bool, options: PlanOptions
) -> tuple[Bundle, tuple[Hit, ...]]:
    """Run a plan and return its first k visible hits; requests more until these are enough."""
    if options.more:
        made = preset(plan, index, k, stages, asked=options)
        bundle = retrieve(query, index, made if references else _without_entries(made))
        return bundle, bundle.hits
    total = k
    while True:
        bundle = retrieve(query, index, preset(plan, index, total, stages, asked=options))
        hits = tuple(hit for hit in bundle.hits if references or not _is_entry(index.chunks[hit.chunk]))
        if len(hits) >= k or len(bundle.hits) < total:
            return bundle, hits[:k]
        total *= 4


def _without_entries(plan: Plan) -> Plan:
    """A plan of so many seeds and so many expanded hits, none of them an entry of a reference list."""

    def shown(hits: Iterable[Hit], index: Index) -> tuple[Hit, ...]:
        return tuple(hit for hit in hits if not _is_entry(index.chunks[hit.chunk]))

    def seed(query: Query, index: Index, k: int) -> Sequence[Hit]:
        most = k
        while True:
            found = plan.seed(query, index, most)
            if len(hits := shown(found, index)) >= k or len(found) < most:
                return hits[:k]
            most *= 4

    def expand(query: Query, seeds: Sequence[Hit], index: Index) -> Sequence[Hit]:
        return shown(plan.expand(query, seeds, index), index)

    return replace(plan, seed=seed, expand=expand)


def _is_entry(chunk: Chunk) -> bool:
    return chunk.metadata.get("kind") == "reference"


def usable(plan: str, index: Index) -> tuple[str, tuple[str, ...]]:
    """The plan that can be run in place of one, and why; the best one for "". Raises `BadValue`."""
    if plan and plan not in PRESETS:
        raise BadValue(f"unknown plan {plan[:80]!r}", hint=f"Use one of {', '.join(PRESETS)}.")
    name, notes = plan or "sage", []
    if name in WALKING and index.edges is None:
        name = "hybrid"
        notes.append("the index has no graph: nothing is expanded")
    if name in BY_VECTORS and index.vectors is None:
        name = "bm25"
        notes.append("the index has no vectors: ranked by words alone")
    return name, tuple(notes) if plan else ()


def _near(document: str, index: Index) -> str:
    """The names of documents like one, or the first ones."""
    near = get_close_matches(document[:200], index.documents, 5, 0.5) or index.documents[:5]
    return f"There are {', '.join(near)}." if near else "The index is empty."


@dataclass(frozen=True, slots=True)
class Reason:
    """Places in the two rankings, from 1, and the scores there; None behind the first 100 or without vectors.

    `edge` is the strongest that led to the hit; `places` are the stretches of the edge's source that made it.
    """

    words: tuple[int, float] | None = None
    vectors: tuple[int, float] | None = None
    edge: Edge | None = None
    places: tuple[str, ...] = ()


def reasons(found: Found, index: Index) -> tuple[Reason, ...]:
    """The reason of each hit, in their order."""
    query = Query(found.query, found.documents)
    index, _ = reachable(index, query)
    with index.whole():
        words, vectors = (_ranked(seed(query, index, DEEP)) for seed in (bm25, dense))
        return tuple(_reason(hit, index, words.get(hit.chunk), vectors.get(hit.chunk)) for hit in found.hits)


def _ranked(hits: Sequence[Hit]) -> dict[str, tuple[int, float]]:
    return {hit.chunk: (place, hit.score) for place, hit in enumerate(hits, start=1)}


def _reason(hit: Hit, index: Index, words: tuple[int, float] | None, vectors: tuple[int, float] | None) -> Reason:
    label, _, begin = hit.via.partition(" from ")
    edges = index.edges.edges_of(begin, frozenset((label,))) if index.edges is not None and begin else ()
    edge = max((edge for edge in edges if edge.other(begin) == hit.chunk), key=lambda edge: edge.weight, default=None)
    places = place_texts(index.chunks[edge.source], edge.props) if edge else ()
    return Reason(words, vectors, edge, places)
