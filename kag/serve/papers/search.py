"""Search with facets as a server does it: with its settings, a page of places at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from kag.agents.read.read_options import ReadOptions
from kag.agents.retrieval_stages import open_stages
from kag.core.errors import BadValue
from kag.qa.found_place import Place
from kag.qa.places import located
from kag.retrieval.faceted import Counts, faceted
from kag.retrieval.facets import Chosen
from kag.retrieval.presets import PlanOptions
from kag.retrieval.retrieve import Found, search
from kag.retrieval.steps.rank import RULES, Stages
from kag.serve.papers.reading import Reader
from kag.serve.settings import Settings

WITH_MODEL = ("entity", "multi_query")  # the plans that have steps for a model
KEPT = 2_000  # replies of models that are kept, for the next page of a search


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search: its words, the chosen facet values, and a span of years; none is all.

    With `k` at most so many hits are found, `k_prime` more by expansion behind these; `hops` is how far a plan walks.
    0 leaves each to the settings.
    """

    query: str
    plan: str = ""
    chosen: Chosen = field(default_factory=dict)
    from_year: int | None = None
    to_year: int | None = None
    references: bool = False
    k: int = 0
    k_prime: int = 0
    hops: int = 0


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
    """One page of what is found; raises `BadValue` for an empty query, an unknown plan, and no such paper.

    Where the settings name a model, it does the steps of the plans entity and multi_query that one can do. Raises
    `ModelError` where it cannot be asked at all; where a call fails, rules stand in.
    """
    years = {paper.id: paper.year for paper in reader.state.papers}
    plan, options = wanted.plan or settings.plan, _options(wanted, settings)
    with _stages(reader, plan, settings) as stages, reader.turn:
        index = reader.shelf().index

        def searched(documents: Collection[str], most: int) -> Found:
            k = min(most, wanted.k or (settings.hits if options.more else most))
            entries = wanted.references
            return search(
                index,
                wanted.query,
                plan=plan,
                k=k,
                documents=documents,
                references=entries,
                stages=stages,
                options=options,
            )

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


def _options(wanted: Wanted, settings: Settings) -> PlanOptions:
    """Return how far the plan expands: as in this search, else as in the settings; the hops of the settings are for the
    plan entity."""
    usual = settings.graph_expansion_hops if (wanted.plan or settings.plan) == "entity" else 0
    return PlanOptions(
        wanted.k_prime or settings.k_prime,
        wanted.hops or usual,
        settings.graph_min_entities_threshold,
        settings.graph_max_synonyms_per_entity,
        settings.graph_semantic_reranking_enabled,
    )


@contextmanager
def _stages(reader: Reader, plan: str, settings: Settings) -> Iterator[Stages]:
    """The steps of a plan by the model of the settings, else by rules. Hits are shown whole, so none is condensed."""
    rules = replace(RULES, condense=None)
    if not settings.model or plan not in WITH_MODEL:
        yield rules
        return
    options = ReadOptions(lm=settings.model, max_usd=settings.max_usd, max_calls=settings.max_calls)
    with open_stages(options, rules=rules) as model:
        asked = model.stages
        known = partial(_known, reader.replies, settings.model)
        synonyms = known(asked.synonyms) if asked.synonyms else None
        yield Stages(known(asked.extract), synonyms, known(asked.variants), None)


def _known(
    replies: dict[tuple[object, ...], Sequence[str]], model: str, ask: Callable[..., Sequence[str]]
) -> Callable[..., Sequence[str]]:
    """A step whose results are kept: one search runs a plan more than once, and its next page does so again."""

    def asked(*given: object) -> Sequence[str]:
        key = model, ask.__name__, *given
        if key not in replies:
            replies[key] = ask(*given)
            if len(replies) > KEPT:
                replies.pop(next(iter(replies)))
        return replies[key]

    return asked


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
