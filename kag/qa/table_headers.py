"""Rows under a table's head that go on naming its columns: years, dates and units, beside a stub that names no row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.text.dates import FISCAL

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
