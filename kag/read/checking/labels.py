"""What the page calls the places of evidence: numbers of figures, references and sections that a claim may name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kag.read.paper import CITES, REFERS, Node, PaperGraph
from kag.values.evidence import Evidence

_RANGE = re.compile(r"(\d{1,4})\s*[-–—−]\s*(\d{1,4})(?![\d.])")
_LABELLED = re.compile(
    r"\b(?P<kind>fig(?:ure)?s?|tables?|schemes?|sections?|references?|refs?|pages?|equations?|eqs?)\.?\s*"
    r"(?P<numbers>[\[(]?[A-Z]?\d+(?:\.\d+)*[a-z]?[\])]?(?:\s*(?:,|;|and|&|-|–|to)\s*[\[(]?[A-Z]?\d+(?:\.\d+)*[a-z]?[\])]?)*)",
    re.I,
)
_RANGED = 500  # numbers of a range that are filled in
_BRACKETED = re.compile(r"\[(\d+)\]")


def without_labels(text: str, evidence: Iterable[Evidence], papers: Mapping[str, PaperGraph]) -> str:
    """The text without "Figure 3", "references 4, 5" and "[6]" where the evidence is so numbered."""
    labels: set[str] = set()
    for one in evidence:
        paper = papers.get(one.paper)
        node = paper.nodes.get(one.node) if paper else None
        if paper and node:
            labels |= _labels(paper, node, one)

    def drop(match: re.Match[str]) -> str:
        named = _range_numbers(match[2] if match.re is _LABELLED else match[1])
        return " " if named <= labels else match[0]

    return _BRACKETED.sub(drop, _LABELLED.sub(drop, text))


def _labels(paper: PaperGraph, node: Node, evidence: Evidence) -> set[str]:
    """What the page itself calls the node and what its call-outs in the span point to, in numbers."""
    found = {node.number.lower(), str(node.page)}
    for name in (described for described in paper.targets(node.iri, "http://la3d.local/kag#describes")):
        found.add(paper.nodes[name].number.lower() if name in paper.nodes else "")
    section = paper.section_of(node.iri)
    found.add(section.number.lower() if section else "")
    for mention in paper.mentions.get(node.iri, ()):
        if mention.start < evidence.end and mention.end > evidence.start:
            found |= {paper.nodes[target].number.lower() for target in mention.targets if target in paper.nodes}
    if not paper.mentions:  # an older graph keeps links without their characters
        linked = paper.targets(node.iri, CITES, REFERS)
        found |= {paper.nodes[target].number.lower() for target in linked if target in paper.nodes}
    return found - {""}


def _range_numbers(text: str) -> set[str]:
    """The labels in "4, 5 and 7-9", ranges filled in."""
    found = {number.lower() for number in re.findall(r"[A-Za-z]?\d+(?:\.\d+)*", text)}
    for first, last in _RANGE.findall(text):
        if int(last) - int(first) < _RANGED:
            found |= {str(number) for number in range(int(first), int(last))}
    return found
