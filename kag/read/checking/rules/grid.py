"""A table as a claim names it: which of its headers and cells stand in the claim, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kag.read.checking.rules.parts import heads
from kag.read.checking.rules.words import Word, words
from kag.values.verdict import Quote

_SHORT = 2  # letters of what must be written alike to be the same: "A" is no "a"
_MOST = 2_000  # cells of one table that are looked at
_NAMES = 2  # columns that names of rows stand in
_BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")  # a unit: "Depth (m)"
HEAD = -1  # the row of a header

Place = tuple[int, int]  # row and column of a cell, or HEAD and a column


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of the claim, `start` to `end`, that are all those of a header or cell, and where that stands."""

    start: int
    end: int
    places: frozenset[Place]

    def rows(self) -> frozenset[int]:
        """The rows that it stands in."""
        return frozenset(row for row, _ in self.places if row != HEAD)

    def columns(self) -> frozenset[int]:
        """The columns that it heads."""
        return frozenset(column for row, column in self.places if row == HEAD)

    def named(self) -> frozenset[int]:
        """The rows whose name, their first cell, it is."""
        return frozenset(row for row, column in self.places if row != HEAD and column == 0)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its headers, its rows of cells, and what of them a claim mentions, in order."""

    claim: tuple[Word, ...]
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    mentions: tuple[Mention, ...]

    def cell(self, row: int, column: int) -> str:
        """What is printed there."""
        return self.rows[row][column].strip()

    def column(self, at: int) -> list[str]:
        """The cells of a column, those that are empty left out."""
        return [cell for row in range(len(self.rows)) if (cell := self.cell(row, at))]

    def columns_named(self) -> frozenset[int]:
        """The columns that the claim names by their headers, but for the first, which has the names of rows."""
        return frozenset(column for mention in self.mentions for column in mention.columns() if column)

    def rows_named(self) -> frozenset[int]:
        """The rows that the claim names by their first cells."""
        return frozenset(row for mention in self.mentions for row in mention.named())

    def rows_told(self) -> frozenset[int]:
        """Those, or else the rows of which the claim has a cell that stands in no other one."""
        once = (mention for mention in self.mentions if len(mention.places) == 1)
        return self.rows_named() or frozenset(row for mention in once for row in mention.rows())

    def is_within(self, at: int) -> bool:
        """Whether a word of the claim stands in a header or cell that it mentions."""
        return any(mention.start <= at < mention.end for mention in self.mentions)

    def values_told(self) -> set[float]:
        """The numbers of the claim that are in no name of a row or column."""
        names = [mention for mention in self.mentions if mention.columns() or mention.named()]
        return {
            word.printed
            for at, word in enumerate(self.claim)
            if word.is_number and not any(mention.start <= at < mention.end for mention in names)
        }

    def is_partly_named(self) -> bool:
        """Whether the claim has a word of a row's name without having all of that name."""
        names = {word.stem for row in self.rows for cell in row[:_NAMES] for word in words(cell) if word.carries}
        return any(word.carries and word.stem in names and not self.is_within(at) for at, word in enumerate(self.claim))


def grid_of(claim: tuple[Word, ...], quote: Quote) -> Grid | None:
    """The table of a quote with what a claim mentions of it; None where it is no whole table, or a ragged one."""
    headers, rows = heads(quote)
    if quote.cells or not rows or len({len(row) for row in (headers, *rows)}) != 1 or len(rows) * len(headers) > _MOST:
        return None
    rows = tuple(_carried(rows))
    texts = [(name, (HEAD, at)) for at, header in enumerate(headers) for name in {header, _BRACKET.sub("", header)}]
    texts += [(cell, (row, at)) for row, cells in enumerate(rows) for at, cell in enumerate(cells)]
    return Grid(claim, headers, rows, tuple(_mentions(claim, texts)))


def _carried(rows: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Rows with the name of the row before them where they have none of their own."""
    first = ""
    for row in rows:
        first = row[0] if row[0].strip() else first
        yield (first, *row[1:])


def _mentions(claim: Sequence[Word], texts: Sequence[tuple[str, Place]]) -> Iterator[Mention]:
    """The longest stretches of a claim that are headers or cells: what stands within a longer one is none."""
    at = [index for index, word in enumerate(claim) if word.stem]
    said = [claim[index] for index in at]
    places: dict[tuple[Word, ...], set[Place]] = {}
    for text, place in texts:
        if wanted := tuple(word for word in words(text) if word.stem):
            places.setdefault(wanted, set()).add(place)
    found: dict[tuple[int, int], set[Place]] = {}
    for wanted, where in places.items():
        for start in range(len(said) - len(wanted) + 1):
            if all(map(_is_same, said[start : start + len(wanted)], wanted)):
                found.setdefault((start, start + len(wanted)), set()).update(where)
    for start, end in sorted(found):
        if not any(s <= start and end <= e and (s, e) != (start, end) for s, e in found):
            yield Mention(at[start], at[end - 1] + 1, frozenset(found[start, end]))


def _is_same(said: Word, printed: Word) -> bool:
    if said.is_number or printed.is_number:
        return said.is_number and printed.is_number and said.printed == printed.printed
    return said.text == printed.text if len(printed.text) <= _SHORT else said.stem == printed.stem
