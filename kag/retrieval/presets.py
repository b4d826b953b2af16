"""The methods as plans: FLAT is what the others are measured against; each expansion has a switch.

SAGE: seeds and their neighbours (arXiv:2602.16964, section 2.2). ENTITY: from names to chunks. MULTI_QUERY: variants of
the question, a few seeds each, neighbours, and a note for every chunk. PATHS: a random walk that begins at the seeds.
All but FLAT search `index.edges`, the graph of `sage_graph`; without one they are flat. Model-backed stages take a
callable; rules stand in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kag.core.errors import BadValue
from kag.retrieval.chunking import Hit, Query
from kag.retrieval.graph.entities import Extractor, entities
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan, Seed
from kag.retrieval.steps.expand import ONE_HOP, WALKED, ExpandOptions, neighbours, paths
from kag.retrieval.steps.rank import (
    HEAD,
    RULES,
    Condense,
    Stages,
    Variants,
    agreed,
    best_sentences,
    clause_variants,
    condensed,
    credited,
    in_order,
    variants,
)
from kag.retrieval.steps.seed import (
    FLAT,
    USUAL,
    EntityGraph,
    EntityOptions,
    Synonyms,
    by_entities,
    mixed,
    reciprocal_rank,
)

__all__ = [
    "FLAT",
    "PRESETS",
    "PlanOptions",
    "entity_plan",
    "multi_query_plan",
    "paths_plan",
    "preset",
    "sage_plan",
    "sage_within",
]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How far a plan expands. With `more` it returns that many expanded hits behind its seeds (the document's k'), else
    both compete. `hops` is 1 to 3 (0: the plan's default); the others are those of `EntityOptions`."""

    more: int = 0
    hops: int = 0
    threshold: int = USUAL.threshold
    synonyms: int = USUAL.synonyms
    rerank: bool = USUAL.rerank

    @property
    def entities(self) -> EntityOptions:
        """The options of the plan entity; raises `BadValue` outside their ranges."""
        return EntityOptions(self.hops or USUAL.hops, self.threshold, self.synonyms, self.rerank)

    def walked(self, usual: ExpandOptions) -> ExpandOptions:
        """The options of a walk."""
        return replace(usual, hops=self.hops) if self.hops else usual


USUAL_BOUNDS = PlanOptions()
SEED = mixed()
"""Where presets begin: on all sets that were measured nowhere worse than reciprocal rank fusion, and mostly better."""
SEEN = 50  # seeds that a merge looks at, at least


def sage_plan(k: int = 10, more: int = 5, options: ExpandOptions = ONE_HOP, seed: Seed = reciprocal_rank) -> Plan:
    """`k` seeds, then the `more` best of their neighbours."""
    return Plan("sage", seed, k=k, more=more, expand=neighbours(options))


def sage_within(total: int = 10, head: float = HEAD, options: ExpandOptions = ONE_HOP, seed: Seed = SEED) -> Plan:
    """As many hits as FLAT: neighbours compete with seeds, of which a share `head` of any first hits consists."""
    expanded = Plan("sage", seed, expand=neighbours(options), merge=in_order(head, options.meaning))
    return _within(expanded, total)


def _within(plan: Plan, total: int) -> Plan:
    """The plan with `total` hits in all. Its merge sees equally many seeds for all totals up to `SEEN`, so that the
    first hits are the same.
    """
    return replace(plan, k=max(total, SEEN), more=max(total, SEEN), total=total)


def paths_plan(k: int = 10, more: int = 5, *, damping: float = 0.85, hops: int = 2) -> Plan:
    """`k` seeds, then the `more` chunks where a walk from them spends most of its time."""
    return Plan("paths", reciprocal_rank, k=k, more=more, expand=paths(damping, hops, most=max(WALKED, k + more)))


def entity_plan(
    graph: EntityGraph | None = None,
    k: int = 10,
    more: int = 5,
    options: EntityOptions = USUAL,
    *,
    extract: Extractor = entities,
    synonyms: Synonyms | None = None,
    seed: Seed = reciprocal_rank,
) -> Plan:
    """`k` seeds, then the `more` chunks that mention most of the question's names and of those near them.

    The graph is that of the index's own chunks if none is given.
    """
    mentioning = by_entities(graph, options, extract, synonyms)

    def expand(query: Query, seeds: Sequence[Hit], index: Index) -> Sequence[Hit]:
        return mentioning(query, index, k + more)

    return Plan("entity", seed, k=k, more=more, expand=expand)


def multi_query_plan(
    k: int = 5,
    options: ExpandOptions = ONE_HOP,
    *,
    ask: Variants = clause_variants,
    condense: Condense | None = best_sentences,
    most: int = 3,
    seed: Seed = reciprocal_rank,
) -> Plan:
    """For the question and at most `most` variants: `k` seeds (3 to 5), as many neighbours, and notes of the chunks.

    Without `condense` chunks stay whole. Raises `BadValue` for another k.
    """
    if not 3 <= k <= 5:
        raise BadValue(f"k is {k}", hint="Give a number from 3 to 5.")
    plan = Plan("multi_query", seed, k=k, more=k, rewrite=variants(ask, most), expand=neighbours(options))
    return replace(plan, compress=condensed(condense)) if condense else plan


PRESETS = (*FLAT, "sage", "entity", "multi_query", "paths")
"""The names that `preset` knows."""


def preset(
    name: str,
    index: Index,
    total: int = 10,
    stages: Stages = RULES,
    options: ExpandOptions = ONE_HOP,
    asked: PlanOptions = USUAL_BOUNDS,
) -> Plan:
    """The plan of this name that gives at most `total` hits, so that plans can be compared. Raises `BadValue`.

    `stages` does what a model can do; rules do unless told otherwise. `options` are those of walks over the index's
    graph. Any stage of the plan can be set otherwise by `dataclasses.replace`. All that expand have the same seeds
    (`SEED`) and the same guard (`in_order`), and their first hits do not depend on `total`.
    """
    if name in FLAT:
        return replace(FLAT[name], k=total, total=total)
    options = asked.walked(options)
    if asked.more and name in PRESETS:
        return _with_expanded(name, total, stages, options, asked)
    if name == "sage":
        return sage_within(total, options=options)
    if name == "entity":
        how = asked.entities
        plan = entity_plan(k=SEEN, more=SEEN, options=how, extract=stages.extract, synonyms=stages.synonyms, seed=SEED)
        return _within(replace(plan, rank=credited(), merge=in_order()), total)
    if name == "multi_query":
        plan = multi_query_plan(options=options, ask=stages.variants, condense=stages.condense, seed=SEED)
        return _within(replace(plan, merge=in_order(meaning=options.meaning), gather=agreed()), total)
    if name == "paths":
        plan = paths_plan(hops=asked.hops or 2)
        return _within(replace(plan, seed=SEED, rank=credited(), merge=in_order()), total)
    raise BadValue(f"unknown plan {name}", hint=f"Use one of {', '.join(PRESETS)}.")


def _with_expanded(name: str, k: int, stages: Stages, options: ExpandOptions, asked: PlanOptions) -> Plan:
    """`k` seeds and `more` expanded hits behind them, as the documents have it: the union of both."""
    if name == "entity":
        how, extract, synonyms = asked.entities, stages.extract, stages.synonyms
        plan = entity_plan(k=k, more=asked.more, options=how, extract=extract, synonyms=synonyms, seed=SEED)
        return replace(plan, rank=credited())
    if name == "multi_query":
        plan = multi_query_plan(k, options, ask=stages.variants, condense=stages.condense, seed=SEED)
        return replace(plan, more=asked.more)
    if name == "paths":
        return replace(paths_plan(k, asked.more, hops=asked.hops or 2), seed=SEED)
    return sage_plan(k, asked.more, options, SEED)
