"""What can be counted of a whole table: its rows and columns, and how many values a column has, or has alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kag.read.checking.rules.parts import Sides, heads
from kag.read.checking.rules.words import words
from kag.values.verdict import Quote

_ACROSS = frozenset(("column", "columns", "category", "categories", "variables", "parameters", "groups"))


def is_tallied(value: float, sides: Sides, quotes: Sequence[Quote]) -> bool:
    """Whether so many rows, columns, values or rows with one value are in a table, of those that the claim names."""
    return any(value == count for quote in quotes for count in _tallies(sides, quote))


def is_whole_table(sides: Sides, quotes: Sequence[Quote]) -> bool:
    """Whether all the evidence is whole tables, of which readers count, sum up and take means."""
    return bool(sides.quoted) and all(quote.rows and not quote.cells for quote in quotes)


def _tallies(sides: Sides, quote: Quote) -> Iterator[int]:
    headers, rows = heads(quote)
    if not rows or quote.cells:
        return
    if sides.told(words(headers[0] if headers else "")) or sides.told(words(quote.caption)):
        yield sum(bool(row[0].strip()) for row in rows if row)
    if any(word.text.lower() in _ACROSS for word in sides.claim):
        yield len({header for header in headers if header.strip()})
    for at in range(max(map(len, rows))):
        cells = [row[at].strip() for row in rows if at < len(row) and row[at].strip()]
        if at < len(headers) and sides.told(words(headers[at])):
            yield len(set(cells))
        for cell, times in Counter(cells).items():
            if (told := sides.told(words(cell))) and len(told) >= sum(word.carries for word in words(cell)):
                yield times
