"""A graph as JSON and back, ordered by id: nodes of id, label, props; edges of id, label, from, to, props."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from kag.core.errors import BadValue
from kag.core.files import parse_object
from kag.retrieval.property_graph.elements import (
    GraphSnapshot,
    Link,
    Node,
    as_record,
    checked_name,
    checked_props,
    redacted,
)


def to_csv(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> tuple[str, str]:
    """The CSV of the nodes and that of the edges."""
    shown = redacted(snapshot, allowed).canonical()
    nodes = _written(((n.props, n.id, n.label) for n in shown.nodes), ("id", "label"))
    edges = _written(((e.props, e.id, e.label, e.source, e.target) for e in shown.edges), ("id", "label", "from", "to"))
    return nodes, edges


def _written(things: Iterable[tuple[Any, ...]], own: tuple[str, ...]) -> str:
    rows = list(things)
    keys = sorted({key for props, *_ in rows for key in props})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*own, *(f"props.{key}" for key in keys)])
    for props, *cells in rows:
        writer.writerow([*cells, *(_cell(props[key]) if key in props else "" for key in keys)])
    return out.getvalue()


def _cell(value: Any) -> str:
    """Text as it is where that is not read as something else, all other values as JSON."""
    plain = isinstance(value, str) and value and value[0].isalpha() and value not in ("true", "false", "null")
    return value if plain and "\r" not in value and "\x00" not in value else json.dumps(value)


HINT = 'Give {"nodes": [{"id", "label", "props"}], "edges": [{"id", "label", "from", "to", "props"}]}.'


def to_json(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> str:
    """Return the snapshot as text, one element a line; `allowed` names the properties to include, by label."""
    shown = redacted(snapshot, allowed).canonical()
    parts = []
    for things in (shown.nodes, shown.edges):
        lines = [json.dumps(as_record(thing), ensure_ascii=False, sort_keys=True) for thing in things]
        parts.append("[" + ",".join(f"\n{line}" for line in lines) + "]")
    return f'{{"nodes": {parts[0]},\n"edges": {parts[1]}}}\n'


def from_json(text: str) -> GraphSnapshot:
    """Parse a snapshot; raises `BadValue`. It may still be invalid: see `check_structure`."""
    try:
        return from_records(parse_object(text))
    except ValueError as error:
        raise BadValue(f"no graph: {error}", hint=HINT) from error


def from_records(value: Mapping[str, Any]) -> GraphSnapshot:
    """Return the snapshot of JSON values; edges without an id get one by position."""
    nodes, edges = value.get("nodes", []), value.get("edges", [])
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise BadValue("no lists of nodes and edges", hint=HINT)
    return GraphSnapshot(
        tuple(_node(_object(node)) for node in nodes),
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


NODE, EDGE, LABEL, WORD = "urn:kag:graph:node:", "urn:kag:graph:edge:", "urn:kag:graph:label:", "urn:kag:graph:"
CONTEXT: Mapping[str, Any] = {
    "from": {"@id": f"{WORD}from", "@type": "@id"},
    "to": {"@id": f"{WORD}to", "@type": "@id"},
    "props": {"@id": f"{WORD}props", "@type": "@json"},
}
_LD_HINT = "Give what `to_json_ld` writes."


def to_json_ld(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> str:
    """The snapshot as JSON-LD."""
    shown = redacted(snapshot, allowed).canonical()
    things: tuple[Node | Link, ...] = (*shown.nodes, *shown.edges)
    graph = [_resource(thing) for thing in things]
    return json.dumps({"@context": CONTEXT, "@graph": graph}, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def _resource(thing: Node | Link) -> dict[str, Any]:
    about = {"@type": LABEL + _quoted(thing.label), "props": dict(thing.props)}
    if isinstance(thing, Link):
        ends = {"from": NODE + _quoted(thing.source), "to": NODE + _quoted(thing.target)}
        return {"@id": EDGE + _quoted(thing.id), **about, **ends}
    return {"@id": NODE + _quoted(thing.id), **about}


def _quoted(name: str) -> str:
    return quote(name, safe="")


def from_json_ld(text: str) -> GraphSnapshot:
    """Parse such JSON-LD into a snapshot; raises `BadValue`. Contexts are not fetched."""
    try:
        graph = parse_object(text).get("@graph")
    except ValueError as error:
        raise BadValue(f"no JSON-LD: {error}", hint=_LD_HINT) from error
    if not isinstance(graph, list) or not all(isinstance(one, dict) for one in graph):
        raise BadValue("no JSON-LD of a graph", hint=_LD_HINT)
    records: dict[str, list[dict[str, Any]]] = {"nodes": [], "edges": []}
    for one in graph:
        name, label = str(one.get("@id", "")), _bare(one.get("@type"), LABEL)
        about = {"label": label, "props": one.get("props")}
        if name.startswith(EDGE):
            ends = {key: _bare(one.get(key), NODE) for key in ("from", "to")}
            records["edges"].append({"id": _bare(name, EDGE), **about, **ends})
        else:
            records["nodes"].append({"id": _bare(name, NODE), **about})
    return from_records(records)


def _bare(name: object, begin: str) -> str:
    """Return the name behind one of our IRIs."""
    if not isinstance(name, str) or not name.startswith(begin):
        raise BadValue(f"{name!r:.60} is not an IRI of {begin}", hint=_LD_HINT)
    return unquote(name.removeprefix(begin))
