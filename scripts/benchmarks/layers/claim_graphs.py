"""What can be read from the sentences of SciClaim (Magnusson and Friedman 2021) without a model of them.

A sentence in which it marks an increase or a decrease, and not both, compares. Factors, associations and their
relations are not found by kag, and not scored; its "epistemic" spans are words that report ("found"), and no hedges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.layers.claims.find import direction
from scripts.benchmarks.layers.figure import Figure, by_counts, compare
from scripts.benchmarks.layers.rows import Row

_WAYS = {"sign+": "more", "sign-": "less"}


def figures(rows: Sequence[Row]) -> Iterator[Figure]:
    """F1 of the direction of sentences."""
    ways = {}
    for row in rows:
        signs = {_WAYS[name] for span in row.spans for name in span.more.get("attributes", ()) if name in _WAYS}
        if len(signs) < 2:
            ways[row.doc] = compare(signs, {direction(row.text)} & {"more", "less"})
    yield by_counts("direction of a sentence", ways)
