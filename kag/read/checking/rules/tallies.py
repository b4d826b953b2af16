"""What can be counted: the things of a list in a sentence; of a whole table its rows, columns and values alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kag.read.checking.rules.parts import Sides, heads
from kag.read.checking.rules.words import Word, words
from kag.values.verdict import Quote

_LIST, _LONGEST = 3, 4  # things of a list, words of one
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


def is_listed(value: float, sides: Sides) -> bool:
    """Whether a sentence of the quotes lists so many things, with commas and an "and" before the last."""
    return any(value == count for part in sides.quoted if not part.is_cell for count in _lists(part.words))


def _lists(text: Sequence[Word]) -> Iterator[int]:
    """The lengths of lists of three things or more, of a few words each."""
    for at, word in enumerate(text):
        if word.text.lower() not in ("and", "or"):
            continue
        length, end = 1, at - (at > 0 and text[at - 1].text == ",")
        while (comma := _comma_before(text, end)) is not None:
            length, end = length + 1, comma
        if length >= _LIST - 1:
            yield length + 1


def _comma_before(text: Sequence[Word], end: int) -> int | None:
    """The last comma before a thing that ends here and has a few words."""
    for index in range(end - 1, max(-1, end - 2 - _LONGEST), -1):
        if text[index].text == ",":
            return index if index < end - 1 else None
        if text[index].is_mark:
            return None
    return None
