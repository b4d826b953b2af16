"""SOFC-Exp: materials, devices, values and experiments in the sentences that describe an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kag.layers.entities.abbreviations import find_abbreviations
from kag.layers.entities.identifiers import SOFC
from kag.layers.entities.lexicon import Tokens, tokens
from kag.layers.entities.trained import MATERIALS, Spotter, spotted
from scripts.benchmarks.layers.figure import Figure, Found, places, span_figures
from scripts.benchmarks.layers.rows import Files, Row


def figures(files: Files) -> Iterator[Figure]:
    """The figures of all texts."""
    rows = [row for some in files.values() for row in some]
    yield from entities(rows)


def entities(rows: Sequence[Row], model: Spotter | None = None, least: float = 0.0) -> Iterator[Figure]:
    """Exact span and kind; only sentences that were annotated whole are looked at."""
    yield from span_figures("entities", rows, gold(rows), found(rows, model, least))


def gold(rows: Sequence[Row]) -> Found:
    answer = {}
    for row in rows:
        whole = [(start, end) for start, end, told in row.more["sentences"] if told]
        inside = [span for span in row.spans if any(start <= span.start < end for start, end in whole)]
        answer[row.id] = {(span.start, span.end, SOFC[span.type]) for span in inside}
    return answer


def found(rows: Sequence[Row], model: Spotter | None, least: float) -> Found:
    answer = {}
    for row in rows:
        text = described(row)
        [spans] = spotted(MATERIALS, [text], [find_abbreviations(row.text)], model)
        answer[row.id] = places(text, spans, least)
    return answer


def described(row: Row) -> Tokens:
    """The tokens of a text with those of its sentences that describe an experiment."""
    text = tokens(row.text)
    sentences = []
    for start, end, told in row.more["sentences"]:
        inside = [n for n, at in enumerate(text.starts) if start <= at < end] if told else []
        if inside:
            sentences.append((inside[0], inside[-1] + 1))
    return replace(text, sentences=tuple(sentences))
