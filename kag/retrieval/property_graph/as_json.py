"""A graph as JSON and back, ordered by id: nodes of id, label, props; edges of id, label, from, to, props."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kag.core.errors import BadValue
from kag.core.files import parse_object
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, as_record, checked_name, checked_props, redacted
from kag.retrieval.property_graph.property_graph import Node

HINT = 'Give {"nodes": [{"id", "label", "props"}], "edges": [{"id", "label", "from", "to", "props"}]}.'


def to_json(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> str:
    """The snapshot as text, an element a line; `allowed` names the properties that may be told, a label at a time."""
    shown = redacted(snapshot, allowed).canonical()
    parts = []
    for things in (shown.nodes, shown.edges):
        lines = [json.dumps(as_record(one), ensure_ascii=False, sort_keys=True) for one in things]
        parts.append("[" + ",".join(f"\n{line}" for line in lines) + "]")
    return f'{{"nodes": {parts[0]},\n"edges": {parts[1]}}}\n'


def from_json(text: str) -> GraphSnapshot:
    """The snapshot that a text says; raises `BadValue`. It may still be broken: `check_structure` tells how."""
    try:
        return from_records(parse_object(text))
    except ValueError as error:
        raise BadValue(f"no graph: {error}", hint=HINT) from error


def from_records(value: Mapping[str, Any]) -> GraphSnapshot:
    """The snapshot that JSON values say; edges without an id get one by their place."""
    nodes, edges = value.get("nodes", []), value.get("edges", [])
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise BadValue("no lists of nodes and edges", hint=HINT)
    return GraphSnapshot(
        tuple(_node(_object(one)) for one in nodes),
        tuple(_edge(_object(one), place) for place, one in enumerate(edges)),
    )


def _object(one: object) -> dict[str, Any]:
    if not isinstance(one, dict):
        raise BadValue(f"{one!r:.60} is not a node or edge", hint=HINT)
    return one


def _node(one: dict[str, Any]) -> Node:
    return Node(
        checked_name(one.get("id"), "id"), checked_name(one.get("label"), "label"), checked_props(one.get("props"))
    )


def _edge(one: dict[str, Any], place: int) -> Link:
    ends = checked_name(one.get("from"), "id"), checked_name(one.get("to"), "id")
    name = checked_name(one.get("id", f"e{place + 1}"), "id")
    return Link(name, checked_name(one.get("label"), "label"), *ends, checked_props(one.get("props")))
