"""A graph as two CSV files, one of nodes and one of edges: what spreadsheets and most graph tools read.

Columns besides `id`, `label`, `from`, `to` are properties, as JSON where they are no plain text.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from kag.retrieval.property_graph.elements import GraphSnapshot, redacted


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
