"""Search with facets: what was found, how many of it are in each paper, year, kind of text and of section.

Facets are counted over the first `DEEP` hits, before any of their own kind is chosen, and only what is shown is looked
up on its page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kag.read.found_place import Place
from kag.read.places import located
from kag.search.by_entity import EntityOptions
from kag.search.chunk import Chunk, Hit, Query
from kag.search.index import Index
from kag.search.merge import in_order
from kag.search.plan import Plan, retrieve
from kag.search.presets import SEED, SEEN, entity_plan
from kag.search.rank import credited
from kag.search.retrieve import search
from kag.serve.reading import Reader
from kag.serve.settings import Settings
from kag.values.errors import BadValue

DEEP = 200
FACETS = ("paper", "year", "kind", "section")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for, and in what: papers, years, a span of them, kinds of text, types of section; none is all."""

    query: str
    plan: str = ""
    papers: tuple[str, ...] = ()
    years: tuple[str, ...] = ()
    from_year: int | None = None
    to_year: int | None = None
    kinds: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    references: bool = False


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """Places of one page of hits, how many there are (`DEEP` at most), the plan, notes, and the facets' counts."""

    query: str
    plan: str
    notes: tuple[str, ...]
    total: int
    places: tuple[Place, ...]
    facets: Mapping[str, Mapping[str, int]]


def find(reader: Reader, wanted: Wanted, settings: Settings, start: int = 0, count: int = 10) -> FoundPlaces:
    """One page of what is found; raises `BadValue` for an empty query, an unknown plan or paper."""
    years = {paper.id: paper.year for paper in reader.state.papers}
    documents = _documents(wanted, years)
    with reader.turn:
        shelf = reader.shelf()
        plan, notes, hits = _hits(wanted, settings, shelf.index, documents)
        about = [(hit, _about(shelf.index.chunks[hit.chunk], years)) for hit in hits]
        kept = [hit for hit, facts in about if _fits(facts, wanted)]
        places = located(kept[start : start + count], wanted.query, shelf.index, reader.state.library)
    facets = {name: _counted(about, name, wanted) for name in FACETS}
    return FoundPlaces(wanted.query, plan, notes, len(kept), places, facets)


def _documents(wanted: Wanted, years: Mapping[str, str]) -> tuple[str, ...] | None:
    """The papers that are searched; None for all. Raises `BadValue` where none fits."""
    if not (wanted.papers or wanted.years or wanted.from_year or wanted.to_year):
        return None
    low, high = wanted.from_year or 0, wanted.to_year or 9999
    spans = bool(wanted.from_year or wanted.to_year)
    found = [
        name
        for name, year in years.items()
        if (not wanted.papers or name in wanted.papers)
        and (not wanted.years or year in wanted.years)
        and (not spans or (year.isdecimal() and low <= int(year) <= high))
    ]
    if not found:
        raise BadValue("no paper is so", hint="Choose other papers or years.")
    return tuple(found)


def _hits(
    wanted: Wanted, settings: Settings, index: Index, documents: Sequence[str] | None
) -> tuple[str, tuple[str, ...], tuple[Hit, ...]]:
    plan = wanted.plan or settings.plan
    within = tuple(one for one in documents or () if index.of_document(one))
    if documents is not None and not within:
        return plan, (), ()
    if plan != "entity":
        found = search(index, wanted.query, plan=plan, k=DEEP, documents=within, references=wanted.references)
        return found.plan, found.notes, found.hits
    if not wanted.query.strip():
        raise BadValue("a question is needed", hint="Search for a word.")
    bundle = retrieve(Query(wanted.query, frozenset(within)), index, _entity_plan(settings))
    hits = [hit for hit in bundle.hits if wanted.references or _kind(index.chunks[hit.chunk]) != "reference"]
    return plan, (), tuple(hits[:DEEP])


def _entity_plan(settings: Settings) -> Plan:
    options = EntityOptions(
        settings.graph_expansion_hops,
        settings.graph_min_entities_threshold,
        settings.graph_max_synonyms_per_entity,
        settings.graph_semantic_reranking_enabled,
    )
    size = max(DEEP, SEEN)
    plan = entity_plan(k=size, more=size, options=options, seed=SEED)
    return replace(plan, rank=credited(), merge=in_order(), total=DEEP)


def _kind(chunk: Chunk) -> str:
    return chunk.metadata.get("kind", str(chunk.kind))


Facts = Mapping[str, tuple[str, ...]]


def _about(chunk: Chunk, years: Mapping[str, str]) -> Facts:
    return {
        "paper": (chunk.document,),
        "year": (years.get(chunk.document, ""),),
        "kind": (_kind(chunk),),
        "section": tuple(chunk.metadata.get("roles", "").split()),
    }


def _fits(facts: Facts, wanted: Wanted, but: str = "") -> bool:
    """Whether a hit is of the kinds and in the sections that are wanted; `but` names a facet that is not looked at."""
    chosen = {"kind": wanted.kinds, "section": wanted.sections}
    return all(not some or name == but or set(some) & set(facts[name]) for name, some in chosen.items())


def _counted(about: Sequence[tuple[Hit, Facts]], name: str, wanted: Wanted) -> Mapping[str, int]:
    counts = Counter(value for _, facts in about if _fits(facts, wanted, name) for value in facts[name] if value)
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
