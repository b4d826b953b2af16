"""Abbreviations: pairs of short and long form (MED1250), spans of both (arXiv sentences, measured only)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.evaluate.statistics import Counts
from kag.layers.entities.abbreviations import find_abbreviations, is_short
from kag.layers.entities.lexicon import tokens
from scripts.benchmarks.layers.figure import Figure, by_counts, compare
from scripts.benchmarks.layers.rows import Files, Row

_CAPITALS = 0.6  # the share of letters that are capitals in a short form which stands alone


def figures(files: Files) -> Iterator[Figure]:
    """The figures of each file."""
    for name, rows in files.items():
        yield from _defined(rows) if name == "abbreviations" else _used(rows)


def _defined(rows: Sequence[Row]) -> Iterator[Figure]:
    """Pairs of strings a record."""
    counts: dict[str, Counts] = {}
    bad = []
    for row in rows:
        gold = {(short.strip(), long.strip()) for short, long in row.more["pairs"]}
        found = {(row.text[slice(*one.short)], row.text[slice(*one.long)]) for one in find_abbreviations(row.text)}
        counts[row.id] = compare(gold, found)
        bad += [f"wrong: {short} = {long}" for short, long in sorted(found - gold)]
        bad += [f"missing: {short} = {long}" for short, long in sorted(gold - found)]
    yield by_counts("definitions", counts, bad)


def _used(rows: Sequence[Row]) -> Iterator[Figure]:
    """Exact spans a sentence: long forms where they are defined, short forms also where they are used."""
    for kind in ("short", "long"):
        counts: dict[str, Counts] = {}
        for row in rows:
            gold = {(span.start, span.end) for span in row.spans if span.type == kind}
            counts[row.id] = compare(gold, _shorts(row.text) if kind == "short" else _longs(row.text))
        yield by_counts(f"acronyms, {kind}", counts)


def _longs(text: str) -> set[tuple[int, int]]:
    return {one.long for one in find_abbreviations(text)}


def _shorts(text: str) -> set[tuple[int, int]]:
    row = tokens(text)
    alone = {
        (start, end)
        for word, start, end in zip(row.words, row.starts, row.ends, strict=True)
        if is_short(word) and sum(letter.isupper() for letter in word) >= _CAPITALS * len(word)
    }
    return alone | {one.short for one in find_abbreviations(text)}
