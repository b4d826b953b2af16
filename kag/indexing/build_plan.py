"""The plan of a paper: what each block is and which section it belongs to, decided from the blocks alone.

What cannot be decided stays a paragraph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from rdflib import URIRef

from kag.core.types import Block, Document, Skipped
from kag.indexing.enrich.crossrefs import numbers_beside
from kag.indexing.enrich.sections import is_reference_heading
from kag.indexing.structure.floats import Float, FloatLabel, find_floats, is_panel_letter
from kag.indexing.structure.headings import Heading, is_heading, outline, printed_headings
from kag.indexing.structure.page_layout import blocks_in_order, find_noise
from kag.indexing.structure.paragraphs import continuations, endnotes, notes_of_tables
from kag.indexing.structure.reference_list import find_entries
from kag.indexing.structure.titles import is_abstract
from kag.indexing.structure.unheaded import (
    OF_LABELS,
    Part,
    front_classes,
    front_part,
    is_introduction,
    reference_part,
    text_under_abstract,
)
from kag.rdf.namespaces import DEO, DOCO
from kag.sources.labels import FORMULAS, FRONT_NOTES, NOTES, PICTURES, REFERENCES, TABLES

FRONT = "Front matter"  # title of the section of what is printed before the first heading
NOT_LISTED = FORMULAS | PICTURES | TABLES | FRONT_NOTES  # labels of what is no entry of a reference list


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """A node to be: its class, its blocks (or a part of one), and the properties and links it gets."""

    cls: URIRef
    blocks: tuple[Block, ...]
    start: int | None = None
    end: int | None = None
    label: FloatLabel | None = None
    describes: str = ""  # first block of the float a caption describes
    continues: str = ""  # name of the node of the earlier part

    @property
    def name(self) -> str:
        """The local name its node gets."""
        return self.blocks[0].id if self.start is None else f"{self.blocks[0].id}-{self.start}"


@dataclass(slots=True)
class PlannedSection:
    """A section to be; `heading` is None where no heading is printed, `opens` is then the block it begins with.

    The front matter, and a paper without headings, have neither.
    """

    heading: Heading | None
    title: str
    depth: int
    parent: int | None
    nodes: list[PlannedNode] = field(default_factory=list)
    opens: str = ""

    @property
    def name(self) -> str:
        """The name its node gets."""
        block = self.heading.block.id if self.heading else self.opens
        return f"ex:s_{block[2:]}" if block else "ex:s_front"


@dataclass(frozen=True, slots=True)
class Plan:
    """The baseline's plan: sections in reading order, and skipped blocks."""

    sections: tuple[PlannedSection, ...]
    skipped: Mapping[str, Skipped]


def plan_sections(document: Document) -> Plan:
    """Decide what each block is and which section it belongs to.

    Raises `AssertionError` when the plan does not place each block once, which is a bug.
    """
    all_blocks = blocks_in_order(document)
    skipped = find_noise(all_blocks)
    blocks = [block for block in all_blocks if block.id not in skipped]
    floats = find_floats(blocks)
    in_floats = {block.id for item in floats for block in (*item.blocks, *item.caption)}
    title = next((block for block in blocks if block.label == "title" and block.page <= 3), None)
    heads = [b for b in blocks if is_heading(b) and b.id not in in_floats and b is not title]
    ranked = {heading.block.id: heading for heading in outline(printed_headings(heads, blocks))}
    sections = _with_unheaded(_sections(blocks, ranked), in_floats)
    by_block = {block.id: item for item in floats for block in item.blocks[:1]}
    by_caption = {block.id: item for item in floats for block in item.caption[:1]}
    for section, content in sections:
        section.nodes.extend(_section_nodes(section, content, in_floats, by_block, by_caption))
    placed = Counter(block.id for section, _ in sections for block in _blocks_of(section))
    if placed != Counter(block.id for block in blocks):
        raise AssertionError("the plan does not place each block once")
    return Plan(tuple(section for section, _ in sections), skipped)


def _blocks_of(section: PlannedSection) -> Iterator[Block]:
    """The blocks that a section places, one that is planned in parts once."""
    if section.heading:
        yield section.heading.block
    for node in section.nodes:
        if not node.start:
            yield from node.blocks


def _sections(blocks: Sequence[Block], ranked: Mapping[str, Heading]) -> list[tuple[PlannedSection, list[Block]]]:
    """Each section with the blocks under its heading; parents by depth."""
    if not ranked:
        return _without_headings(blocks)
    sections: list[tuple[PlannedSection, list[Block]]] = []
    path: list[int] = []  # the open sections, by index
    for block in blocks:
        heading = ranked.get(block.id)
        if heading is None:
            if not sections:
                sections.append((PlannedSection(None, FRONT, 1, None), []))
            noted = block.label in FRONT_NOTES and path and is_abstract(sections[path[0]][0].title)
            at = 0 if noted and sections[0][0].heading is None else -1  # below an abstract stand notes of the paper
            sections[at][1].append(block)
            continue
        while path and sections[path[-1]][0].depth >= heading.depth:
            path.pop()
        parent = path[-1] if path else None
        depth = sections[parent][0].depth + 1 if parent is not None else 1
        path.append(len(sections))
        sections.append((PlannedSection(heading, block.plain, depth, parent), []))
    return sections


def _without_headings(blocks: Sequence[Block]) -> list[tuple[PlannedSection, list[Block]]]:
    """The parts of a paper without headings: front matter, abstract and text where its source labels the abstract."""
    labelled = [n for n, block in enumerate(blocks) if block.label == "abstract"]
    start, end = (labelled[0], labelled[-1] + 1) if labelled else (0, 0)
    parts = ((FRONT, blocks[:start]), ("Abstract", blocks[start:end]), ("Text", blocks[end:]))
    return [
        (PlannedSection(None, title, 1, None, opens=part[0].id if title != FRONT and labelled else ""), list(part))
        for title, part in parts
        if part
    ]


def _with_unheaded(
    sections: list[tuple[PlannedSection, list[Block]]], in_floats: Set[str]
) -> list[tuple[PlannedSection, list[Block]]]:
    """Return the sections, each followed by the part of its blocks that forms a section without a heading."""
    titles = [section.title for section, _ in sections if section.heading]
    if not titles:
        return sections
    listed = any(map(is_reference_heading, titles))
    introduced = any(map(is_introduction, titles))
    found: list[tuple[PlannedSection, list[Block]]] = []
    places: list[int] = []  # where the sections are now
    for section, content in sections:
        places.append(len(found))
        found.append((section, content))
        while part := _unheaded_part(*found[-1], titles, in_floats, introduced=introduced, listed=listed):
            if not _split(found, part):
                break
    for section, _ in sections:
        section.parent = None if section.parent is None else places[section.parent]
    return found


def _unheaded_part(
    section: PlannedSection,
    content: list[Block],
    titles: Sequence[str],
    in_floats: Set[str],
    *,
    introduced: bool,
    listed: bool,
) -> Part | None:
    """Return the part of a section that forms a section without a heading; `introduced` and `listed` name the texts
    that have one.

    No float is torn apart: what is printed in one is neither an abstract nor an entry of a list.
    """
    if section.title == FRONT and not section.heading:
        part = front_part([block for block in content if block.id not in in_floats], titles)
        if part:
            return part
    entries = tuple(block for block in content if block.label in REFERENCES)
    if entries and not is_reference_heading(section.title):
        return Part("References", entries)
    part = None if introduced else text_under_abstract(section.title, content)
    behind = max((n for n, block in enumerate(content, start=1) if block.id in in_floats), default=0)
    return part or (None if listed else reference_part(content[behind:]))


def _split(sections: list[tuple[PlannedSection, list[Block]]], part: Part) -> bool:
    """Make a part of the last section's blocks a section behind it; one without heading is not left empty."""
    section, content = sections[-1]
    ids = {block.id for block in part.blocks}
    rest = [block for block in content if block.id not in ids]
    if not rest and not section.heading:
        section.title = part.title
        return False
    sections[-1] = section, rest
    sections.append((PlannedSection(None, part.title, 1, None, opens=part.blocks[0].id), list(part.blocks)))
    return True


def _section_nodes(
    section: PlannedSection,
    content: Sequence[Block],
    in_floats: set[str],
    by_block: Mapping[str, Float],
    by_caption: Mapping[str, Float],
) -> Iterable[PlannedNode]:
    text = [block for block in content if block.id not in in_floats]
    fronted = section.heading is None and section.title in (FRONT, "Text") and not section.opens
    front = front_classes(text) if fronted else {}
    entries = [block for block in text if block.label in REFERENCES]
    listed = entries or (text if is_reference_heading(section.title) else [])
    references: dict[str, list[PlannedNode]] = {}  # by the first block
    for node in _reference_nodes([b for b in listed if b.label not in NOT_LISTED and b.text]):
        references.setdefault(node.blocks[0].id, []).append(node)
    in_references = {block.id for nodes in references.values() for node in nodes for block in node.blocks}
    beside = numbers_beside([block for block in text if block.id not in in_references])
    elsewhere = in_references | in_floats | {block.id for block in beside.values()}
    notes = notes_of_tables(content) | endnotes(section.title, text)
    classes = {block.id: front.get(block.id) or _text_class(block, notes) for block in content}
    behind = {later.id for one, later in pairwise(text) if classes[one.id] == DOCO.Formula}
    running = [block for block in text if classes[block.id] == DOCO.Paragraph and block.id not in elsewhere]
    earlier = continuations(running, behind) | _stated_continuations(running)
    for block in content:
        if block.id in by_block:
            yield _float_node(by_block[block.id])
        if block.id in by_caption:
            item = by_caption[block.id]
            yield PlannedNode(DEO.Caption, item.caption, label=item.label, describes=item.blocks[0].id)
        yield from references.get(block.id, ())
        if block.id not in elsewhere:
            blocks = (block, beside[block.id]) if block.id in beside else (block,)
            yield PlannedNode(classes[block.id], blocks, continues=earlier.get(block.id, ""))


def _stated_continuations(running: Sequence[Block]) -> dict[str, str]:
    """Return later part -> earlier part, as the source states it."""
    known = {block.id for block in running}
    return {block.id: block.continues for block in running if block.continues in known}


def _reference_nodes(blocks: Sequence[Block]) -> Iterable[PlannedNode]:
    """A node an entry; a part that ends the entry before it is text that continues it."""
    before = ""
    for entry in find_entries(blocks):
        cls = DOCO.Paragraph if entry.tail else DEO.BibliographicReference
        yield PlannedNode(cls, entry.blocks, entry.start, entry.end, continues=before if entry.tail else "")
        before = entry.blocks[0].id if entry.start is None else f"{entry.blocks[0].id}-{entry.start}"


def _text_class(block: Block, notes: Set[str]) -> URIRef:
    """Return the class of a block under a heading that belongs to no float and no reference list."""
    if block.label in FORMULAS:
        return DOCO.Formula
    if block.label in OF_LABELS:
        return OF_LABELS[block.label]
    if is_panel_letter(block):
        return DOCO.FigureLabel
    if block.label in NOTES or block.id in notes:
        return DOCO.Footnote
    return DOCO.Paragraph


def _float_node(item: Float) -> PlannedNode:
    cls = DOCO.Figure if item.kind == "figure" else DOCO.Table
    return PlannedNode(cls, item.blocks, label=item.label, continues=item.continues)
