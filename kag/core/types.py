"""The values that travel through kag: what a paper is before it becomes a graph.

All of them are immutable. A `Block` is the unit of conservation: each one ends in the graph
exactly once or in `skipped.jsonl` with a reason, and `kag audit` proves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Ground = Literal["", "markup", "outline", "number", "size"]
"""What a heading's level rests on: the source's own structure, the file's outline, its number, the size of its type."""


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
class Mark:
    """The style of a run of a block's text: characters `start` to `end` of `text`."""

    start: int
    end: int
    kind: Literal["bold", "italic", "monospace"]


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the file itself, from characters `start` to `end` of a block's text to a place inside of the paper.

    `block` is the block it leads to, `at` the character of that block's text, 0 where no more is known.
    """

    start: int
    end: int
    block: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a source: a heading, a paragraph, a caption, a table, a picture, a formula, ...

    `raw` is the text as found; `text` the same without block-level marks (heading hashes, hyphens at line ends),
    LaTeX kept; for a table its rows, cells joined by " | ". `plain` is for people and for matching: inline Markdown
    and LaTeX reduced to words. Spans and hashes refer to `text`.

    What follows is there where the source knows it, and never guessed: `ground` says what `heading_level` rests on
    ("" where the level means little, as in OCR output), `caption_of` names the block of the float that a caption
    describes, `continues` the block of which this is the later part.
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
    ground: Ground = ""
    caption_of: str = ""
    continues: str = ""
    marks: tuple[Mark, ...] = ()
    links: tuple[Link, ...] = ()


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
class Metadata:
    """Metadata of a file about its paper; empty fields where it has none.

    `authors` are names as written; `trusted` where the publisher wrote it (JATS), not a typesetting program. `url` is
    where a person got the paper.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    doi: str = ""
    arxiv: str = ""
    journal: str = ""
    language: str = ""
    trusted: bool = False
    url: str = ""


NO_METADATA = Metadata()


@dataclass(frozen=True, slots=True)
class Document:
    """A paper as read from its source. `sha256` digests the pages and figures that were read.

    `source` names the kind of source ("ocr", "pdf", "jats", ...). `page_sizes` are widths and heights in points (1/72
    inch), empty where the source does not tell. `pictures` are figures that reading made, bytes by `FigureFile.path`:
    they go into the run.
    """

    paper_id: str
    blocks: tuple[Block, ...]
    figures: tuple[FigureFile, ...]
    repairs: tuple[Repair, ...]
    pages: int
    sha256: str
    source: str = "ocr"
    page_sizes: tuple[tuple[float, float], ...] = ()
    metadata: Metadata = NO_METADATA
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A block left out of the graph on purpose."""

    block: str
    reason: str
