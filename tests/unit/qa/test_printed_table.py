"""Rows of a table found in its text."""

from __future__ import annotations

from kag.core.types import Cell, Table
from kag.qa.printed_table import row_spans


def test_a_row_is_found_with_and_without_its_empty_last_cells() -> None:
    rows = (("Bleeding (g)", "", ""), ("Median", "629", ""), ("Range", "298", "1352"))
    cells = tuple(Cell(text, y, x) for y, row in enumerate(rows) for x, text in enumerate(row))
    text = "Bleeding (g)\nMedian | 629\nRange | 298 | 1352"
    spans = row_spans(Table(cells, 3, 3), text)
    assert [text[slice(*span)] for span in spans if span] == ["Bleeding (g)", "Median | 629", "Range | 298 | 1352"]
