"""A graph as N-Triples terms indexed both ways, and the walks a validator makes in it.

Plain strings hash and join many times faster than rdflib terms, which is what makes a report after every
change affordable. See `kag.rdf.paths` for what the states of a walk mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kag.rdf.paths import ANY, TYPE, Edge, Reach, Root

Triple = tuple[str, str, str]
Place = tuple[str, int]

_MARKS = "<urn:x-kag:marks>"
_NONE: dict[str, set[str]] = {}


class Neighbours:
    """Triples by subject and by object."""

    def __init__(self, triples: Iterable[Triple] = ()) -> None:
        self.out: dict[str, dict[str, set[str]]] = {}
        self.into: dict[str, dict[str, set[str]]] = {}
        for triple in triples:
            self.add(triple)

    def __iter__(self) -> Iterator[Triple]:
        for subject, predicates in self.out.items():
            for predicate, values in predicates.items():
                for value in values:
                    yield subject, predicate, value

    def add(self, triple: Triple) -> None:
        subject, predicate, value = triple
        self.out.setdefault(subject, {}).setdefault(predicate, set()).add(value)
        self.into.setdefault(value, {}).setdefault(predicate, set()).add(subject)

    def remove(self, triple: Triple) -> None:
        subject, predicate, value = triple
        if value in self.out.get(subject, _NONE).get(predicate, ()):
            for index, first, last in ((self.out, subject, value), (self.into, value, subject)):
                _discard(index, first, predicate, last)

    def step(self, node: str, predicate: str, inverse: bool) -> Iterable[str]:
        """The nodes one step away."""
        return (self.into if inverse else self.out).get(node, _NONE).get(predicate, ())

    def is_target(self, node: str, root: Root) -> bool:
        """Whether the root's targets select the node."""
        out, into = self.out.get(node, _NONE), self.into.get(node, _NONE)
        return (
            node in root.nodes
            or not root.classes.isdisjoint(out.get(TYPE, ()))
            or any(predicate in out for predicate in root.subjects_of)
            or any(predicate in into for predicate in root.objects_of)
        )


def _discard(index: dict[str, dict[str, set[str]]], first: str, predicate: str, last: str) -> None:
    predicates = index[first]
    predicates[predicate].discard(last)
    if not predicates[predicate]:
        del predicates[predicate]
    if not predicates:
        del index[first]


def affected(graph: Neighbours, changed: Iterable[Triple], reach: Reach) -> set[str]:
    """The targets whose verdict can depend on the changed triples.

    `graph` must hold all of them, those removed as well, so that walks through the graph before and the graph
    after are both in it.
    """
    roots = {root.state: root for root in reach.roots}
    seen: set[Place] = set()
    for subject, predicate, value in changed:
        for edge in (*reach.crossing.get(predicate, ()), *reach.crossing.get(ANY, ())):
            seen.add((value if edge.inverse else subject, edge.source))
    queue, found = list(seen), set()
    while queue:
        node, state = queue.pop()
        if state in roots and node not in found and graph.is_target(node, roots[state]):
            found.add(node)
        for edge in reach.entering.get(state, ()):
            for before in graph.step(node, edge.predicate, not edge.inverse):
                if (before, edge.source) not in seen:
                    seen.add((before, edge.source))
                    queue.append((before, edge.source))
    return found


def needed(graph: Neighbours, focus_nodes: Iterable[str], reach: Reach) -> set[Triple]:
    """The triples that the verdicts on the focus nodes depend on, and their markers (`kag.rdf.paths.marked`)."""
    targets = [(node, root) for node in focus_nodes for root in reach.roots if graph.is_target(node, root)]
    triples = {(_MARKS, root.marker, node) for node, root in targets}
    queue = [(node, root.state) for node, root in targets]
    seen = set(queue)
    while queue:
        node, state = queue.pop()
        for edge in reach.leaving.get(state, ()):
            for found in _cross(graph, node, edge, triples):
                if (found, edge.target) not in seen:
                    seen.add((found, edge.target))
                    queue.append((found, edge.target))
    return triples


def _cross(graph: Neighbours, node: str, edge: Edge, triples: set[Triple]) -> Iterable[str]:
    """Note the triples that an edge leads along from a node; returns where it leads."""
    if edge.predicate == ANY:
        for predicate, values in graph.out.get(node, _NONE).items():
            triples.update((node, predicate, value) for value in values)
        return ()
    ends = graph.step(node, edge.predicate, edge.inverse)
    if edge.inverse:
        triples.update((end, edge.predicate, node) for end in ends)
    else:
        triples.update((node, edge.predicate, end) for end in ends)
    return ends
