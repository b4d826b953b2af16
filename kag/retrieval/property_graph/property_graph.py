"""Nodes and edges of a graph for reading, with a label and properties. Kinds of edges are labels, not classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


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
    """What every graph for reading can be asked."""

    def __contains__(self, node: str) -> bool: ...

    def __len__(self) -> int: ...

    def node(self, name: str) -> Node: ...

    @property
    def nodes(self) -> Iterable[Node]: ...

    @property
    def edges(self) -> Iterator[Edge]: ...

    def edges_of(self, node: str, labels: frozenset[str] | None = None) -> Iterator[Edge]: ...

    def neighbours(self, node: str, labels: frozenset[str] | None = None) -> tuple[str, ...]: ...
