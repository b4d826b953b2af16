"""What a SHACL shape can look at: from a shapes graph to an automaton over the steps of its paths.

A shape's verdict on a node depends only on the triples met while walking its paths from that node (its own
constraints, nested shapes, classes of values). Reading these walks off the shapes once tells the validator,
for any changed triple, which nodes to look at again and which triples they need. The construction is
Thompson's (1968), with empty steps taken out at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from rdflib import Graph, URIRef
from rdflib.collection import Collection
from rdflib.namespace import RDF, RDFS, SH
from rdflib.term import Node

from kag.rdf.ntriples import term

K = TypeVar("K", int, str)

ANY = ""
"""Stands for every predicate: a closed shape looks at all triples of a node."""

TYPE = term(RDF.type)
SUBCLASS = term(RDFS.subClassOf)

_DEAD_END = 0
_MARKER = "urn:x-kag:target:"
_PATHS = (SH.inversePath, SH.alternativePath, SH.zeroOrMorePath, SH.oneOrMorePath, SH.zeroOrOnePath)
_PAIRS = (SH.equals, SH.disjoint, SH.lessThan, SH.lessThanOrEquals)
_NESTED = (SH.property, SH.node, SH["not"], SH.qualifiedValueShape)
_LISTS = (SH["and"], SH["or"], SH.xone)
_LOCAL = frozenset({  # constraints on the value itself, and what has no say in a verdict
    SH.minCount, SH.maxCount, SH.datatype, SH.nodeKind, SH.minInclusive, SH.maxInclusive, SH.minExclusive,
    SH.maxExclusive, SH.minLength, SH.maxLength, SH.pattern, SH.flags, SH.languageIn, SH.uniqueLang, SH.hasValue,
    SH["in"], SH.qualifiedMinCount, SH.qualifiedMaxCount, SH.ignoredProperties, SH.closed, SH["class"], SH.path,
    SH.deactivated, SH.message, SH.severity, SH.name, SH.description, SH.order, SH.group, SH.defaultValue,
})  # fmt: skip
_TARGETS = (SH.targetNode, SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf)
_KNOWN = frozenset({*_LOCAL, *_PATHS, *_PAIRS, *_NESTED, *_LISTS, *_TARGETS})


class Unsupported(Exception):
    """The shapes use something whose reach is not known; its message names it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One step: from `source` along `predicate` (N-Triples syntax, or `ANY`) to `target`."""

    source: int
    predicate: str
    inverse: bool
    target: int


@dataclass(frozen=True, slots=True)
class Root:
    """A shape with targets: the state its walks start in, and its targets in N-Triples syntax.

    `marker` is a predicate that marks a node as its target, in the shapes that `marked` gives.
    """

    shape: Node
    marker: str
    state: int
    nodes: frozenset[str]
    classes: frozenset[str]
    subjects_of: frozenset[str]
    objects_of: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reach:
    """All walks of all shapes.

    `leaving` and `entering` are a state's edges; `crossing` the edges a triple with that predicate can be on.
    """

    roots: tuple[Root, ...]
    leaving: dict[int, tuple[Edge, ...]]
    entering: dict[int, tuple[Edge, ...]]
    crossing: dict[str, tuple[Edge, ...]]


def reach_of(shapes: Graph) -> Reach:
    """The walks of a shapes graph; raises `Unsupported` on what is not SHACL Core as analysed here."""
    for predicate in sorted(set(shapes.predicates()), key=str):
        if str(predicate).startswith(str(SH)) and predicate not in _KNOWN:
            raise Unsupported(str(predicate))
    builder = _Builder(shapes)
    roots = tuple(builder.root(shape) for shape in sorted(_root_shapes(shapes), key=str))
    edges = builder.without_empty_steps()
    return Reach(
        roots,
        _grouped(edges, lambda edge: edge.source),
        _grouped(edges, lambda edge: edge.target),
        _grouped(edges, lambda edge: edge.predicate),
    )


def marked(shapes: Graph, reach: Reach) -> Graph:
    """The shapes with all targets of a root replaced by the objects of its marker.

    So a part of a graph can be validated for some of its nodes only. An incoming marker is on no path and, as
    closed shapes look at outgoing triples, changes no verdict.
    """
    roots = {root.shape: root for root in reach.roots}
    copy = Graph(bind_namespaces="none")
    for subject, predicate, value in shapes:
        is_target = predicate in _TARGETS or (subject in roots and predicate == RDF.type and value == RDFS.Class)
        if not is_target:
            copy.add((subject, predicate, value))
    for root in reach.roots:
        copy.add((root.shape, SH.targetObjectsOf, URIRef(root.marker[1:-1])))
    return copy


def _grouped(edges: list[Edge], key: Callable[[Edge], K]) -> dict[K, tuple[Edge, ...]]:
    groups: dict[K, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(key(edge), []).append(edge)
    return {name: tuple(group) for name, group in groups.items()}


def _root_shapes(shapes: Graph) -> set[Node]:
    targeted = {shape for target in _TARGETS for shape in shapes.subjects(target)}
    kinds = [shape for kind in (SH.NodeShape, SH.PropertyShape) for shape in shapes.subjects(RDF.type, kind)]
    return targeted | {shape for shape in kinds if _is_class(shapes, shape)}


def _is_class(shapes: Graph, shape: Node) -> bool:
    return (shape, RDF.type, RDFS.Class) in shapes


@dataclass(slots=True)
class _Builder:
    """Collects states and steps; state 0 is where walks end."""

    shapes: Graph
    states: int = 1
    edges: list[Edge] = field(default_factory=list)
    empty: list[tuple[int, int]] = field(default_factory=list)
    open: list[Node] = field(default_factory=list)

    def state(self) -> int:
        self.states += 1
        return self.states - 1

    def step(self, source: int, predicate: str, inverse: bool = False, target: int = _DEAD_END) -> int:
        self.edges.append(Edge(source, predicate, inverse, target))
        return target

    def root(self, shape: Node) -> Root:
        start = self.state()
        self.shape(shape, start)
        targets = {target: frozenset(map(term, self.shapes.objects(shape, target))) for target in _TARGETS}
        own = frozenset({term(shape)}) if _is_class(self.shapes, shape) else frozenset()
        root = Root(
            shape,
            f"<{_MARKER}{start}>",
            start,
            nodes=targets[SH.targetNode],
            classes=targets[SH.targetClass] | own,
            subjects_of=targets[SH.targetSubjectsOf],
            objects_of=targets[SH.targetObjectsOf],
        )
        if root.classes:
            self.step(start, TYPE)
        for predicate in sorted(root.subjects_of):
            self.step(start, predicate)
        for predicate in sorted(root.objects_of):
            self.step(start, predicate, inverse=True)
        return root

    def shape(self, shape: Node, focus: int) -> None:
        """Add what the shape looks at when its focus is in state `focus`."""
        if shape in self.open:
            raise Unsupported("a shape that refers to itself")
        self.open.append(shape)
        path = self.shapes.value(shape, SH.path)
        if path is not None and (shape, SH.property, None) in self.shapes:
            raise Unsupported("a property shape in a property shape")  # it reports value nodes, not its target
        values = focus if path is None else self.path(path, focus)
        for pair in _PAIRS:
            for predicate in self.shapes.objects(shape, pair):
                self.step(focus, term(predicate))
        if (shape, SH["class"], None) in self.shapes:
            self.step(values, TYPE)
        if any(str(value).lower() in ("true", "1") for value in self.shapes.objects(shape, SH.closed)):
            self.step(values, ANY)
        for inner in self._inner(shape):
            self.shape(inner, values)
        self.open.pop()

    def _inner(self, shape: Node) -> list[Node]:
        inner = [value for nested in _NESTED for value in self.shapes.objects(shape, nested)]
        for nested in _LISTS:
            for members in self.shapes.objects(shape, nested):
                inner.extend(Collection(self.shapes, members))
        return inner

    def path(self, path: Node, source: int, inverse: bool = False) -> int:
        """Add a path that starts in `source`; returns the state it ends in."""
        if (path, RDF.first, None) in self.shapes:
            return self._sequence(list(Collection(self.shapes, path)), source, inverse)
        for kind in _PATHS:
            inner = self.shapes.value(path, kind)
            if inner is not None:
                return self._complex(kind, inner, source, inverse)
        return self.step(source, term(path), inverse, self.state())

    def _sequence(self, parts: list[Node], source: int, inverse: bool) -> int:
        for part in reversed(parts) if inverse else parts:
            source = self.path(part, source, inverse)
        return source

    def _complex(self, kind: Node, inner: Node, source: int, inverse: bool) -> int:
        if kind == SH.inversePath:
            return self.path(inner, source, not inverse)
        end = self.state()
        if kind == SH.alternativePath:
            self.empty.extend((self.path(part, source, inverse), end) for part in Collection(self.shapes, inner))
            return end
        start = self.state()
        last = self.path(inner, start, inverse)
        self.empty += [(source, start), (last, end)]
        if kind != SH.oneOrMorePath:
            self.empty.append((source, end))
        if kind != SH.zeroOrOnePath:
            self.empty.append((last, start))
        return end

    def without_empty_steps(self) -> list[Edge]:
        """The edges, each also leaving from every state from which empty steps lead to its source."""
        backwards: dict[int, list[int]] = {}
        for source, target in self.empty:
            backwards.setdefault(target, []).append(source)
        found: dict[Edge, None] = {}
        for edge in self.edges:
            seen, queue = {edge.source}, [edge.source]
            while queue:
                state = queue.pop()
                found[Edge(state, edge.predicate, edge.inverse, edge.target)] = None
                fresh = [before for before in backwards.get(state, ()) if before not in seen]
                seen.update(fresh)
                queue.extend(fresh)
        return list(found)


def render(shapes: Graph, path: Node) -> str:
    """A path in SPARQL syntax with full IRIs, brackets around every compound: `(^<p>)+`, `(<p>/<q>)`."""
    if (path, RDF.first, None) in shapes:
        return "(" + "/".join(render(shapes, part) for part in Collection(shapes, path)) + ")"
    for kind, mark in ((SH.zeroOrMorePath, "*"), (SH.oneOrMorePath, "+"), (SH.zeroOrOnePath, "?")):
        inner = shapes.value(path, kind)
        if inner is not None:
            return f"({render(shapes, inner)}){mark}"
    inverse, alternatives = shapes.value(path, SH.inversePath), shapes.value(path, SH.alternativePath)
    if inverse is not None:
        return "^" + render(shapes, inverse)
    if alternatives is not None:
        return "(" + "|".join(render(shapes, part) for part in Collection(shapes, alternatives)) + ")"
    return term(path)
