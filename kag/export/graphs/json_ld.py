"""A paper's whole graph as JSON-LD, for readers that know no Turtle."""

from __future__ import annotations

import json
from typing import Any

from rdflib import Graph

from kag.rdf.namespaces import PREFIXES


def to_json_ld(graph: Graph) -> str:
    """The graph as one JSON-LD document, nodes by IRI and values in order: equal graphs, equal bytes."""
    document = json.loads(graph.serialize(format="json-ld", context=dict(sorted(PREFIXES.items()))))
    nodes = document.pop("@graph", None) or [{key: document[key] for key in document if key != "@context"}]
    ordered = [{key: _ordered(node[key]) for key in sorted(node)} for node in nodes if node]
    ordered.sort(key=lambda node: str(node["@id"]))
    return json.dumps({"@context": document["@context"], "@graph": ordered}, ensure_ascii=False, indent=1) + "\n"


def _ordered(values: Any) -> Any:
    return sorted(values, key=lambda value: json.dumps(value, sort_keys=True)) if isinstance(values, list) else values
