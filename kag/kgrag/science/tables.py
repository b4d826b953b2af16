"""Graphs of biology that people have as tables: PrimeKG's `kg.csv`, Hetionet's `nodes.tsv` with `edges.sif`.

The labels and relations stay as the files have them, made into words of letters and `_`: a domain of its own can be
told which of them are which (`extended`). Rows are read one by one; a row that is broken is told with its line.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import LARGEST, about, hint_for, read_regular, shown
from kag.retrieval.property_graph.elements import GraphSnapshot, Link
from kag.retrieval.property_graph.property_graph import Node

PRIMEKG = ("relation", "x_id", "x_type", "x_name", "y_id", "y_type", "y_name")
MOST = 8 * 1024**3
"""Bytes that a packed file may become."""


def read_primekg(path: Path) -> GraphSnapshot:
    """PrimeKG's `kg.csv`: a row is an edge with both of its ends. It has each edge both ways: one is kept."""
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], Link] = {}
    for line, row in _rows(path, ","):
        if any(not row.get(key) for key in PRIMEKG):
            raise _wrong(path, line, f"no {next(key for key in PRIMEKG if not row.get(key))}", ", ".join(PRIMEKG))
        ends = []
        for side in "xy":
            name = f"{row[f'{side}_type']}::{row[f'{side}_id']}"
            props = {"name": row[f"{side}_name"], "source": row.get(f"{side}_source", "")}
            nodes.setdefault(name, Node(name, word(row[f"{side}_type"]), props))
            ends.append(name)
        key = row["relation"], ends[0], ends[1]
        if (row["relation"], ends[1], ends[0]) not in edges and key not in edges:
            props = {"display": row.get("display_relation", "")}
            edges[key] = Link(f"e{len(edges)}", word(row["relation"]), ends[0], ends[1], props)
    return GraphSnapshot(tuple(nodes.values()), tuple(edges.values()))


def read_hetionet(nodes: Path, edges: Path) -> GraphSnapshot:
    """Hetionet's `nodes.tsv` (id, name, kind) and `edges.sif`, which may be packed (source, metaedge, target)."""
    found: dict[str, Node] = {}
    for line, row in _rows(nodes, "\t"):
        if not row.get("id") or not row.get("kind"):
            raise _wrong(nodes, line, "no id or kind", "id, name, kind")
        found[row["id"]] = Node(row["id"], word(row["kind"]), {"name": row.get("name") or row["id"]})
    links: list[Link] = []
    for line, row in _rows(edges, "\t"):
        source, target, kind = row.get("source", ""), row.get("target", ""), row.get("metaedge", "")
        if source not in found or target not in found or not kind:
            lost = source if source not in found else target
            raise _wrong(edges, line, f"{lost!r:.60} is no node", "source, metaedge, target")
        links.append(Link(f"e{len(links)}", word(kind), source, target))
    return GraphSnapshot(tuple(found.values()), tuple(links))


def word(name: str) -> str:
    """A name of a kind as a label.

    >>> word("Biological Process"), word("effect/phenotype")
    ('Biological_Process', 'effect_phenotype')
    """
    return re.sub(r"\W+", "_", name).strip("_") or "thing"


def _rows(path: Path, separator: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a table with their lines; a packed one is unpacked."""
    try:
        data = read_regular(path, LARGEST)
    except OSError as error:
        raise SourceError(about(path, error), hint=hint_for(error)) from error
    raw = gzip.GzipFile(fileobj=io.BytesIO(data)) if data[:2] == b"\x1f\x8b" else io.BytesIO(data)
    reader = csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8-sig", newline=""), delimiter=separator)
    try:
        for row in reader:
            if raw.tell() > MOST:
                raise _wrong(path, reader.line_num, "unpacks to too much", "a smaller file")
            yield reader.line_num, {str(key): value for key, value in row.items() if isinstance(value, str)}
    except (csv.Error, UnicodeDecodeError, OSError, EOFError, zlib.error) as error:
        raise _wrong(path, reader.line_num, str(error)[:100], "a table in UTF-8") from error


def _wrong(path: Path, line: int, what: str, wanted: str) -> SourceError:
    return SourceError(f"{shown(path)}:{line}: {what}", hint=f"Give {wanted}.")
