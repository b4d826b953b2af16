"""CRAFT: spans with their concepts, each ontology for itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.evaluate.statistics import Counts
from kag.layers.entities.lexicon import Lexicon, tokens
from kag.layers.entities.listed import find_concepts
from scripts.benchmarks.layers.figure import Figure, by_counts, compare
from scripts.benchmarks.layers.rows import Files, Row

ONTOLOGIES = ("CHEBI", "NCBITaxon", "GO_BP", "GO_CC", "GO_MF", "CL", "SO", "UBERON", "MONDO", "PR")


def figures(files: Files) -> Iterator[Figure]:
    """The figures of all texts."""
    yield from concepts([row for rows in files.values() for row in rows])


def concepts(rows: Sequence[Row], names: Lexicon | None = None) -> Iterator[Figure]:
    """Exact span and concept, by ontology."""
    found = {row.id: {tuple(one)[:4] for one in find_concepts(tokens(row.text), names)} for row in rows}
    gold = {row.id: {(span.start, span.end, span.type, span.more["concept"]) for span in row.spans} for row in rows}
    for ontology in ONTOLOGIES:
        counts: dict[str, Counts] = {
            row.id: compare(*({one for one in side[row.id] if one[2] == ontology} for side in (gold, found)))
            for row in rows
        }
        yield by_counts(f"span and concept, {ontology}", counts)
