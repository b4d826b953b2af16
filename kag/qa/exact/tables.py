"""Answers from tables: a cell by the names of its row and column, columns and rows, the highest value, units."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.core.evidence import Claim
from kag.qa.exact.evaluate import Evaluator
from kag.qa.exact.facts import Found, Item, counting, listing, nothing, stating
from kag.qa.exact.grid import Sheet, cell_of, cells, columns, head_of, is_number, meet, place_of, places_of, sheets
from kag.qa.exact.labels import called
from kag.qa.exact.resolve import UNSURE, Undecided
from kag.qa.paper import Node, PaperGraph
from kag.qa.questions.structured_query import Condition, Order, Place, Query
from kag.text.plain import plain
from kag.text.words import tokens

_SUPERLATIVES = "highest largest greatest biggest maximum maximal most lowest smallest least minimum minimal fewest"
_SIGNS = frozenset(_SUPERLATIVES.split())


def tell_table(query: Query, evaluator: Evaluator, words: str = "") -> Found | None:
    """What a query for cells, columns or rows comes to; raises `Undecided` for a form that tables do not answer."""
    table, rest = _table(query)
    nodes = _nodes(table, evaluator)
    if query.kind == "cell":
        return _cell(evaluator.paper, nodes, _cell_names(rest)) if table and _is_plain(query) else None
    if query.order is not None:
        return _extreme(query, rest, evaluator, nodes, words)
    if query.get == ("unit",):
        return _unit(_only_name(rest), evaluator.paper, sheets(evaluator.paper, nodes))
    heads = sheets(evaluator.paper, nodes)
    if table is None or query.get or any(len(heads) != 1 or not _is_stub(one, heads[0]) for one in rest):
        raise Undecided(query.kind)
    return _count(query, evaluator.paper, nodes) if query.ask == "count" else _names(query, evaluator.paper, nodes)


def _table(query: Query) -> tuple[Query | None, list[Condition]]:
    """The table that a query is about, and its other conditions."""
    table, rest = None, []
    for one in query.where:
        if not isinstance(one, Condition) or one.negated or one.only or one.low != 1 or (table and one.of == table):
            raise Undecided("table")
        if one.relation == "in" and one.of is not None and one.of.kind == "table":
            table = one.of
        else:
            rest.append(one)
    return table, rest


def _nodes(table: Query | None, evaluator: Evaluator) -> list[Node]:
    """The nodes of one table, or of all."""
    if table is None:
        return list(evaluator.paper.of_kind("Table"))
    selection = evaluator.select(table)
    if len(selection.things) != 1 or selection.sure < 1:
        raise Undecided("table")
    return list(evaluator.things.parts(selection.things[0]))


def _is_plain(query: Query) -> bool:
    return query.ask == "list" and not (query.order or query.place or query.get)


def _only_name(rest: Sequence[Condition]) -> str:
    """The one name by which a column is called."""
    if len(rest) != 1 or rest[0].relation != "is" or rest[0].name is None:
        raise Undecided("column")
    return rest[0].name.text


def _cell_names(rest: Sequence[Condition]) -> list[str]:
    """The names of a cell's column and row."""
    names: list[str] = []
    for kind in ("column", "row"):
        for condition in rest:
            if condition.relation == "in" and condition.of is not None and condition.of.kind == kind:
                names.append(_only_name(_table(condition.of)[1]))
    if len(names) != 2 or len(rest) != 2:
        raise Undecided("cell")
    return names


def _cell(paper: PaperGraph, tables: Sequence[Node], names: Sequence[str]) -> Found | None:
    """The one cell where a row and a column of these names meet; parts of a table over several pages are read on."""
    hits: list[tuple[Node, int, int, int, int]] = []
    for node in tables:
        grid = cells(paper, node)
        hits += [(node, *hit) for hit in (meet(grid, names[0], names[1]) or meet(grid, names[1], names[0]))]
    if not hits:
        return nothing(f"{called(paper, tables[0])}: {names[0]}, {names[1]}")
    first = min(head_column for *_, head_column in hits)  # rows are named on the left before they are anywhere else
    hits = [hit for hit in hits if hit[4] == first]
    node, row, column, head_row, head_column = hits[0]
    grid = cells(paper, node)
    value, row_name, column_name = grid[row][column], grid[row][head_column], grid[head_row][column]
    places = [
        place_of(paper, node, value, row),
        place_of(paper, node, row_name, row),
        place_of(paper, node, column_name, head_row),
    ]
    words = f"{called(paper, node)}: {plain(row_name)} | {plain(column_name)} | {plain(value)}"
    texts = {cells(paper, hit[0])[hit[1]][hit[2]] for hit in hits}
    sure = 1.0 if len({hit[:3] for hit in hits}) == 1 or len(texts) == 1 else UNSURE
    return Found((Claim(words, tuple(place for place in places if place), sure),), plain(value))


def _names(query: Query, paper: PaperGraph, nodes: Sequence[Node]) -> Found | None:
    """The names of a table's columns or rows, all or those at a place."""
    node = nodes[0]
    grid = cells(paper, node)
    if not grid or query.ask != "list":
        return None
    top = grid[0][1:] if not grid[0][0].strip() else grid[0]
    texts = top if query.kind == "column" else [row[0] for row in grid[1:]]
    named = [text for text in dict.fromkeys(texts) if text.strip()]
    items = [Item(plain(text), (place,)) for text in named if (place := place_of(paper, node, text))]
    searched = f"{query.kind}s of {called(paper, node)}"
    if query.place is not None:
        if len(items) < len(texts):
            return None  # an empty or doubled name: its place cannot be told
        return listing(f"{called(paper, node)} has at this place:", _at(items, query.place), searched)
    return listing(f"{called(paper, node)} has the {query.kind}s:", items, searched)


def _at(items: list[Item], place: Place) -> list[Item]:
    if place.way != "at":
        raise Undecided("place")
    first, last = (at - 1 if at > 0 else len(items) + at for at in (place.at, place.to))
    return items[first : last + 1] if 0 <= first < len(items) else []


def _count(query: Query, paper: PaperGraph, nodes: Sequence[Node]) -> Found | None:
    """Body rows that have a name, or columns that have one, each counted by its own cell."""
    known = sheets(paper, nodes)
    if len(known) != 1 or query.place:
        return None
    sheet = known[0]
    if query.kind == "row":
        lines = range(sheet.head, len(sheet.grid))
        places = [place_of(paper, sheet.node, sheet.grid[row][0], row) for row in lines]
    else:
        places = [place_of(paper, sheet.node, name, 0) for name in (sheet.grid[0] if sheet.head else ())]
    kept = [place for place in places if place]
    wanted = len(sheet.grid) - sheet.head if query.kind == "row" else len(sheet.columns)
    if len(set(kept)) != wanted:
        return None  # an empty or doubled name: nothing to show for it
    return counting(f"{called(paper, sheet.node)} has", query.kind, kept, f"{query.kind}s")


def _extreme(
    query: Query, rest: Sequence[Condition], evaluator: Evaluator, nodes: Sequence[Node], words: str
) -> Found | None:
    """The row with the highest or lowest value of a column."""
    order, paper = query.order, evaluator.paper
    place = query.place or Place()
    first = place.way == "at" and place.at == place.to == 1
    if query.kind != "row" or order is None or order.by != "value" or order.of is None or not first:
        raise Undecided("order")
    column = _only_name(_table(order.of)[1])
    hits = [(sheet, at) for sheet in sheets(paper, nodes) for at in columns(sheet, column)]
    if len(hits) != 1 or query.ask != "list" or any(not _is_stub(condition, hits[0][0]) for condition in rest):
        return None
    sheet, at = hits[0]
    best = _best_row(sheet, at, order)
    if best is None:
        return None
    name, places = " / ".join(sheet.rows[best]), places_of(paper, sheet, best, at)
    if not name or not places:
        return None
    asked = (word for word in re.findall(r"[a-z]+", words.casefold()) if word in _SIGNS)
    sign = next(asked, "highest" if order.descending else "lowest")
    most = f"the {sign} {plain(head_of(sheet, at))}, {cell_of(sheet, best, at)}"
    return stating(f"{called(paper, sheet.node)}: {plain(name)} has {most}.", plain(name), places)


def _best_row(sheet: Sheet, column: int, order: Order) -> int | None:
    """The one row with the best value; None where a filled cell has none or two share it."""
    known = {
        row: float(cell["value"])
        for (row, at), cell in sheet.values.items()
        if at == column and is_number(cell.get("value"))
    }
    filled = [row for row, at in sheet.body() if at == column]
    if len(known) < 2 or len(known) < len(filled):
        return None
    best = (max if order.descending else min)(known.values())
    rows = [row for row, value in known.items() if value == best]
    return rows[0] if len(rows) == 1 else None


def _is_stub(condition: Condition, sheet: Sheet) -> bool:
    """Whether a condition only names the rows: the header of the first column."""
    if condition.relation not in ("title", "is") or condition.name is None:
        return False
    wanted = {token.text for token in tokens(condition.name.text, stem=True)}
    heads = {token.text for path in sheet.columns[: max(sheet.stub, 1)] for head in path
             for token in tokens(head, stem=True)}  # fmt: skip
    return wanted <= heads


def _unit(name: str, paper: PaperGraph, found: Sequence[Sheet]) -> Found | None:
    """The unit of a column as its header prints it."""
    hits = [(sheet, column) for sheet in found for column in columns(sheet, name)]
    units = {str(cell["unit"]) for sheet, at in hits for (_, column), cell in sheet.values.items()
             if column == at and cell.get("unit")}  # fmt: skip
    if len(units) != 1:
        return None
    unit, (sheet, column) = units.pop(), hits[0]
    head = head_of(sheet, column)
    place = place_of(paper, sheet.node, sheet.columns[column][-1]) if unit in head else None
    if place is None:
        return None
    return stating(f"{called(paper, sheet.node)}: the unit of {plain(head)} is {unit}.", unit, [place])
