"""Tables, from HTML or Markdown pipes, laid out on a grid.

OCR tables are ragged, overlap, or claim absurd spans. Cells are placed as the HTML standard's table
model says (forming a table, section 4.9.12.1), with three bounds: a cell never covers a place already
taken, no row beyond the last, and no column in which no cell begins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from html import unescape

from lxml import html as lxml_html

from kag.core.types import Cell, Table

_WIDEST = 1000  # columns that spans may reach; the standard's own bound for one colspan

_KNOWN_TAG = re.compile(
    r"</?(?:table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col|br|p|div|span|sub|sup|b|i|u|em|strong|small|a|ul|ol|li"
    r"|font|center|img|code)\b[^<>]*>",
    re.I,
)
_ANGLE = re.compile(r"<")
_BREAKING = frozenset(("br", "p", "div", "li", "ul", "ol", "table", "tr", "td", "th", "caption", "center"))
_TABLE_MARK = re.compile(r"<(/?)table\b[^<>]*>", re.I)
_RULE_ROW = re.compile(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Loose:
    """A cell before it has a place: spans as printed."""

    text: str
    row_span: int = 1
    column_span: int = 1
    header: bool = False


def parse_table(html: str) -> Table:
    """The first `<table>` of some HTML: words by grid place; no cells when there is none.

    Cell text keeps LaTeX; raised and lowered words become LaTeX, tables inside a cell its words.
    """
    return read_table(html)[0]


def read_table(html: str) -> tuple[Table, str]:
    """Return the result of `parse_table`, and the words outside all cells: the `<caption>`, and misplaced text."""
    element = _table_element(html)
    if element is None:
        return Table((), 0, 0), ""
    rows = [row for row in element.iterdescendants("tr") if _owner(row) is element]
    cells = {row: [cell for cell in row if cell.tag in ("td", "th")] for row in rows}
    table = lay_out([_loose(cell, row.getparent().tag == "thead") for cell in cells[row]] for row in rows)
    return table, _words(element, {cell for row in rows for cell in cells[row]})


def lay_out(rows: Iterable[Iterable[Loose]]) -> Table:
    """Give each cell its place on the grid; short rows leave places empty."""
    listed = [list(row) for row in rows]
    free_from: list[int] = []  # for each column, the first row in which it is free
    cells: list[Cell] = []
    for row, loose_cells in enumerate(listed):
        column = 0
        for loose in loose_cells:
            while column < len(free_from) and free_from[column] > row:
                column += 1
            height, width = _spans(loose, len(listed) - row, _WIDEST - column)
            width = _free_width(free_from, column, row, width)
            free_from += [0] * (column + width - len(free_from))
            free_from[column : column + width] = [row + height] * width
            cells.append(Cell(loose.text, row, column, height, width, loose.header))
            column += width
    columns = max((cell.column + 1 for cell in cells), default=0)
    cut = (replace(cell, column_span=min(cell.column_span, columns - cell.column)) for cell in cells)
    return Table(tuple(cut), len(listed) if cells else 0, columns)


def stack(tables: Iterable[Table]) -> Table | None:
    """Stack tables into one; None if there is no cell at all."""
    cells: list[Cell] = []
    rows = columns = 0
    for table in tables:
        cells += (replace(cell, row=cell.row + rows) for cell in table.cells)
        rows, columns = rows + table.rows, max(columns, table.columns)
    return Table(tuple(cells), rows, columns) if cells else None


def table_lines(table: Table) -> list[str]:
    """The rows as lines, cells joined by " | ", each cell once, where it begins; rows that begin none left out."""
    rows: list[list[str]] = [[] for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row].append(cell.text)
    return [" | ".join(row) for row in rows if row]


def split_tables(text: str) -> list[tuple[str, bool]]:
    """Cut a text into pieces that are an HTML table (True) or not (False); an unclosed table ends with the text."""
    pieces: list[tuple[str, bool]] = []
    at = start = depth = 0
    for mark in _TABLE_MARK.finditer(text):
        if not mark[1]:
            if depth == 0:
                pieces.append((text[at : mark.start()], False))
                start = mark.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                pieces.append((text[start : mark.end()], True))
                at = mark.end()
    pieces.append((text[start:], True) if depth else (text[at:], False))
    return [(piece, is_table) for piece, is_table in pieces if piece.strip()]


def keeps_letters(html: str, lines: Iterable[str]) -> bool:
    """Whether every letter and digit printed in some HTML is in the lines read from it."""
    printed = Counter(filter(str.isalnum, unescape(_KNOWN_TAG.sub("", html))))
    return printed <= Counter(filter(str.isalnum, "".join(lines)))


def parse_pipes(lines: list[str]) -> tuple[int, int, Table] | None:
    """The first Markdown pipe table among the lines: first line, line behind the last, table; None without one."""
    for at in range(1, len(lines)):
        if "|" in lines[at - 1] and "|" in lines[at] and _RULE_ROW.fullmatch(lines[at].strip()):
            end = at + 1
            while end < len(lines) and "|" in lines[end]:
                end += 1
            head = [Loose(text, header=True) for text in _pipe_cells(lines[at - 1])]
            body = [[Loose(text) for text in _pipe_cells(line)] for line in lines[at + 1 : end]]
            return at - 1, end, lay_out([head, *body])
    return None


def _pipe_cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    cells = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(inner)]
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


def _spans(loose: Loose, rows_left: int, columns_left: int) -> tuple[int, int]:
    """Row and column span within bounds; rowspan=0 means to the end."""
    if columns_left < 1:
        return 1, 1
    return min(loose.row_span or rows_left, rows_left), min(max(loose.column_span, 1), columns_left)


def _free_width(free_from: list[int], column: int, row: int, wanted: int) -> int:
    for width in range(1, wanted):
        if column + width < len(free_from) and free_from[column + width] > row:
            return width
    return wanted


def _table_element(html: str) -> lxml_html.HtmlElement | None:
    known = {match.start() for match in _KNOWN_TAG.finditer(html)}
    safe = _ANGLE.sub(lambda match: "<" if match.start() in known else "&lt;", html)  # "p <0.05" is text
    if not known:
        return None
    root = lxml_html.fragment_fromstring(f"<div>{safe}</div>", parser=lxml_html.HTMLParser(huge_tree=True))
    return next(root.iter("table"), None)


def _owner(node: lxml_html.HtmlElement) -> lxml_html.HtmlElement | None:
    return next(node.iterancestors("table"), None)


def _loose(cell: lxml_html.HtmlElement, in_head: bool) -> Loose:
    return Loose(
        _words(cell), _span(cell.get("rowspan"), 0), _span(cell.get("colspan"), 1), in_head or cell.tag == "th"
    )


def _span(value: str | None, least: int) -> int:
    digits = re.match(r"\s*\+?([0-9]{1,6})", value or "")
    return max(int(digits[1]), least) if digits else 1


def _words(element: lxml_html.HtmlElement, without: Container[lxml_html.HtmlElement] = ()) -> str:
    """The words of an element in document order, those of some descendants left out.

    Iterative, since tables may be nested beyond Python's stack.
    """
    pieces: list[str] = []
    steps: list[tuple[lxml_html.HtmlElement, bool]] = [(element, True)]
    while steps:
        node, opening = steps.pop()
        if opening and node not in without:
            pieces.append(_edge(node, opening=True) + (node.text or ""))
            steps.append((node, False))
            steps += ((child, True) for child in reversed(node))
        else:
            pieces.append(_edge(node, opening=False) + (node.tail or "" if node is not element else ""))
    return " ".join("".join(pieces).split())


def _edge(node: lxml_html.HtmlElement, *, opening: bool) -> str:
    if node.tag in ("sub", "sup"):
        return f" \\( {'_' if node.tag == 'sub' else '^'}{{" if opening else "} \\) "
    return " " if node.tag in _BREAKING else ""
