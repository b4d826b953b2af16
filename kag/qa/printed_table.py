"""`printed_table`: a table's cells as they are printed, each once, with the places that it covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from kag.core.content import CELLS
from kag.core.types import Table
from kag.qa.paper import Node, PaperGraph
from kag.qa.table_headers import HEADS, headed, heads_below
from kag.rdf.namespaces import KAG
from kag.text.plain import plain
from kag.text.stored_table import stored_table


def printed_table(paper: PaperGraph, node: Node) -> tuple[Table, int]:
    """The cells of a table, and how many rows are its head; those of its lines where no cells are stored.

    Raises `RunError` where the stored cells are damaged.
    """
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    stored = paper.content.data(ref, CELLS)
    details = paper.content[ref].details if stored is not None else {}
    return stored_table(stored, details, node.text)


def head_rows(paper: PaperGraph, node: Node) -> int:
    """How many rows at the top of a table only name its columns, as far as that is known, those of years with them."""
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    details = paper.content[ref].details if ref in paper.content else {}
    head = int(details.get("header_rows", 0))
    stored = paper.content.data(ref, CELLS) if head else None
    return head + len(_below(stored or (), head, details))


def _below(lines: Iterable[Sequence[object]], head: int, details: Mapping[str, Any]) -> Sequence[Sequence[str]]:
    grid = [["" if cell is None else plain(str(cell)) for cell in line] for line in islice(lines, head + HEADS)]
    return heads_below(grid, head, int(details.get("stub_columns", 0)))


def named_lines(paper: PaperGraph, node: Node) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The headers of a table's columns and the cells of each of its rows, each line whole: what spans is repeated.

    A header is the path of its names from the top, "Dose / Day 1"; the first cell of a row below the head that of the
    row's names, with the group it stands in. Where no paths are stored, they are the printed names.
    """
    table, head = printed_table(paper, node)
    lines = [[plain(cell) for cell in line] for line in table.grid()]
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    details = paper.content[ref].details if ref in paper.content else {}
    columns, rows, stub = details.get("columns", ()), details.get("rows", ()), int(details.get("stub_columns", 0))
    if len(columns) != table.columns or len(rows) != table.rows:
        columns, stub = [dict.fromkeys(line[at] for line in lines[:head]) for at in range(table.columns)], 0
    below = _below(lines, head, details)
    columns = [headed(path, column, below) for column, path in enumerate(columns)]
    for row, line in enumerate(lines[head:] if stub else (), start=head):
        line[:stub] = [_path(rows[row]), *("" for _ in range(stub - 1))]
    return tuple(map(_path, columns)), [tuple(line) for line in lines]


def _path(names: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(filter(None, map(plain, names))))


def row_spans(table: Table, text: str) -> list[tuple[int, int] | None]:
    """Where the line of each row stands in the text of its table; None for a row whose line is not there."""
    found: list[tuple[int, int] | None] = []
    at = 0
    for row in range(table.rows):
        line = " | ".join(cell.text for cell in table.cells if cell.row == row)
        line = line if line in text else line.rstrip(" |")  # PDF tables are printed without empty cells at the end
        start = text.find(line, at) if line else -1
        found.append((start, start + len(line)) if start >= 0 else None)
        at = start + len(line) if start >= 0 else at
    return found
