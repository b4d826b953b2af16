"""A graph as JSON-LD 1.1 and back: an edge is a resource of its own, so that its id and properties stay.

Properties are one JSON literal (`@json`), so that numbers, nulls and nested values come back as they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from kag.core.errors import BadValue
from kag.core.files import parse_object
from kag.retrieval.property_graph.as_json import from_records
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, redacted
from kag.retrieval.property_graph.property_graph import Node

NODE, EDGE, LABEL, WORD = "urn:kag:graph:node:", "urn:kag:graph:edge:", "urn:kag:graph:label:", "urn:kag:graph:"
CONTEXT: Mapping[str, Any] = {
    "from": {"@id": f"{WORD}from", "@type": "@id"},
    "to": {"@id": f"{WORD}to", "@type": "@id"},
    "props": {"@id": f"{WORD}props", "@type": "@json"},
}
HINT = "Give what `to_json_ld` writes."


def to_json_ld(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> str:
    """The snapshot as JSON-LD."""
    shown = redacted(snapshot, allowed).canonical()
    things: tuple[Node | Link, ...] = (*shown.nodes, *shown.edges)
    graph = [_resource(one) for one in things]
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
    """The snapshot that such JSON-LD says; raises `BadValue`. Contexts are not fetched."""
    try:
        graph = parse_object(text).get("@graph")
    except ValueError as error:
        raise BadValue(f"no JSON-LD: {error}", hint=HINT) from error
    if not isinstance(graph, list) or not all(isinstance(one, dict) for one in graph):
        raise BadValue("no JSON-LD of a graph", hint=HINT)
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
    """The name that an IRI of ours stands for."""
    if not isinstance(name, str) or not name.startswith(begin):
        raise BadValue(f"{name!r:.60} is not an IRI of {begin}", hint=HINT)
    return unquote(name.removeprefix(begin))
