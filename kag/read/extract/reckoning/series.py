"""Tables as series: what one row and column name but for dates, with its amount for each year."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from kag.read.exact.grid import Sheet, cell_of, headed_sheets
from kag.read.extract.cells import is_change
from kag.read.paper import PaperGraph
from kag.text.amounts import amount
from kag.text.dates import FISCAL, MONTH
from kag.text.plain import plain

_CELLS = 4000  # of a table that are looked at
_SHORT = re.compile(rf"\b{FISCAL}(?P<year>\d\d)\b")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATE = re.compile(
    rf"(?<!\d)(?:19|20)\d\d(?!\d)|\b{MONTH}(?:\s\d{{1,2}}\b)?|\b\d{{1,2}}(?:st|nd|rd|th)?\s{MONTH}"
    r"|\(\d\)|\b(?:fiscal|financial|calendar|years?|year-?end|end|ended|ending"
    r"|(?:twelve|three|six|nine|\d+) (?:months|weeks)"
    r"|months|weeks|quarter ended|restated|see note \d+|as of|as at|for the|in the|at|on|of|the)\b|[,.:()–-]",
    re.I,
)
_OF_UNITS = re.compile(r"\([^()]*\)|[$€£¥%]\w{0,2}")


@dataclass(frozen=True, slots=True)
class Point:
    """One cell: its place in the grid, its number, as it is printed, and the words that tell its year."""

    row: int
    column: int
    amount: Fraction
    text: str
    when: str


@dataclass(frozen=True, slots=True)
class Series:
    """The cells of a table that are named alike but for the year; `row` and `column` are their names without dates."""

    sheet: Sheet
    row: tuple[str, ...]
    column: tuple[str, ...]
    points: dict[int, Point]

    @property
    def words(self) -> str:
        """All that names the series."""
        return " ".join((*self.row, *self.column))

    @property
    def name(self) -> str:
        """What the series is of, as its last row prints it."""
        row = self.sheet.rows[max(self.points.values(), key=lambda point: point.row).row][-1:]
        return plain(" / ".join(dict.fromkeys((*(row if self.row else ()), *self.column))))


def years_of(text: str) -> tuple[int, ...]:
    """The years that a text names, in order, each once.

    >>> years_of("from FY18 to 2019")
    (2018, 2019)
    """
    full = _SHORT.sub(lambda match: f"20{match['year']}", text)
    return tuple(dict.fromkeys(int(match[0]) for match in _YEAR.finditer(full)))


def all_series(paper: PaperGraph) -> list[Series]:
    """The series of all tables of a paper; one where two cells have a year is not among them."""
    return [one for sheet in headed_sheets(paper) for one in _series(sheet)]


def _series(sheet: Sheet) -> Iterator[Series]:
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[int, Point]] = {}
    doubled = set()
    for row, column, year, number in _dated(sheet):
        key = (_undated(sheet.rows[row]), _undated(sheet.columns[column]))
        points = found.setdefault(key, {})
        if year in points:
            doubled.add(key)
        points[year] = Point(row, column, number, cell_of(sheet, row, column), _when(sheet, row, column))
    for key, points in found.items():
        if key not in doubled and (key[0] or key[1]):
            yield Series(sheet, *key, points)


def _dated(sheet: Sheet) -> Iterator[tuple[int, int, int, Fraction]]:
    """The cells that are numbers of one year, which column or row names: (row, column, year, number)."""
    for row, column in islice(sheet.body(), _CELLS):
        if row >= len(sheet.rows) or is_change(sheet.columns[column]):
            continue
        years = years_of(_when(sheet, row, column))
        value = amount(plain(sheet.grid[row][column])) if len(years) == 1 else None
        if value is not None:
            yield row, column, years[0], value


def _when(sheet: Sheet, row: int, column: int) -> str:
    """The words above or beside a cell that name a year, "" for none."""
    named = (*reversed(sheet.columns[column]), *reversed(sheet.rows[row]))
    return plain(next((text for text in named if years_of(text)), ""))


def _undated(path: Sequence[str]) -> tuple[str, ...]:
    named = (text for text in path if not _OF_UNITS.fullmatch(text.strip()))
    bare = (" ".join(_DATE.sub(" ", _SHORT.sub(" ", text)).split()) for text in named)
    return tuple(dict.fromkeys(text for text in bare if any(char.isalnum() for char in text)))
