"""The values that travel through kag: what a paper is before it becomes a graph.

All of them are immutable. A `Block` is the unit of conservation: each one ends in the graph
exactly once or in `skipped.jsonl` with a reason, and `kag audit` proves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle on a page, in thousandths of the page's width and height, origin top left."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def height(self) -> int:
        return self.y1 - self.y0

    @property
    def width(self) -> int:
        return self.x1 - self.x0


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed table cell: its words and the grid area it covers."""

    text: str
    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table as printed: cells by position, and the grid they span."""

    cells: tuple[Cell, ...]
    rows: int
    columns: int

    def grid(self) -> tuple[tuple[str, ...], ...]:
        """Rows of words; a spanning cell repeats in each place it covers."""
        places = [[""] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            for row in range(cell.row, cell.row + cell.row_span):
                for column in range(cell.column, cell.column + cell.column_span):
                    places[row][column] = cell.text
        return tuple(tuple(row) for row in places)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of OCR output.

    `raw` is the text as found behind the tag; `text` the same without block-level Markdown marks
    (heading hashes), LaTeX kept; for a table its rows, cells joined by " | ". `plain` is for people
    and for matching: inline Markdown and LaTeX reduced to words. Spans and hashes refer to `text`.
    """

    id: str
    page: int
    order: int
    label: str
    boxes: tuple[Box, ...]
    raw: str
    text: str
    plain: str
    heading_level: int = 0
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class FigureFile:
    """A picture cropped from a page; `path` is relative to the paper's folder, sizes in pixels."""

    path: str
    page: int
    boxes: tuple[Box, ...]
    sha256: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Repair:
    """Something in the input that was not as it should be, and what was done about it."""

    page: int
    line: int
    problem: str
    action: str


@dataclass(frozen=True, slots=True)
class Document:
    """A paper as read from its folder. `sha256` digests the pages and figures that were read."""

    paper_id: str
    blocks: tuple[Block, ...]
    figures: tuple[FigureFile, ...]
    repairs: tuple[Repair, ...]
    pages: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A block left out of the graph on purpose."""

    block: str
    reason: str
