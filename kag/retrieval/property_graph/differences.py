"""What changed between two snapshots, and the changes as JSON Patch.

Everything is by id, never by place in a list: a patch made from one file fits another file of the same graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kag.retrieval.property_graph.elements import Change, GraphSnapshot, Kind, Link, as_record, canonical_text
from kag.retrieval.property_graph.property_graph import Node

Element = Node | Link
Key = tuple[Kind, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """Changes that make one snapshot of another, ordered by kind and id."""

    changes: tuple[Change, ...]

    def of(self, what: Literal["added", "removed", "changed"]) -> tuple[Change, ...]:
        """Those that add, take away, or change."""
        wanted = {"added": (False, True), "removed": (True, False), "changed": (True, True)}[what]
        return tuple(one for one in self.changes if (one.before is not None, one.after is not None) == wanted)

    def as_json_patch(self) -> list[dict[str, Any]]:
        """RFC 6902 operations on `{"nodes": {id: node}, "edges": {id: edge}}`."""
        return [_operation(change) for change in self.changes]


def _operation(change: Change) -> dict[str, Any]:
    pointer = f"/{change.kind}s/" + change.id.replace("~", "~0").replace("/", "~1")
    if change.after is None:
        return {"op": "remove", "path": pointer}
    return {"op": "add" if change.before is None else "replace", "path": pointer, "value": as_record(change.after)}


def by_key(snapshot: GraphSnapshot) -> dict[Key, Element]:
    """The elements of a snapshot by kind and id."""
    found: dict[Key, Element] = {("node", node.id): node for node in snapshot.nodes}
    found.update({("edge", edge.id): edge for edge in snapshot.edges})
    return found


def of_elements(elements: Iterable[Element]) -> GraphSnapshot:
    """A snapshot of elements, in canonical order."""
    things = tuple(elements)
    nodes = tuple(one for one in things if isinstance(one, Node))
    return GraphSnapshot(nodes, tuple(one for one in things if isinstance(one, Link))).canonical()


def difference(before: GraphSnapshot, after: GraphSnapshot) -> Difference:
    """What makes `after` of `before`; 1 and true are told apart, as in JSON."""
    return differing(by_key(before), by_key(after))


def differing(old: Mapping[Key, Element], new: Mapping[Key, Element]) -> Difference:
    """`difference` of elements by key. Nodes come before edges, and go after them."""
    keys = sorted(key for key in old.keys() | new.keys() if not same(old.get(key), new.get(key)))
    changes = [change for key in keys for change in _steps(old.get(key), new.get(key))]
    return Difference(tuple(sorted(changes, key=_turn)))


def _steps(before: Element | None, after: Element | None) -> tuple[Change, ...]:
    """A change; an edge that got other ends goes and comes, so that a node it leaves can go between."""
    if _ends(before) and _ends(after) and _ends(before) != _ends(after):
        return Change(before, None), Change(None, after)
    return (Change(before, after),)


def _ends(one: Element | None) -> tuple[str, ...]:
    return (one.source, one.target) if isinstance(one, Link) else ()


def _turn(change: Change) -> int:
    """Edges that go, nodes that go, nodes that come or change, edges that come or change."""
    if change.after is None:
        return 0 if change.kind == "edge" else 1
    return 2 if change.kind == "node" else 3


def same(one: Element | None, other: Element | None) -> bool:
    """Whether two elements say the same in JSON."""
    if one is None or other is None or one != other:
        return one is other
    return canonical_text(one) == canonical_text(other)
