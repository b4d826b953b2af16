"""The baseline's plan as rows that an agent can change: `draft_of`, and `plan_of` back.

    {"sections": {"front": {"title", "depth"}, "b_p001_0003": {"title", "depth", "number"}},
     "nodes": {"b_p001_0004": {"class", "more", "describes", "continues", "number", "label", "in", "start", "end"}},
     "skipped": {"b_p001_0009": reason}}

A node lies in the section of the last heading before it, unless "in" names another. A section without a printed
heading ("printed": false) is named by the block it opens with. Rows that were added or changed win over those that
were not, so that a block which is put elsewhere need not be taken away where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kag.rdf.namespaces import DEO, DOCO
from kag.rdf.profile import CONTENT
from kag.values.errors import BadValue
from kag.values.types import Block, Document, Skipped
from kag.write.build_plan import FRONT, Plan, PlannedNode, PlannedSection
from kag.write.structure.floats import FloatLabel, Kind
from kag.write.structure.headings import Heading
from kag.write.structure.page_layout import reading_positions

FRONT_KEY = "front"
PARTS = "parts"  # who has a block that several rows share
Row = dict[str, Any]
Rows = Mapping[str, Row]
CLASSES = {("deo:" if cls in DEO else "doco:") + cls.rpartition("/")[2]: cls for cls in sorted(CONTENT)}
CURIES = {cls: name for name, cls in CLASSES.items()}


def draft_of(document: Document, plan: Plan) -> dict[str, Any]:
    """A plan as rows, in reading order."""
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
    told: Row = {"class": CURIES[node.cls], "more": [block.id for block in node.blocks[1:]]}
    told |= {"describes": node.describes, "continues": node.continues}
    told |= {"number": node.label.number if node.label else "", "label": node.label.label if node.label else ""}
    told |= {"start": node.start, "end": node.end}
    return {key: value for key, value in told.items() if value not in ("", [], None)}


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


# and back ---------------------------------------------------------------------------------------------------------


def plan_of(draft: Mapping[str, Any], original: Mapping[str, Any], document: Document) -> tuple[Plan, dict[str, str]]:
    """The plan that rows tell, and the rows that cannot be, each with the reason.

    Raises `BadValue` where `draft` is no draft at all.
    """
    return _Reading(draft, original, document).plan()


class _Reading:
    """One draft on its way to a plan."""

    def __init__(self, draft: Mapping[str, Any], original: Mapping[str, Any], document: Document) -> None:
        self._blocks = {block.id: block for block in document.blocks}
        self._places = reading_positions(document)
        self._rows = {part: _part(draft, part) for part in ("sections", "nodes", "skipped")}
        self._original = original
        self.refused: dict[str, str] = {}
        self._owners = self._owned()

    def plan(self) -> tuple[Plan, dict[str, str]]:
        sections = self._sections()
        by_key = {key_of(section): section for section in sections}
        printed = {key: row for key, row in self._rows["sections"].items() if key in by_key}
        names = sorted(self._mine("nodes"), key=lambda name: (self._places[block_of(name)], _start(name)))
        for name in names:
            row = self._rows["nodes"][name]
            wanted = str(row.get("in") or _usual(block_of(name), printed, self._places))
            if wanted not in by_key:
                self.refused[name] = f"there is no section {wanted!r}"
                continue
            try:
                by_key[wanted].nodes.append(self._node(name, row))
            except (BadValue, TypeError, ValueError) as error:
                self.refused[name] = str(getattr(error, "message", error))
        skipped = {block: Skipped(block, str(self._rows["skipped"][block])) for block in self._mine("skipped")}
        kept = [section for section in sections if section.heading or section.nodes]
        return Plan(tuple(_without(sections, kept)), skipped), self.refused

    def _owned(self) -> dict[str, tuple[str, str]]:
        """What each block becomes: the part and name of the row that has it, changed rows before others."""
        claims = [
            (part, name, row != self._original[part].get(name))
            for part in ("skipped", "sections", "nodes")
            for name, row in self._rows[part].items()
            if name != FRONT_KEY and not (part == "sections" and not _printed(name, row))
        ]
        owners: dict[str, tuple[str, str]] = {}
        for part, name, _ in sorted(claims, key=lambda claim: not claim[2]):
            blocks = self._claimed(part, name)
            unknown = [block for block in blocks if not isinstance(block, str) or block not in self._blocks]
            if unknown:
                self.refused[name] = f"there is no block {unknown[0]!r}"
                continue
            in_parts = part == "nodes" and self._is_part(name)
            for block in blocks:
                owners.setdefault(block, (PARTS, block) if in_parts else (part, name))
        return owners

    def _claimed(self, part: str, name: str) -> list[Any]:
        """The blocks that a row is about."""
        if part != "nodes":
            return [name]
        more = self._rows[part][name].get("more") or []
        return [block_of(name), *(more if isinstance(more, list) else [more])]

    def _is_part(self, name: str) -> bool:
        return "-" in name or self._rows["nodes"][name].get("start") is not None

    def _mine(self, part: str) -> Iterator[str]:
        """The rows of a part whose block is theirs."""
        for name in self._rows[part]:
            block = block_of(name)
            mine = (PARTS, block) if part == "nodes" and self._is_part(name) else (part, name)
            if name not in self.refused and self._owners.get(block) == mine:
                yield name

    def _sections(self) -> list[PlannedSection]:
        """The sections in reading order, each below the last that is less deep."""
        rows = self._rows["sections"]
        mine = {*self._mine("sections"), *(key for key, row in rows.items() if not _printed(key, row))}
        keys = sorted((key for key in rows if key in mine), key=lambda key: self._places.get(key, -1))
        found = [] if FRONT_KEY in rows else [PlannedSection(None, FRONT, 1, None)]
        open_: list[int] = []
        for key in keys:
            row = rows[key]
            depth = row.get("depth", 1)
            if not isinstance(depth, int) or isinstance(depth, bool) or depth < 1:
                self.refused[key] = f"depth is {depth!r}, not a whole number from 1"
                depth = 1
            while open_ and found[open_[-1]].depth >= depth:
                open_.pop()
            parent = open_[-1] if open_ else None
            depth = found[parent].depth + 1 if parent is not None else 1
            open_.append(len(found))
            found.append(self._section(key, row, depth, parent))
        return found

    def _section(self, key: str, row: Row, depth: int, parent: int | None) -> PlannedSection:
        if _printed(key, row):
            block = self._blocks[key]
            return PlannedSection(Heading(block, str(row.get("number") or ""), depth), block.plain, depth, parent)
        opens = key if key in self._blocks else ""
        return PlannedSection(None, str(row.get("title") or FRONT), depth, parent, opens=opens)

    def _node(self, name: str, row: Row) -> PlannedNode:
        """The node of a row; raises `BadValue`."""
        cls = CLASSES.get(str(row.get("class", "doco:Paragraph")))
        if cls is None:
            raise BadValue(f"{row.get('class')!r} is no class: {', '.join(CLASSES)}", hint="")
        mine = dict.fromkeys(b for b in self._claimed("nodes", name)[1:] if self._owners[b] == ("nodes", name))
        mine.pop(block_of(name), None)
        blocks = tuple(self._blocks[block] for block in (block_of(name), *mine))
        number, label = str(row.get("number") or ""), str(row.get("label") or "")
        kind: Kind = "table" if cls == DOCO.Table or label.lower().startswith("tab") else "figure"
        titled = FloatLabel(kind, number, label or number) if number else None
        describes, continues = self._linked(row.get("describes")), self._linked(row.get("continues"))
        return PlannedNode(cls, blocks, *_span(blocks, row), titled, describes, continues)

    def _linked(self, name: Any) -> str:
        if name and (not isinstance(name, str) or block_of(name.removeprefix("ex:")) not in self._blocks):
            raise BadValue(f"there is no block {name!r}", hint="")
        return name.removeprefix("ex:") if name else ""


def _span(blocks: tuple[Block, ...], row: Row) -> tuple[int | None, int | None]:
    """The part of its block that a row is about."""
    start, end = row.get("start"), row.get("end")
    if start is None and end is None:
        return None, None
    first, last = int(start or 0), len(blocks[0].text) if end is None else int(end)
    return first, last


def _part(draft: Mapping[str, Any], part: str) -> dict[str, Any]:
    rows = draft.get(part) if isinstance(draft, Mapping) else None
    if not isinstance(rows, dict):
        raise BadValue(f"the draft has no dict {part!r}", hint="Give the draft with your changes in it.")
    if part != "skipped" and (wrong := [key for key, row in rows.items() if not isinstance(row, dict)]):
        raise BadValue(f"{part}: the row of {wrong[0]} is no dict", hint='As in {"class": "doco:Paragraph"}.')
    return rows


def _without(sections: list[PlannedSection], kept: list[PlannedSection]) -> Iterator[PlannedSection]:
    """The kept sections, with parents counted among them."""
    places = {id(section): place for place, section in enumerate(kept)}
    for section in kept:
        above = sections[section.parent] if section.parent is not None else None
        section.parent = places.get(id(above)) if above is not None else None
        yield section
