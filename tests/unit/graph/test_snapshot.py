"""A graph written and read again."""

from __future__ import annotations

import pytest

from kag.errors import BadValue, UnknownNode
from kag.graph.property_graph import Edge, Node, PropertyGraph
from kag.graph.snapshot import from_lines, to_lines


def test_a_graph_comes_back_as_it_was() -> None:
    edges = (Edge("a", "b", "x", 0.25, {"places": ((1, 2), (3, 4)), "cell": "Älv"}), Edge("b", "a", "x"))
    graph = PropertyGraph((Node("a", "document", {"year": 1998}), Node("b")), edges)
    lines = list(to_lines(graph))
    again = from_lines(lines)
    assert list(again.nodes) == list(graph.nodes)
    assert list(again.edges) == list(graph.edges)
    assert list(to_lines(again)) == lines


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", BadValue),
        ("[1]", BadValue),
        ('{"id": "a", "colour": 1}', BadValue),
        ('{"source": "a", "target": "b", "label": "x"}', UnknownNode),
    ],
)
def test_broken_lines_are_named(line: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        from_lines([line])
