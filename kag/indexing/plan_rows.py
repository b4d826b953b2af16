"""The baseline's plan as rows of plain data, as an agent reads it.

    {"sections": {"front": {"title", "depth"}, "b_p001_0003": {"title", "depth", "number"}},
     "nodes": {"b_p001_0004": {"class", "more", "describes", "continues", "number", "label", "in", "start", "end"}},
     "skipped": {"b_p001_0009": reason}}

A node lies in the section of the last heading before it, unless "in" names another. A section without a printed
heading ("printed": false) is named by the block it opens with. A part of a block is named by the block and its start.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kag.core.types import Document
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection
from kag.indexing.structure.page_layout import reading_positions
from kag.rdf.namespaces import DEO
from kag.rdf.profile import CONTENT

FRONT_KEY = "front"
Row = dict[str, Any]
Rows = Mapping[str, Row]
CLASSES = {("deo:" if cls in DEO else "doco:") + cls.rpartition("/")[2]: cls for cls in sorted(CONTENT)}
CURIES = {cls: name for name, cls in CLASSES.items()}


def plan_rows(document: Document, plan: Plan) -> dict[str, Any]:
    """Return a plan as rows, in reading order."""
    places = reading_positions(document)
    sections = {key_of(section): _section_row(section) for section in plan.sections}
    nodes: dict[str, Row] = {}
    for section in plan.sections:
        for node in section.nodes:
            row = _node_row(node)
            if _usual(node.blocks[0].id, sections, places) != key_of(section):
                row["in"] = key_of(section)
            nodes[node.name] = row
    order = sorted(nodes, key=lambda name: (places[block_of(name)], _start(name)))
    skipped = {skipped.block: skipped.reason for skipped in plan.skipped.values()}
    return {"sections": sections, "nodes": {name: nodes[name] for name in order}, "skipped": skipped}


def key_of(section: PlannedSection) -> str:
    """The name of a section's row."""
    return section.heading.block.id if section.heading else section.opens or FRONT_KEY


def _section_row(section: PlannedSection) -> Row:
    row: Row = {"title": section.title, "depth": section.depth}
    if section.heading and section.heading.number:
        row["number"] = section.heading.number
    return row if section.heading else row | {"printed": False}


def _node_row(node: PlannedNode) -> Row:
    row: Row = {"class": CURIES[node.cls], "more": [block.id for block in node.blocks[1:]]}
    row |= {"describes": node.describes, "continues": node.continues}
    row |= {"number": node.label.number if node.label else "", "label": node.label.label if node.label else ""}
    row |= {"start": node.start, "end": node.end}
    return {key: value for key, value in row.items() if value not in ("", [], None)}


def _usual(block: str, sections: Rows, places: Mapping[str, int]) -> str:
    """The section of the last printed heading before a block."""
    before = [key for key, row in sections.items() if _printed(key, row) and places[key] < places[block]]
    return max(before, key=lambda key: places[key], default=FRONT_KEY)


def _printed(key: str, row: Row) -> bool:
    return key != FRONT_KEY and row.get("printed", True) is not False


def block_of(name: str) -> str:
    """The block that a row is about: a part's name has its beginning behind a hyphen."""
    return name.partition("-")[0]


def _start(name: str) -> int:
    start = name.partition("-")[2]
    return int(start) if start.isdigit() else 0
