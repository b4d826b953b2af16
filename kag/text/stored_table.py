"""A table again from the cells that a content store keeps, or from the lines of its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kag.core.types import Cell, Table


def stored_table(
    stored: Sequence[Sequence[object]] | None, details: Mapping[str, Any], text: str = ""
) -> tuple[Table, int]:
    """A table, and how many of its rows are its head; `details` are what is stored beside the cells.

    Without cells (a graph of before they were kept, or a table that is only a picture) it has those of its lines.
    """
    if stored is None:
        stored, details = [line.split(" | ") for line in text.splitlines() if line.strip()], {}
    rows = [["" if cell is None else str(cell) for cell in row] for row in stored]
    wide = {(row, column): (high, across) for row, column, high, across in _four(details.get("spans", ()))}
    covered: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    head = int(details.get("header_rows", 0))
    for row, line in enumerate(rows):
        for column, words in enumerate(line):
            if (row, column) in covered:
                continue
            high, across = wide.get((row, column), (1, 1))
            high, across = min(max(high, 1), len(rows) - row), min(max(across, 1), len(line) - column)
            covered |= {(row + y, column + x) for y in range(high) for x in range(across)}
            cells.append(Cell(words, row, column, high, across, row < head))
    return Table(tuple(cells), len(rows), max(map(len, rows), default=0)), head


def _four(rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, int, int]]:
    return ((row[0], row[1], row[2], row[3]) for row in rows if len(row) == 4 and min(row) >= 0)
