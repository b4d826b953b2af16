"""The graph engine: nodes and edges of any world, with editing. It knows no domain.

    graph = GraphEngine()
    a, b = graph.create_node("Task", {"name": "fetch"}), graph.create_node("Task", {"name": "sort"})
    graph.create_edge("depends_on", b, a)

What is read comes back in the order in which it was added; what is written is in canonical order. Every edit is
checked first, so that a graph in memory is always sound: ids are unique, and edges have both ends.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from kag.core.errors import BadValue, UnknownNode
from kag.retrieval.property_graph import paths, slices
from kag.retrieval.property_graph.elements import (
    EMPTY,
    NEAR,
    Change,
    Cut,
    Direction,
    GraphSnapshot,
    Growth,
    Link,
    Node,
    checked_name,
    checked_props,
)
from kag.retrieval.property_graph.schema import Checked, StructureSchema, check_structure
from kag.retrieval.property_graph.tables import Journal, Listener, Tables, flat


class GraphEngine:
    """A graph of nodes and edges with ids. `indexed` names properties of nodes that `find_nodes` looks up at once."""

    def __init__(self, snapshot: GraphSnapshot | None = None, *, indexed: Iterable[str] = ()) -> None:
        self.tables = Tables(indexed)
        self._journal = Journal(self.tables.put)
        self._last = {"n": 0, "e": 0}
        if snapshot is not None:
            self.load(snapshot.nodes, snapshot.edges)

    # --- what is there -----------------------------------------------------------------------------------------------

    def __contains__(self, node: str) -> bool:
        return node in self.tables.nodes

    def __len__(self) -> int:
        return len(self.tables.nodes)

    @property
    def nodes(self) -> Iterable[Node]:
        """All nodes."""
        return self.tables.nodes.values()

    @property
    def edges(self) -> Iterable[Link]:
        """All edges."""
        return self.tables.links.values()

    def get_node(self, node: str) -> Node | None:
        """The node of this id, if there is one."""
        return self.tables.nodes.get(node)

    def get_edge(self, edge: str) -> Link | None:
        """The edge of this id, if there is one."""
        return self.tables.links.get(edge)

    def node(self, node: str) -> Node:
        """The node of this id; raises `UnknownNode`."""
        found = self.tables.nodes.get(node)
        if found is None:
            raise UnknownNode(f"unknown node {node!r:.100}", hint="Use an id of a node that is there.")
        return found

    def edge(self, edge: str) -> Link:
        """The edge of this id; raises `UnknownNode`."""
        link = self.tables.links.get(edge)
        if link is None:
            raise UnknownNode(f"no edge {edge!r:.100}", hint="Use an id of an edge that is there.")
        return link

    # --- edits -------------------------------------------------------------------------------------------------------

    def create_node(self, label: str, props: Mapping[str, Any] | None = None, id: str = "") -> str:
        """Add a node and return its id; one is made where none is given. Raises `BadValue`, also for an id in use."""
        node = Node(self._id(id, "n", self.tables.nodes), checked_name(label, "label"), checked_props(props))
        self._journal.do((Change(None, node),))
        return node.id

    def update_node(
        self, id: str, props: Mapping[str, Any] | None = None, *, drop: Iterable[str] = (), label: str = ""
    ) -> None:
        """Set these properties, take those in `drop` away, and the label, where one is given."""
        before = self.node(id)
        after = Node(id, checked_name(label, "label") if label else before.label, _changed(before.props, props, drop))
        if after != before:
            self._journal.do((Change(before, after),))

    def delete_node(self, id: str) -> None:
        """Delete a node and its edges."""
        node = self.node(id)
        edges = [Change(edge, None) for edge in self.tables.links_at(id)]
        self._journal.do((*edges, Change(node, None)))

    def create_edge(
        self, label: str, source: str, target: str, props: Mapping[str, Any] | None = None, id: str = ""
    ) -> str:
        """Add an edge between nodes that are there and return its id. Raises `BadValue`, `UnknownNode`."""
        self.node(source), self.node(target)
        name = self._id(id, "e", self.tables.links)
        edge = Link(name, checked_name(label, "label"), source, target, checked_props(props))
        self._journal.do((Change(None, edge),))
        return edge.id

    def update_edge(self, id: str, props: Mapping[str, Any] | None = None, *, drop: Iterable[str] = ()) -> None:
        """Set these properties of an edge, and take those in `drop` away."""
        before = self.edge(id)
        after = Link(id, before.label, before.source, before.target, _changed(before.props, props, drop))
        if after != before:
            self._journal.do((Change(before, after),))

    def delete_edge(self, id: str) -> None:
        """Delete an edge."""
        self._journal.do((Change(self.edge(id), None),))

    def _id(self, given: str, kind: str, taken: Mapping[str, object]) -> str:
        """The id given, if it is free, or the next free one."""
        if given:
            if given in taken:
                raise BadValue(
                    f"the id {given!r:.100} is in use", hint="Give another id, or none, or update what is there."
                )
            return checked_name(given, "id")
        while True:
            self._last[kind] += 1
            name = f"{kind}{self._last[kind]}"
            if name not in taken:
                return name

    def load(self, nodes: Iterable[Node] = (), edges: Iterable[Link] = ()) -> None:
        """Add very many nodes and edges, all of which must be new and sound; raises `BadValue` or `UnknownNode`.

        Listeners are not called.
        """
        tables = self.tables
        with _uncollected():
            for node in nodes:
                if node.id in tables.nodes:
                    raise BadValue(f"the id {node.id!r:.100} is in use", hint="Give each node an id of its own.")
                checked_name(node.id, "id")
                tables.put_node(node)
            for edge in edges:
                if edge.source not in tables.nodes or edge.target not in tables.nodes or edge.id in tables.links:
                    self.node(edge.source), self.node(edge.target)
                    raise BadValue(f"the id {edge.id!r:.100} is in use", hint="Give each edge an id of its own.")
                tables.put_link(edge)

    def transaction(self) -> AbstractContextManager[None]:
        """`with graph.transaction():` all edits inside are one step, or, where something is raised, none."""
        return self._journal.transaction()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a listener with the changes of each step; the returned function removes it."""
        return self._journal.listen(listener)

    # --- finding -----------------------------------------------------------------------------------------------------

    def index(self, prop: str) -> None:
        """Look nodes up by this property from now on."""
        self.tables.index(prop)

    def find_nodes(self, label: str = "", props: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """The nodes of this label with these properties, and of any where none is given."""
        wanted = dict(props or {})
        by = next((name for name in wanted if name in self.tables.indexed), None)
        if by is not None:
            found: Iterable[str] = self.tables.with_value(by, wanted[by])
        else:
            found = self.tables.of_label(label) if label else self.tables.nodes
        nodes = (self.tables.nodes[name] for name in found)
        return tuple(n.id for n in nodes if (not label or n.label == label) and _has(n.props, wanted))

    def find_edges(
        self, label: str = "", source: str = "", target: str = "", props: Mapping[str, Any] | None = None
    ) -> tuple[str, ...]:
        """The edges of this label, between these ends, with these properties; of any where none is given."""
        wanted = dict(props or {})
        return tuple(
            edge.id
            for edge in self._near(label, source, target)
            if (not label or edge.label == label)
            and (not source or edge.source == source)
            and (not target or edge.target == target)
            and _has(edge.props, wanted)
        )

    def _near(self, label: str, source: str, target: str) -> Iterable[Link]:
        """The fewest edges among which those wanted are."""
        tables = self.tables
        if source and target:
            return tables.links_between(source, target)
        if source or target:
            return flat(tables.leaving.get(source, {}) if source else tables.coming.get(target, {}))
        return (tables.links[name] for name in tables.links_of_label(label)) if label else tables.links.values()

    # --- walking -----------------------------------------------------------------------------------------------------

    def edges_of(
        self, node: str, *, direction: Direction = "both", edge_labels: Iterable[str] | None = None
    ) -> Iterator[Link]:
        """The edges at a node."""
        self.node(node)
        return self.tables.links_at(node, direction, _labels(edge_labels))

    def neighbors(
        self, node: str, *, direction: Direction = "both", edge_labels: Iterable[str] | None = None
    ) -> tuple[str, ...]:
        """The nodes one edge away, each once."""
        self.node(node)
        return paths.neighbours(self.tables, node, direction, _labels(edge_labels))

    def breadth_first(
        self,
        starts: Iterable[str],
        *,
        depth: int | None = None,
        direction: Direction = "both",
        edge_labels: Iterable[str] | None = None,
    ) -> dict[str, int]:
        """The nodes within reach, the nearest first, and how many hops away each is."""
        return paths.breadth_first(self.tables, self._there(starts), direction, _labels(edge_labels), depth)

    def depth_first(
        self, start: str, *, direction: Direction = "out", edge_labels: Iterable[str] | None = None
    ) -> Iterator[str]:
        """The nodes within reach, each before those that are reached through it."""
        self.node(start)
        return paths.depth_first(self.tables, start, direction, _labels(edge_labels))

    def shortest_path(
        self, a: str, b: str, *, edge_labels: Iterable[str] | None = None, direction: Direction = "both"
    ) -> tuple[str, ...] | None:
        """The nodes of a shortest way, both ends among them; None where there is none."""
        links = self.shortest_links(a, b, edge_labels=edge_labels, direction=direction)
        if links is None:
            return None
        nodes = [a]
        for link in links:
            nodes.append(link.other(nodes[-1]))
        return tuple(nodes)

    def shortest_links(
        self, a: str, b: str, *, edge_labels: Iterable[str] | None = None, direction: Direction = "both"
    ) -> tuple[Link, ...] | None:
        """The edges of a shortest way; None where there is none."""
        self.node(a), self.node(b)
        return paths.shortest(self.tables, a, b, direction, _labels(edge_labels))

    def along(self, starts: Iterable[str], path: Sequence[str]) -> tuple[str, ...]:
        """The nodes at the end of a path of edge labels, `("inhibits", "^encodes")`; `^` walks against the edge."""
        return paths.along(self.tables, self._there(starts), path)

    def circles(self, edge_labels: Iterable[str] | None = None) -> tuple[tuple[str, ...], ...]:
        """Return the sets of nodes on a common cycle of edges, single nodes with a self-loop included."""
        return paths.circles(self.tables, _labels(edge_labels))

    # --- slices ------------------------------------------------------------------------------------------------------

    def subgraph(
        self,
        seeds: Iterable[str],
        *,
        depth: int = 1,
        edge_labels: Iterable[str] | None = None,
        max_nodes: int | None = None,
        direction: Direction = "both",
        cut: Cut = NEAR,
    ) -> GraphSnapshot:
        """The nodes within `depth` of the seeds and their edges, cut to `max_nodes`. Raises `UnknownNode`."""
        growth = Growth(_depth(depth), _labels(edge_labels), max_nodes, direction, cut)
        return slices.subgraph(self.tables, self._there(seeds), growth)

    def any_of(self, groups: Sequence[Iterable[str]], growth: Growth = Growth()) -> GraphSnapshot:  # noqa: B008 - frozen
        """The nodes within reach of some group of seeds."""
        return slices.any_of(self.tables, [tuple(self._there(group)) for group in groups], growth)

    def ways(
        self,
        starts: Iterable[str],
        path: Sequence[str],
        *,
        only: Iterable[str] | None = None,
        max_nodes: int | None = None,
    ) -> GraphSnapshot:
        """The whole ways along a path of edge labels, to all ends or only to some, as many as `max_nodes` allows."""
        return slices.ways(self.tables, tuple(self._there(starts)), path, only, max_nodes)

    def slice_of(self, nodes: Iterable[str], edge_labels: Iterable[str] | None = None) -> GraphSnapshot:
        """Just these nodes and the edges between them."""
        there = list(dict.fromkeys(self._there(nodes)))
        return slices.between(self.tables, there, Growth(edge_labels=_labels(edge_labels)))

    def _there(self, nodes: Iterable[str]) -> Iterator[str]:
        return (self.node(name).id for name in nodes)

    # --- as a whole --------------------------------------------------------------------------------------------------

    def snapshot(self) -> GraphSnapshot:
        """All that is there, in canonical order."""
        return GraphSnapshot(tuple(self.nodes), tuple(self.edges)).canonical()

    def validate_structure(self, schema: StructureSchema | None = None) -> Checked:
        """Check the graph against a schema: issues, each with its severity, place and fix."""
        return check_structure(GraphSnapshot(tuple(self.nodes), tuple(self.edges)), schema)


def _labels(labels: Iterable[str] | None) -> frozenset[str] | None:
    """Labels as a set; one label alone may be given as it is."""
    return None if labels is None else frozenset((labels,) if isinstance(labels, str) else labels)


def _depth(depth: int) -> int:
    if depth < 0:
        raise BadValue(f"a depth of {depth}", hint="Give 0 or more hops.")
    return depth


def _changed(before: Mapping[str, Any], props: Mapping[str, Any] | None, drop: Iterable[str]) -> Mapping[str, Any]:
    after = {**before, **checked_props(props)}
    for name in drop:
        after.pop(name, None)
    return after or EMPTY


def _has(props: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(key in props and props[key] == value for key, value in wanted.items())


@contextmanager
def _uncollected() -> Iterator[None]:
    """A load makes no garbage: the collector, which would walk all of it again and again, waits until the end."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
