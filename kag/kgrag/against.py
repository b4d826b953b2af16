"""What speaks against an edge: other edges with which, by the rules of a domain, it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from kag.kgrag.domain import Domain
from kag.kgrag.rules import DeclaredRule, out_of_order
from kag.retrieval.property_graph.engine import GraphEngine

Claim = tuple[str, str, str]
"""Label, source and target of an edge that somebody says there is."""
Against = tuple[str, tuple[str, ...]]
"""The name of a rule, and the edges that decide."""


def against(domain: Domain, graph: GraphEngine, claim: Claim) -> Against | None:
    """The first rule that an edge, added to the graph, would break, with the edges that break it; None: nothing.

    Of rules whose breach is a warning only `one_sign` speaks against an edge.
    """
    label, source, target = claim
    for rule in domain.rules:
        if not isinstance(rule, DeclaredRule) or label not in rule.edges or rule.kind not in KINDS:
            continue
        found = next(KINDS[rule.kind](rule, graph, claim), None)
        if found is not None and (rule.severity == "error" or rule.kind == "one_sign"):
            return rule.name, found
    if label in domain.single:
        others = tuple(e.id for e in graph.edges_of(source, direction="out", edge_labels=[label]) if e.target != target)
        return (f"single {label}", others) if others else None
    return None


def _one_sign(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """An edge of another label of the rule between the same two."""
    label, source, target = claim
    for other in rule.edges:
        found = graph.find_edges(other, source, target) if other != label else ()
        if found:
            yield found


def _acyclic(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """A way back from the target to the source."""
    _, source, target = claim
    way = graph.shortest_links(target, source, edge_labels=rule.edges, direction="out") if source != target else None
    if way:
        yield tuple(edge.id for edge in way)


def _no_self(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """The edge itself, where both ends are one."""
    if claim[1] == claim[2]:
        yield ()


def _at_most_one(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """Such an edge of the same node with another one."""
    _, source, target = claim
    for node, other, side in ((source, target, "out"), (target, source, "in")):
        known = graph.node(node)
        if rule.direction not in (side, "both") or (rule.node not in ("", "*", known.label)):
            continue
        if rule.unless and known.props.get(rule.unless):
            continue
        links = graph.edges_of(node, direction=rule.direction, edge_labels=rule.edges)
        found = tuple(link.id for link in links if link.other(node) != other)
        if found:
            yield found


def _ordered(rule: DeclaredRule, graph: GraphEngine, claim: Claim) -> Iterator[tuple[str, ...]]:
    """The wrong order of the two."""
    source, target = (graph.node(end).props for end in claim[1:])
    if out_of_order(rule, source, target):
        yield ()


KINDS: Mapping[str, Callable[[DeclaredRule, GraphEngine, Claim], Iterator[tuple[str, ...]]]] = {
    "one_sign": _one_sign,
    "acyclic": _acyclic,
    "no_self": _no_self,
    "at_most_one": _at_most_one,
    "ordered": _ordered,
}
