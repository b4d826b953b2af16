"""SciERC: tasks, methods, metrics and materials; nothing was trained on it."""

from __future__ import annotations

from collections.abc import Iterator

from kag.layers.entities.terms import named
from kag.layers.entities.tokens import tokens
from scripts.benchmarks.layers.entity_counts import span_figures
from scripts.benchmarks.layers.figure import Figure
from scripts.benchmarks.layers.rows import Files

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
