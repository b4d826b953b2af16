"""A graph as tables for a Cypher store: declarations, a CSV file a table, the commands that load them, and back.

A node label is a table of its own, an edge label too; a table has `id`, `props` (all properties as JSON) and a typed
column for each property whose values are all of one simple type. ladybug loads what stands here as it is, and reading
its rows back gives the same graph. `to_cypher` writes statements for stores that need no declarations.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kag.core.errors import BadValue
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, redacted

TYPES: tuple[tuple[type, str], ...] = ((bool, "BOOLEAN"), (int, "INT64"), (float, "DOUBLE"), (str, "STRING"))
OWN = ("id", "props", "from", "to", "label")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")
ESCAPED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class Table:
    """One label: its declaration, its rows as CSV, and the command that loads them from the file."""

    name: str
    file: str
    declaration: str
    csv: str
    load: str


def to_tables(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> tuple[Table, ...]:
    """The tables of a snapshot, nodes first. Raises `BadValue` for a label that cannot name a table."""
    shown = redacted(snapshot, allowed).canonical()
    labels = {node.id: node.label for node in shown.nodes}
    nodes: dict[str, list[Node]] = {}
    edges: dict[str, dict[tuple[str, str], list[Link]]] = {}
    for node in shown.nodes:
        nodes.setdefault(node.label, []).append(node)
    for edge in shown.edges:
        ends = labels[edge.source], labels[edge.target]
        edges.setdefault(edge.label, {}).setdefault(ends, []).append(edge)
    tables = [_node_table(label, nodes[label]) for label in sorted(nodes)]
    for label in sorted(edges):
        tables.extend(_edge_tables(label, edges[label], taken=label in nodes))
    return tuple(tables)


def _name(label: str) -> str:
    if not _PLAIN.match(label):
        raise BadValue(f"the label {label!r:.60} cannot name a table", hint="Use letters, digits and _ in labels.")
    return f"`{label}`"


def _columns(things: Sequence[Node | Link]) -> dict[str, str]:
    types: dict[str, set[str]] = {}
    for thing in things:
        for key, value in thing.props.items():
            of = next((name for kind, name in TYPES if type(value) is kind), "")
            big = of == "INT64" and not -(2**63) <= value < 2**63
            types.setdefault(key, set()).add("" if big else of)
    named = {key: kinds for key, kinds in types.items() if _PLAIN.match(key) and key.lower() not in OWN}
    return {key: next(iter(kinds)) for key, kinds in sorted(named.items()) if len(kinds) == 1 and "" not in kinds}


def _row(thing: Node | Link, columns: Iterable[str]) -> list[str]:
    """Return the cells of an element; an empty one has no value, and text is JSON so that no reader guesses its
    type."""
    cells = [_cell(thing.props.get(key)) for key in columns]
    return [*cells, json.dumps(dict(thing.props), sort_keys=True)]


def _cell(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _written(rows: Iterable[Sequence[str]], head: Sequence[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def _node_table(label: str, nodes: Sequence[Node]) -> Table:
    columns = _columns(nodes)
    declared = ", ".join(f"`{key}` {of}" for key, of in columns.items())
    fields = "`id` STRING PRIMARY KEY, " + (declared + ", " if declared else "") + "`props` STRING"
    rows = ([node.id, *_row(node, columns)] for node in nodes)
    file = f"node_{label}.csv"
    return Table(
        label,
        file,
        f"CREATE NODE TABLE {_name(label)}({fields});",
        _written(rows, ["id", *columns, "props"]),
        f"COPY {_name(label)} FROM '{file}' (header=true, parallel=false);",
    )


def _edge_tables(label: str, by_ends: Mapping[tuple[str, str], list[Link]], *, taken: bool) -> list[Table]:
    """A file for each pair of node labels that an edge label links; the first of them declares the table."""
    table = f"{label}_edge" if taken else label
    columns = _columns([edge for edges in by_ends.values() for edge in edges])
    declared = "".join(f"`{key}` {of}, " for key, of in columns.items())
    pairs = ", ".join(f"FROM {_name(source)} TO {_name(target)}" for source, target in sorted(by_ends))
    declaration = f"CREATE REL TABLE {_name(table)}({pairs}, `id` STRING, {declared}`props` STRING);"
    tables: list[Table] = []
    for (source, target), edges in sorted(by_ends.items()):
        file = f"edge_{label}_{source}_{target}.csv"
        rows = ([edge.source, edge.target, edge.id, *_row(edge, columns)] for edge in edges)
        text = _written(rows, ["from", "to", "id", *columns, "props"])
        ends = f", from='{source}', to='{target}'" if len(by_ends) > 1 else ""
        load = f"COPY {_name(table)} FROM '{file}' (header=true, parallel=false{ends});"
        tables.append(Table(table, file, "" if tables else declaration, text, load))
    return tables


def to_cypher(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> str:
    """The snapshot as statements, one a line, for Neo4j and its like; nested values as JSON."""
    shown = redacted(snapshot, allowed).canonical()
    labels = {node.id: node.label for node in shown.nodes}
    lines = [f"CREATE (:{_quoted(node.label)} {_map({**node.props, 'id': node.id})});" for node in shown.nodes]
    for edge in shown.edges:
        ends = [f"({v}:{_quoted(labels[n])} {{id: {_text(n)}}})" for v, n in (("a", edge.source), ("b", edge.target))]
        made = f"(a)-[:{_quoted(edge.label)} {_map({**edge.props, 'id': edge.id})}]->(b)"
        lines.append(f"MATCH {', '.join(ends)} CREATE {made};")
    return "".join(f"{line}\n" for line in lines)


def _quoted(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "``") + "`"


def _text(text: str) -> str:
    """A text as a literal: nothing in it can end it."""
    return (
        "'"
        + "".join(ESCAPED.get(sign, sign) if sign.isprintable() or sign in ESCAPED else _u(sign) for sign in text)
        + "'"
    )


def _u(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _map(props: Mapping[str, Any]) -> str:
    pairs = [f"{_quoted(key)}: {_literal(value)}" for key, value in sorted(props.items()) if value is not None]
    return "{" + ", ".join(pairs) + "}"


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list) and len({type(one) for one in value}) == 1 and isinstance(value[0], str | int | float):
        return "[" + ", ".join(_literal(one) for one in value) + "]"
    return _text(json.dumps(value, sort_keys=True))
