"""The baseline's plan as rows of plain data, which an agent reads, corrects and writes.

    {"b_p001_0001": {"class": "doco:Title", "opens": "s_front", "title": "Front matter", "depth": 1},
     "b_p001_0003": {"depth": 1},
     "b_p001_0004": {"class": "doco:Paragraph", "more", "describes", "continues", "in"},
     "b_p002_0007-120": {"class": "deo:BibliographicReference", "start": 120, "end": 300},
     "b_p002_0008": {"skip": reason}}

Rows are in reading order. A row with a depth opens a section: a heading without a class, or the first node of a section
whose heading is not printed, with its name and title. A node lies in the section opened last, unless "in" names
another. A part of a block is named by the block and its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kag.core.types import Document
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection
from kag.indexing.structure.page_layout import reading_positions
from kag.rdf.namespaces import DEO
from kag.rdf.profile import CONTENT

Row = dict[str, Any]
CURIES: Mapping[str, str] = {
    cls: ("deo:" if cls in DEO else "doco:") + cls.rpartition("/")[2] for cls in sorted(CONTENT)
}


def plan_rows(document: Document, plan: Plan) -> dict[str, Row]:
    """Return a plan as rows, in reading order."""
    places = reading_positions(document)
    named = [(name, row, name_of(section)) for section in plan.sections for name, row in _rows(section, places)]
    named += [(skipped.block, {"skip": skipped.reason}, "") for skipped in plan.skipped.values()]
    named.sort(key=lambda one: (places[one[0].partition("-")[0]], one[1].get("start", 0)))
    rows: dict[str, Row] = {}
    opened = ""
    for name, row, section in named:
        if "depth" in row:
            opened = section
        elif "class" in row and section != opened:
            row["in"] = section
        rows[name] = row
    return rows


def name_of(section: PlannedSection) -> str:
    """The local name of a section's node."""
    return section.name.removeprefix("ex:")


def _rows(section: PlannedSection, places: Mapping[str, int]) -> Iterator[tuple[str, Row]]:
    if section.heading:
        yield section.heading.block.id, {"depth": section.depth}
    nodes = sorted(section.nodes, key=lambda node: (places[node.blocks[0].id], node.start or 0))
    for place, node in enumerate(nodes):
        row = _node_row(node)
        if not section.heading and place == 0:
            row |= {"opens": name_of(section), "title": section.title, "depth": section.depth}
        yield node.name, row


def _node_row(node: PlannedNode) -> Row:
    row: Row = {"class": CURIES[node.cls], "more": [block.id for block in node.blocks[1:]]}
    row |= {"describes": node.describes, "continues": node.continues, "start": node.start, "end": node.end}
    return {key: value for key, value in row.items() if value not in ("", [], None)}
