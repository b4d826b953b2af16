"""A table as a grid: its cells, where each is printed, and what is known of its headers, values and units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kag.core.evidence import Evidence
from kag.indexing.enrich.crossref_finder import find_crossrefs
from kag.qa.checking.quoted import cells as printed_cells
from kag.qa.exact.facts import Found, stating
from kag.qa.exact.labels import called, captions, key
from kag.qa.paper import Node, PaperGraph
from kag.qa.printed_table import headed, heads_below, stored_cells
from kag.qa.quote import evidence
from kag.text.cells import split_note
from kag.text.plain import plain
from kag.text.words import tokens

LIKELY = 0.95  # confidence of a cell found by words
_ASKING = (
    "what which who how many much is are was were did do does the a an of in on at for to by with and or value values "
    "table tables reported given measured observed found there it its row column according per have has had "
    "number count counted recorded noted obtained seen"
)
_ASKING_WORDS = frozenset(token.text for token in tokens(_ASKING, stem=True)) | frozenset(_ASKING.split())
_CHANGE = r"(?:chang|increas|decreas|growth|varianc|differenc)\w*"
_IN_PERCENT = re.compile(rf"\b{_CHANGE}.*%|%.*\b{_CHANGE}", re.I)  # no change is told in percent that is not asked so
_PERCENT = re.compile(r"%|\bper ?cent|\brelative|\brate\b", re.I)
_HEAD_ROWS = 4  # rows at the top in which a column's name may stand

Grid = Sequence[Sequence[str]]


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


def headed_sheets(paper: PaperGraph) -> list[Sheet]:
    """All tables whose header paths are known, with the rows under their heads that name columns, too."""
    return [_with_heads(sheet) for sheet in sheets(paper, paper.of_kind("Table"))]


def _with_heads(sheet: Sheet) -> Sheet:
    below = heads_below(sheet.grid, sheet.head, sheet.stub)
    columns = tuple(headed(path, column, below) for column, path in enumerate(sheet.columns))
    return replace(sheet, head=sheet.head + len(below), columns=columns)


def sheets(paper: PaperGraph, nodes: Sequence[Node]) -> list[Sheet]:
    """The tables whose header paths are known."""
    return [sheet for node in nodes if (sheet := _sheet(paper, node))]


def _sheet(paper: PaperGraph, node: Node) -> Sheet | None:
    _, details = stored_cells(paper, node)
    grid = cells(paper, node)
    if not details.get("columns") or len(details.get("rows", ())) != len(grid):
        return None
    head, stub = details.get("header_rows", 0), details.get("stub_columns", 0)
    paths = [tuple(split_note(name)[0] for name in path) for path in details["rows"]]
    if stub == 1 and _is_serial([row[0] for row in grid[head:]]):  # the names stand behind the numbers
        stub, paths = 2, [(split_note(row[1])[0],) for row in grid]
    return Sheet(
        node,
        grid,
        head,
        stub,
        tuple(tuple(split_note(name)[0] for name in path) for path in details["columns"]),
        tuple(paths),
        {tuple(cell["at"][:2]): cell for cell in details.get("values", ())},
        " ".join(caption.plain for caption in captions(paper, node)),
    )


def _is_serial(names: Sequence[str]) -> bool:
    """Whether a column only counts the rows: 1, 2, 3, ..., with nothing beside rows that are not counted."""
    counted = [name for name in names if name.strip()]
    return len(counted) > 2 and counted == [str(number) for number in range(1, len(counted) + 1)]


def cells(paper: PaperGraph, node: Node) -> Grid:
    """The grid of a table: the stored cells, else the rows of its text."""
    stored, _ = stored_cells(paper, node)
    if stored is not None:
        return [[str(cell) for cell in row] for row in stored]
    return [line.split(" | ") for line in node.text.splitlines() if " | " in line]


def place_of(paper: PaperGraph, node: Node, text: str, row: int | None = None) -> Evidence | None:
    """Return the place of a cell's words in the table's text, starting from its row's line if known; preferably a whole
    cell."""
    whole, start = node.text, 0
    if row is not None:
        lines = whole.split("\n")
        start = sum(len(line) + 1 for line in lines[:row]) if row < len(lines) else 0
    spans = [match.span() for match in re.finditer(re.escape(text), whole)] if text else []
    known = printed_cells(node)
    spans.sort(key=lambda span: (span[0] < start, span not in known))
    return evidence(paper, node.iri, *spans[0]) if spans else None


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


def is_number(value: object) -> bool:
    """Whether a stored value is a number."""
    if value is None:
        return False
    try:
        float(str(value))
    except ValueError:
        return False
    return not isinstance(value, bool)


def columns(sheet: Sheet, words: str) -> list[int]:
    """Return the columns whose header has all the words; of several the one without others."""
    wanted = _content(words)
    named = [(column, _content(" ".join(path))) for column, path in enumerate(sheet.columns) if column >= sheet.stub]
    exact = [column for column, header in named if header == wanted]
    return exact or [column for column, header in named if wanted and wanted <= header]


def head_of(sheet: Sheet, column: int) -> str:
    """Return the name of a column, its headers from the top."""
    return " / ".join(sheet.columns[column])


def cell_of(sheet: Sheet, row: int, column: int) -> str:
    """A cell in plain words."""
    return plain(sheet.grid[row][column])


def _content(text: str) -> frozenset[str]:
    return frozenset(token.text for token in tokens(text, stem=True)) - _ASKING_WORDS


def places_of(paper: PaperGraph, sheet: Sheet, row: int, column: int) -> list[Evidence]:
    """Return the places of a cell and of its row and column headers."""
    names = [(text, row) for text in sheet.rows[row]] + [(text, 0) for text in sheet.columns[column]]
    cell = place_of(paper, sheet.node, sheet.grid[row][column], row)
    if cell is None:
        return []
    found = [place_of(paper, sheet.node, text, line) for text, line in names]
    return [cell, *dict.fromkeys(place for place in found if place and place != cell)]


def loose_cell(question: str, paper: PaperGraph) -> Found | None:
    """The one cell whose row and column a question names, with every word of it accounted for; of the table that it
    names, else of all."""
    labels = [label for label in find_crossrefs(question) if label.kind == "table"]
    numbers = [number.casefold() for label in labels for number in label.numbers]
    if len(numbers) > 1:
        return None
    rest = question[: labels[0].start] + question[labels[0].end :] if labels else question
    asked = _content(re.sub(r"['’]s\b", "", rest))
    if len(asked) < 2:
        return None
    known = headed_sheets(paper)
    if numbers:
        known = [sheet for sheet in known if sheet.node.number.casefold() in numbers]
    hits = [(sheet, *hit) for sheet in known for hit in _meet(sheet, asked)]
    if len(hits) != 1:
        return None
    sheet, row, column = hits[0]
    if _IN_PERCENT.search(head_of(sheet, column)) and not _PERCENT.search(question):
        return None
    places = places_of(paper, sheet, row, column)
    value = cell_of(sheet, row, column)
    words = (
        f"{called(paper, sheet.node)}: {plain(' / '.join(sheet.rows[row]))} | {plain(head_of(sheet, column))} | {value}"
    )
    return stating(words, value, places, confidence=LIKELY) if places else None


def _meet(sheet: Sheet, asked: frozenset[str]) -> list[tuple[int, int]]:
    """The cells whose row is named in full and that leave no word of the question over, each side naming some."""
    columns = [_content(" ".join(path)) for path in sheet.columns]
    caption = _content(sheet.caption).difference(*columns)  # a word of another column is not about this one
    stubs = frozenset().union(*columns[: sheet.stub])  # what the rows are: "group", "site"
    found = []
    for row, column in sheet.body():
        path = sheet.rows[row]
        beside, last = _content(" ".join(path)), _content(path[-1] if path else "")
        above = columns[column]
        own = asked & above - beside
        spent = beside | above | caption | stubs
        if last and own and last <= asked and asked <= spent and 2 * len(own) >= len(above):
            found.append((row, column))
    return found
