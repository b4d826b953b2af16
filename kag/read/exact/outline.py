"""Answers on the order and size of sections, and on whether the paper has a part of some kind."""

from __future__ import annotations

import re

from kag.read.exact.anchors import Anchor
from kag.read.exact.facts import Found, answering, heading, is_text, mark, stating
from kag.read.exact.floats import KINDS, captions
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import key, printed, sections
from kag.read.paper import Paper, Section
from kag.values.evidence import Evidence

# Names of parts that are also things a paper may have without a section of that name.
_ALSO_THINGS = re.compile(
    r"limit|fund|background|result|future|availab|suppl|support|contribut|experiment|related|need"
)
_NODES = {**KINDS, "formula": "Formula", "footnote": "Footnote"}


def neighbour(intent: Intent, paper: Paper) -> Found | None:
    """The section printed behind or before one, of those that stand beside it under the same section."""
    assert intent.anchor is not None
    found = sections(paper, intent.anchor)
    if len(found) != 1:
        return None
    section = found[0]
    beside = [one for one in printed(paper) if one.parent == section.parent]
    place = beside.index(section) + (1 if intent.relation == "after" else -1)
    side = "after" if intent.relation == "after" else "before"
    if not 0 <= place < len(beside):
        return Found(searches=(f"section {side} {section.title}",))
    other = beside[place]
    places = (*heading(paper, section), *heading(paper, other))
    return stating(f"The section {side} {section.title} is {other.title}.", other.title, places)


def extent(intent: Intent, paper: Paper) -> Found | None:
    """The top-level section with most, or least, running text, by its characters; a reference list is none."""
    sizes = {section.iri: _size(paper, section) for section in printed(paper) if section.depth == 1}
    filled = {iri: size for iri, size in sizes.items() if size}
    if not filled:
        return None
    pick = max if intent.relation == "longest" else min
    section = paper.sections[pick(filled, key=lambda iri: filled[iri])]
    text = f"The {intent.relation} section is {section.title}."
    return stating(text, section.title, heading(paper, section)) if heading(paper, section) else None


def _size(paper: Paper, section: Section) -> int:
    return sum(len(paper.nodes[iri].text) for iri in paper.within(section.iri) if is_text(paper, iri))


def has_part(intent: Intent, paper: Paper) -> Found | None:
    """Whether the paper has a section of a name, or anything of a kind."""
    if intent.anchor is not None:
        return _has_section(paper, intent.anchor)
    name = intent.quotes[0]
    kind = re.sub(r"s$", "", name)
    if kind in _NODES:
        nodes = paper.of_kind(_NODES[kind])
        places = [_shown(paper, node.iri) for node in nodes]
        return answering(f"The paper has {name}", bool(nodes), [p for p in places if p][:1], f"{name} of {paper.id}")
    if name in ("reference list", "bibliography", "references"):
        entries = list(paper.references.values())
        places = [mark(paper, entry.iri) for entry in entries[:1]]
        return answering("The paper has a reference list", bool(entries), [p for p in places if p], "reference list")
    if kind == "subsection":
        below = [section for section in printed(paper) if section.depth > 1]
        found = [place for section in below[:1] for place in heading(paper, section)]
        return answering("The paper has subsections", bool(below), found, "subsections")
    return None if kind == "keyword" else _has_section(paper, Anchor("section", name, "role"))


def _shown(paper: Paper, iri: str) -> Evidence | None:
    first = next(iter(captions(paper, paper.nodes[iri])), paper.nodes[iri])
    return mark(paper, first.iri)


def _has_section(paper: Paper, anchor: Anchor) -> Found | None:
    found = sections(paper, anchor)
    if not found and anchor.text.startswith("append"):
        found = tuple(section for section in printed(paper) if re.match(r"(?i)\W*append", section.title))
    unprinted = any(key(section.title) == key(anchor.text) for section in paper.sections.values() if section.synthetic)
    if unprinted:
        return None  # it is there without a heading: nothing to show
    if not found and (anchor.sub in ("words", "number") or _ALSO_THINGS.search(anchor.text.lower())):
        return None
    places = [place for section in found[:1] for place in heading(paper, section)]
    said = f"The paper has the section {found[0].title}" if found else ""
    return answering(said, bool(found), places, f"sections called {anchor.text}")
