"""A property graph of papers for Neo4j: the files that `neo4j-admin database import` takes, or a Cypher script."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from kag.export.graphs.property_schema import LINKS, NODES, NUMBERS
from kag.retrieval.property_graph.as_cypher import to_cypher
from kag.retrieval.property_graph.elements import GraphSnapshot

ARGUMENTS = "import.args"


def import_files(graph: GraphSnapshot) -> dict[str, str]:
    """A CSV file a label and a relationship, headed as the importer wants it, and the arguments that name them.

    In the folder: `neo4j-admin database import full @import.args neo4j`.
    """
    files: dict[str, str] = {}
    keys = {node.id: str(node.props[NODES[node.label][0]]) for node in graph.nodes}
    for label, columns in NODES.items():
        head = [f"{columns[0]}:ID({label})", *map(_typed, columns[1:])]
        rows = [[node.props.get(column) for column in columns] for node in graph.nodes if node.label == label]
        files[f"nodes_{label}.csv"] = _csv([head, *rows])
    for label, (source, target, columns) in LINKS.items():
        head = [f":START_ID({source})", f":END_ID({target})", *map(_typed, columns)]
        ends = (one for one in graph.edges if one.label == label)
        rows = [[keys[one.source], keys[one.target], *(one.props.get(column) for column in columns)] for one in ends]
        files[f"links_{label}.csv"] = _csv([head, *rows])
    files[ARGUMENTS] = "".join(f"{line}\n" for line in _arguments())
    return files


def script(graph: GraphSnapshot) -> str:
    """Statements for `cypher-shell` and an empty database: a constraint a label, then nodes and relationships."""
    once = [
        f"CREATE CONSTRAINT {label.lower()}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE;\n"
        for label in NODES
    ]
    return "".join(once) + to_cypher(graph)


def _arguments() -> Iterable[str]:
    yield from (f"--nodes={label}=nodes_{label}.csv" for label in NODES)
    yield from (f"--relationships={label}=links_{label}.csv" for label in LINKS)
    yield "--multiline-fields=true"


def _typed(column: str) -> str:
    return f"{column}:{NUMBERS[column]}" if column in NUMBERS else column


def _csv(rows: Iterable[Sequence[object]]) -> str:
    """RFC 4180 with all texts in quotes; what is not known is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """A value as the importer reads it: a list with semicolons, nothing for what is not known."""
    if isinstance(value, list | tuple):
        return ";".join(map(str, value))
    return "" if value is None else value
