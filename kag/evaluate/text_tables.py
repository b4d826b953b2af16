"""Tables in Markdown that a terminal shows as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with columns of even width, numbers to the right.

    >>> print(table(["name", "F1"], [["a", "0.5"]]))
    | name |  F1 |
    |------|----:|
    | a    | 0.5 |
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    pad = [str.ljust, *[str.rjust] * (len(widths) - 1)]
    drawn = [
        "| " + " | ".join(put(cell, w) for put, cell, w in zip(pad, line, widths, strict=True)) + " |" for line in lines
    ]
    rule = "|" + "|".join("-" * (w + 2) if n == 0 else "-" * (w + 1) + ":" for n, w in enumerate(widths)) + "|"
    return "\n".join([drawn[0], rule, *drawn[1:]])


def shown(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows of values by column: four digits behind the point, `-` for None, blanks for underscores."""
    return table(
        [name.replace("_", " ") for name in rows[0]], [[_cell(value) for value in row.values()] for row in rows]
    )


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value).replace("_", " ")
