"""Differences between an agent's graph and the rules' graph, block by block, and the rules' plan as rows.

For each block: what it became ("as"), its heading ("in"), the first block of its node ("with"), the earlier part that
it continues ("continues"), the float that it describes ("describes").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rdflib import URIRef
from rdflib.term import Node

from kag.core.shapes import without_empty
from kag.core.tool import tool
from kag.core.types import Document
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection, plan_sections
from kag.indexing.structure.page_layout import blocks_in_order, reading_positions
from kag.rdf.namespaces import DEO, DOCO, KAG, RDF
from kag.rdf.profile import CONTENT
from kag.rdf.workspace import Workspace
from kag.text.plain import preview

HEADING, LEFT_OUT, NOWHERE = "heading", "left out", "not placed"
PROSE = ("doco:Paragraph", "doco:Footnote")
SHOWN = 60  # characters of a block that a warning shows
MAX_WARNINGS = 12

_OPEN = re.compile(r"[^.!?:;\"”’)\]\s]\s*$")
_INSIDE = re.compile(r"^[\"'“‘(\[]*[a-zß-ÿ]")

State = Mapping[str, Mapping[str, str]]  # what each block became, by block id


@dataclass(frozen=True, slots=True)
class Change:
    """One difference about a block: its kind, what the rules have, what the graph has, and what the block is there."""

    block: str
    kind: str
    before: str
    after: str
    cls: str = ""

    def row(self) -> dict[str, str]:
        """Return the change as a row of `summary.json`."""
        return {"block": self.block, "kind": self.kind, "from": self.before, "to": self.after}


def state_of_plan(plan: Plan) -> State:
    """Return the state of each block in a plan."""
    found: dict[str, dict[str, str]] = {block: {"as": LEFT_OUT} for block in plan.skipped}
    for section in plan.sections:
        above = plan.sections[section.parent] if section.parent is not None else None
        if section.heading:
            found[section.heading.block.id] = {"as": HEADING, "in": _heading_of(above)}
        for node in section.nodes:
            row = {"as": CURIES[node.cls], "in": _heading_of(section), "with": node.blocks[0].id}
            row |= {"continues": node.continues, "describes": node.describes}
            for block in node.blocks:
                found.setdefault(block.id, row)
    return found


def _heading_of(section: PlannedSection | None) -> str:
    return section.heading.block.id if section and section.heading else ""


def state_of_graph(workspace: Workspace) -> State:
    """Return the state of each block in a graph."""
    found: dict[str, dict[str, str]] = {block: {"as": LEFT_OUT} for block in workspace.skipped}
    nodes = sorted({node for node in workspace.graph.subjects(KAG.sourceBlock) if isinstance(node, URIRef)})
    for node in nodes:
        blocks = [block.id for block in workspace.source_blocks(node)]
        if workspace.is_a(node, DOCO.SectionTitle):
            headed = workspace.sources(KAG.containsAsHeader, node)
            above = workspace.section_of(headed[0]) if headed else None
            state = {"as": HEADING, "in": _title_block(workspace, above)}
        else:
            state = {"as": _class_of(workspace, node), "in": _title_block(workspace, workspace.section_of(node))}
            state |= {"with": blocks[0] if blocks else ""}
            state |= {key: _target(workspace, node, key) for key in ("continues", "describes")}
        for block in blocks:
            if found.get(block, {"as": HEADING})["as"] == HEADING:  # of a block with a run-in heading, its text counts
                found[block] = state
    return found


def _class_of(workspace: Workspace, node: Node) -> str:
    return next((CURIES[cls] for cls in sorted(CURIES) if (node, RDF.type, URIRef(cls)) in workspace.graph), "")


def _title_block(workspace: Workspace, section: Node | None) -> str:
    """The block of a section's printed heading; empty without one."""
    titles = workspace.links(section, KAG.containsAsHeader) if section is not None else []
    blocks = workspace.source_blocks(titles[0]) if titles else []
    return blocks[0].id if blocks else ""


def _target(workspace: Workspace, node: Node, key: str) -> str:
    targets = workspace.links(node, KAG[key])
    return str(targets[0]).rpartition("/")[2] if targets else ""


def changes(before: State, after: State, document: Document) -> list[Change]:
    """Return the differences in reading order; a block of another class is reported once."""
    found = []
    for block in blocks_in_order(document):
        one, other = before.get(block.id, {"as": NOWHERE}), after.get(block.id, {"as": NOWHERE})
        if one["as"] != other["as"]:
            found.append(Change(block.id, "as", one["as"], other["as"], other["as"]))
            continue
        for kind in ("in", "with", "continues", "describes"):
            if one.get(kind, "") != other.get(kind, ""):
                found.append(Change(block.id, kind, one.get(kind, ""), other.get(kind, ""), other["as"]))
    return found


def losses(found: Iterable[Change], document: Document) -> list[str]:
    """Describe the losses that an agent has to confirm: text left out, headings made of running text, texts joined
    without a break between."""
    texts = {block.id: block.plain for block in document.blocks}
    found_losses = []
    for change in found:
        words = f'{change.block} "{preview(texts[change.block], SHOWN)}"'
        if change.kind == "as" and change.after in (LEFT_OUT, NOWHERE) and texts[change.block]:
            found_losses.append(f"left out: {words}")
        elif change.kind == "as" and change.after == HEADING and change.before in PROSE:
            found_losses.append(f"a heading made of running text: {words}")
        elif change.kind == "as" and change.before == HEADING:
            found_losses.append(f"no heading any more: {words}")
        elif _joins(change) and not _cut(texts.get(change.after.partition("-")[0], ""), texts[change.block]):
            found_losses.append(f"joined with {change.after} though no sentence is cut: {words}")
    return found_losses


def _joins(change: Change) -> bool:
    """Whether a change makes running text go on with another: tables and pictures in several blocks are one at will."""
    joined = change.kind in ("continues", "with") and bool(change.after) and change.after != change.block
    return joined and change.cls in PROSE


def _cut(earlier: str, later: str) -> bool:
    """Whether a text looks like the rest of another."""
    return bool(_OPEN.search(earlier) or _INSIDE.match(later))


def warning(items: Sequence[str]) -> str:
    """Return the agent's one warning before its graph is accepted."""
    rows = "\n".join(items[:MAX_WARNINGS])
    more = f"\n... and {len(items) - MAX_WARNINGS} more" if len(items) > MAX_WARNINGS else ""
    advice = "Correct what you did not intend; SUBMIT again confirms the rest."
    return f"compared with the rules' plan:\n{rows}{more}\n{advice}"


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
    return without_empty(row)


class BaselineTools:
    """The plan of the deterministic rules for the document of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @cached_property
    def _plan(self) -> Plan:
        return plan_sections(self._workspace.document)

    @tool
    def baseline_plan(self) -> dict[str, Any]:
        """Return the rules' plan as rows by block id, in reading order, to compare or to correct.

        Returns {block or block-start: {"class", "more", "start", "end", "describes", "continues", "in"}, or {"depth"}
        of a heading, or {"skip": reason}}; "opens", "title", "depth" begin a section without a printed heading.
        """
        return plan_rows(self._workspace.document, self._plan)

    def changes(self) -> list[Change]:
        """Return the differences of the graph from the rules' plan, in reading order."""
        return changes(state_of_plan(self._plan), state_of_graph(self._workspace), self._workspace.document)
