"""Which sentences of abstracts state the claim, against sentences that people marked (Achakulvisut et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.evaluate.statistics import Counts
from kag.layers.claims.roles import ENOUGH, claim_points
from scripts.benchmarks.layers.figure import Figure, by_counts, compare
from scripts.benchmarks.layers.rows import Row


def figures(rows: Sequence[Row]) -> Iterator[Figure]:
    """F1 of claims."""
    counts: dict[str, Counts] = {}
    worst = []
    for row in rows:
        texts = [row.text[span.start : span.end] for span in row.spans]
        found = {at for at, points in enumerate(claim_points(texts)) if points >= ENOUGH}
        gold = {at for at, span in enumerate(row.spans) if span.type == "claim"}
        counts[row.doc] = compare(gold, found)
        worst += [
            f"{row.id}: {'missed' if at in gold else 'no claim'}: {texts[at][:160]}" for at in sorted(gold ^ found)
        ]
    yield by_counts("claim sentence", counts, worst)
