"""Draws what is not running text: tables as grids, displayed equations, and their Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from PIL import Image, ImageDraw

from .ink import Ink, Set
from .inline import Piece, Rich
from .typeset import Line, Look, break_lines, draw_line, font, maths, piece_width, words

_PAD = 4


@dataclass(frozen=True, slots=True)
class RichCell:
    """A cell with its text ready to draw and its place on the grid."""

    text: Rich
    row: int
    column: int
    row_span: int
    column_span: int


def place_cells(rows: Sequence[Sequence[tuple[Rich, int, int]]]) -> list[RichCell]:
    """Grid places for rows of (text, column span, row span), as HTML would place them."""
    taken: set[tuple[int, int]] = set()
    cells: list[RichCell] = []
    for row, printed in enumerate(rows):
        column = 0
        for text, column_span, row_span in printed:
            while (row, column) in taken:
                column += 1
            cells.append(RichCell(text, row, column, row_span, column_span))
            taken |= {(row + r, column + c) for r in range(row_span) for c in range(column_span)}
            column += column_span
    return cells


def table_html(rows: Sequence[Sequence[tuple[Rich, int, int]]]) -> str:
    """The table as OCR prints it: one line of HTML."""

    def cell(text: Rich, column_span: int, row_span: int) -> str:
        spans = f' colspan="{column_span}"' if column_span > 1 else ""
        spans += f' rowspan="{row_span}"' if row_span > 1 else ""
        return f"<td{spans}>{escape(text.markdown.strip(), quote=False)}</td>"

    return "<table>" + "".join(f"<tr>{''.join(cell(*each) for each in row)}</tr>" for row in rows) + "</table>"


def draw_table(cells: Sequence[RichCell], width: int, look: Look) -> tuple[Image.Image, Ink]:
    """A grid with thin rules, `width` pixels wide."""
    columns = _column_widths(cells, width, look)
    lines = {id(cell): break_lines(cell.text, _span(columns, cell.column, cell.column_span) - 2 * _PAD, look)
             for cell in cells}  # fmt: skip
    heights = [look.leading + 2 * _PAD] * (1 + max(cell.row for cell in cells))
    for cell in cells:
        if cell.row_span == 1:
            heights[cell.row] = max(heights[cell.row], len(lines[id(cell)]) * look.leading + 2 * _PAD)
    canvas = Image.new("L", (width, sum(heights) + 1), 255)
    ink = Ink()
    for cell in cells:
        _draw_cell(canvas, ink, cell, lines[id(cell)], columns, heights, look)
    return canvas, ink


def _span(sizes: Sequence[int], first: int, count: int) -> int:
    return sum(sizes[first : first + count])


def _draw_cell(
    canvas: Image.Image, ink: Ink, cell: RichCell, lines: list[Line], columns: list[int], heights: list[int], look: Look
) -> None:
    x, y = _span(columns, 0, cell.column), _span(heights, 0, cell.row)
    right, bottom = x + _span(columns, cell.column, cell.column_span), y + _span(heights, cell.row, cell.row_span)
    ImageDraw.Draw(canvas).rectangle((x, y, right, bottom), outline=120)
    ink.rules.append((x, y, right, bottom))
    top = y + (bottom - y - len(lines) * look.leading) / 2
    for number, line in enumerate(lines):
        draw_line(canvas, line, x + _PAD, top + number * look.leading, look)
        ink.lines.append(Set(line, x + _PAD, top + number * look.leading, look, cell.text.mentions))


def _column_widths(cells: Sequence[RichCell], width: int, look: Look) -> list[int]:
    """Columns in proportion to their longest text, none narrower than its longest word."""
    count = max(cell.column + cell.column_span for cell in cells)
    least, wish = [2 * _PAD + 8] * count, [1.0] * count
    for cell in cells:
        if cell.column_span > 1:
            continue
        sizes = [sum(piece_width(piece, look) for piece in word) for word in words(cell.text) if word]
        least[cell.column] = max(least[cell.column], int(max(sizes, default=0)) + 2 * _PAD + 2)
        wish[cell.column] = max(wish[cell.column], min(sum(sizes), width / 3))
    spare = width - 1 - sum(least)
    if spare < 0:
        raise ValueError(f"table {-spare} pixels too wide")
    columns = [low + int(spare * part / sum(wish)) for low, part in zip(least, wish, strict=True)]
    columns[-1] += width - 1 - sum(columns)
    return columns


def draw_equation(latex: str, number: str, width: int, look: Look) -> tuple[Image.Image, Ink]:
    """A formula in the middle of the column with its number at the right."""
    mask, depth = maths(latex, look.size + 2)
    if mask.width > width - 40:
        raise ValueError(f"formula wider than its column: {latex!r}")
    canvas = Image.new("L", (width, mask.height + 4), 255)
    x = (width - mask.width) // 2
    canvas.paste(0, (x, 2, x + mask.width, 2 + mask.height), mask)
    ImageDraw.Draw(canvas).text(
        (width - 1, canvas.height / 2), f"({number})", font=font(look.family, "normal", look.size), fill=0, anchor="rm"
    )
    larger = replace(look, size=look.size + 2, leading=0)
    label = Piece(f"({number})", "normal", 0, 0)
    formula = Line(((0.0, Piece(latex, "maths", 0, 0)),), 0, 0, 0, 0)
    right = Line(((width - 1 - piece_width(label, look), label),), 0, 0, 0, 0)
    middle = canvas.height / 2 - look.leading / 2
    return canvas, Ink([Set(formula, x - 1, 2 + mask.height - depth, larger), Set(right, 0, middle, look)])
