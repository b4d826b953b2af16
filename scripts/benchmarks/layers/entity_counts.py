"""Spans of models against those of annotated texts: exact place and kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from kag.evaluate.statistics import Counts
from kag.layers.entities.lexicon import Tokens
from kag.layers.entities.trained import Spotted
from scripts.benchmarks.layers.figure import Figure, by_counts, compare
from scripts.benchmarks.layers.rows import Row

Place = tuple[int, int, str]  # start, end, kind
Found = Mapping[str, set[Place]]  # by the id of the text


def places(row: Tokens, spans: Iterable[Spotted], least: float = 0.0) -> set[Place]:
    """Spans of tokens as spans of characters, those that are sure enough."""
    return {(row.starts[one.start], row.ends[one.end - 1], one.kind) for one in spans if one.score >= least}


def span_figures(what: str, rows: Iterable[Row], gold: Found, found: Found) -> Iterator[Figure]:
    """Micro F1 over all kinds, and of each kind."""
    rows = list(rows)
    kinds = sorted({place[2] for spans in gold.values() for place in spans})
    for kind in ("", *kinds) if len(kinds) > 1 else ("",):
        counts: dict[str, Counts] = {}
        for row in rows:
            wanted = {place for place in gold[row.id] if kind in ("", place[2])}
            given = {place for place in found[row.id] if kind in ("", place[2])}
            counts[row.id.replace("__", "_")] = compare(wanted, given)
        yield by_counts(f"{what}, {kind}" if kind else what, counts, worst(rows, gold, found, kind))


def worst(rows: Iterable[Row], gold: Found, found: Found, kind: str = "") -> list[str]:
    """The words that were most often wrong or missing."""
    bad: Counter[str] = Counter()
    for row in rows:
        for told, some in (("wrong", found[row.id] - gold[row.id]), ("missing", gold[row.id] - found[row.id])):
            bad.update(
                f"{told} {place[2]}: {row.text[place[0] : place[1]]}" for place in some if kind in ("", place[2])
            )
    return [f"{words} ({count})" for words, count in sorted(bad.items(), key=lambda one: (-one[1], one[0]))[:5]]
