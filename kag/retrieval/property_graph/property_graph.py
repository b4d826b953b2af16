"""A property graph: nodes and edges with a label and properties. Kinds of edges are labels, not classes.

Edges have a direction, but can be walked both ways. Everything comes back in the order in which it was added, so
that the same additions give the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from kag.core.errors import BadValue, UnknownNode


@dataclass(frozen=True, slots=True)
class Node:
    """A thing with an id, a label that says what it is, and properties."""

    id: str
    label: str = ""
    props: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """A labelled link from one node to another; `weight`, above 0, is how strong it is."""

    source: str
    target: str
    label: str
    weight: float = 1.0
    props: Mapping[str, Any] = field(default_factory=dict)

    def other(self, node: str) -> str:
        """The end that is not `node`."""
        return self.source if node == self.target else self.target


class Graph(Protocol):
    """What every graph of nodes and edges can be asked; `PropertyGraph` says what the answers are."""

    def __contains__(self, node: str) -> bool: ...

    def __len__(self) -> int: ...

    def node(self, name: str) -> Node: ...

    @property
    def nodes(self) -> Iterable[Node]: ...

    @property
    def edges(self) -> Iterator[Edge]: ...

    def edges_of(self, node: str, labels: frozenset[str] | None = None) -> Iterator[Edge]: ...

    def neighbours(self, node: str, labels: frozenset[str] | None = None) -> tuple[str, ...]: ...


class PropertyGraph:
    """Nodes by id, edges by their ends. Two nodes may share several edges, but one a label and direction."""

    def __init__(self, nodes: Iterable[Node] = (), edges: Iterable[Edge] = ()) -> None:
        self._nodes: dict[str, Node] = {}
        self._edges: dict[str, dict[tuple[str, str, str], Edge]] = {}
        for node in nodes:
            self.add_node(node)
        for edge in edges:
            self.add_edge(edge)

    def add_node(self, node: Node) -> None:
        """Add a node; one with an id that is there takes its place and keeps its edges."""
        self._nodes[node.id] = node
        self._edges.setdefault(node.id, {})

    def add_edge(self, edge: Edge) -> None:
        """Add an edge between two nodes that are there; one with its ends and label takes its place.

        Raises `UnknownNode`, and `BadValue` for an edge to itself or without weight.
        """
        missing = [end for end in (edge.source, edge.target) if end not in self._nodes]
        if missing:
            raise UnknownNode(f"unknown node {missing[0]}", hint="Add both ends before the edge.")
        if edge.source == edge.target or not edge.weight > 0:
            raise BadValue(f"{edge.label} {edge.source}: no such edge", hint="Give two ends and a weight above 0.")
        key = edge.source, edge.target, edge.label
        self._edges[edge.source][key] = edge
        self._edges[edge.target][key] = edge

    def __contains__(self, node: str) -> bool:
        return node in self._nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def node(self, name: str) -> Node:
        """The node of this id; raises `UnknownNode`."""
        if name not in self._nodes:
            raise UnknownNode(f"unknown node {name}", hint="Use an id from `nodes`.")
        return self._nodes[name]

    @property
    def nodes(self) -> Iterable[Node]:
        """All nodes."""
        return self._nodes.values()

    @property
    def edges(self) -> Iterator[Edge]:
        """All edges, each once."""
        return (edge for name, edges in self._edges.items() for edge in edges.values() if edge.source == name)

    def edges_of(self, node: str, labels: frozenset[str] | None = None) -> Iterator[Edge]:
        """The edges at a node, in and out; only those of these labels where some are given. None at an unknown node."""
        edges = self._edges.get(node, {}).values()
        return iter(edges) if labels is None else (edge for edge in edges if edge.label in labels)

    def neighbours(self, node: str, labels: frozenset[str] | None = None) -> tuple[str, ...]:
        """The nodes at the other ends of its edges, each once."""
        return tuple(dict.fromkeys(edge.other(node) for edge in self.edges_of(node, labels)))
