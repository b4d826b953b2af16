"""Open choices of the baseline: a block, the question about it, the possible answers, and the reason for asking.

The first candidate is the baseline's own choice. Each question has its own kind of answer:

    describes   block ids of floats, and none      which figure or table a caption describes
    caption     block ids of texts, and none       which text is the caption of a figure or table;
                part of b_...                      of which table a second block is the rest
    continues   block ids, and none                which earlier paragraph a paragraph continues
    class       class names                        what a block of the front matter is
    entry       joined, apart                      whether blocks of a reference list are one entry

How headings nest is one question for all of them (`kag.agents.build.outline`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rdflib import URIRef

from kag.core.types import Block, Document
from kag.indexing.build_plan import Plan, PlannedNode
from kag.indexing.structure.floats import is_caption
from kag.indexing.structure.page_layout import reading_positions
from kag.indexing.structure.reference_list import entry_number
from kag.rdf.namespaces import DEO, DOCO

Question = Literal["describes", "caption", "continues", "class", "entry"]
NONE, JOINED, APART = "none", "joined", "apart"
PART_OF = "part of "
FRONT_CLASSES = {
    "doco:Title": DOCO.Title,
    "doco:ListOfAuthors": DOCO.ListOfAuthors,
    "doco:ListOfOrganizations": DOCO.ListOfOrganizations,
    "doco:Paragraph": DOCO.Paragraph,
}
FLOATS = (DOCO.Figure, DOCO.Table)

NEAR = 3  # places in reading order within which a caption stands beside its float
SCRAP = 25  # characters of a cell or a label
SHORT = 200  # characters: a block of the front matter this short is hardly prose
CAPTION_LENGTH = 800  # characters that a caption may have
MAX_CANDIDATES = 6
PROSE = 5  # words of running text

_STOPPED = re.compile(r"[.!?:;][\"'”’)\]]*[\s⁰¹²³⁴-⁹,–\[\]\d-]*$")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ADDRESS = re.compile(r"(?:https?:|www\.|doi\b)", re.I)
_SAYS_WHAT = re.compile(  # what is neither title nor authors, and says so
    r"\b(?:doi|https?|copyright|received|accepted|published|key\s?words|licen[sc]e|open access|correspond\w*)\b|[©@]",
    re.I,
)
_ITEM_END = re.compile(r"[.!?]\s*\([^()]{1,40}\)\s*$")
_LISTED = re.compile(r"[,;·•&*†¹²³⁴-⁹]|\band\b")  # what stands between authors, or behind them
_NAME = re.compile(r"^(?:[A-Z][\w.’'-]*\s*){2,4}$")  # of one author
_LOWER = re.compile(r"^[\"'“‘(\[]*[a-zß-ÿ]")


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A question about a block; an answer is one of the candidates."""

    block: str
    question: Question
    candidates: tuple[str, ...]
    reason: str


def find_ambiguities(document: Document, plan: Plan) -> tuple[Ambiguity, ...]:
    """Return the ambiguities of a plan, in reading order of their blocks."""
    places = reading_positions(document)
    ambiguities = [*_captions(plan, places), *_continuations(plan), *_front(plan), *_entries(plan)]
    scraps = _scrap_pages(document)
    asked = [one for one in ambiguities if one.question != "continues" or _page_of(one.block, document) not in scraps]
    return tuple(sorted(asked, key=lambda ambiguity: (places[ambiguity.block], ambiguity.question)))


def _scrap_pages(document: Document) -> set[int]:
    """The pages on which most texts are scraps: a table that was read as text, of which nothing is a paragraph."""
    texts, scraps = Counter[int](), Counter[int]()
    for block in document.blocks:
        if block.plain and block.label == "text":
            texts[block.page] += 1
            scraps[block.page] += len(block.plain) <= SCRAP
    return {page for page, count in texts.items() if scraps[page] * 2 > count}


def _page_of(block_id: str, document: Document) -> int:
    return next(block.page for block in document.blocks if block.id == block_id)


def _captions(plan: Plan, places: Mapping[str, int]) -> list[Ambiguity]:
    """Captions far from their float or without one, and floats without a caption that no such ambiguity is about."""
    ambiguities: list[Ambiguity] = []
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
                ambiguities.append(
                    Ambiguity(block.id, "describes", tuple(names)[:MAX_CANDIDATES], "matched by distance only")
                )
        elif node.cls == DOCO.Paragraph and node.start is None and is_caption(block):
            free = [name for name in floats if name in bare and _pages(floats[name], block) <= 1]
            if free:
                names = dict.fromkeys([NONE, *free])
                ambiguities.append(
                    Ambiguity(block.id, "describes", tuple(names)[:MAX_CANDIDATES], "a caption without float")
                )
    asked = {name for ambiguity in ambiguities for name in ambiguity.candidates}
    for name in sorted(bare - asked, key=lambda name: places[name]):
        texts = [n.blocks[0].id for n in nodes if _may_be_caption(n) and _beside(n, floats[name], places)]
        whole = _table_before(floats[name], nodes)
        if texts or whole:
            ambiguities.append(Ambiguity(name, "caption", (NONE, *whole, *texts)[:MAX_CANDIDATES], "no caption found"))
    return ambiguities


def _table_before(table: PlannedNode, nodes: Sequence[PlannedNode]) -> tuple[str, ...]:
    """The table that a second block without a caption may be the rest of: the one right before it."""
    if table.cls != DOCO.Table:
        return ()
    earlier = [node for node in nodes[: nodes.index(table)] if node.cls == DOCO.Table][-1:]
    return tuple(
        PART_OF + planned_node.blocks[0].id
        for planned_node in earlier
        if 0 <= _pages(table, planned_node.blocks[-1]) <= 1
    )


def _may_be_caption(node: PlannedNode) -> bool:
    block = node.blocks[0]
    plain_text = node.cls == DOCO.Paragraph and len(node.blocks) == 1 and node.start is None
    return plain_text and not node.continues and 0 < len(block.plain) <= CAPTION_LENGTH and not is_caption(block)


def _beside(planned_node: PlannedNode, other: PlannedNode, places: Mapping[str, int]) -> bool:
    gaps = [abs(places[a.id] - places[b.id]) for a in planned_node.blocks for b in other.blocks]
    return planned_node.blocks[0].page == other.blocks[0].page and min(gaps) <= NEAR


def _pages(node: PlannedNode, block: Block) -> int:
    return abs(node.blocks[0].page - block.page)


def _continuations(plan: Plan) -> Iterator[Ambiguity]:
    """Paragraphs that begin inside of a sentence and go on with none, and open ends over a page cut that none goes on.

    The candidates are the open ends before, the nearest first.
    """
    for section in plan.sections:
        content = [node for node in section.nodes if node.start is None]
        texts = [node for node in content if node.cls == DOCO.Paragraph and node.blocks[0].plain]
        continued = {node.continues for node in texts}
        formulas = {later.name for planned_node, later in pairwise(content) if planned_node.cls == DOCO.Formula}
        ends: list[Block] = []  # where no sentence ends, and nothing goes on
        for before, node in pairwise(texts):
            if (
                _is_prose(before.blocks[-1].plain)
                and _is_open(before.blocks[-1].plain)
                and before.name not in continued
            ):
                ends.append(before.blocks[-1])
            if node.continues or node.name in formulas or not _is_prose(node.blocks[0].plain):
                continue
            earlier, later = before.blocks[0], node.blocks[0]
            begins_inside = bool(_LOWER.match(later.plain))
            near = [
                block.id for block in reversed(ends) if later.page - block.page <= 1 and not _right_below(block, later)
            ]
            turned = earlier.page != later.page
            if (begins_inside and (near or turned)) or (turned and near[:1] == [earlier.id]):
                names = tuple(dict.fromkeys((NONE, earlier.id, *near)))[:MAX_CANDIDATES]
                reason = "begins in lower case" if begins_inside else "the sentence before is open over a page's end"
                yield Ambiguity(later.id, "continues", names, reason)


def _is_prose(text: str) -> bool:
    """Whether a text is more than a rest of a table or a formula, and no address."""
    return len(_WORD.findall(text)) >= PROSE and not _ADDRESS.match(text)


def _is_open(text: str) -> bool:
    """Whether a text ends inside of a sentence; "(TIF)" behind a full stop ends a list's item."""
    return not _STOPPED.search(_ITEM_END.sub(".", text))


def _right_below(earlier: Block, later: Block) -> bool:
    """Printed one under the other, in one column: where no paragraph is cut."""
    if earlier.page != later.page or not earlier.boxes or not later.boxes:
        return False
    end, start = earlier.boxes[-1], later.boxes[0]
    return min(end.x1, start.x1) > max(end.x0, start.x0) and start.y0 >= end.y0


def _front(plan: Plan) -> Iterator[Ambiguity]:
    """Short blocks before the first heading where title or authors are still to be found, and odd lists of authors."""
    for section in plan.sections[:1]:
        if section.heading is not None:
            continue
        known = {node.cls for node in section.nodes}
        authors = [node for node in section.nodes if node.cls == DOCO.ListOfAuthors]
        listless = [n for n in authors if not (_LISTED.search(n.blocks[0].plain) or _NAME.match(n.blocks[0].plain))]
        for node in listless:
            yield Ambiguity(node.blocks[0].id, "class", _class_names(node.cls), "taken for authors by its capitals")
        if not listless and known >= {DOCO.Title, DOCO.ListOfAuthors}:
            continue
        for node in section.nodes:
            block = node.blocks[0]
            may_be = (
                len(block.plain) <= SHORT and len(_WORD.findall(block.plain)) > 1 and not _SAYS_WHAT.search(block.plain)
            )
            if node.cls == DOCO.Paragraph and node.start is None and may_be:
                yield Ambiguity(block.id, "class", _class_names(node.cls), "short, and no title or authors are found")


def _class_names(chosen: URIRef) -> tuple[str, ...]:
    return tuple(sorted(FRONT_CLASSES, key=lambda name: (FRONT_CLASSES[name] != chosen, name)))


def _entries(plan: Plan) -> Iterator[Ambiguity]:
    """Blocks of one page joined to one entry in a list without numbers."""
    for section in plan.sections:
        entries = [node for node in section.nodes if node.cls == DEO.BibliographicReference]
        numbered = sum(entry_number(node.blocks[0].plain) is not None for node in entries)
        for node in entries if numbered * 2 < len(entries) else ():
            if len(node.blocks) > 1 and len({block.page for block in node.blocks}) == 1:
                yield Ambiguity(node.blocks[0].id, "entry", (JOINED, APART), f"{len(node.blocks)} blocks, no number")
