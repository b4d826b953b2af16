"""A domain as one value: what its world is made of, which may be linked to which, and the rules that hold there.

A domain is data. It is written in TOML (`read_domain`) or built in Python, and `extended` takes more labels and
rules without code: real data always have more of both than anybody thought of. `GIVEN` names the three that come
with the project.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from kag.core.errors import BadValue, SourceError
from kag.core.files import about, hint_for, read_regular, shown
from kag.core.shapes import Shape, misfit
from kag.kgrag.rules import KINDS, VALUES, DeclaredRule, Rule
from kag.retrieval.property_graph.elements import GraphSnapshot, Growth
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.schema import (
    ANY,
    RULES,
    TYPES,
    Checked,
    EdgeConstraint,
    Issue,
    StructureSchema,
    check_structure,
    sound,
)

GIVEN = ("story", "science", "workflow")
LARGEST = 1024 * 1024
FORM = "docs/domains.md shows how a domain is written."

TEXTS = (str, [str])
RULE_SHAPE: Shape = {
    "name": str, "kind": str, "fix?": str, "severity?": str, "edges?": TEXTS, "node?": str, "direction?": str,
    "prop?": str, "unless?": str, "wanted?": str, "values?": TEXTS,
}  # fmt: skip
SHAPE: Shape = {
    "name": str, "nodes?": object, "edges?": object, "types?": dict, "severities?": dict, "rules?": [object],
    "growth?": {"hops?": int, "edges?": [str], "max_nodes?": int},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Domain:
    """The rules of a world.

    `names` are the properties that name a node of a label (`*`: of any), `metadata` the key under which passages carry
    ids of a label, `words` what a label is called in questions, `phrases` the words that say an edge (`^words`: with
    subject and object changed), `single` the edges of which a node has one at a time, `growth` how far a slice grows
    from its seeds.
    """

    name: str
    schema: StructureSchema = field(default_factory=StructureSchema)
    rules: tuple[Rule, ...] = ()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    single: frozenset[str] = frozenset()
    growth: Growth = field(default_factory=Growth)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def validate(self, graph: GraphEngine | GraphSnapshot, *rules: str) -> Checked:
        """The structure and the rules, or only the rules of these names, over a graph."""
        snapshot = graph if isinstance(graph, GraphSnapshot) else GraphSnapshot(tuple(graph.nodes), tuple(graph.edges))
        structure = check_structure(snapshot, self.schema).issues
        tables, _ = sound(snapshot, self.schema)
        wrong = _wrong_edges(snapshot, structure)
        issues = list(structure)
        for rule in self.rules:
            if not rules or rule.name in rules:
                issues.extend(
                    issue for issue in rule.issues(tables) if not _follows_from_wrong_edge(rule, issue, wrong)
                )
        found = Checked(tuple(issues))
        return found.of(*rules) if rules else found

    def name_of(self, label: str, props: Mapping[str, Any]) -> str:
        """Return a node's name, if it has one."""
        for key in (*self.names.get(label, ()), *self.names.get(ANY, ("name",))):
            value = props.get(key)
            if isinstance(value, str) and value:
                return value
        return ""

    def names_of(self, label: str, props: Mapping[str, Any]) -> tuple[str, ...]:
        """All that a node is called: its name first, then its other names."""
        found: list[str] = []
        for key in (*self.names.get(label, ()), *self.names.get(ANY, ("name",))):
            value = props.get(key)
            found += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str) and one]
        return tuple(dict.fromkeys(found))

    def extended(self, more: Mapping[str, Any]) -> Domain:
        """The domain with the labels and rules of such a table added; a rule of a known name takes its place."""
        added = domain_of({"name": self.name, **more}, self.schema)
        renewed = {rule.name for rule in added.rules}
        old, new = self.schema, added.schema
        schema = replace(
            old,
            node_labels=old.node_labels | new.node_labels,
            edge_labels=old.edge_labels | new.edge_labels,
            constraints=tuple(dict.fromkeys((*old.constraints, *new.constraints))),
            required={**old.required, **new.required},
            required_of_edges={**old.required_of_edges, **new.required_of_edges},
            types={**old.types, **new.types},
            severities={**old.severities, **new.severities},
        )
        return replace(
            self,
            name=added.name,
            schema=schema,
            rules=(*(rule for rule in self.rules if rule.name not in renewed), *added.rules),
            names={**self.names, **added.names},
            metadata={**self.metadata, **added.metadata},
            phrases={**self.phrases, **added.phrases},
            single=self.single | added.single,
            words={**self.words, **added.words},
        )


def _wrong_edges(snapshot: GraphSnapshot, issues: Iterable[Issue]) -> frozenset[tuple[str, str]]:
    """Both ends of each edge that is itself wrong, with its label; with no label where that is what is wrong."""
    rules = {edge: issue.rule for issue in issues for edge in issue.edges}
    wrong = [edge for edge in snapshot.edges if edge.id in rules]
    return frozenset(
        (end, "" if rules[edge.id] == "unknown_label" else edge.label)
        for edge in wrong
        for end in (edge.source, edge.target)
    )


def _follows_from_wrong_edge(rule: Rule, issue: Issue, wrong: frozenset[tuple[str, str]]) -> bool:
    """Whether a node lacks an edge only because it has a wrong one, which is reported already."""
    if not isinstance(rule, DeclaredRule) or rule.kind != "at_least_one":
        return False
    return any((issue.nodes[0], label) in wrong for label in (*rule.edges, ""))


def given_domain(name: str) -> Domain:
    """A domain that comes with the project."""
    return domain_of(tomllib.loads((files("kag.kgrag") / "given" / f"{name}.toml").read_text(encoding="utf-8")))


def read_domain(path: Path) -> Domain:
    """The domain in a TOML file; raises `SourceError` with what is wrong there."""
    try:
        table = tomllib.loads(read_regular(path, LARGEST).decode("utf-8"))
    except OSError as error:
        raise SourceError(about(path, error), hint=hint_for(error)) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{shown(path)}: no TOML: {error}", hint=FORM) from error
    try:
        return domain_of(table)
    except BadValue as error:
        raise SourceError(f"{shown(path)}: {error.message}", hint=error.hint) from error


def domain_of(table: Mapping[str, Any], beside: StructureSchema | None = None) -> Domain:
    """Return the domain of a table: `name`, `nodes`, `edges`, `rules`, `severities`, `growth`. Raises `BadValue`.

    Labels of the schema `beside` may be named, too.
    """
    unknown = set(table) - {key.removesuffix("?") for key in SHAPE}
    wrong = ", ".join(sorted(map(str, unknown))) or misfit(dict(table), SHAPE)
    if wrong:
        raise BadValue(f"no domain: {wrong[:200]}", hint=FORM)
    nodes, edges = _tables(table, "nodes"), _tables(table, "edges")
    known = {*nodes, ANY, *(beside.node_labels if beside else ())}
    known_edges = {*edges, *(beside.edge_labels if beside else ())}
    for label, given in edges.items():
        for end in _texts(given, "from") + _texts(given, "to"):
            if end not in known and nodes:
                raise BadValue(f"the edge {label} names {end}, which is not a node label", hint=FORM)
    growth = table.get("growth", {})
    kinds, severities = table.get("types", {}), table.get("severities", {})
    if not all(kind in tuple(TYPES) for kind in kinds.values()) or not set(severities) <= set(RULES):
        hint = f"Types are: {', '.join(TYPES)}. Rules of a structure are: {', '.join(RULES)}."
        raise BadValue("types or severities that are not known", hint=hint)
    if not all(how in ("error", "warning") for how in severities.values()):
        raise BadValue("severities that are none", hint="Severities are: error, warning.")
    return Domain(
        table["name"],
        StructureSchema(
            node_labels=frozenset(nodes),
            edge_labels=frozenset(edges),
            constraints=tuple(
                EdgeConstraint(label, source, target)
                for label, about in edges.items()
                for source in _texts(about, "from") or (ANY,)
                for target in _texts(about, "to") or (ANY,)
            ),
            required={label: _texts(about, "required") for label, about in nodes.items() if about.get("required")},
            required_of_edges={
                label: _texts(about, "required") for label, about in edges.items() if about.get("required")
            },
            types=kinds,
            severities=severities,
        ),
        tuple(_rule(one, known, known_edges) for one in table.get("rules", [])),
        {label: _texts(about, "names") for label, about in nodes.items() if about.get("names")},
        {label: str(about["metadata"]) for label, about in nodes.items() if about.get("metadata")},
        {label: _texts(about, "phrases") for label, about in edges.items() if about.get("phrases")},
        frozenset(label for label, about in edges.items() if about.get("single")),
        Growth(
            growth.get("hops", 1), frozenset(growth["edges"]) if growth.get("edges") else None, growth.get("max_nodes")
        ),
        {label: _texts(about, "words") for label, about in nodes.items() if about.get("words")},
    )


def _tables(table: Mapping[str, Any], key: str) -> dict[str, dict[str, Any]]:
    found = table.get(key, {})
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise BadValue(f"{key} is not a table of tables", hint=FORM)
    return found


def _texts(about: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of texts, or one text."""
    value = about.get(key, [])
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise BadValue(f"{key} is {value!r:.60}, no list of texts", hint=FORM)
    return tuple(value)


def _rule(one: Any, nodes: set[str], edges: set[str]) -> DeclaredRule:
    """A rule as it is declared; what it names must be there."""
    unknown = set(one) - {key.removesuffix("?") for key in RULE_SHAPE} if isinstance(one, dict) else set()
    bad = ", ".join(sorted(map(str, unknown))) or misfit(one, RULE_SHAPE)
    if bad or not isinstance(one, dict):
        raise BadValue(f"{one!r:.60} is not a rule: {bad[:100]}", hint=FORM)
    name, kind = one["name"], one["kind"]
    labels = _texts(one, "edges")
    wrong = [label for label in labels if edges and label not in edges]
    if not name or kind not in KINDS or one.get("severity", "error") not in ("error", "warning"):
        raise BadValue(f"the rule {name or one!r:.60} is of no kind", hint=f"Kinds are: {', '.join(KINDS)}. {FORM}")
    if wrong or (one.get("node", ANY) not in nodes and len(nodes) > 1):
        raise BadValue(f"the rule {name} names {', '.join(wrong) or one['node']}, which is not a label", hint=FORM)
    values = _texts(one, "values")
    if kind == "valid" and not values and one.get("wanted") not in VALUES:
        raise BadValue(f"the rule {name} wants no known value", hint=f"Values are: {', '.join(VALUES)}.")
    if one.get("direction", "out") not in ("in", "out", "both"):
        raise BadValue(f"the rule {name} has no direction", hint="Directions are: in, out, both.")
    words = {key: str(one.get(key, "")) for key in ("node", "prop", "unless", "wanted")}
    fix, severity = str(one.get("fix", "Correct it.")), one.get("severity", "error")
    return DeclaredRule(
        name, kind, fix, severity, labels, direction=one.get("direction", "out"), values=values, **words
    )
