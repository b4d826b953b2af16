"""Search with facets as a server does it: with its settings, a page of places at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from kag.core.errors import BadValue
from kag.qa.found_place import Place
from kag.qa.places import located
from kag.retrieval.chunk import Query
from kag.retrieval.faceted import Counts, faceted
from kag.retrieval.facets import Chosen
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan, retrieve
from kag.retrieval.presets import SEED, SEEN, entity_plan
from kag.retrieval.retrieve import Found, search
from kag.retrieval.steps.by_entity import EntityOptions
from kag.retrieval.steps.merge import in_order
from kag.retrieval.steps.rank import credited
from kag.serve.papers.reading import Reader
from kag.serve.settings import Settings


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for, and in what: the values chosen of each facet, and a span of years; none is all."""

    query: str
    plan: str = ""
    chosen: Chosen = field(default_factory=dict)
    from_year: int | None = None
    to_year: int | None = None
    references: bool = False


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """Places of one page of hits, how many there are (`kag.retrieval.faceted.DEEP` at most), the plan, notes; the
    facets' counts, what is chosen of them, and what they lack."""

    query: str
    plan: str
    notes: tuple[str, ...]
    total: int
    places: tuple[Place, ...]
    facets: Counts
    chosen: Chosen
    facet_notes: tuple[str, ...]


def find(reader: Reader, wanted: Wanted, settings: Settings, start: int = 0, count: int = 10) -> FoundPlaces:
    """One page of what is found; raises `BadValue` for an empty query, an unknown plan, and no such paper."""
    years = {paper.id: paper.year for paper in reader.state.papers}
    with reader.turn:
        index = reader.shelf().index

        def searched(documents: Collection[str], most: int) -> Found:
            return _found(wanted, settings, index, documents, most)

        found = faceted(index, _within(wanted, years), years, searched)
        places = located(found.hits[start : start + count], wanted.query, index, reader.state.library)
    return FoundPlaces(
        wanted.query,
        found.found.plan,
        found.found.notes,
        len(found.hits),
        places,
        found.counts,
        found.chosen,
        found.notes,
    )


def _within(wanted: Wanted, years: Mapping[str, str]) -> Chosen:
    """The choice, with a span of years as the years of papers in it. Raises `BadValue` where there are none."""
    if not (wanted.from_year or wanted.to_year):
        return wanted.chosen
    low, high = wanted.from_year or 0, wanted.to_year or 9999
    known = wanted.chosen.get("year") or sorted(set(years.values()))
    spanned = tuple(year for year in known if year.isdecimal() and low <= int(year) <= high)
    if not spanned:
        raise BadValue("no paper is of these years", hint="Choose others.")
    return {**wanted.chosen, "year": spanned}


def _found(wanted: Wanted, settings: Settings, index: Index, documents: Collection[str], most: int) -> Found:
    """At most so many hits, by the plan of the settings where none is wanted."""
    plan = wanted.plan or settings.plan
    if plan != "entity":
        return search(index, wanted.query, plan=plan, k=most, documents=documents, references=wanted.references)
    if not wanted.query.strip():
        raise BadValue("a question is needed", hint="Search for a word.")
    bundle = retrieve(Query(wanted.query, frozenset(documents)), index, _entity_plan(settings, most))
    kinds = ((hit, index.chunks[hit.chunk].metadata.get("kind")) for hit in bundle.hits)
    hits = tuple(hit for hit, kind in kinds if wanted.references or kind != "reference")
    return Found(wanted.query, plan, hits[:most])


def _entity_plan(settings: Settings, most: int) -> Plan:
    options = EntityOptions(
        settings.graph_expansion_hops,
        settings.graph_min_entities_threshold,
        settings.graph_max_synonyms_per_entity,
        settings.graph_semantic_reranking_enabled,
    )
    size = max(most, SEEN)
    plan = entity_plan(k=size, more=size, options=options, seed=SEED)
    return replace(plan, rank=credited(), merge=in_order(), total=most)
