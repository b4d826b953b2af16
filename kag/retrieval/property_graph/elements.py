"""Elements of an editable graph: nodes, links with ids of their own, slices, and the changes of an edit.

Nodes are those of `kag.retrieval.property_graph.elements`. A `Link` differs from its `Edge` in that it has an
id, so that several
links of one label may lie between the same two nodes. All are frozen: an edit puts another value in the place.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from kag.core.errors import BadValue


@dataclass(frozen=True, slots=True)
class Node:
    """A node with an id, a label for its kind, and properties."""

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
    """Queries that every readable graph answers."""

    def __contains__(self, node: str) -> bool: ...

    def __len__(self) -> int: ...

    def node(self, name: str) -> Node: ...

    @property
    def nodes(self) -> Iterable[Node]: ...

    @property
    def edges(self) -> Iterator[Edge]: ...

    def edges_of(self, node: str, labels: frozenset[str] | None = None) -> Iterator[Edge]: ...

    def neighbours(self, node: str, labels: frozenset[str] | None = None) -> tuple[str, ...]: ...


Props = Mapping[str, Any]
Direction = Literal["in", "out", "both"]
Kind = Literal["node", "edge"]
EMPTY: Props = {}  # one for all that have none: very many have none
LONGEST_NAME = 4096
"""Characters of an id, a label or the name of a property: more is no name."""
DEEPEST = 32
"""Lists and objects inside one another in a property."""


@dataclass(frozen=True, slots=True)
class Link:
    """An edge with an id: `source` and `target` are ids of nodes."""

    id: str
    label: str
    source: str
    target: str
    props: Props = field(default_factory=lambda: EMPTY)

    def other(self, node: str) -> str:
        """The end that is not `node`; `node` itself where it links to itself."""
        return self.source if node == self.target else self.target


@dataclass(frozen=True, slots=True)
class GraphSnapshot:
    """A snapshot of nodes and edges, or of a part of them. It may be invalid: see `check_structure`."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Link, ...] = ()

    def __and__(self, snapshot: GraphSnapshot) -> GraphSnapshot:
        """Return the elements in both, by id; values and order of the first."""
        return self._kept(snapshot, wanted=True)

    def __sub__(self, snapshot: GraphSnapshot) -> GraphSnapshot:
        """Return the elements in the first only, by id, without edges that lost an end."""
        less = self._kept(snapshot, wanted=False)
        ends = {node.id for node in less.nodes}
        return GraphSnapshot(less.nodes, tuple(e for e in less.edges if e.source in ends and e.target in ends))

    def __or__(self, snapshot: GraphSnapshot) -> GraphSnapshot:
        """Return the elements in either, by id; values of the first if both have them."""
        nodes = {node.id: node for node in (*snapshot.nodes, *self.nodes)}
        edges = {edge.id: edge for edge in (*snapshot.edges, *self.edges)}
        order = dict.fromkeys(node.id for node in (*self.nodes, *snapshot.nodes))
        links = dict.fromkeys(edge.id for edge in (*self.edges, *snapshot.edges))
        return GraphSnapshot(tuple(nodes[name] for name in order), tuple(edges[name] for name in links))

    def _kept(self, snapshot: GraphSnapshot, *, wanted: bool) -> GraphSnapshot:
        nodes, edges = {node.id for node in snapshot.nodes}, {edge.id for edge in snapshot.edges}
        return GraphSnapshot(
            tuple(node for node in self.nodes if (node.id in nodes) is wanted),
            tuple(edge for edge in self.edges if (edge.id in edges) is wanted),
        )

    def canonical(self) -> GraphSnapshot:
        """The same, ordered by id."""
        return GraphSnapshot(
            tuple(sorted(self.nodes, key=lambda node: node.id)), tuple(sorted(self.edges, key=lambda edge: edge.id))
        )

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The ids of its nodes, in order."""
        return tuple(node.id for node in self.nodes)


@dataclass(frozen=True, slots=True)
class Change:
    """One element before and after an edit; None where it was not there."""

    before: Node | Link | None
    after: Node | Link | None

    @property
    def undone(self) -> Change:
        """The change that takes it back."""
        return Change(self.after, self.before)

    @property
    def kind(self) -> Kind:
        """Whether a node or an edge was changed."""
        return "edge" if isinstance(self.after or self.before, Link) else "node"

    @property
    def id(self) -> str:
        """Of what was changed."""
        thing = self.after or self.before
        return thing.id if thing else ""


def as_record(thing: Node | Link) -> dict[str, Any]:
    """A node or link as JSON: `from` and `to` are a link's ends."""
    if isinstance(thing, Link):
        ends = {"from": thing.source, "to": thing.target}
        return {"id": thing.id, "label": thing.label, **ends, "props": dict(thing.props)}
    return {"id": thing.id, "label": thing.label, "props": dict(thing.props)}


def canonical_text(thing: Node | Link) -> str:
    """A node or link as one line that is the same for the same content."""
    return json.dumps(as_record(thing), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest_of(thing: Node | Link) -> bytes:
    """SHA-256 of the canonical text."""
    return hashlib.sha256(canonical_text(thing).encode("utf-8")).digest()


def checked_name(name: object, what: str) -> str:
    """An id, label or name that can be one; raises `BadValue`."""
    if isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and (name.isprintable() or _is_text(name)):
        return name
    shown = f"{name!r:.60}"
    raise BadValue(
        f"{what} {shown}: no such {what}", hint=f"Give a text of 1 to {LONGEST_NAME} characters, no controls."
    )


def _is_text(name: str) -> bool:
    """Whether all of it can be printed or is a space of some kind other than a line's end."""
    return all(sign.isprintable() or (sign.isspace() and ord(sign) > 0x7F) or sign == "\u00ad" for sign in name)


def checked_props(props: Mapping[str, Any] | None) -> Props:
    """Return JSON properties as plain copies; raises `BadValue`."""
    if not props:
        return EMPTY
    if not isinstance(props, Mapping):
        raise BadValue(f"properties {props!r:.60}", hint="Give an object of names and values.")
    return {checked_name(key, "property"): _plain(value, key, 0) for key, value in props.items()}


def _whole(text: str) -> bool:
    """Whether a text has no half of a character, which no file could hold."""
    return text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text)


def _plain(value: Any, key: str, depth: int) -> Any:
    """Return a private copy."""
    if value is None or isinstance(value, bool | int) or (isinstance(value, str) and _whole(value)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if depth < DEEPEST and isinstance(value, Mapping) and all(isinstance(name, str) and _whole(name) for name in value):
        return {name: _plain(one, key, depth + 1) for name, one in value.items()}
    if depth < DEEPEST and isinstance(value, list | tuple):
        return [_plain(one, key, depth + 1) for one in value]
    raise BadValue(f"property {key!r:.60}: {type(value).__name__} cannot be kept", hint="Give what JSON can say.")


def redacted(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None) -> GraphSnapshot:
    """The snapshot with only those properties that are allowed for a label; under `*` for all. None: all of them."""
    if allowed is None:
        return snapshot
    names = {label: frozenset(given) for label, given in allowed.items()}
    everywhere = names.get("*", frozenset())

    def cut(props: Props, label: str) -> Props:
        kept = names.get(label, frozenset()) | everywhere
        return {key: value for key, value in props.items() if key in kept}

    nodes = tuple(Node(node.id, node.label, cut(node.props, node.label)) for node in snapshot.nodes)
    edges = tuple(Link(e.id, e.label, e.source, e.target, cut(e.props, e.label)) for e in snapshot.edges)
    return GraphSnapshot(nodes, edges)


@dataclass(frozen=True, slots=True)
class Cut:
    """How an oversized slice is reduced. `near`: near first, then by relevance; `degree`; `random` with a seed."""

    by: Literal["near", "degree", "random"] = "near"
    relevance: Callable[[Node], float] | None = None
    seed: int = 0


NEAR = Cut()
BY_DEGREE = Cut("degree")


@dataclass(frozen=True, slots=True)
class Growth:
    """How far a slice grows from its seeds: hops, labels (None: all), direction, and number of nodes."""

    depth: int = 1
    edge_labels: frozenset[str] | None = None
    max_nodes: int | None = None
    direction: Direction = "both"
    cut: Cut = field(default=NEAR)
