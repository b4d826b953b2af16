"""Figures, tables and equations as the pages print them: what each is called, its captions, where it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kag.core.evidence import Evidence
from kag.qa.exact.facts import mark
from kag.qa.paper import Node, PaperGraph
from kag.rdf.namespaces import KAG

KINDS = {"figure": "Figure", "table": "Table", "equation": "Formula"}
_SUPPLEMENT = re.compile(r"supplement|\bbox\b", re.I)  # what is no figure or table of the paper's own count
_OF_A_FIGURE = re.compile(r"-s\d+$")  # a figure supplement: "2-s1"
_OF_A_PART = re.compile(r"(?:ap{1,2}endix|box)\b", re.I)  # a number that begins so has its part's name in it
_LABEL = re.compile(
    r"^\W*(?:(?:ap{1,2}endix|box)(?:\s+\w{1,2})?(?:\s*[—–-]+\s*|\s+)(?=fig|tab))?"
    r"(?:(?:supplementary|supporting|extended data)\s+)?(?:fig(?:ure)?|tab(?:le)?|scheme|chart|plate|box"
    r"|video|algorithm)\b\.?\s*"
    r"(?:[A-Z]?\.?\d+(?:\.\d+)*[a-z]?|[IVXL]+|[A-Z])?\b(?:\s*(?:-|—|–)\s*(?:figure supplement|source "
    r"data)\s*\d+)?[\s.:|,;–—-]*",
    re.I,
)


def called(paper: PaperGraph, node: Node) -> str:
    """What the page calls a float: "Figure 3", "Appendix 1—Figure 2"; "Equation 2" for a numbered formula."""
    if node.label and (_OF_A_PART.match(node.number) or _OF_A_FIGURE.search(node.number)):
        return node.label
    kind = next((name for name, cls in KINDS.items() if cls == node.kind), "figure").capitalize()
    name = re.match(r"\W*([a-z]+)", node.label.lower())
    if name and name[1].rstrip("s") in ("scheme", "chart", "plate", "box"):
        kind = name[1].rstrip("s").capitalize()
    return f"{kind} {node.number}".strip() if node.number else node.label or kind


def captions(paper: PaperGraph, node: Node) -> tuple[Node, ...]:
    """The captions that describe a float, in reading order."""
    return tuple(paper.nodes[iri] for iri in paper.sources(node.iri, KAG.describes))


def distinct(paper: PaperGraph, iris: Iterable[str]) -> list[str]:
    """Floats in reading order, one for each name: a figure in several pictures is one figure."""
    found: dict[str, str] = {}
    for node in sorted((paper.nodes[iri] for iri in iris), key=lambda node: (node.order, node.iri)):
        found.setdefault(called(paper, node) if node.number else node.iri, node.iri)
    return list(found.values())


def captioned(paper: PaperGraph, kind: str) -> list[Node]:
    """The floats of a kind that have a number or a caption; a bare picture is no figure of the paper."""
    nodes = [paper.nodes[iri] for iri in distinct(paper, (node.iri for node in paper.of_kind(KINDS[kind])))]
    named = [node for node in nodes if node.number or captions(paper, node) or kind == "equation"]
    numbered = [node for node in named if node.number] if kind == "equation" else []
    return [node for node in (numbered or named) if not _SUPPLEMENT.search(_shown_label(paper, node))]


def _shown_label(paper: PaperGraph, node: Node) -> str:
    first = next(iter(captions(paper, node)), None)
    match = _LABEL.match(first.plain) if first else None
    return f"{node.label} {match[0] if match else ''}"


def place_of(paper: PaperGraph, node: Node) -> Evidence | None:
    """Where a float can be quoted: its caption, else its own text."""
    first = next(iter(captions(paper, node)), node)
    return mark(paper, first.iri)


def without_label(caption: Node) -> str:
    """What a caption says behind the name of its float."""
    return _LABEL.sub("", caption.plain, count=1).strip()
