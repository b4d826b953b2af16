"""SciERC: tasks, methods, metrics, materials and their relations; nothing was trained on it."""

from __future__ import annotations

from collections.abc import Iterator

from kag.evaluate.statistics import Counts
from kag.layers.entities.term_links import links
from kag.layers.entities.terms import named
from kag.layers.entities.tokens import tokens
from scripts.benchmarks.layers.entity_counts import span_figures
from scripts.benchmarks.layers.figure import Figure, by_counts, compare
from scripts.benchmarks.layers.rows import Files, Row

TYPES = {
    "Task": "task",
    "Method": "method",
    "Metric": "metric",
    "Material": "material",
    "OtherScientificTerm": "term",
    "Generic": "generic",
}


def figures(files: Files) -> Iterator[Figure]:
    """The figures of all texts."""
    rows = [row for some in files.values() for row in some]
    gold = {row.id: {(span.start, span.end, TYPES[span.type]) for span in row.spans} for row in rows}
    found = {row.id: {tuple(one) for one in named(tokens(row.text))} for row in rows}
    yield from span_figures("entities", rows, gold, found)  # type: ignore[arg-type]
    yield by_counts("relations", {row.id: _relations(row) for row in rows})


def _relations(row: Row) -> Counts:
    spans = {span.id: (span.start, span.end) for span in row.spans}
    gold = {(spans[one["head"]], spans[one["tail"]], one["type"]) for one in row.relations}
    return compare(gold, {(one.head[:2], one.tail[:2], one.kind) for one in links(tokens(row.text))})
