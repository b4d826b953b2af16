"""The highest and lowest of a column or row: the one that the claim names has the number that is so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kag.read.checking.rules.directions import turns
from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.parts import Sides, heads
from kag.read.checking.rules.words import words
from kag.values.verdict import Quote

_NEXT = ("second", "third", "fourth", "next")
_FEWEST = 3  # cells of which one can be the highest


@dataclass(frozen=True, slots=True)
class Line:
    """A column or row of numbers: the claim's words that name it, and for each number those that name the other way."""

    named: frozenset[str]
    values: tuple[float, ...]
    entries: tuple[frozenset[str], ...]


def extreme_findings(sides: Sides, quotes: Sequence[Quote]) -> Iterator[Finding]:
    """What the claim calls the highest or lowest of a table and is not."""
    turn = next((turn for turn in turns(sides.claim) if turn.scale == "extreme"), None)
    headers = {word.stem for quote in quotes for header in quote.headers for word in words(header)}
    if turn is None or turn.turned or sides.claim[turn.at].stem in headers or _is_next(sides, turn.at):
        return  # where a column is called "greatest depth" no cell of it need be the greatest
    choose = max if turn.side > 0 else min
    for quote in quotes:
        lines = next((lines for lines in _lines(sides, quote) if any(_fit(line)[1] for line in lines)), [])
        best = max(map(_fit, lines), default=None)
        chosen = [line for line in lines if _fit(line) == best]
        told = {word.value for word in sides.claim if word.is_number}
        if any(choose(line.values) in told and line.named for line in lines):
            continue
        if best and best[1] and len(chosen) == 1 and not any(_holds(line, choose(line.values)) for line in chosen):
            shown = choose(chosen[0].values)
            yield Finding("extreme", f"{turn.text!r} is another one in the table: {shown:g}", contradicts=True)


def _is_next(sides: Sides, at: int) -> bool:
    """Whether it is the second or third highest that is meant."""
    return at > 0 and sides.claim[at - 1].text.lower() in _NEXT


def _fit(line: Line) -> tuple[int, int]:
    """How well the claim names a line with one of its entries, and how well the entry."""
    entry = max((len(entry - line.named) for entry in line.entries), default=0)
    return len(line.named) + entry, entry


def _holds(line: Line, value: float) -> bool:
    best = max(len(entry - line.named) for entry in line.entries)
    return any(
        shown == value and len(entry - line.named) == best
        for shown, entry in zip(line.values, line.entries, strict=True)
    )


def _lines(sides: Sides, quote: Quote) -> Iterator[list[Line]]:
    """The columns of a table, and then its rows, that have numbers enough."""
    headers, rows = heads(quote)
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return
    named = [sides.told(words(row[0])) for row in rows]
    columns = [sides.told(words(header)) for header in headers] + [frozenset()] * len(rows[0])
    cells = [[_value(cell) for cell in row] for row in rows]
    places = range(1, len(rows[0]))
    by_column = [_line(columns[at], [(cells[row][at], named[row]) for row in range(len(rows))]) for at in places]
    by_row = [_line(named[row], [(cells[row][at], columns[at]) for at in places]) for row in range(len(rows))]
    for lines in (by_column, by_row):
        yield [line for line in lines if len(line.values) >= _FEWEST]


def _line(named: frozenset[str], given: Sequence[tuple[float | None, frozenset[str]]]) -> Line:
    known = [(value, entry) for value, entry in given if value is not None]
    return Line(named, tuple(value for value, _ in known), tuple(entry for _, entry in known))


def _value(cell: str) -> float | None:
    """The number that a cell begins with."""
    return next((word.value for word in words(cell)[:3] if word.is_number), None)
