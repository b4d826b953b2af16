"""Triples that follow from a finished graph, added so that plain queries find them without a reasoner or schema.

Each printed text gets its plain words, a float the kind of thing that its label calls it, the paper a link to each
entry of its reference list, and what contains something says so in the terms of the Pattern Ontology, too. Measured
values are kept as JSON in the content store; those of texts are nodes, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from math import isfinite
from typing import Any

from rdflib import URIRef

from kag.indexing.enrich.mentions import HOSTS
from kag.rdf.namespaces import C4O, DEO, DOCO, KAG, PO, QUDT, RDF
from kag.rdf.workspace import Workspace
from kag.text.cells import Body, BodyCell, read_body
from kag.text.plain import plain
from kag.text.quantities import Quantity, find_quantities

_READ = (DOCO.Paragraph, DEO.Caption, DOCO.Footnote, DOCO.Title, DOCO.SectionTitle, DOCO.ListOfAuthors,
         DOCO.ListOfOrganizations)  # fmt: skip
_PLAIN, _PART = KAG.plainText, re.compile(r"-\d+$")
_KINDS = {"fig": "figure", "tab": "table", "sch": "scheme", "cha": "chart", "pla": "plate", "box": "box",
          "vid": "video", "mov": "video", "map": "map", "gra": "graph", "pho": "photo"}  # fmt: skip
_KIND_WORD = re.compile(
    r"\b(fig(?:ure|ura)?s?|abb(?:ildung)?|scheme|chart|plate|photo|image|illustration|graph|map|video|movie"
    r"|tab(?:le|elle|leau|la|ela)?|box)\b(?=[\s.]*(?:[A-Z]{0,2}\.?\s?\d|[IVXL]+\b|[A-Z]\b))",
    re.I,
)


def apply(workspace: Workspace) -> int:
    """Say what follows; returns the number of triples added. What followed before and does no more is taken away."""
    return _plain_texts(workspace) + _float_kinds(workspace) + _references(workspace) + _patterns(workspace)


def plain_text(workspace: Workspace, node: URIRef) -> str:
    """The whole text of a node in plain words: those of its blocks where it is made from whole ones."""
    blocks = [] if _PART.search(node) else workspace.source_blocks(node)
    full = workspace.text(node)
    if blocks and " ".join(block.text for block in blocks if block.text) == full:
        return " ".join(block.plain for block in blocks if block.plain)
    return plain(full)


def float_kind(label: str) -> str:
    """Return the kind of a float by its label, in one word; "" if unknown.

    >>> float_kind("Scheme 1"), float_kind("Appendix 1—Figure 2"), float_kind("Abb. 3")
    ('scheme', 'figure', 'figure')
    """
    match = _KIND_WORD.search(label)
    word = match[1].lower() if match else ""
    return _KINDS.get(word[:3], "figure") if word else ""


def _plain_texts(workspace: Workspace) -> int:
    added = 0
    for node in workspace.instances(*_READ):
        words = plain_text(workspace, node)
        if words and workspace.text(node, _PLAIN) != words:
            workspace.put(node, _PLAIN, words)
            added += 1
    return added


def _float_kinds(workspace: Workspace) -> int:
    added = 0
    for node in workspace.instances(DOCO.Figure, DOCO.Table):
        kind = float_kind(workspace.text(node, KAG.floatLabel))
        if kind and workspace.text(node, KAG.floatKind) != kind:
            workspace.put(node, KAG.floatKind, kind)
            added += 1
    return added


def _references(workspace: Workspace) -> int:
    entries = {(workspace.paper, node) for node in workspace.instances(DEO.BibliographicReference)}
    return _exactly(workspace, KAG.hasReference, entries)


def _patterns(workspace: Workspace) -> int:
    headers = set(_pairs(workspace, KAG.containsAsHeader))
    holds = headers | set(_pairs(workspace, KAG.contains))
    return _exactly(workspace, PO.contains, holds) + _exactly(workspace, PO.containsAsHeader, headers)


def _pairs(workspace: Workspace, property_: URIRef) -> Iterator[tuple[URIRef, URIRef]]:
    """The two ends of each link by a property."""
    for subject, _, value in workspace.graph.triples((None, property_, None)):
        if isinstance(subject, URIRef) and isinstance(value, URIRef):
            yield subject, value


def _exactly(workspace: Workspace, property_: URIRef, wanted: set[tuple[URIRef, URIRef]]) -> int:
    """Make the links of a property exactly those wanted; returns how many were added."""
    there = set(_pairs(workspace, property_))
    for subject, value in there - wanted:
        workspace.remove(subject, property_, value)
    return sum(workspace.add(subject, property_, value) for subject, value in wanted - there)


_HOSTS = tuple(cls for cls in HOSTS if cls != DOCO.Table)
_HAS_QUANTITIES = KAG.hasQuantities
_HAS_MEASUREMENT, _TYPE, _VALUE, _UNIT = KAG.hasMeasurement, RDF.type, QUDT.QuantityValue, QUDT.unit
_NUMERIC, _SPREAD = QUDT.numericValue, QUDT.standardUncertainty
_LOWER, _UPPER = QUDT.lowerBound, QUDT.upperBound
_CONTENT, _START, _END = C4O.hasContent, KAG.startOffset, KAG.endOffset
_FACTS = tuple(field.name for field in fields(Quantity))
_VALUE_FACTS = ("value", "low", "high", "bound", "uncertainty", "uncertainty_kind")


def note_quantities(workspace: Workspace) -> int:
    """Note the values of paragraphs, captions and footnotes that print one with unit, bound, ± or range.

    Returns the number of texts and tables that have a new record. `kag:hasQuantities` leads to a JSON list of values
    in the order of the text, each with its place in the host's full text (see `Quantity`; what is empty is left out).
    """
    added = 0
    for host in workspace.instances(*_HOSTS):  # each gets its own record, so no order is needed
        quantities = find_quantities(workspace.text(host))
        if not any(map(_is_measured, quantities)):
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


def _is_measured(quantity: Quantity) -> bool:
    """Whether a quantity is more than a bare number."""
    return bool(quantity.unit or quantity.bound or quantity.uncertainty is not None or quantity.low is not None)
