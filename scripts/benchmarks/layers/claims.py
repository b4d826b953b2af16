"""The three sets about claims that lie in one folder: roles of sentences, claim sentences, claim graphs."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.benchmarks.layers import claim_graphs, claim_sentences, rhetoric
from scripts.benchmarks.layers.figure import Figure
from scripts.benchmarks.layers.rows import Files

_PARTS = {"rhetoric": rhetoric, "claim_sentences": claim_sentences, "claim_graphs": claim_graphs}


def figures(files: Files) -> Iterator[Figure]:
    """The figures of the files that are there."""
    for name, part in _PARTS.items():
        if rows := files.get(name):
            yield from part.figures(rows)
