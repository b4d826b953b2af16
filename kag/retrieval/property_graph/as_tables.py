"""A graph as two CSV files, one of nodes and one of edges, and back: what spreadsheets and most graph tools take.

Columns besides `id`, `label`, `from`, `to` are properties, as JSON where they are no plain text. Foreign heads are
read, too: `source`/`target`, `:ID`/`:LABEL`/`:START_ID`/`:END_ID`/`:TYPE` of Neo4j's import.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kag.core.errors import BadValue
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, checked_name, checked_props, redacted
from kag.retrieval.property_graph.property_graph import Node

HEADS = {
    "id": ("id", ":ID", "node_id", "Id"),
    "label": ("label", ":LABEL", ":TYPE", "type", "kind", "Label"),
    "from": ("from", "source", ":START_ID", "Source"),
    "to": ("to", "target", ":END_ID", "Target"),
}
LONGEST_CELL = 10_000_000


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


def from_csv(nodes: str, edges: str, separator: str = ",") -> GraphSnapshot:
    """The snapshot of two CSV texts; raises `BadValue` with the line."""
    found = [
        Node(_name(row, "id", line), _name(row, "label", line, "Node"), _props(row))
        for line, row in _rows(nodes, separator)
    ]
    links = [
        Link(
            _name(row, "id", line, f"e{place + 1}"),
            _name(row, "label", line, "edge"),
            _name(row, "from", line),
            _name(row, "to", line),
            _props(row),
        )
        for place, (line, row) in enumerate(_rows(edges, separator))
    ]
    return GraphSnapshot(tuple(found), tuple(links))


def _rows(text: str, separator: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row with its line."""
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator, restkey="")
    try:
        for row in reader:
            yield reader.line_num, {key: value for key, value in row.items() if isinstance(value, str)}
    except csv.Error as error:
        raise BadValue(f"line {reader.line_num}: {error}", hint="Give CSV with a head and quoted cells.") from error


def _name(row: Mapping[str, str], what: str, line: int, other: str = "") -> str:
    """The first cell of the row under one of the heads."""
    found = next((row[head] for head in HEADS[what] if row.get(head)), other)
    if not found:
        raise BadValue(f"line {line}: no {what}", hint=f"Name a column {' or '.join(HEADS[what])}.")
    return checked_name(found, what)


def _props(row: Mapping[str, str]) -> Mapping[str, Any]:
    used = {head for heads in HEADS.values() for head in heads}
    cells = {key: cell for key, cell in row.items() if key not in used and cell and key}
    return checked_props({key.removeprefix("props."): _value(cell) for key, cell in cells.items()})


def _value(cell: str) -> Any:
    """JSON where it is JSON, else the text."""
    if cell[0].isalpha() and cell not in ("true", "false", "null"):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
