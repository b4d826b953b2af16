"""Triples that follow from a finished graph, added so that plain queries find them without a reasoner or schema.

Each printed text gets its plain words, a float the kind of thing that its label calls it, the paper a link to each
entry of its reference list, and what contains something says so in the terms of the Pattern Ontology, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib import URIRef

from kag.rdf.namespaces import DEO, DOCO, KAG, PO
from kag.rdf.workspace import Workspace
from kag.text.plain import plain

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
