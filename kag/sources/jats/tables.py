"""Tables of JATS and TEI: cells with their spans."""

from __future__ import annotations

from collections.abc import Iterator

from kag.core.types import Table
from kag.sources.jats.inline import words_in
from kag.sources.tables import Loose, lay_out
from kag.sources.xml import Element

_MOST = 1000  # rows or columns that a cell may claim


def table_of(element: Element) -> Table:
    """The cells of a `<table>`; tables within a cell are its words."""
    return lay_out(list(_cells(row)) for row in _rows(element))


def _rows(element: Element) -> Iterator[Element]:
    for part in element:
        if part.tag in ("tr", "row"):
            yield part
        elif part.tag in ("thead", "tbody", "tfoot", "tgroup"):
            yield from _rows(part)


def _cells(row: Element) -> Iterator[Loose]:
    head = row.getparent().tag == "thead" or row.get("role") == "label"
    for cell in row:
        if cell.tag in ("td", "th", "cell", "entry"):
            height, width = (_span(cell, *names) for names in (("rowspan", "rows"), ("colspan", "cols")))
            header = head or cell.tag == "th" or cell.get("role") == "label"
            yield Loose(words_in(cell).text, height, width, header)


def _span(cell: Element, *names: str) -> int:
    value = next((cell.get(name) for name in names if cell.get(name)), "1")
    return min(max(int(value), 1), _MOST) if value.isascii() and value.isdigit() and len(value) < 7 else 1
