"""What rules and small models find in a paper: entities, then measurements of them, then claims about both."""

from __future__ import annotations

from kag.layers.measurements import find_measurements
from kag.layers.measurements.tables import measurements_of_table
from kag.layers.passages import passages
from kag.layers.source import Source, tables
from kag.layers.values import Said


def find_all(source: Source, *, claims: bool = True) -> Said:
    """All that is said in a paper; without `claims` what the entity layer needs."""
    texts = passages(source.graph)
    measured = list(find_measurements(texts))
    for passage, table, caption in tables(source):
        measured += measurements_of_table(table, passage, caption)
    return Said((), tuple(measured))
