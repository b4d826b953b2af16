"""Answers from cells that a question names loosely: by words of rows, columns and captions, in any table.

A table's header paths and values are those kept with its stored cells. Only what fits one cell, row or column of
all tables is an answer; anything less sure is left to the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kag.rdf.namespaces import KAG
from kag.read.exact.facts import Found, counting, stating
from kag.read.exact.floats import called, captions
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import floats
from kag.read.exact.tables import Grid, cells, place_of
from kag.read.paper import Node, Paper
from kag.text.plain import plain
from kag.text.search_text import tokens
from kag.values.evidence import Evidence

LIKELY = 0.7  # confidence of a cell found by words
_LOW = frozenset({"lowest", "smallest", "least", "minimum", "minimal", "fewest"})
_ASKING = (
    "what which who how many much is are was were did do does the a an of in on at for to by with and or value values "
    "table tables reported given measured observed found there it its row column according per have has had "
    "number count counted recorded noted obtained seen"
)
_ASKING_WORDS = frozenset(token.text for token in tokens(_ASKING, stem=True)) | frozenset(_ASKING.split())


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table's grid with what is known of it: where the body begins, header paths, values and units by place."""

    node: Node
    grid: Grid
    head: int
    stub: int
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    values: dict[tuple[int, int], dict[str, Any]]
    caption: str = ""

    def body(self) -> Iterator[tuple[int, int]]:
        """The places of the filled cells of the body."""
        for row in range(self.head, len(self.grid)):
            for column in range(self.stub, min(len(self.grid[row]), len(self.columns))):
                if self.grid[row][column].strip():
                    yield row, column


def sheets(paper: Paper, nodes: Sequence[Node]) -> list[Sheet]:
    """The tables whose header paths are known."""
    return [sheet for node in nodes if (sheet := _sheet(paper, node))]


def _sheet(paper: Paper, node: Node) -> Sheet | None:
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    details = paper.content[ref].details if ref in paper.content else {}
    grid = cells(paper, node)
    if not details.get("columns") or len(details.get("rows", ())) != len(grid):
        return None
    return Sheet(
        node,
        grid,
        details.get("header_rows", 0),
        details.get("stub_columns", 0),
        tuple(map(tuple, details["columns"])),
        tuple(map(tuple, details["rows"])),
        {tuple(cell["at"][:2]): cell for cell in details.get("values", ())},
        " ".join(caption.plain for caption in captions(paper, node)),
    )


def about_cells(intent: Intent, paper: Paper) -> Found | None:
    """The number of rows or columns, the row with the highest or lowest value, the unit of a column."""
    nodes = floats(paper, intent.anchor) if intent.anchor else paper.of_kind("Table")
    found = sheets(paper, [node for node in nodes if node.kind == "Table"])
    if intent.ask == "count":
        return _count(intent, paper, found[0]) if len(found) == 1 else None
    return _extreme(intent, paper, found) if intent.subject == "extreme" else _unit(intent, paper, found)


def _count(intent: Intent, paper: Paper, sheet: Sheet) -> Found | None:
    """Body rows that have a name, or columns that have one, each counted by its own cell."""
    if intent.subject == "row":
        lines = range(sheet.head, len(sheet.grid))
        places = [place_of(paper, sheet.node, sheet.grid[row][0], row) for row in lines]
    else:
        top = sheet.grid[0] if sheet.head else ()
        places = [place_of(paper, sheet.node, name, 0) for name in top]
    kept = [place for place in places if place]
    wanted = len(sheet.grid) - sheet.head if intent.subject == "row" else len(sheet.columns)
    if len(set(kept)) != wanted:
        return None  # an empty or doubled name: nothing to show for it
    return counting(f"{called(paper, sheet.node)} has", intent.subject, kept, f"{intent.subject}s")


def _extreme(intent: Intent, paper: Paper, found: Sequence[Sheet]) -> Found | None:
    sign, what = intent.quotes
    hits = [(sheet, column) for sheet in found for column in _columns(sheet, what)]
    if len(hits) != 1:
        return None
    sheet, column = hits[0]
    known = {
        row: float(cell["value"])
        for (row, at), cell in sheet.values.items()
        if at == column and isinstance(cell.get("value"), int | float | str) and _is_number(cell["value"])
    }
    filled = [row for row, at in sheet.body() if at == column]
    if len(known) < 2 or len(known) < len(filled):
        return None
    best = (min if sign in _LOW else max)(known.values())
    rows = [row for row, value in known.items() if value == best]
    if len(rows) != 1:
        return None
    row, name = rows[0], " / ".join(sheet.rows[rows[0]])
    places = _places(paper, sheet, row, column)
    if not name or not places:
        return None
    most = f"the {sign} {plain(_head(sheet, column))}, {_cell(sheet, row, column)}"
    return stating(f"{called(paper, sheet.node)}: {plain(name)} has {most}.", plain(name), places)


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return not isinstance(value, bool)


def _unit(intent: Intent, paper: Paper, found: Sequence[Sheet]) -> Found | None:
    """The unit of a column as its header prints it."""
    hits = [(sheet, column) for sheet in found for column in _columns(sheet, intent.quotes[0])]
    units = {str(cell["unit"]) for sheet, at in hits for (_, column), cell in sheet.values.items()
             if column == at and cell.get("unit")}  # fmt: skip
    if len(units) != 1:
        return None
    unit, (sheet, column) = units.pop(), hits[0]
    name = _head(sheet, column)
    place = place_of(paper, sheet.node, sheet.columns[column][-1]) if unit in name else None
    return (
        stating(f"{called(paper, sheet.node)}: the unit of {plain(name)} is {unit}.", unit, [place]) if place else None
    )


def _columns(sheet: Sheet, words: str) -> list[int]:
    """The columns whose header has all the words; of several the one that says no more."""
    wanted = _content(words)
    named = [(column, _content(" ".join(path))) for column, path in enumerate(sheet.columns) if column >= sheet.stub]
    exact = [column for column, header in named if header == wanted]
    return exact or [column for column, header in named if wanted and wanted <= header]


def _head(sheet: Sheet, column: int) -> str:
    return " / ".join(sheet.columns[column])


def _cell(sheet: Sheet, row: int, column: int) -> str:
    return plain(sheet.grid[row][column])


def _content(text: str) -> frozenset[str]:
    return frozenset(token.text for token in tokens(text, stem=True)) - _ASKING_WORDS


def _places(paper: Paper, sheet: Sheet, row: int, column: int) -> list[Evidence]:
    """Where a cell, the words beside it and the words above it are printed."""
    names = [(text, row) for text in sheet.rows[row]] + [(text, 0) for text in sheet.columns[column]]
    cell = place_of(paper, sheet.node, sheet.grid[row][column], row)
    if cell is None:
        return []
    found = [place_of(paper, sheet.node, text, line) for text, line in names]
    return [cell, *dict.fromkeys(place for place in found if place and place != cell)]


def loose_cell(question: str, paper: Paper) -> Found | None:
    """The one cell of all tables whose row and column a question names, with every word of it accounted for."""
    asked = _content(question)
    if len(asked) < 2:
        return None
    hits = [(sheet, *hit) for sheet in sheets(paper, paper.of_kind("Table")) for hit in _meet(sheet, asked)]
    if len(hits) != 1:
        return None
    sheet, row, column = hits[0]
    places = _places(paper, sheet, row, column)
    value = _cell(sheet, row, column)
    words = (
        f"{called(paper, sheet.node)}: {plain(' / '.join(sheet.rows[row]))} | {plain(_head(sheet, column))} | {value}"
    )
    return stating(words, value, places, confidence=LIKELY) if places else None


def _meet(sheet: Sheet, asked: frozenset[str]) -> list[tuple[int, int]]:
    """The cells whose row is named in full and that leave no word of the question over, each side naming some."""
    columns = [_content(" ".join(path)) for path in sheet.columns]
    caption = _content(sheet.caption).difference(*columns)  # a word of another column is not about this one
    found = []
    for row, column in sheet.body():
        beside = _content(" ".join(sheet.rows[row]))
        above = columns[column]
        own = asked & above - beside
        if beside and own and beside <= asked and asked <= beside | above | caption and 2 * len(own) >= len(above):
            found.append((row, column))
    return found
