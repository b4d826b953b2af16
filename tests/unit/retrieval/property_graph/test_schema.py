"""Checks of a structure: each rule by one example that breaks it and one that does not."""

from __future__ import annotations

import pytest

from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.schema import (
    EdgeConstraint,
    Issue,
    PathRule,
    StructureSchema,
    check_structure,
    in_file,
)

SCHEMA = StructureSchema(
    node_labels=frozenset({"Task", "Data"}),
    edge_labels=frozenset({"makes", "near"}),
    constraints=(EdgeConstraint("makes", "Task", "Data"), EdgeConstraint("near", "*", "*")),
    required={"Task": ("name",), "*": ("source",)},
    required_of_edges={"near": ("metres",)},
    types={"size": "number", "name": "string"},
)
TASK = Node("t", "Task", {"name": "n", "source": "s"})
DATA = Node("d", "Data", {"source": "s"})
MAKES = Link("e", "makes", "t", "d")


def rules(*things: Node | Link, schema: StructureSchema = SCHEMA) -> list[tuple[str, str]]:
    nodes = tuple(one for one in things if isinstance(one, Node))
    edges = tuple(one for one in things if isinstance(one, Link))
    checked = check_structure(GraphSnapshot(nodes, edges), schema)
    assert all(issue.fix and issue.message for issue in checked.issues)
    return [(issue.rule, issue.where) for issue in checked.issues]


def test_a_sound_graph_has_no_issue() -> None:
    assert rules(TASK, DATA, MAKES) == []


@pytest.mark.parametrize(
    ("things", "found"),
    [
        ((TASK, TASK, DATA), ("duplicate_node_id", "t")),
        ((TASK, DATA, MAKES, MAKES), ("duplicate_edge_id", "e")),
        ((TASK, MAKES), ("dangling_edge", "d")),
        ((Node("x", "Cat", {"source": "s"}),), ("unknown_label", "x")),
        ((TASK, DATA, Link("f", "eats", "t", "d")), ("unknown_label", "f")),
        ((TASK, DATA, Link("f", "makes", "d", "t")), ("wrong_direction", "d")),
        ((TASK, Link("f", "makes", "t", "t")), ("wrong_ends", "t")),
        ((Node("t", "Task", {"name": "", "source": "s"}),), ("missing_property", "t")),
        ((Node("d", "Data"),), ("missing_property", "d")),
        ((TASK, Link("f", "near", "t", "t")), ("missing_property", "f")),
        ((Node("d", "Data", {"source": "s", "size": "big"}),), ("wrong_type", "d")),
        ((Node("d", "Data", {"source": "s", "size": True}),), ("wrong_type", "d")),
    ],
)
def test_each_rule(things: tuple[Node | Link, ...], found: tuple[str, str]) -> None:
    assert rules(*things) == [found]


def test_parts_that_hang_together_with_nothing_are_a_warning_if_asked_for() -> None:
    schema = StructureSchema(connected=True)
    checked = check_structure(GraphSnapshot((TASK, DATA)), schema)
    assert checked.ok
    assert [issue.rule for issue in checked.warnings] == ["disconnected"]
    assert not check_structure(GraphSnapshot((TASK, DATA), (MAKES,)), schema).issues


def test_ways_that_must_be() -> None:
    schema = StructureSchema(paths=(PathRule("Data", ("^makes",), "Task"),))
    assert rules(TASK, DATA, MAKES, schema=schema) == []
    assert rules(TASK, DATA, schema=schema) == [("missing_path", "d")]


def test_a_severity_is_the_schemas() -> None:
    schema = StructureSchema(node_labels=frozenset({"A"}), severities={"unknown_label": "warning"})
    graph = GraphEngine()
    graph.create_node("B")
    assert graph.validate_structure(schema).ok
    assert len(graph.validate_structure(schema).issues) == 1
    assert graph.validate_structure().issues == ()


def test_issues_are_told_where_in_the_file() -> None:
    issue = Issue("r", "error", "Wrong.", "Mend it.", ("t",))
    (found,) = in_file([issue], "a.yml", {"t": 7})
    assert (found.where, str(found)) == ("a.yml:7", "error r a.yml:7: Wrong. Mend it.")
    assert found.as_record()["line"] == 7
