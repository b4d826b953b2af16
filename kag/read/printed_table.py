"""`printed_table`: a table's cells as they are printed, each once, with the places that it covers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.rdf.namespaces import KAG
from kag.read.paper import Node, PaperGraph
from kag.values.content import CELLS
from kag.values.types import Cell, Table


def printed_table(paper: PaperGraph, node: Node) -> tuple[Table, int]:
    """The cells of a table, and how many rows are its head; those of its lines where no cells are stored.

    Raises `RunError` where the stored cells are damaged.
    """
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    stored = paper.content.data(ref, CELLS)
    details = paper.content[ref].details if stored is not None else {}
    if stored is None:  # a graph of before cells were kept, or a table that is only a picture
        stored = [line.split(" | ") for line in node.text.splitlines() if line.strip()]
    rows = [["" if cell is None else str(cell) for cell in row] for row in stored]
    wide = {(row, column): (high, across) for row, column, high, across in _four(details.get("spans", ()))}
    covered: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    head = int(details.get("header_rows", 0))
    for row, line in enumerate(rows):
        for column, text in enumerate(line):
            if (row, column) in covered:
                continue
            high, across = wide.get((row, column), (1, 1))
            high, across = min(max(high, 1), len(rows) - row), min(max(across, 1), len(line) - column)
            covered |= {(row + y, column + x) for y in range(high) for x in range(across)}
            cells.append(Cell(text, row, column, high, across, row < head))
    return Table(tuple(cells), len(rows), max(map(len, rows), default=0)), head


def row_spans(table: Table, text: str) -> list[tuple[int, int] | None]:
    """Where the line of each row stands in the text of its table; None for a row whose line is not there."""
    found: list[tuple[int, int] | None] = []
    at = 0
    for row in range(table.rows):
        line = " | ".join(cell.text for cell in table.cells if cell.row == row)
        start = text.find(line, at) if line else -1
        found.append((start, start + len(line)) if start >= 0 else None)
        at = start + len(line) if start >= 0 else at
    return found


def _four(rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, int, int]]:
    return ((row[0], row[1], row[2], row[3]) for row in rows if len(row) == 4 and min(row) >= 0)
