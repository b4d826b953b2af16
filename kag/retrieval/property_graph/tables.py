"""Tables of an editable graph's nodes and links: by id, by ends and by label. They check nothing.

A node's links are kept at both of its ends, in the order in which they came, those to one and the same node together:
so that the links between two hubs are looked up, and not walked through. Tables for what is never asked for are made
when it is asked for first: most nodes of a large graph have no property that is looked up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from kag.retrieval.property_graph.elements import Change, Direction, Link, Node

Ends = dict[str, "Link | dict[str, Link]"]
"""By the node at the other end: the link, or, where there are several between the two, all by id."""
NONE: Ends = {}
Listener = Callable[[tuple[Change, ...]], None]


class Tables:
    """Nodes, links, and the ways to find them. `indexed` names properties of nodes that are looked up by value."""

    def __init__(self, indexed: Iterable[str] = ()) -> None:
        self.nodes: dict[str, Node] = {}
        self.links: dict[str, Link] = {}
        self.leaving: dict[str, Ends] = {}
        self.coming: dict[str, Ends] = {}
        self._by_label: dict[str, dict[str, None]] = {}
        self._links_by_label: dict[str, dict[str, None]] | None = None
        self._by_value: dict[str, dict[str, dict[str, None]]] = {name: {} for name in indexed}

    def put(self, change: Change) -> None:
        """Make an element what it is after the change."""
        before, after = change.before, change.after
        if isinstance(before, Link):
            self._drop_link(before)
        elif before is not None and not (after and after.id in self.nodes and self._same_place(before, after)):
            self._drop_node(before)
        if isinstance(after, Link):
            self.put_link(after)
        elif after is not None:
            self.put_node(after)

    def _same_place(self, before: Node, after: Node | Link) -> bool:
        """Whether a node only changed its properties: it keeps its place, and indexes drop its old values."""
        if before.label != after.label:
            return False
        for name, values in self._by_value.items():
            _forget(values, value_key(before.props.get(name)), before.id)
        return True

    def put_node(self, node: Node) -> None:
        """Add a node, or change its properties."""
        self.nodes[node.id] = node
        self._by_label.setdefault(node.label, {})[node.id] = None
        for name, values in self._by_value.items():
            if name in node.props:
                values.setdefault(value_key(node.props[name]), {})[node.id] = None

    def _drop_node(self, node: Node) -> None:
        del self.nodes[node.id]
        _forget(self._by_label, node.label, node.id)
        for name, values in self._by_value.items():
            _forget(values, value_key(node.props.get(name)), node.id)

    def put_link(self, link: Link) -> None:
        """Add a link between nodes that are there."""
        self.links[link.id] = link
        _put(self.leaving, link.source, link.target, link)
        _put(self.coming, link.target, link.source, link)
        if self._links_by_label is not None:
            self._links_by_label.setdefault(link.label, {})[link.id] = None

    def _drop_link(self, link: Link) -> None:
        del self.links[link.id]
        _drop(self.leaving, link.source, link.target, link)
        _drop(self.coming, link.target, link.source, link)
        if self._links_by_label is not None:
            _forget(self._links_by_label, link.label, link.id)

    def links_at(
        self, node: str, direction: Direction = "both", labels: frozenset[str] | None = None
    ) -> Iterator[Link]:
        """The links at a node, first those that leave it; one to itself comes once. None at an unknown node."""
        if direction != "in":
            for link in flat(self.leaving.get(node, NONE)):
                if labels is None or link.label in labels:
                    yield link
        if direction != "out":
            for link in flat(self.coming.get(node, NONE)):
                if (labels is None or link.label in labels) and (direction == "in" or link.source != node):
                    yield link

    def beside(self, node: str, direction: Direction = "both", labels: frozenset[str] | None = None) -> Iterator[str]:
        """The nodes at the other ends of a node's links, in the order of these; one may come twice."""
        out = self.leaving.get(node, NONE) if direction != "in" else NONE
        into = self.coming.get(node, NONE) if direction != "out" else NONE
        if labels is None:
            return chain(out, into)  # no link is looked at, which halves a walk through all
        ends = chain(out.items(), into.items())
        return (other for other, one in ends if any(link.label in labels for link in _each(one)))

    def links_between(self, source: str, target: str) -> Iterable[Link]:
        """The links from one node to another."""
        found = self.leaving.get(source, NONE).get(target)
        return () if found is None else _each(found)

    def degree(self, node: str) -> int:
        """Return the number of links from and to a node; loops count twice."""
        return len(self.leaving.get(node, NONE)) + len(self.coming.get(node, NONE))

    def of_label(self, label: str) -> Iterable[str]:
        """The nodes of a label."""
        return self._by_label.get(label, {})

    @property
    def labels(self) -> dict[str, int]:
        """Return the number of nodes by label."""
        return {label: len(nodes) for label, nodes in self._by_label.items()}

    def links_of_label(self, label: str) -> Iterable[str]:
        """The links of a label."""
        if self._links_by_label is None:
            found: dict[str, dict[str, None]] = {}
            for link in self.links.values():
                found.setdefault(link.label, {})[link.id] = None
            self._links_by_label = found
        return self._links_by_label.get(label, {})

    @property
    def indexed(self) -> tuple[str, ...]:
        """The properties that are looked up."""
        return tuple(self._by_value)

    def index(self, name: str) -> None:
        """Look nodes up by this property from now on."""
        if name in self._by_value:
            return
        values: dict[str, dict[str, None]] = {}
        for node in self.nodes.values():
            if name in node.props:
                values.setdefault(value_key(node.props[name]), {})[node.id] = None
        self._by_value[name] = values

    def with_value(self, name: str, value: Any) -> Iterable[str]:
        """The nodes whose indexed property has this value."""
        return self._by_value[name].get(value_key(value), {})


def value_key(value: Any) -> str:
    """A value as a key: 1, 1.0 and true are three."""
    return value if isinstance(value, str) else "\x00" + json.dumps(value, sort_keys=True)


def flat(ends: Ends) -> Iterator[Link]:
    """The links of one side of a node."""
    for end in ends.values():
        if isinstance(end, dict):
            yield from end.values()
        else:
            yield end


def _each(one: Link | dict[str, Link]) -> Iterable[Link]:
    return one.values() if isinstance(one, dict) else (one,)


def _put(sides: dict[str, Ends], here: str, there: str, link: Link) -> None:
    try:
        ends = sides[here]
    except KeyError:
        sides[here] = {there: link}
        return
    known = ends.setdefault(there, link)
    if isinstance(known, dict):
        known[link.id] = link
    elif known is not link:
        ends[there] = {known.id: known, link.id: link} if known.id != link.id else link


def _drop(sides: dict[str, Ends], here: str, there: str, link: Link) -> None:
    ends = sides[here]
    known = ends[there]
    if isinstance(known, dict) and len(known) > 1:
        del known[link.id]
        return
    del ends[there]
    if not ends:
        del sides[here]


def _forget(table: dict[str, Any], key: str, name: str) -> None:
    """Take a name out of an entry, and the entry away when it holds no more."""
    entry = table.get(key)
    if entry is not None:
        entry.pop(name, None)
        if not entry:
            del table[key]


class Journal:
    """Edits of tables as steps: one edit, or all edits of a transaction. Listeners are called with the changes of each
    step, at the end of the outermost transaction. What a listener raises reaches the caller and changes nothing.
    """

    def __init__(self, put: Callable[[Change], None]) -> None:
        self._put = put
        self._open: list[Change] | None = None
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a listener with each step; the returned function removes it."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def do(self, changes: Sequence[Change]) -> None:
        """Make changes as one step, or as a part of the open transaction."""
        for change in changes:
            self._put(change)
        if self._open is not None:
            self._open.extend(changes)
        else:
            self._tell(tuple(changes))

    def _tell(self, step: tuple[Change, ...]) -> None:
        for listener in tuple(self._listeners) if step else ():
            listener(step)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all edits inside, or none where something is raised; a transaction inside another joins it."""
        outermost = self._open is None
        changes: list[Change] = [] if self._open is None else self._open
        self._open, mark = changes, len(changes)
        try:
            yield
        except BaseException:
            while len(changes) > mark:
                self._put(changes.pop().undone)
            raise
        finally:
            if outermost:
                self._open = None
        if outermost:
            self._tell(tuple(changes))
