"""A table as it is printed: its cells, each once, its column names, and its rows as lines of plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from kag.core.content import CELLS
from kag.core.types import Table
from kag.qa.paper import Node, PaperGraph
from kag.rdf.namespaces import KAG
from kag.text.cells import stored_table
from kag.text.dates import FISCAL
from kag.text.plain import plain


def printed_table(paper: PaperGraph, node: Node) -> tuple[Table, int]:
    """The cells of a table, and how many rows are its head; those of its lines where no cells are stored.

    Raises `RunError` where the stored cells are damaged.
    """
    return stored_table(*stored_cells(paper, node), node.text)


def stored_cells(paper: PaperGraph, node: Node) -> tuple[list[list[Any]] | None, Mapping[str, Any]]:
    """The stored cells of a table, and what is stored with them; raises `RunError` where they are damaged."""
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    return paper.content.data(ref, CELLS), paper.content[ref].details if ref in paper.content else {}


def head_rows(paper: PaperGraph, node: Node) -> int:
    """Return the number of rows at the top of a table that only name its columns, rows of years included, as far as
    known."""
    stored, details = stored_cells(paper, node)
    head = int(details.get("header_rows", 0))
    return head + len(_below(stored or () if head else (), head, details))


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
    _, details = stored_cells(paper, node)
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
    """Return the span of each row's line in its table's text; None for a row whose line is missing."""
    found: list[tuple[int, int] | None] = []
    at = 0
    for row in range(table.rows):
        line = " | ".join(cell.text for cell in table.cells if cell.row == row)
        line = line if line in text else line.rstrip(" |")  # PDF tables are printed without empty cells at the end
        start = text.find(line, at) if line else -1
        found.append((start, start + len(line)) if start >= 0 else None)
        at = start + len(line) if start >= 0 else at
    return found


HEADS = 4  # rows under the head that are looked at
_MARK = r"(?:\s?[(*†‡][^()]{0,4}\)?)?"  # a footnote's, behind a year
_YEAR = re.compile(rf"(?:(?:fiscal|FY)\s?)?(?:19|20)\d\d{_MARK}|{FISCAL}\d\d{_MARK}", re.I)
_DATE = re.compile(r"(?:[A-Z][a-z]{2,8}\.?\s\d{1,2},?|\d{1,2}\s[A-Z][a-z]{2,8}\.?,?)(?:\s(?:19|20)\d\d)?")
_UNIT = re.compile(
    r"\([^()]{1,80}\)|[$€£¥%]|(?:US)?[$€£¥]?\s?['’]?0{3}s?|(?:US)?[$€£¥]\s?(?:m|k|bn|million|thousands?)|notes?", re.I
)
_AMOUNT = re.compile(r"[-−–($€£¥\s]*\d[\d.,]*[\s%)]*")

Rows = Sequence[Sequence[str]]


def heads_below(grid: Rows, head: int, stub: int) -> Rows:
    """The rows of a grid behind the first `head` that name columns, of which `stub` at the left name rows.

    >>> heads_below([["", "Year ended"], ["", "2019"], ["(in millions)", ""], ["Sales", "20"]], 1, 1)
    [['', '2019']]
    """
    found: list[Sequence[str]] = []
    for row in grid[head : head + HEADS] if head else ():
        filled = [cell.strip() for cell in row[max(stub, 1) :] if cell.strip()]
        named = [cell for cell in row[: max(stub, 1)] if cell.strip() and not _UNIT.fullmatch(cell.strip())]
        dated = any(map(_is_date, filled)) and not any(_AMOUNT.fullmatch(one) and not _is_date(one) for one in filled)
        if named or not filled or not (dated or all(map(_UNIT.fullmatch, filled))):
            break
        found.append(row)
    return found


def headed(path: Sequence[str], column: int, below: Rows) -> tuple[str, ...]:
    """The names of a column with those that further rows give it."""
    more = (row[column].strip() for row in below if column < len(row))
    return (*path, *(text for text in more if text and text not in path))


def _is_date(cell: str) -> bool:
    return bool(_YEAR.fullmatch(cell) or _DATE.fullmatch(cell))


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
