"""The three sets about claims that are in one folder: roles of sentences, claim sentences, claim graphs.

Roles of the sentences of abstracts against CSAbstruct (Cohan et al. 2019). Sentences that state the claim, against
sentences that people marked (Achakulvisut et al. 2019). Of SciClaim (Magnusson and Friedman 2021) what can be read
without a model of its sentences: one in which it marks an increase or a decrease, and not both, compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.evaluate.statistics import Counts
from kag.layers.claims.find import direction
from kag.layers.claims.roles import ENOUGH, abstract_roles, claim_points
from scripts.benchmarks.layers.figure import Figure, by_class, by_counts, by_label, by_values, compare
from scripts.benchmarks.layers.rows import Files, Row


def role_figures(rows: Sequence[Row]) -> Iterator[Figure]:
    """Accuracy over sentences, and the macro F1 of roles."""
    right: dict[str, list[float]] = {}
    said = []
    worst = []
    for row in rows:
        texts = [row.text[span.start : span.end] for span in row.spans]
        labels = [role for role, _ in abstract_roles(texts)]
        right[row.doc] = [float(span.type == role) for span, role in zip(row.spans, labels, strict=True)]
        said += [(row.doc, span.type, role) for span, role in zip(row.spans, labels, strict=True)]
        worst += [
            f"{row.id}: {role}, gold {span.type}: {text[:160]}"
            for span, role, text in zip(row.spans, labels, texts, strict=True)
            if role != span.type
        ]
    yield by_values("role of sentence in abstract", "accuracy", right, worst)
    yield by_class("role of sentence in abstract", by_label(said))


def sentence_figures(rows: Sequence[Row]) -> Iterator[Figure]:
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


_WAYS = {"sign+": "more", "sign-": "less"}


def direction_figures(rows: Sequence[Row]) -> Iterator[Figure]:
    """F1 of the direction of sentences."""
    ways = {}
    for row in rows:
        signs = {_WAYS[name] for span in row.spans for name in span.more.get("attributes", ()) if name in _WAYS}
        if len(signs) < 2:
            ways[row.doc] = compare(signs, {direction(row.text)} & {"more", "less"})
    yield by_counts("direction of a sentence", ways)


_PARTS = {"rhetoric": role_figures, "claim_sentences": sentence_figures, "claim_graphs": direction_figures}


def figures(files: Files) -> Iterator[Figure]:
    """The figures of the files that are there."""
    for name, part in _PARTS.items():
        if rows := files.get(name):
            yield from part(rows)
