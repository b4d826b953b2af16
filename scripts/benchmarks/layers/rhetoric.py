"""Roles of the sentences of abstracts, against CSAbstruct (Cohan et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.layers.claims.roles import abstract_roles
from scripts.benchmarks.layers.figure import Figure, by_class, by_values
from scripts.benchmarks.layers.labels import by_label
from scripts.benchmarks.layers.rows import Row


def figures(rows: Sequence[Row]) -> Iterator[Figure]:
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
