"""`printed_table`: a table's cells as they are printed, each once, with the places that it covers."""

from __future__ import annotations

from kag.rdf.namespaces import KAG
from kag.read.paper import Node, PaperGraph
from kag.text.stored_table import stored_table
from kag.values.content import CELLS
from kag.values.types import Table


def printed_table(paper: PaperGraph, node: Node) -> tuple[Table, int]:
    """The cells of a table, and how many rows are its head; those of its lines where no cells are stored.

    Raises `RunError` where the stored cells are damaged.
    """
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    stored = paper.content.data(ref, CELLS)
    details = paper.content[ref].details if stored is not None else {}
    return stored_table(stored, details, node.text)


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
