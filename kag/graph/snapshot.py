"""A property graph as lines of JSON, and back: nodes first, then edges, in the order in which they were added."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from kag.errors import BadValue
from kag.graph.property_graph import Edge, Node, PropertyGraph


def to_lines(graph: PropertyGraph) -> Iterator[str]:
    """The lines of a graph, each with its line end; properties must be what JSON knows."""
    for node in graph.nodes:
        yield _line({"id": node.id, "label": node.label, "props": dict(node.props)})
    for edge in graph.edges:
        ends = {"source": edge.source, "target": edge.target}
        yield _line({**ends, "label": edge.label, "weight": edge.weight, "props": dict(edge.props)})


def from_lines(lines: Iterable[str]) -> PropertyGraph:
    """The graph of such lines; lists in properties come back as tuples. Raises `BadValue`, naming the line."""
    graph = PropertyGraph()
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line, object_hook=_with_tuples)
            if "source" in row:
                graph.add_edge(Edge(**row))
            else:
                graph.add_node(Node(**row))
        except (ValueError, TypeError) as error:
            raise BadValue(f"line {number} is no node or edge: {error}", hint="Make the graph again.") from error
    return graph


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _with_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _tuple(value) for name, value in row.items()}


def _tuple(value: Any) -> Any:
    return tuple(_tuple(each) for each in value) if isinstance(value, list) else value
