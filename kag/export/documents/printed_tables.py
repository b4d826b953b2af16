"""The printed tables of papers as CSV, one file a table, and a list of them.

A spreadsheet would run a cell that begins with "=" or "@" as a formula, one with "+" or "-" where no number follows:
such a cell has an apostrophe before it, which a spreadsheet reads as "this is text".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from kag.export.parts import tables
from kag.qa.paper import PaperGraph

LIST = "tables.csv"
_FORMULA = re.compile(r"\s*(?:[=@]|[+-](?![\s\d.,]*\Z)(?=.*[A-Za-z(!|]))", re.DOTALL)


def table_files(papers: Mapping[str, PaperGraph]) -> dict[str, str]:
    """`<paper>/table_01.csv` and on in reading order, and `tables.csv` with label, caption, page and IRI of each."""
    files: dict[str, str] = {}
    listed: list[Sequence[object]] = [("file", "paper", "label", "caption", "header_rows", "page", "node")]
    for paper in papers.values():
        for number, table in enumerate(tables(paper), start=1):
            name = f"{paper.id}/table_{number:02}.csv"
            files[name] = _csv(table.grid)
            listed.append((name, paper.id, table.label, table.caption, table.header_rows, table.page, table.node))
    return {LIST: _csv(listed), **files}


def cell(text: str) -> str:
    """A cell that no spreadsheet runs.

    >>> [cell(text) for text in ("-3.5", "=1+1", "- ", "+cmd|' /C calc'!A0", "@x", "−2")]
    ['-3.5', "'=1+1", '- ', "'+cmd|' /C calc'!A0", "'@x", '−2']
    """
    return f"'{text}" if _FORMULA.match(text) else text


def _csv(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([cell(str(value)) for value in row] for row in rows)
    return out.getvalue()
