"""The methods as plans: FLAT is what the others are measured against; each expansion has a switch.

SAGE: seeds and their neighbours (arXiv:2602.16964, section 2.2). ENTITY: from names to chunks. MULTI_QUERY: variants of
the question, a few seeds each, neighbours, and a note for every chunk. PATHS: a random walk that begins at the seeds.
All but FLAT search `index.edges`, the graph of `sage_graph`; without one they are flat. Model-backed stages take a
callable; rules stand in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kag.errors import BadValue
from kag.retrieve.by_entity import USUAL, EntityGraph, EntityOptions, Synonyms, by_entities
from kag.retrieve.chunk import Hit, Query
from kag.retrieve.compress import Condense, best_sentences, condensed
from kag.retrieve.entities import Extractor, entities
from kag.retrieve.expand import ONE_HOP, ExpandOptions, in_order, neighbours, paths
from kag.retrieve.index import Index
from kag.retrieve.plan import Plan, Seed
from kag.retrieve.rewrite import Variants, clause_variants, variants
from kag.retrieve.seed import FLAT, reciprocal_rank

__all__ = ["FLAT", "PRESETS", "entity_plan", "multi_query_plan", "paths_plan", "preset", "sage_plan", "sage_within"]


def sage_plan(k: int = 10, more: int = 5, options: ExpandOptions = ONE_HOP, seed: Seed = reciprocal_rank) -> Plan:
    """`k` seeds, then the `more` best of their neighbours."""
    return Plan("sage", seed, k=k, more=more, expand=neighbours(options))


def sage_within(
    total: int = 10, head: float = 0.5, options: ExpandOptions = ONE_HOP, seed: Seed = reciprocal_rank
) -> Plan:
    """As many hits as FLAT: the first `head` of them are FLAT's, behind those neighbours compete with seeds."""
    merge = in_order(head, options.meaning)
    return Plan("sage_within", seed, k=total, more=total, total=total, expand=neighbours(options), merge=merge)


def paths_plan(k: int = 10, more: int = 5, *, damping: float = 0.85, hops: int = 2) -> Plan:
    """`k` seeds, then the `more` chunks where a walk from them spends most of its time."""
    return Plan("paths", reciprocal_rank, k=k, more=more, expand=paths(damping, hops))


def entity_plan(
    entity_graph: EntityGraph,
    k: int = 10,
    more: int = 5,
    options: EntityOptions = USUAL,
    *,
    extract: Extractor = entities,
    synonyms: Synonyms | None = None,
    seed: Seed = reciprocal_rank,
) -> Plan:
    """`k` seeds, then the `more` chunks that mention most of the question's names and of those near them."""
    mentioning = by_entities(entity_graph, options, extract, synonyms)

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


def preset(name: str, index: Index, total: int = 10) -> Plan:
    """The plan of this name that gives at most `total` hits, so that plans can be compared. Raises `BadValue`."""
    if name in FLAT:
        return replace(FLAT[name], k=total, total=total)
    if name == "sage":
        return sage_within(total)
    seeds = max(1, total // 2)
    if name == "entity":
        return replace(entity_plan(EntityGraph(index.chunks.values()), seeds, total - seeds), total=total)
    if name == "multi_query":
        return replace(multi_query_plan(), total=total)
    if name == "paths":
        return replace(paths_plan(seeds, total - seeds), total=total)
    raise BadValue(f"no plan {name}", hint=f"Take one of {', '.join(PRESETS)}.")
