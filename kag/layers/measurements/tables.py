"""Measurements in tables: a cell is the value, its headers give property, entity and unit.

The header that names the property is found by its unit, its words, and by whether units go with rows or columns;
where neither does and the caption has the unit, the caption names it. What is left of the headers is the entity and
its conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kag.core.types import Cell, Table
from kag.layers.measurements.features import LISTS
from kag.layers.measurements.headers import (
    CaptionFacts,
    Named,
    caption_facts,
    header_cells,
    mention,
    named,
    places,
    scaled,
    spread_of,
)
from kag.layers.values import Measurement, Mention, Passage
from kag.text.cells import BodyCell, read_body, split_note
from kag.text.quantities import Quantity, find_quantities, read_quantity

RULE = "table cell"
_NO_VALUES = re.compile(
    r"(?:#|entry|refs?\.?|references?|years?|dates?|id|ids|page|rank|code|cas(?: no\.?)?|accession|doi|pmid|line"
    r"|row|citations?|sources?)",
    re.I,
)
_STATISTIC = re.compile(
    r"\b(?:estimates?|coefficients?|β|beta|odds ratio|hazard ratio|or|hr|rr|standard error|se|sem|sd|standard deviation"
    r"|p|p[- ]?values?|t|z|f|df|r|r2|r²|ci|mean|median|min|max|auc|accuracy|precision|recall|f1|rmse|mae|score)\b",
    re.I,
)
_VALUE = re.compile(r"(?:values?|settings?|default|amount|results?|measurements?)", re.I)
_MEANING = re.compile(r"(?:meaning|description|parameter|property|quantity|variable|definition|name)s?", re.I)
_COUNT = re.compile(r"\b(?:no\.|number|count)s?(?: of)?\b|^n$|^#", re.I)
_TWO = re.compile(r"^(?P<one>[^()]+?)\s*\((?P<two>[^()]+(?:\([^()]*\))?[^()]*)\)$")
_MISSING = frozenset(("", "-", "–", "—", "−", "NA", "N/A", "n/a", "n.a.", "ND", "n.d.", "NR", "...", "…"))
_CI = re.compile(r"\bCI\b|confidence interval", re.I)
Heads = dict[int, list[Named]]
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A table with what its cells need to know: places of cells, headers, units and the caption."""

    passage: Passage
    caption: CaptionFacts
    at: dict[tuple[int, int], int]
    above: Heads
    beside: Heads
    by_rows: bool
    whole: dict[int, bool]  # columns that hold whole numbers only
    distinct: dict[int, Cell]  # for each row of a name that others have, too: the cell that distinguishes it
    timed: bool  # rows are named by values, such as times: conditions, not entities


def measurements_of_table(table: Table, passage: Passage, caption: Passage | None = None) -> tuple[Measurement, ...]:
    """The measurements of a table's cells in reading order; `passage` is the text of its node.

    A cell of two values, "5.2 (0.3)", is a value with its spread where caption or header say so, else two values.
    """
    sheet, body = _sheet(table, passage, caption)
    return tuple(measurement for cell in body for measurement in _measured(sheet, cell))


def _sheet(table: Table, passage: Passage, caption: Passage | None) -> tuple[_Sheet, Sequence[BodyCell]]:
    """A table made ready, and the cells of its columns of values."""
    body = read_body(table)
    at = places(table, passage.text)
    sides = header_cells(table, body.layout.header_rows, body.layout.stub_columns)
    above, beside = (_heads(side, at) for side in sides)
    cells = _values_only([cell for cell in body.cells if (cell.place.row, cell.place.column) in at])
    numbers = [cell for cell in cells if _first(cell)]
    facts = caption_facts(caption)
    if any(one.unit for path in above.values() for one in path):
        facts = replace(facts, unit=None)
    by_rows = _by_rows(numbers, above, beside)
    return _Sheet(
        passage, facts, at, above, beside, by_rows, _whole(numbers), _distinct(cells, beside), _timed(beside)
    ), cells


def _heads(side: Mapping[int, Sequence[Cell]], at: Mapping[tuple[int, int], int]) -> Heads:
    """Return the names in header cells, by column or row; cells without a place are left out."""
    found: Heads = {}
    for n, cells in side.items():
        path = [named(cell, at[cell.row, cell.column]) for cell in cells if (cell.row, cell.column) in at]
        if path:
            found[n] = path
    return found


def _first(cell: BodyCell) -> Quantity | None:
    """The value of a cell, or the first of two."""
    if cell.quantity:
        return cell.quantity
    if led := leading(cell.words):
        return led
    match = _TWO.match(cell.words)
    return read_quantity(match["one"].strip()) if match else None


def leading(words: str) -> Quantity | None:
    """A value with a unit before a word or two: "0.05 mg/kg NHP".

    >>> leading("0.05 mg/kg NHP").value, leading("3 (2 mg)"), leading("5 h later than all the others")
    (0.05, None, None)
    """
    quantity = next(iter(find_quantities(words[:80])), None)
    if quantity is None or quantity.start or not quantity.unit:
        return None
    rest = words[quantity.end :].split()
    return quantity if 1 <= len(rest) <= 2 and all(word.isalpha() for word in rest) else None


def _by_rows(cells: Sequence[BodyCell], above: Heads, beside: Heads) -> bool:
    """Whether rows are the properties: their heads alone say so, or units agree along rows and differ down columns."""
    rows: dict[int, set[str]] = {}
    columns: dict[int, set[str]] = {}
    for cell in cells:
        quantity = _first(cell)
        if quantity and quantity.unit and not any(head.unit for head in above.get(cell.place.column, ())):
            rows.setdefault(cell.place.row, set()).add(quantity.unit_canonical or quantity.unit)
            columns.setdefault(cell.place.column, set()).add(quantity.unit_canonical or quantity.unit)
    heads = [one for path in above.values() for one in path]
    if not any(one.unit or _is_property(one) or _STATISTIC.search(_words(one)) for one in heads):
        named_rows = {cell.place.row for cell in cells}
        telling = sum(_tells(beside[row][-1]) for row in named_rows if beside.get(row))
        if telling >= max(2, len(named_rows) / 2):
            return True
    agree = sum(len(units) == 1 for units in rows.values())
    return agree > len(rows) / 2 and sum(len(units) > 1 for units in columns.values()) > len(columns) / 2


def _tells(one: Named) -> bool:
    return bool(one.unit or _is_property(one) or _COUNT.search(_words(one)))


def _values_only(cells: Sequence[BodyCell]) -> list[BodyCell]:
    """The cells of columns at least half of which are values, and which do not number the rows."""
    columns: dict[int, list[BodyCell]] = {}
    for cell in cells:
        if cell.words.strip() not in _MISSING:
            columns.setdefault(cell.place.column, []).append(cell)
    kept: set[int] = set()
    for column, filled in columns.items():
        read = [quantity for cell in filled if (quantity := _first(cell))]
        serial = len(read) > 2 and [quantity.value for quantity in read] == [float(n) for n in range(1, len(read) + 1)]
        years = all(
            quantity.value and 1900 <= quantity.value == int(quantity.value) <= 2100 and not quantity.unit
            for quantity in read
        )
        if len(read) >= len(filled) / 2 and not serial and not (years and len(read) > 1):
            kept.add(column)
    return [cell for cell in cells if cell.place.column in kept]


def _whole(cells: Sequence[BodyCell]) -> dict[int, bool]:
    found: dict[int, bool] = {}
    for cell in cells:
        quantity = _first(cell)
        here = bool(
            quantity
            and quantity.value is not None
            and quantity.value == int(quantity.value) >= 0
            and "." not in cell.words
        )
        column = cell.place.column
        found[column] = found.get(column, True) and here and not (quantity and quantity.unit)
    return found


def _distinct(cells: Sequence[BodyCell], beside: Heads) -> dict[int, Cell]:
    """The first cell of each row whose name is that of other rows, where these cells tell the rows apart."""
    names: dict[str, list[int]] = {}
    for row, path in beside.items():
        names.setdefault(" / ".join(one.cell.text for one in path), []).append(row)
    first: dict[int, Cell] = {}
    for cell in cells:
        if cell.words.strip():
            first.setdefault(cell.place.row, cell.place)
    found: dict[int, Cell] = {}
    for rows in names.values():
        texts = [first[row].text for row in rows if row in first]
        if len(rows) > 1 and len(set(texts)) == len(rows):
            found |= {row: first[row] for row in rows}
    return found


def _timed(beside: Heads) -> bool:
    return sum(_is_quantity(path[-1]) for path in beside.values()) > len(beside) / 2


def _measured(sheet: _Sheet, cell: BodyCell) -> Iterator[Measurement]:
    above, beside = sheet.above.get(cell.place.column, []), sheet.beside.get(cell.place.row, [])
    if not _first(cell) or (above and _NO_VALUES.fullmatch(_words(above[-1]))):
        return
    head, others = _property(sheet, cell, above, beside)
    rest = _entity_and_conditions(sheet, cell, head, others)
    base = sheet.at[cell.place.row, cell.place.column]
    for part, (value, start, end, second) in enumerate(_values(sheet, cell, head)):
        span = (base + start, base + end)
        value = replace(value, surface=sheet.passage.text[slice(*span)], start=span[0], end=span[1])
        measured = _name(sheet, head, second)
        count = _counted(sheet, cell, head, value) if not part else ""
        quantity = mention(sheet.passage.node, sheet.passage.text, span, "quantity", RULE)
        yield Measurement(quantity, value, measured, *rest, count, 1.0)


def _property(
    sheet: _Sheet, cell: BodyCell, above: Sequence[Named], beside: Sequence[Named]
) -> tuple[Named | None, list[Named]]:
    """The header that names the property of a cell, None for the caption; and the other headers, entity first."""
    column = _telling(above)
    row = next((one for one in reversed(beside) if one.unit or _is_property(one)), None)
    own = bool(cell.quantity and cell.quantity.unit)
    if column is None and (sheet.by_rows or (row and own)) and beside and not _is_quantity(beside[-1]):
        return beside[-1], [*reversed(above), *reversed(beside[:-1])]
    if above and _VALUE.fullmatch(_words(above[-1])):
        meaning = _meaning(sheet, cell, beside)
        if meaning:
            return meaning, [one for one in reversed(beside) if one is not meaning]
    if column is None and sheet.caption.unit and not own:
        return None, [*reversed(beside), *reversed(above)]
    column = column or (above[-1] if above else None)
    return column, [*reversed(beside), *(one for one in reversed(above) if one is not column)]


def _telling(above: Sequence[Named]) -> Named | None:
    """The innermost header with a unit, or with words for a property or a statistic."""
    for telling in (lambda one: one.unit, _is_property, lambda one: _STATISTIC.search(_words(one))):
        found = next((one for one in reversed(above) if telling(one)), None)
        if found:
            return found
    return None


def _is_property(one: Named) -> bool:
    return any(word.casefold() in LISTS["property"] for word in _WORD.findall(_words(one)))


def _is_quantity(one: Named) -> bool:
    """Whether a header is itself a value, "24 h (1 day)", "15 min after infusion": a condition."""
    quantity = next(iter(find_quantities(_words(one))), None)
    return bool(quantity and quantity.start == 0) or read_quantity(_words(one)) is not None


def _words(one: Named) -> str:
    return one.cell.text[: one.end - one.start].strip()


def _meaning(sheet: _Sheet, cell: BodyCell, beside: Sequence[Named]) -> Named | None:
    """Return the meaning of a value in a column called "Value": a text of its row, else the row's name."""
    for column, heads in sorted(sheet.above.items()):
        place = (cell.place.row, column)
        if heads and _MEANING.fullmatch(_words(heads[-1])) and place in sheet.at:
            start = sheet.at[place]
            text = sheet.passage.text[start:].partition(" | ")[0].partition("\n")[0]
            return named(Cell(text, *place), start)
    return beside[-1] if beside else None


def _entity_and_conditions(
    sheet: _Sheet, cell: BodyCell, head: Named | None, others: Sequence[Named]
) -> tuple[Mention | None, tuple[Mention, ...]]:
    """The first of the other headers that is no value is the entity, the rest are conditions."""
    entity = next(
        (one for one in others if not (_is_quantity(one) or (sheet.timed and one.cell.row == cell.place.row))), None
    )
    node, text = sheet.passage.node, sheet.passage.text
    conditions = [mention(node, text, (one.start, one.end), "condition", RULE) for one in others if one is not entity]
    if head and sheet.caption.statistic and sheet.caption.head:
        conditions.append(sheet.caption.head)
    apart = sheet.distinct.get(cell.place.row)
    if apart is not None and apart is not cell.place:
        start = sheet.at[apart.row, apart.column]
        conditions.append(mention(node, text, (start, start + len(apart.text)), "condition", RULE))
    entity_mention = mention(node, text, (entity.start, entity.end), "measured entity", RULE) if entity else None
    return entity_mention, tuple(conditions)


def _name(sheet: _Sheet, head: Named | None, second: bool) -> Mention | None:
    """The mention of a property; that of the caption is its first words."""
    if head:
        span = head.beside if second and head.beside[1] else (head.start, head.end)
        return mention(sheet.passage.node, sheet.passage.text, span, "property", RULE)
    return sheet.caption.head


def _values(sheet: _Sheet, cell: BodyCell, head: Named | None) -> Iterator[tuple[Quantity, int, int, bool]]:
    """The values of a cell with their characters in it, and whether each is the one in brackets."""
    if cell.quantity:
        yield _with_unit(sheet, cell, head, cell.quantity), 0, len(cell.words), False
        return
    led = leading(cell.words)
    if led:
        yield led, led.start, led.end, False
        return
    match = _TWO.match(cell.words)
    one = read_quantity(match["one"].strip()) if match else None
    if match is None or one is None:
        return
    one = _with_unit(sheet, cell, head, one)
    two = read_quantity(match["two"].strip())
    kind = sheet.caption.spread or (spread_of(head.cell.text) if head else "")
    if kind and two and two.value is not None and not two.unit:
        yield replace(one, uncertainty=abs(two.value), uncertainty_kind=kind), 0, len(cell.words), False
        return
    if two and two.low is not None and head and _CI.search(head.cell.text):
        yield replace(one, low=two.low, high=two.high, uncertainty_kind="ci"), 0, len(cell.words), False
        return
    yield one, 0, len(match["one"].rstrip()), False
    if two and (two.unit or (head and head.beside[1])):
        yield two, match.start("two"), match.end("two"), True


def _with_unit(sheet: _Sheet, cell: BodyCell, head: Named | None, value: Quantity) -> Quantity:
    """A value with the unit of its cell, of its property's header, or of the caption."""
    if value.unit:
        return value
    heads = sheet.above.get(cell.place.column, [])
    source = head if head and head.unit else next((one for one in reversed(heads) if one.unit), None)
    if source:
        return replace(value, unit=source.unit, unit_canonical=source.canonical, unit_iri=source.iri)
    stated = sheet.caption.of(_words(head)) if head else sheet.caption.whole()
    return scaled(value, stated) if stated else value


def _counted(sheet: _Sheet, cell: BodyCell, head: Named | None, value: Quantity) -> str:
    """Return what a whole number without a unit counts: the words of its header, "contigs" of "Number of contigs"."""
    if head is None or value.unit or _STATISTIC.search(_words(head)):
        return ""
    row = head.cell.row == cell.place.row and value.value is not None and value.value == int(value.value)
    if not (row or sheet.whole.get(cell.place.column)):
        return ""
    words = split_note(_words(head))[0]
    counted = _COUNT.sub("", words).strip(" .")
    if not counted:
        return _words(sheet.beside[cell.place.row][-1]) if sheet.beside.get(cell.place.row) else ""
    return counted if counted != words or words.endswith("s") else ""
