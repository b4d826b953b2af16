"""What claims say of a whole table, reckoned from its cells: what stands where, the highest, how many, alike or not.

A reckoning is True where the table has it so and False where it has it otherwise; None where the claim is no such
statement, or where the names that the table prints do not tell of what it is so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.grid import HEAD, Grid, grid_of
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.words import Word, words
from kag.values.verdict import Quote

_EXTREMES: dict[str, Callable[[Iterable[float]], float]] = {
    **dict.fromkeys(("highest", "maximum", "max", "largest", "greatest", "biggest", "longest"), max),
    **dict.fromkeys(("lowest", "minimum", "min", "smallest", "least", "shortest", "fewest"), min),
}
_RANGED = frozenset(("range", "rang", "vari", "between", "from"))
_ALIKE, _UNLIKE = frozenset(("same", "ident", "equal", "constant")), frozenset(("differ", "uniqu", "distinct", "own"))
_JOINING = frozenset(
    ("and", "or", "both", "than", "all", "every", "each", "only", "except", ",", "respectively", "same")
)
_OTHERWISE = frozenset(("second", "third", "fourth", "next", "except", "other", "than", "both", "but"))
_KINDS = frozenset(("types", "type", "kinds", "categories", "different", "unique", "groups", "distinct", "number"))
_NOTHING = frozenset(("", "-", "–", "—", "−", "/", "...", "na", "n/a", "n.a.", "nan", "nd", "n.d.", "none"))
_NOUN = 4  # words behind a count where its noun stands
_FEWEST = 2  # cells that can be alike or not


def table_findings(sides: Sides, quotes: Sequence[Quote]) -> Iterator[Finding]:
    """What whole tables have otherwise than the claim: cells, the highest and lowest, what is the same or is not."""
    for grid in _grids(sides, quotes):
        if stands_there(grid) is False:
            yield Finding("cell", "no row of the table has these together", contradicts=True)
        if is_extreme(grid) is False:
            yield Finding("extreme", "another one is the highest or lowest of the table", contradicts=True)
        if is_alike(grid) is False:
            yield Finding("cell", "the cells are not the same, or not different, as the claim has it")


def is_reckoned(sides: Sides, quotes: Sequence[Quote]) -> bool:
    """Whether a table bears what the claim counts, leaves open, or says the bounds of, though it prints none of it."""
    return any(reckon(grid) for grid in _grids(sides, quotes) for reckon in (is_range, is_count, is_missing, is_alike))


def _grids(sides: Sides, quotes: Sequence[Quote]) -> Iterator[Grid]:
    yield from filter(None, (grid_of(sides.claim, quote) for quote in quotes))


def stands_there(grid: Grid) -> bool | None:
    """Whether a name and a value that the claim has stand in one row, and below the header that it has.

    "SCA7 has the gene ATXN2" is not so where ATXN2 stands in another row.
    """
    if any(word.text.lower() in _JOINING or word.is_denial for word in grid.claim):
        return None
    cells = [mention for mention in grid.mentions if mention.rows()]
    columns = {column for one in grid.mentions if not one.rows() for column in one.columns() if column}
    named, values = [one for one in cells if one.named()], [one for one in cells if not one.named()]
    if len(values) != 1 or len(named) > 1 or not (named or columns):
        return None
    rows = named[0].named() if named else frozenset(range(len(grid.rows)))
    return any(row in rows and (not columns or column in columns) for row, column in values[0].places if row != HEAD)


def is_extreme(grid: Grid) -> bool | None:
    """Whether the highest or lowest of a line is the claim's: "the lowest error is 3", "Arden has the highest"."""
    said = [word.text.lower() for word in grid.claim]
    told = (at for at, word in enumerate(said) if word in _EXTREMES and not grid.is_within(at))
    at = next((at for at in told if said[at - 1 : at] != ["at"]), None)
    if at is None or _OTHERWISE & set(said) or any(word.is_denial for word in grid.claim):
        return None
    choose, columns, values = _EXTREMES[said[at]], grid.columns_named(), grid.values_told()
    rows = {row for mention in grid.mentions if not mention.columns() for row in mention.named()}
    if columns and rows:
        best = list(_chosen(grid, choose, [(row, column) for row in rows for column in columns]))
        return any(value in values for value in best) if values else bool(best)
    lines = list(_lines(grid, columns, grid.rows_named()))
    if rows:  # in whichever column
        pairs = [(row, column) for row in rows for column in range(1, len(grid.headers))]
        lines += [_firsts(grid.column(column)) for row, column in pairs if _first(grid.cell(row, column)) in values]
    return any(choose(line) in values for line in lines) if values and lines else None


def _chosen(
    grid: Grid, choose: Callable[[Iterable[float]], float], places: Iterable[tuple[int, int]]
) -> Iterator[float]:
    """The numbers of those cells that are the highest, or lowest, of their row or column."""
    for row, column in places:
        value = _first(grid.cell(row, column))
        if value is not None and value in (choose(_firsts(line)) for line in (grid.column(column), grid.rows[row][1:])):
            yield value


def is_range(grid: Grid) -> bool | None:
    """True where a line goes from one number to the other, or a cell has both: "depth ranges from 3 to 9 m"."""
    triples = zip(grid.claim, grid.claim[1:], grid.claim[2:], strict=False)
    linked = (
        (a, b) for a, link, b in triples if a.is_number and b.is_number and link.text.lower() in ("to", "and", "-")
    )
    ends = next((sorted((one.printed, other.printed)) for one, other in linked), None)
    if ends is None or not any(word.stem in _RANGED for word in grid.claim):
        return None
    if any(set(ends) <= set(_numbers([cell])) for row in (*grid.rows, grid.headers) for cell in row):
        return True
    lines = _lines(grid, grid.columns_named(), grid.rows_named(), _numbers)
    return any([min(line), max(line)] == ends for line in lines) or None


def is_count(grid: Grid) -> bool | None:
    """True where the table has so many of what is counted: rows, columns, or values of a column."""
    counts = (at for at, word in enumerate(grid.claim) if word.is_number and not word.unit and not grid.is_within(at))
    at = next((at for at in counts if _is_counted(grid.claim, at)), None)
    if at is None:
        return None
    nouns = {word.stem for word in grid.claim[at + 1 : at + 1 + _NOUN] if word.carries}
    named = [at for at, header in enumerate(grid.headers) if nouns & {word.stem for word in words(header)}]
    found = {len(cells) for column in named for cells in (grid.column(column), set(grid.column(column)))}
    if 0 in named or not named:
        found.add(len(grid.rows))
    if not named:
        for column in range(len(grid.headers)):
            found |= {len(grid.column(column)), len(set(grid.column(column)))}
        found |= {len(own) for every in (grid.headers, grid.headers[1:]) for own in (every, set(every))}
    return grid.claim[at].printed in found or None


def _is_counted(claim: Sequence[Word], at: int) -> bool:
    """Whether a number counts what the table has: "There are 4", "The table has 9", "6 types of"."""
    before = {word.text.lower() for word in claim[max(0, at - _NOUN) : at]}
    there = "there" in before and bool({"are", "is", "were", "was"} & before)
    has = bool({"table", "they", "it"} & before) and bool({"has", "have", "contains", "contain", "had"} & before)
    return there or has or any(word.text.lower() in _KINDS for word in claim[at + 1 : at + 3])


def is_alike(grid: Grid) -> bool | None:
    """Whether the cells that the claim calls the same are so, and those that it calls different or unique."""
    told = (at for at, word in enumerate(grid.claim) if word.stem in _ALIKE | _UNLIKE and not grid.is_within(at))
    at = next(told, None)
    otherwise = any(word.is_denial or word.text.lower() in _OTHERWISE for word in grid.claim)
    if at is None or otherwise or grid.is_partly_named() or (at and grid.claim[at - 1].is_number):
        return None
    columns, rows, alike = sorted(grid.columns_named()), sorted(grid.rows_told()), grid.claim[at].stem in _ALIKE
    if len(rows) == len(columns) == 1 and not alike:
        cell = grid.cell(rows[0], columns[0])
        return grid.column(columns[0]).count(cell) == 1 if cell else None
    if len(rows) == 1:
        lines = [[grid.cell(rows[0], column) for column in columns]]
    elif len(columns) > 1 and not rows:
        return None
    else:
        lines = [[grid.cell(row, column) for row in rows or range(len(grid.rows))] for column in columns]
    lines = [[cell.lower() for cell in line if cell] for line in lines]
    if not lines or any(len(line) < _FEWEST for line in lines):
        return None
    return all(len(set(line)) == (1 if alike else len(line)) for line in lines)


def is_missing(grid: Grid) -> bool | None:
    """True where the cells of which the claim says that nothing is given are empty."""
    if not any(word.is_denial for word in grid.claim) or any(w.text.lower() in _OTHERWISE for w in grid.claim):
        return None
    cells = [grid.cell(row, column) for row in grid.rows_named() for column in grid.columns_named()]
    return (bool(cells) and all(cell.lower() in _NOTHING for cell in cells)) or None


def _first(cell: str) -> float | None:
    """The number that a cell begins with."""
    return next((word.printed for word in words(cell)[:3] if word.is_number), None)


def _firsts(cells: Iterable[str]) -> list[float]:
    return [value for cell in cells if (value := _first(cell)) is not None]


def _numbers(cells: Iterable[str]) -> list[float]:
    return [word.printed for cell in cells for word in words(cell) if word.is_number]


def _lines(
    grid: Grid, columns: Iterable[int], rows: Iterable[int], read: Callable[[Iterable[str]], list[float]] = _firsts
) -> Iterator[list[float]]:
    """The numbers of the columns, or else rows, that are named; of each of all, and of all cells, where none is."""
    lines: list[Sequence[str]] = [grid.column(at) for at in sorted(columns)]
    lines = lines or [grid.rows[row][1:] for row in sorted(rows)]
    if not lines:
        lines = [*(grid.column(at) for at in range(1, len(grid.headers))), *(row[1:] for row in grid.rows)]
        lines.append([cell for row in grid.rows for cell in row[1:]])
    yield from (found for line in lines if (found := read(line)))
