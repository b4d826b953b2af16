"""Figures of a set, each with its 95 % interval over documents and its worst cases in words.

`by_counts` is micro F1 of what is right, wrong and missing; `by_class` the mean F1 of classes; `by_values` the mean of
values of single items (accuracy, token overlap).

Counts of labels by class and document, and spans of models against those of annotated texts (exact place and kind).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kag.evaluate.statistics import Counts, micro, spread
from kag.layers.entities.lexicon import Tokens
from kag.layers.entities.trained import Spotted
from scripts.benchmarks.layers.rows import Row

WORST = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` of a metric; precision and recall where they are told; `asked` items of the gold in `documents`."""

    what: str
    metric: str
    value: float
    low: float
    high: float
    precision: float | None
    recall: float | None
    asked: int
    documents: int
    worst: tuple[str, ...] = ()

    def as_row(self) -> dict[str, Any]:
        """As a row of a table."""
        shares = {name: "-" if one is None else f"{one:.3f}" for name, one in self._shares().items()}
        interval = f"{self.low:.3f} to {self.high:.3f}"
        told = {"value": f"{self.value:.3f}", "95 %": interval, **shares, "asked": self.asked, "texts": self.documents}
        return {"what": self.what, "metric": self.metric, **told}

    def _shares(self) -> dict[str, float | None]:
        return {"precision": self.precision, "recall": self.recall}


def by_counts(what: str, documents: Mapping[str, Counts], worst: Sequence[str] = ()) -> Figure:
    """Micro F1 of right, wrong and missing a document."""
    low, high = spread(documents, lambda total: _f1(*total))
    right, wrong, missing = _summed(documents)
    shares = (_share(right, right + wrong), _share(right, right + missing))
    value = micro([(right, wrong, missing)], share=False)
    return Figure(what, "F1", value, low, high, *shares, right + missing, len(documents), tuple(worst[:WORST]))


def by_class(what: str, classes: Mapping[str, Mapping[str, Counts]], worst: Sequence[str] = ()) -> Figure:
    """The mean over classes of each one's F1, from right, wrong and missing by class and document."""
    names = sorted({document for documents in classes.values() for document in documents})
    rows = {name: [n for documents in classes.values() for n in documents.get(name, (0, 0, 0))] for name in names}
    totals = [sum(column) for column in zip(*rows.values(), strict=True)] or [0] * 3 * len(classes)
    low, high = spread(rows, _macro)
    sides = [_share(r, r + w) for r, w, _ in _triples(totals)], [_share(r, r + m) for r, _, m in _triples(totals)]
    precision, recall = (_share(sum(side), len(side)) for side in sides)
    asked = int(sum(r + m for r, _, m in _triples(totals)))
    return Figure(
        what, "macro F1", _macro(totals), low, high, precision, recall, asked, len(names), tuple(worst[:WORST])
    )


def by_values(what: str, metric: str, documents: Mapping[str, Sequence[float]], worst: Sequence[str] = ()) -> Figure:
    """The mean over all items of the values in [0, 1] that each document's items have."""
    rows = {name: (sum(values), len(values)) for name, values in documents.items()}
    low, high = spread(rows, lambda total: _share(*total))
    of, asked = _summed(rows) if rows else (0, 0)
    value = _share(of, asked)
    return Figure(what, metric, value, low, high, None, None, int(asked), len(rows), tuple(worst[:WORST]))


def compare(gold: set[Any], found: set[Any]) -> Counts:
    """Right, wrong and missing of two sets.

    >>> compare({1, 2}, {2, 3, 4})
    (1, 2, 1)
    """
    return len(gold & found), len(found - gold), len(gold - found)


def _summed(rows: Mapping[str, Sequence[Any]]) -> tuple[Any, ...]:
    return tuple(sum(column) for column in zip(*rows.values(), strict=True)) or (0, 0, 0)


def _triples(totals: Sequence[float]) -> list[tuple[float, float, float]]:
    return [(totals[at], totals[at + 1], totals[at + 2]) for at in range(0, len(totals), 3)]


def _macro(totals: Sequence[float]) -> float:
    each = [_f1(*one) for one in _triples(totals)]
    return sum(each) / len(each) if each else 0.0


def _f1(right: float, wrong: float, missing: float) -> float:
    return _share(2 * right, 2 * right + wrong + missing)


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


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
