"""Claims that state one cell as tables print it, "row | column | value": held against that very cell, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kag.read.checking.rules.words import words
from kag.values.verdict import Quote

_BAR = " | "
_CALL_OUT = re.compile(r"\[[\d, –-]*\]")  # a name's call-out, which a claim need not tell

_Key = tuple[tuple[str, float | None, str], ...]


def stated_cell(claim: str, quotes: Sequence[Quote]) -> tuple[bool, str] | None:
    """Whether the quoted rows print what a claim states of a cell, and what they print; None where it states none.

    >>> row = Quote("LEAP | 0.62", "row", headers=("Method", "Error"), cells=("LEAP", "0.62"))
    >>> stated_cell("Table 2: LEAP | Error | 0.71", [row])
    (False, '0.62')
    """
    parts = claim.split(_BAR)
    if len(parts) != 3:
        return None
    found = list(_printed(parts[0], parts[1], quotes))
    if not found:
        return None
    value = _key(parts[2])
    return any(_key(cell) == value for cell in found), found[0]


def _printed(row: str, column: str, quotes: Sequence[Quote]) -> Iterator[str]:
    """The cells of that row and column; the row's name stands behind what the table is called."""
    names = {_name(row), _name(row.partition(": ")[2]), _name(row.lstrip(": "))} - {()}
    for quote in quotes:
        if quote.cells and _name(quote.cells[0]) in names:
            pairs = zip(quote.headers, quote.cells, strict=False)
            yield from (cell for header, cell in pairs if _name(header) == _name(column))


def _name(text: str) -> _Key:
    return _key(_CALL_OUT.sub("", text))


def _key(text: str) -> _Key:
    """What two spellings of one cell have in common; marks count, because they are all that some cells have."""
    return tuple((word.stem or word.text, word.spread, word.printed_unit) for word in words(text))
