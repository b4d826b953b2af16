"""The measured values of texts and tables, kept as JSON in the content store; those of texts are nodes, too."""

from __future__ import annotations

import json
from dataclasses import fields
from math import isfinite
from typing import Any

from rdflib import URIRef

from kag.indexing.enrich.mentions import HOSTS
from kag.rdf.namespaces import C4O, DOCO, KAG, QUDT, RDF
from kag.rdf.workspace import Workspace
from kag.text.cells import Body, BodyCell, read_body
from kag.text.quantities import Quantity, find_quantities

_HOSTS = tuple(cls for cls in HOSTS if cls != DOCO.Table)
_HAS_QUANTITIES = KAG.hasQuantities
_HAS_MEASUREMENT, _TYPE, _VALUE, _UNIT = KAG.hasMeasurement, RDF.type, QUDT.QuantityValue, QUDT.unit
_NUMERIC, _SPREAD = QUDT.numericValue, QUDT.standardUncertainty
_LOWER, _UPPER = QUDT.lowerBound, QUDT.upperBound
_CONTENT, _START, _END = C4O.hasContent, KAG.startOffset, KAG.endOffset
_FACTS = tuple(field.name for field in fields(Quantity))
_VALUE_FACTS = ("value", "low", "high", "bound", "uncertainty", "uncertainty_kind")


def apply(workspace: Workspace) -> int:
    """Note the values of paragraphs, captions and footnotes that print one with unit, bound, ± or range.

    Returns the number of texts and tables that have a new record. `kag:hasQuantities` leads to a JSON list of values
    in the order of the text, each with its place in the host's full text (see `Quantity`; what is empty is left out).
    """
    added = 0
    for host in workspace.instances(*_HOSTS):  # each gets its own record, so no order is needed
        quantities = find_quantities(workspace.text(host))
        if not any(map(_tells, quantities)):
            continue
        ref = workspace.content.put("quantities", json.dumps([row(q) for q in quantities], ensure_ascii=False))
        if workspace.text(host, _HAS_QUANTITIES) != ref:
            workspace.put(host, _HAS_QUANTITIES, ref)
            added += 1
        for quantity in quantities:
            if quantity.unit or quantity.uncertainty is not None:
                _measured(workspace, host, quantity)
    return added + _tables(workspace)


def _measured(workspace: Workspace, host: URIRef, quantity: Quantity) -> None:
    """Make a node of a value in a text: its numbers, its unit where QUDT has it, and its characters.

    A number that is a bound ("at least 63 %") is the end of a range, and no value.
    """
    node = URIRef(f"{host}-q{quantity.start}")
    bound = {">": _LOWER, "<": _UPPER}.get(quantity.bound[:1], _NUMERIC)
    spread = None if quantity.uncertainty_kind == "ci" else quantity.uncertainty
    literals = ((_LOWER, quantity.low), (_UPPER, quantity.high), (_SPREAD, spread), (bound, quantity.value))
    numbers = {name: n for name, n in literals if n is not None and isfinite(n)}
    if workspace.exists(node) or not numbers.keys() - {_SPREAD}:
        return
    workspace.add(host, _HAS_MEASUREMENT, node)
    workspace.add(node, _TYPE, _VALUE)
    if quantity.unit_iri:
        workspace.add(node, _UNIT, URIRef(quantity.unit_iri))
    for property_, number in numbers.items():
        workspace.state(node, property_, number)
    for name, value in ((_CONTENT, quantity.surface), (_START, quantity.start), (_END, quantity.end)):
        workspace.state(node, name, value)


def _tables(workspace: Workspace) -> int:
    """Add the values of each table's cells to the stored ones, see `cells_row`."""
    added = 0
    for node in workspace.instances(DOCO.Table):
        ref = workspace.text(node, KAG.tableCells)
        table = next((block.table for block in workspace.source_blocks(node) if block.table), None)
        if table is None or ref not in workspace.content:
            continue
        stored = workspace.content[ref]
        captions = (workspace.text(caption) for caption in workspace.sources(KAG.describes, node))
        details = cells_row(read_body(table, " ".join(captions)))
        added += any(stored.details.get(name) != value for name, value in details.items())
        workspace.content.put(stored.kind, stored.text, **details)
    return added


def cells_row(body: Body) -> dict[str, Any]:
    """A table's body as JSON: header paths by column and row of the grid, and each cell with value, unit or mark."""
    return {
        "header_rows": body.layout.header_rows,
        "stub_columns": body.layout.stub_columns,
        "columns": [list(path) for path in body.columns],
        "rows": [list(path) for path in body.rows],
        "values": [_cell(cell) for cell in body.cells if cell.quantity or cell.unit or cell.note],
    }


def _cell(cell: BodyCell) -> dict[str, Any]:
    facts: dict[str, Any] = {"at": [cell.place.row, cell.place.column]}
    if cell.note:
        facts |= {"text": cell.words, "note": cell.note}
    if cell.unit:
        facts["unit"] = cell.unit.canonical
        if cell.unit.iri:
            facts["unit_iri"] = cell.unit.iri
    return facts | _known_values(cell.quantity, _VALUE_FACTS) if cell.quantity else facts


def row(quantity: Quantity) -> dict[str, Any]:
    """A value as JSON: what is unknown is left out."""
    facts = _known_values(quantity, _FACTS)
    if quantity.factor == 1:
        del facts["factor"]
    return facts


def _known_values(quantity: Quantity, names: tuple[str, ...]) -> dict[str, Any]:
    values = ((name, getattr(quantity, name)) for name in names)
    return {name: value for name, value in values if value is not None and value != ""}


def _tells(quantity: Quantity) -> bool:
    return bool(quantity.unit or quantity.bound or quantity.uncertainty is not None or quantity.low is not None)
