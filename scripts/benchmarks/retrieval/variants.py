"""The plans that are measured, and each with one part turned off or set otherwise: the one table of them.

A variant changes the preset of its name, so that a row differs from that preset by nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kag.retrieval.graph.build import LIKENESS, GraphOptions
from kag.retrieval.graph.features import SIGNALS
from kag.retrieval.graph.links import CELL, LINK, MENTION, NEXT, PARENT, LinkOptions
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan
from kag.retrieval.presets import FLAT, PRESETS, entity_plan, preset
from kag.retrieval.steps.expand import ONE_HOP, ExpandOptions, paths
from kag.retrieval.steps.rank import in_order
from kag.retrieval.steps.seed import USUAL, EntityOptions

NO_LINKS = LinkOptions(cells=False, context=False, mentions=False, links=False, structure=False)
WITHOUT = {
    "cell titles": frozenset((CELL,)),
    "mentions": frozenset((MENTION,)),
    "structure": frozenset((NEXT, PARENT)),
    "likeness": LIKENESS,
}
BESIDE = "hybrid"  # the flat plan that ablations are shown beside
_PLAIN = Plan("", FLAT["hybrid"].seed)  # its other stages do nothing

Make = Callable[[Index, int], Plan]


@dataclass(frozen=True, slots=True)
class Variant:
    """A plan for each total of hits. `of` is the preset that it varies.

    It expands in the index's graph without the edges of the labels `without`, and with those that `instead` makes.
    """

    name: str
    of: str
    make: Make
    without: frozenset[str] = frozenset()
    instead: GraphOptions | None = None


def plans(names: Sequence[str] = PRESETS, *, linked: bool = False) -> tuple[Variant, ...]:
    """The presets of these names as they are; SAGE also without the chunks' own links where the graph has such."""
    found = tuple(Variant(name, name, _preset(name)) for name in names)
    return (*found, *(_text_only() for name in names if name == "sage" and linked))


def ablations(names: Sequence[str] = PRESETS) -> tuple[Variant, ...]:
    """The variants of these presets; of each, first the preset itself and the flat plan beside it."""
    made = {"sage": _sage, "entity": _entity, "multi_query": _multi_query, "paths": _paths}
    return tuple(
        variant
        for name in names
        if name in made
        for variant in (Variant(name, name, _preset(name)), Variant(BESIDE, name, _preset(BESIDE)), *made[name]())
    )


def _preset(name: str) -> Make:
    return lambda index, total: preset(name, index, total)


def _changed(name: str, **stages: Any) -> Make:
    """A preset with some of its fields set otherwise."""
    return lambda index, total: replace(preset(name, index, total), **stages)


def _sage() -> tuple[Variant, ...]:
    def walked(name: str, options: ExpandOptions) -> Variant:
        return Variant(f"sage, {name}", "sage", lambda index, total: preset("sage", index, total, options=options))

    def over(name: str) -> Variant:
        return Variant(f"sage, seeds of {name}", "sage", _changed("sage", seed=FLAT[name].seed))

    def graph(name: str, without: frozenset[str], instead: GraphOptions | None = None) -> Variant:
        return Variant(f"sage, {name}", "sage", _preset("sage"), without, instead)

    cells = GraphOptions(links=replace(NO_LINKS, cells=True), likeness=False)
    return (
        over("hybrid"),
        over("hybrid_linear"),
        Variant("sage, without the guard of seeds", "sage", _changed("sage", merge=in_order(head=0))),
        walked("without pairs", replace(ONE_HOP, pairs=False)),
        walked("without doubts", replace(ONE_HOP, doubts={})),
        walked("without related names", replace(ONE_HOP, related=0)),
        walked("2 hops", replace(ONE_HOP, hops=2)),
        _text_only(),
        graph("own links only", frozenset().union(*WITHOUT.values())),
        *(graph(f"without {name}", labels) for name, labels in WITHOUT.items()),
        graph("without cells by context", WITHOUT["cell titles"], cells),
        *(
            graph(f"without the {one} signal", LIKENESS, GraphOptions(links=NO_LINKS, signals=SIGNALS - {one}))
            for one in sorted(SIGNALS)
        ),
    )


def _text_only() -> Variant:
    """SAGE in the edges that text and metadata make alone."""
    return Variant("sage, text and metadata only", "sage", _preset("sage"), frozenset((LINK,)))


def _entity() -> tuple[Variant, ...]:
    def none(name: str, most: int) -> Sequence[str]:
        return ()

    def other(name: str, options: EntityOptions = USUAL, *, synonyms: bool = True) -> Variant:
        def make(index: Index, total: int) -> Plan:
            plan = preset("entity", index, total)
            changed = entity_plan(k=plan.k, more=plan.more, options=options, synonyms=None if synonyms else none)
            return replace(plan, expand=changed.expand)

        return Variant(f"entity, {name}", "entity", make)

    return (
        other("2 hops", replace(USUAL, hops=2)),
        other("3 hops", replace(USUAL, hops=3)),
        other("without synonyms", synonyms=False),
        other("without rerank", replace(USUAL, rerank=False)),
    )


def _multi_query() -> tuple[Variant, ...]:
    def other(name: str, **stages: Any) -> Variant:
        return Variant(f"multi_query, {name}", "multi_query", _changed("multi_query", **stages))

    return (
        other("without variants", rewrite=_PLAIN.rewrite),
        other("without neighbours", expand=_PLAIN.expand),
        other("without compression", compress=_PLAIN.compress),
    )


def _paths() -> tuple[Variant, ...]:
    dampings = (0.5, 0.7, 0.95)
    return tuple(Variant(f"paths, damping {one}", "paths", _changed("paths", expand=paths(one))) for one in dampings)
