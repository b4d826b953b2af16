"""Where the baseline is in doubt: a block, what is asked of it, the answers there can be, and why.

The first candidate is the baseline's own choice. Each question has its own kind of answer:

    parent      section names and ex:document      what a heading lies below
    describes   block ids of floats, and none      which figure or table a caption describes
    caption     block ids of texts, and none       which text is the caption of a figure or table
    continues   a block id, and none               whether a paragraph goes on with the one before
    class       class names                        what a block of the front matter is
    entry       joined, apart                      whether blocks of a reference list are one entry
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rdflib import URIRef

from kag.rdf.namespaces import DEO, DOCO
from kag.values.types import Block, Document
from kag.write.build_plan import Plan, PlannedNode, PlannedSection
from kag.write.enrich.bibliography import entry_number
from kag.write.structure.floats import is_caption
from kag.write.structure.page_layout import reading_positions
from kag.write.structure.titles import is_abstract, is_part

Question = Literal["parent", "describes", "caption", "continues", "class", "entry"]
NONE, PAPER, JOINED, APART = "none", "ex:document", "joined", "apart"
FRONT_CLASSES = {
    "doco:Title": DOCO.Title,
    "doco:ListOfAuthors": DOCO.ListOfAuthors,
    "doco:ListOfOrganizations": DOCO.ListOfOrganizations,
    "doco:Paragraph": DOCO.Paragraph,
}
FLOATS = (DOCO.Figure, DOCO.Table)

NEAR = 3  # places in reading order within which a caption stands beside its float
SHORT = 200  # characters: a block of the front matter this short is hardly prose
CAPTION_LENGTH = 800  # characters that a caption may have
MAX_CANDIDATES = 6

_STOPPED = re.compile(r"[.!?:;][\"'”’)\]]*[\s⁰¹²³⁴-⁹,–\[\]\d-]*$")
_LISTED = re.compile(r"[,;·•&*†¹²³⁴-⁹]|\band\b")  # what stands between authors, or behind them
_LOWER = re.compile(r"^[\"'“‘(\[]*[a-zß-ÿ]")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question about a block; an answer is one of the candidates."""

    block: str
    question: Question
    candidates: tuple[str, ...]
    reason: str


def section_name(section: PlannedSection) -> str:
    """The name a section's node gets."""
    return section.name


def find_doubts(document: Document, plan: Plan) -> tuple[Doubt, ...]:
    """The doubts of a plan, in reading order of their blocks."""
    places = reading_positions(document)
    found = [
        *_parents(plan.sections),
        *_captions(plan, places),
        *_continuations(plan),
        *_front(plan),
        *_entries(plan),
    ]
    return tuple(sorted(found, key=lambda doubt: (places[doubt.block], doubt.question)))


def _parents(sections: Sequence[PlannedSection]) -> Iterator[Doubt]:
    """Headings that neither a number nor a standard title places."""
    numbered = any(section.heading and section.heading.number for section in sections)
    for place, section in enumerate(sections):
        heading = section.heading
        if heading is None or heading.number or is_part(section.title) or place == 0:
            continue
        above = sections[section.parent] if section.parent is not None else None
        if above and is_abstract(above.title):
            continue
        if numbered:
            reason = "no number among numbered headings"
        elif section.depth == 1:
            reason = "neither number nor standard title; taken as top-level"
        elif section.depth > 2:
            reason = "a heading printed right under another made this level"
        else:
            continue
        candidates = _candidate_parents(sections, place)
        if len(candidates) > 1:
            yield Doubt(heading.block.id, "parent", candidates, reason)


def _candidate_parents(sections: Sequence[PlannedSection], place: int) -> tuple[str, ...]:
    """The parent chosen, then the section before and those above it, then the paper."""
    chosen = sections[place].parent
    names = [PAPER if chosen is None else section_name(sections[chosen])]
    above: int | None = place - 1
    while above is not None:
        if sections[above].heading:
            names.append(section_name(sections[above]))
        above = sections[above].parent
    return tuple(dict.fromkeys([*names, PAPER]))[:MAX_CANDIDATES]


def _captions(plan: Plan, places: Mapping[str, int]) -> Iterator[Doubt]:
    """Captions far from their float or without one, and floats without a caption."""
    nodes = [node for section in plan.sections for node in section.nodes]
    floats = {node.blocks[0].id: node for node in nodes if node.cls in FLOATS}
    described = {node.describes for node in nodes if node.describes}
    bare = {name for name in floats if name not in described}
    for node in nodes:
        block = node.blocks[0]
        if node.describes:
            target = floats[node.describes]
            if not _beside(node, target, places):
                others = [n for n, f in floats.items() if f.cls == target.cls and _pages(f, block) <= 1]
                names = dict.fromkeys([node.describes, *others, NONE])
                yield Doubt(block.id, "describes", tuple(names)[:MAX_CANDIDATES], "matched by distance only")
        elif node.cls == DOCO.Paragraph and node.start is None and is_caption(block):
            free = [name for name in floats if name in bare and _pages(floats[name], block) <= 1]
            if free:
                names = dict.fromkeys([NONE, *free])
                yield Doubt(block.id, "describes", tuple(names)[:MAX_CANDIDATES], "a caption without float")
    for name in sorted(bare, key=lambda name: places[name]):
        texts = [n.blocks[0].id for n in nodes if _may_be_caption(n) and _beside(n, floats[name], places)]
        if texts:
            candidates = tuple([NONE, *texts])[:MAX_CANDIDATES]
            yield Doubt(name, "caption", candidates, "no caption found")


def _may_be_caption(node: PlannedNode) -> bool:
    block = node.blocks[0]
    plain_text = node.cls == DOCO.Paragraph and len(node.blocks) == 1 and node.start is None
    return plain_text and not node.continues and 0 < len(block.plain) <= CAPTION_LENGTH and not is_caption(block)


def _beside(one: PlannedNode, other: PlannedNode, places: Mapping[str, int]) -> bool:
    gaps = [abs(places[a.id] - places[b.id]) for a in one.blocks for b in other.blocks]
    return one.blocks[0].page == other.blocks[0].page and min(gaps) <= NEAR


def _pages(node: PlannedNode, block: Block) -> int:
    return abs(node.blocks[0].page - block.page)


def _continuations(plan: Plan) -> Iterator[Doubt]:
    """Neighbouring paragraphs where only one of the two ends says that they are one."""
    for section in plan.sections:
        texts = [n for n in section.nodes if n.cls == DOCO.Paragraph and n.start is None and n.blocks[0].plain]
        for before, node in pairwise(texts):
            earlier, later = before.blocks[0], node.blocks[0]
            open_end = not _STOPPED.search(earlier.plain)
            if open_end == bool(_LOWER.match(later.plain)) or _right_below(earlier, later):
                continue
            chosen = (node.continues, NONE) if node.continues else (NONE, earlier.id)
            reason = "the sentence before is open, this begins in upper case" if open_end else "begins in lower case"
            if node.continues in ("", earlier.id):
                yield Doubt(later.id, "continues", chosen, reason)


def _right_below(earlier: Block, later: Block) -> bool:
    """Printed one under the other, in one column: where no paragraph is cut."""
    if earlier.page != later.page or not earlier.boxes or not later.boxes:
        return False
    end, start = earlier.boxes[-1], later.boxes[0]
    return min(end.x1, start.x1) > max(end.x0, start.x0) and start.y0 >= end.y0


def _front(plan: Plan) -> Iterator[Doubt]:
    """Short blocks before the first heading that nothing places, and authors whose line looks like no list."""
    for section in plan.sections[:1]:
        for node in section.nodes if section.heading is None else ():
            words = node.blocks[0].plain
            if node.cls == DOCO.Paragraph and node.start is None and len(words) <= SHORT:
                yield Doubt(node.blocks[0].id, "class", _class_names(node.cls), "short, and no names of organisations")
            elif node.cls == DOCO.ListOfAuthors and not _LISTED.search(words):
                yield Doubt(node.blocks[0].id, "class", _class_names(node.cls), "taken for authors by its capitals")


def _class_names(chosen: URIRef) -> tuple[str, ...]:
    return tuple(sorted(FRONT_CLASSES, key=lambda name: (FRONT_CLASSES[name] != chosen, name)))


def _entries(plan: Plan) -> Iterator[Doubt]:
    """Blocks joined to one entry in a list without numbers."""
    for section in plan.sections:
        entries = [node for node in section.nodes if node.cls == DEO.BibliographicReference]
        numbered = sum(entry_number(node.blocks[0].plain) is not None for node in entries)
        for node in entries if numbered * 2 < len(entries) else ():
            if len(node.blocks) > 1:
                yield Doubt(node.blocks[0].id, "entry", (JOINED, APART), f"{len(node.blocks)} blocks, no number")
