"""The shape that a graph should have: labels, which may link which, properties and ways that must be there.

A schema is data, and a check reports: real graphs break naive rules, so each rule has a severity, and a broken
snapshot (two nodes of one id, edges that lead nowhere) is reported and not refused. An issue has rule, place and fix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from kag.retrieval.property_graph.paths import along, components
from kag.retrieval.property_graph.tables import Tables

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One broken rule. `nodes` and `edges` are the ids that it is about, the one to look at first being first."""

    rule: str
    severity: Severity
    message: str
    fix: str
    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    prop: str = ""
    file: str = ""
    line: int = 0

    @property
    def where(self) -> str:
        """File and line where they are known, else the first node or edge."""
        if self.file:
            return f"{self.file}:{self.line}" if self.line else self.file
        return next(iter((*self.nodes, *self.edges)), "")

    def __str__(self) -> str:
        return f"{self.severity} {self.rule} {self.where}: {self.message} {self.fix}"

    def as_record(self) -> dict[str, Any]:
        """As JSON, without what is not known."""
        record = {"rule": self.rule, "severity": self.severity, "message": self.message, "fix": self.fix}
        about = {"nodes": list(self.nodes), "edges": list(self.edges), "prop": self.prop}
        return record | {k: v for k, v in {**about, "file": self.file, "line": self.line}.items() if v}


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check. Warnings alone leave it well."""

    issues: tuple[Issue, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is an error."""
        return not self.errors

    @property
    def errors(self) -> tuple[Issue, ...]:
        """Those of severity error."""
        return tuple(issue for issue in self.issues if issue.severity == "error")

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """Those of severity warning."""
        return tuple(issue for issue in self.issues if issue.severity == "warning")

    def of(self, *rules: str) -> Checked:
        """Return the issues of these rules."""
        return Checked(tuple(issue for issue in self.issues if issue.rule in rules))

    def __add__(self, other: Checked) -> Checked:
        """Combine both, without duplicates."""
        return Checked(tuple(dict.fromkeys((*self.issues, *other.issues))))


def in_file(issues: Iterable[Issue], file: str, lines: dict[str, int]) -> tuple[Issue, ...]:
    """The issues with the file and, where one is known for what they are about, the line."""
    found = []
    for issue in issues:
        line = issue.line or next((lines[name] for name in (*issue.nodes, *issue.edges) if name in lines), 0)
        found.append(replace(issue, file=issue.file or file, line=line))
    return tuple(found)


ANY = "*"
RULES: Mapping[str, Severity] = {
    "duplicate_node_id": "error",
    "duplicate_edge_id": "error",
    "dangling_edge": "error",
    "unknown_label": "error",
    "wrong_direction": "error",
    "wrong_ends": "error",
    "missing_property": "error",
    "wrong_type": "error",
    "missing_path": "error",
    "disconnected": "warning",
}
"""The rules of a structure, each with the severity that it has where a schema says no other."""

TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "list": (list, tuple),
    "object": (dict,),
}


@dataclass(frozen=True, slots=True)
class EdgeConstraint:
    """An edge label may lead from this node label to that; `*` is any. Several of one label: any of them will do."""

    label: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class PathRule:
    """From each node of a label, this path (as `along` walks it) must reach a node of the other label; `*` is any."""

    label: str
    path: tuple[str, ...]
    target: str = ANY


@dataclass(frozen=True, slots=True)
class StructureSchema:
    """The allowed and required structure. An empty part allows everything; node labels under `required` may be `*`."""

    node_labels: frozenset[str] = frozenset()
    edge_labels: frozenset[str] = frozenset()
    constraints: tuple[EdgeConstraint, ...] = ()
    required: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required_of_edges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[PathRule, ...] = ()
    connected: bool = False
    severities: Mapping[str, Severity] = field(default_factory=dict)

    def severity(self, rule: str) -> Severity:
        """Return the severity of breaking a rule."""
        return self.severities.get(rule, RULES.get(rule, "error"))

    def ends(self, label: str) -> tuple[tuple[str, str], ...]:
        """The labels that an edge label may link."""
        return tuple(
            (edge_constraint.source, edge_constraint.target)
            for edge_constraint in self.constraints
            if edge_constraint.label == label
        )


def check_structure(snapshot: GraphSnapshot, schema: StructureSchema | None = None) -> Checked:
    """Every rule of a structure over a snapshot, in the order of `RULES` for each element."""
    schema = schema or StructureSchema()
    graph, issues = sound(snapshot, schema)
    for node in snapshot.nodes:
        issues.extend(_of_node(node, schema))
    allowed = {label: schema.ends(label) for label in {edge_constraint.label for edge_constraint in schema.constraints}}
    for edge in snapshot.edges:
        issues.extend(_of_edge(edge, graph, schema, allowed))
    issues.extend(_paths(graph, schema))
    if schema.connected:
        issues.extend(_parts(graph, schema))
    return Checked(tuple(issues))


def sound(snapshot: GraphSnapshot, schema: StructureSchema | None = None) -> tuple[Tables, list[Issue]]:
    """Split a snapshot into its valid part and the rest: the first of two with one id stays, dangling edges do not."""
    schema = schema or StructureSchema()
    graph, issues = Tables(), []
    for node in snapshot.nodes:
        if node.id in graph.nodes:
            fix = "Give each node an id of its own, or make one node of the two."
            message = f"Two nodes have the id {node.id!r:.80}."
            issues.append(_issue(schema, "duplicate_node_id", message, fix, nodes=(node.id,)))
        else:
            graph.put_node(node)
    for edge in snapshot.edges:
        missing = tuple(dict.fromkeys(end for end in (edge.source, edge.target) if end not in graph.nodes))
        if edge.id in graph.links:
            message, fix = f"Two edges have the id {edge.id!r:.80}.", "Give each edge an id of its own."
            issues.append(_issue(schema, "duplicate_edge_id", message, fix, edges=(edge.id,)))
        elif missing:
            message = f"The edge {edge.label} leads to {', '.join(missing):.80}, which is not there."
            fix = "Add the node, or correct the end of the edge, or delete it."
            issues.append(_issue(schema, "dangling_edge", message, fix, nodes=missing, edges=(edge.id,)))
        else:
            graph.put_link(edge)
    return graph, issues


def _of_node(node: Node, schema: StructureSchema) -> Iterator[Issue]:
    if schema.node_labels and node.label not in schema.node_labels:
        message = f"No node label {node.label!r:.60} is known."
        fix = f"Use one of: {', '.join(sorted(schema.node_labels))}."
        yield _issue(schema, "unknown_label", message, fix, nodes=(node.id,))
    for prop in (*schema.required.get(node.label, ()), *schema.required.get(ANY, ())):
        if node.props.get(prop) in (None, "", []):
            message = f"The {node.label} {node.id!r:.80} has no {prop}."
            yield _issue(schema, "missing_property", message, f"Give it a {prop}.", nodes=(node.id,), prop=prop)
    for prop, wanted in schema.types.items():
        value = node.props.get(prop)
        if value is not None and not _is_a(value, wanted):
            message = f"{prop} of {node.id!r:.80} is a {type(value).__name__}, not a {wanted}."
            fix = f"Give a {wanted}."
            yield _issue(schema, "wrong_type", message, fix, nodes=(node.id,), prop=prop)


def _is_a(value: object, wanted: str) -> bool:
    number = isinstance(value, bool) and wanted in ("number", "integer")
    return isinstance(value, TYPES[wanted]) and not number


def _of_edge(
    edge: Link, graph: Tables, schema: StructureSchema, allowed: Mapping[str, tuple[tuple[str, str], ...]]
) -> Iterator[Issue]:
    if schema.edge_labels and edge.label not in schema.edge_labels:
        message, fix = (
            f"No edge label {edge.label!r:.60} is known.",
            f"Use one of: {', '.join(sorted(schema.edge_labels))}.",
        )
        yield _issue(schema, "unknown_label", message, fix, edges=(edge.id,))
    for prop in schema.required_of_edges.get(edge.label, ()):
        if edge.props.get(prop) in (None, "", []):
            message = f"The edge {edge.label} {edge.id!r:.80} has no {prop}."
            yield _issue(schema, "missing_property", message, f"Give it a {prop}.", edges=(edge.id,), prop=prop)
    if edge.source not in graph.nodes or edge.target not in graph.nodes or edge.label not in allowed:
        return
    ends = graph.nodes[edge.source].label, graph.nodes[edge.target].label
    if not _fits(ends, allowed[edge.label]):
        turned = _fits(ends[::-1], allowed[edge.label])
        wanted = " or ".join(f"{source} to {target}" for source, target in allowed[edge.label])
        message = f"{edge.label} leads from {ends[0]} to {ends[1]}, not from {wanted}."
        fix = "Turn the edge round." if turned else "Give it other ends or another label."
        rule = "wrong_direction" if turned else "wrong_ends"
        yield _issue(schema, rule, message, fix, nodes=(edge.source, edge.target), edges=(edge.id,))


def _fits(ends: tuple[str, ...], allowed: Iterable[tuple[str, str]]) -> bool:
    return any(s in (ANY, ends[0]) and t in (ANY, ends[1]) for s, t in allowed)


def _paths(graph: Tables, schema: StructureSchema) -> Iterator[Issue]:
    for rule in schema.paths:
        for node in tuple(graph.of_label(rule.label)):
            ends = along(graph, (node,), rule.path)
            if not any(rule.target in (ANY, graph.nodes[end].label) for end in ends):
                way = " / ".join(rule.path)
                message = f"No way {way} leads from {node!r:.80} to a {rule.target}."
                yield _issue(schema, "missing_path", message, "Add the edges that are missing.", nodes=(node,))


def _parts(graph: Tables, schema: StructureSchema) -> Iterator[Issue]:
    for part in components(graph)[1:]:
        message = f"{len(part)} nodes around {part[0]!r:.80} hang together with nothing else."
        yield _issue(schema, "disconnected", message, "Link them to the rest, or leave them out.", nodes=part)


def _issue(
    schema: StructureSchema,
    rule: str,
    message: str,
    fix: str,
    *,
    nodes: tuple[str, ...] = (),
    edges: tuple[str, ...] = (),
    prop: str = "",
) -> Issue:
    return Issue(rule, schema.severity(rule), message, fix, nodes, edges, prop)
