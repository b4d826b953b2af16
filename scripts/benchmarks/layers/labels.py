"""Counts of labels by class and document, as figures are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kag.evaluate.statistics import Counts
from scripts.benchmarks.layers.figure import WORST
from scripts.benchmarks.layers.rows import Row


def by_label(said: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, Counts]]:
    """Right, wrong and missing of each gold class, from documents with the gold's label and the one that is said.

    >>> by_label([("d", "x", "x"), ("d", "x", "y"), ("d", "y", "y")])["y"]
    {'d': (1, 1, 0)}
    """
    items = [*said]
    found: dict[str, dict[str, Counts]] = {label: {} for _, label, _ in items}
    for doc, gold, label in items:
        for name in {gold, label} & set(found):
            right, wrong, missing = found[name].get(doc, (0, 0, 0))
            step = (right + 1, wrong, missing) if gold == label else (right, wrong, missing)
            found[name][doc] = (step[0], wrong + (name != gold), missing + (name != label))
    return found


def wrong_ones(said: Sequence[tuple[Row, str, str]]) -> list[str]:
    """The first texts whose label is wrong, in words."""
    return [f"{row.id}: {label}, gold {gold}: {row.text[:160]}" for row, gold, label in said if gold != label][:WORST]
