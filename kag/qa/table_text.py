"""`table_text`: rows of a table as lines of plain text, cells below each other."""

from __future__ import annotations

from collections.abc import Sequence

from kag.qa.paper import Node, PaperGraph
from kag.qa.printed_table import printed_table, row_spans
from kag.rdf.namespaces import KAG
from kag.text.plain import plain

ROWS, CELL = 30, 32  # rows of a table that are shown; characters of a cell


def table_text(paper: PaperGraph, node: Node, start: int = 0, end: int | None = None) -> list[str]:
    """The head of a table and its rows that have characters from `start` to `end` of the node's text; at most 30."""
    table, head = printed_table(paper, node)
    end = len(node.text) if end is None else end
    met = [span is not None and span[0] < end and start < span[1] for span in row_spans(table, node.text)]
    rows = [row for row in range(table.rows) if row < head or met[row]]
    grid = [["" for _ in range(table.columns)] for _ in range(table.rows)]
    for cell in table.cells:
        if cell.row < head or cell.row in rows[:ROWS]:
            grid[cell.row][cell.column] = _short(cell.text)
    more = [f"and {len(rows) - ROWS} rows more"] if len(rows) > ROWS else []
    return [*columns([grid[row] for row in rows[:ROWS]]), *more]


def described_table(paper: PaperGraph, caption: str) -> Node | None:
    """The table that a caption (its IRI) is of."""
    found = (paper.nodes[iri] for iri in paper.targets(caption, KAG.describes) if iri in paper.nodes)
    return next((node for node in found if node.kind == "Table"), None)


def _short(text: str) -> str:
    words = " ".join(plain(text).split())
    return words if len(words) <= CELL else words[: CELL - 1].rstrip() + "…"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells below each other; a short row ends early."""
    widths = [
        max(len(_short(row[at])) for row in rows if at < len(row)) for at in range(max(map(len, rows), default=0))
    ]
    lines = ("  ".join(_short(cell).ljust(width) for cell, width in zip(row, widths, strict=False)) for row in rows)
    return [line.rstrip() for line in lines]
