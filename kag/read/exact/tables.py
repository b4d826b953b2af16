"""Answers from tables: a cell by the words of its row and its column, the columns and rows a table has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.rdf.namespaces import KAG
from kag.read.checking.things import cells as printed_cells
from kag.read.exact.facts import Found, Item, listing, nothing
from kag.read.exact.floats import absent, called
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import floats, key
from kag.read.paper import Node, Paper
from kag.read.quote import evidence
from kag.text.plain import plain
from kag.values.content import CELLS
from kag.values.evidence import Claim, Evidence

UNSURE = 0.5
_HEAD_ROWS = 4  # rows at the top in which a column's name may stand

Grid = Sequence[Sequence[str]]


def about_table(intent: Intent, paper: Paper) -> Found | None:
    """A cell, or the names of columns or rows."""
    assert intent.anchor is not None
    found = floats(paper, intent.anchor)
    if not found:
        return absent(intent.anchor)
    if intent.subject == "cell":
        return _cell(paper, found, intent.quotes)
    node = found[0]
    grid = cells(paper, node)
    if not grid:
        return None
    names = (
        _named(paper, node, grid[0][1:] if not grid[0][0].strip() else grid[0])
        if intent.subject == "column"
        else (_named(paper, node, [row[0] for row in grid[1:]]))
    )
    searched = f"{intent.subject}s of {called(paper, node)}"
    if intent.ask == "count":
        return None
    return listing(f"{called(paper, node)} has the {intent.subject}s:", names, searched)


def _named(paper: Paper, node: Node, texts: Sequence[str]) -> list[Item]:
    named = list(dict.fromkeys(text for text in texts if text.strip()))
    return [Item(plain(text), (place,)) for text in named if (place := place_of(paper, node, text))]


def cells(paper: Paper, node: Node) -> Grid:
    """The grid of a table: the stored cells, else the rows of its text."""
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    stored = paper.content.data(ref, CELLS)
    if stored is not None:
        return [[str(cell) for cell in row] for row in stored]
    return [line.split(" | ") for line in node.text.splitlines() if " | " in line]


def place_of(paper: Paper, node: Node, text: str, row: int | None = None) -> Evidence | None:
    """Where the words of a cell stand in the table's text, from the line of its row when that is known; best a cell."""
    whole, start = node.text, 0
    if row is not None:
        lines = whole.split("\n")
        start = sum(len(line) + 1 for line in lines[:row]) if row < len(lines) else 0
    spans = [match.span() for match in re.finditer(re.escape(text), whole)] if text else []
    known = printed_cells(node)
    spans.sort(key=lambda span: (span[0] < start, span not in known))
    return evidence(paper, node.iri, *spans[0]) if spans else None


def _cell(paper: Paper, tables: Sequence[Node], names: Sequence[str]) -> Found | None:
    """The one cell where a row and a column of these names meet; parts of a table over several pages are read on."""
    if len(names) != 2:
        return None
    hits: list[tuple[Node, int, int, int, int]] = []
    for node in tables:
        grid = cells(paper, node)
        hits += [(node, *hit) for hit in (meet(grid, names[0], names[1]) or meet(grid, names[1], names[0]))]
    if not hits:
        return nothing(f"{called(paper, tables[0])}: {names[0]}, {names[1]}")
    node, row, column, head_row, head_column = hits[0]
    grid = cells(paper, node)
    value, row_name, column_name = grid[row][column], grid[row][head_column], grid[head_row][column]
    places = [
        place_of(paper, node, value, row),
        place_of(paper, node, row_name, row),
        place_of(paper, node, column_name, head_row),
    ]
    words = f"{called(paper, node)}: {plain(row_name)} | {plain(column_name)} | {plain(value)}"
    distinct = {(hit[0].iri, hit[1], hit[2]) for hit in hits}
    texts = {cells(paper, hit[0])[hit[1]][hit[2]] for hit in hits}
    sure = 1.0 if len(distinct) == 1 or len(texts) == 1 else UNSURE
    return Found((Claim(words, tuple(place for place in places if place), sure),), plain(value))


def meet(grid: Grid, column_name: str, row_name: str) -> list[tuple[int, int, int, int]]:
    """The filled cells (row, column, row of the column's name, column of the row's name) where two names meet."""
    columns = _matches(
        [(r, c, cell) for r, row in enumerate(grid[:_HEAD_ROWS]) for c, cell in enumerate(row)], column_name
    )
    rows = _matches([(r, c, row[c]) for c in (0, 1, 2) for r, row in enumerate(grid) if c < len(row)], row_name)
    found = [
        (row, column, head_row, head_column)
        for row, head_column in rows
        for head_row, column in columns
        if row > head_row and column > head_column and column < len(grid[row]) and grid[row][column].strip()
    ]
    return sorted(found, key=lambda hit: (hit[3], hit[0], hit[1]))


def _matches(places: Sequence[tuple[int, int, str]], name: str) -> list[tuple[int, int]]:
    """The places whose words are the name: exactly, else but for case, blanks and spelling."""
    exact = [(row, column) for row, column, text in places if " ".join(text.split()) == " ".join(name.split())]
    wanted = key(name)
    return exact or [(row, column) for row, column, text in places if wanted and key(text) == wanted]
