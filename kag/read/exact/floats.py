"""Answers on figures, tables and equations: how many, what one shows, where it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kag.rdf.namespaces import KAG
from kag.read.exact.anchors import Anchor
from kag.read.exact.facts import Found, Item, counting, listing, mark, nothing, sentence, stating
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import floats
from kag.read.paper import Node, Paper
from kag.read.quote import evidence
from kag.text.plain import plain
from kag.values.evidence import Claim, Evidence

KINDS = {"figure": "Figure", "table": "Table", "equation": "Formula"}
UNSURE = 0.5
_SUPPLEMENT = re.compile(r"supplement|\bbox\b", re.I)  # what is no figure or table of the paper's own count
_LABEL = re.compile(
    r"^\W*(?:(?:supplementary|supporting|extended data)\s+)?(?:fig(?:ure)?|tab(?:le)?|scheme|chart|plate|box"
    r"|video|algorithm)\b\.?\s*"
    r"(?:[A-Z]?\.?\d+(?:\.\d+)*[a-z]?|[IVXL]+|[A-Z])?\b(?:\s*(?:-|—|–)\s*(?:figure supplement|source "
    r"data)\s*\d+)?[\s.:|,;–—-]*",
    re.I,
)


def called(paper: Paper, node: Node) -> str:
    """What the page calls a float: "Figure 3"; "Equation 2" for a numbered formula."""
    kind = next((name for name, cls in KINDS.items() if cls == node.kind), "figure").capitalize()
    name = re.match(r"\W*([a-z]+)", node.label.lower())
    if name and name[1].rstrip("s") in ("scheme", "chart", "plate", "box"):
        kind = name[1].rstrip("s").capitalize()
    return f"{kind} {node.number}".strip() if node.number else node.label or kind


def captions(paper: Paper, node: Node) -> tuple[Node, ...]:
    """The captions that describe a float, in reading order."""
    return tuple(paper.nodes[iri] for iri in paper.sources(node.iri, KAG.describes))


def distinct(paper: Paper, iris: Iterable[str]) -> list[str]:
    """Floats in reading order, one for each name: a figure in several pictures is one figure."""
    found: dict[str, str] = {}
    for node in sorted((paper.nodes[iri] for iri in iris), key=lambda node: (node.order, node.iri)):
        found.setdefault(called(paper, node) if node.number else node.iri, node.iri)
    return list(found.values())


def numbers_of(nodes: Iterable[Node]) -> set[str]:
    """The numbers that nodes are printed with."""
    return {node.number for node in nodes}


def about_paper(intent: Intent, paper: Paper) -> Found | None:
    """How many figures, tables and equations the paper has, or which."""
    kinds = intent.subject.split("+")
    if intent.ask == "count":
        counted = [(kind, _count(paper, kind)) for kind in kinds]
        claims = tuple(claim for _, found in counted for claim in found.claims)
        searches = tuple(search for _, found in counted for search in found.searches)
        values = {f"{kind}s": found.value for kind, found in counted if isinstance(found.value, int)}
        return Found(claims, values if len(kinds) > 1 else values[f"{kinds[0]}s"], searches)
    items = [
        Item(called(paper, node), (place,))
        for node in _captioned(paper, kinds[0])
        if (place := place_of(paper, node)) is not None and node.number
    ]
    return listing(f"The {kinds[0]}s are:", items, f"{kinds[0]}s of {paper.id}")


def _count(paper: Paper, kind: str) -> Found:
    nodes = _captioned(paper, kind)
    places = [place for node in nodes if (place := place_of(paper, node))]
    sure = 1.0 if len(places) == len(nodes) else UNSURE
    return counting("The paper has", kind, places, f"{kind}s of {paper.id}", confidence=sure)


def _captioned(paper: Paper, kind: str) -> list[Node]:
    """The floats of a kind that have a number or a caption; a bare picture is no figure of the paper."""
    nodes = [paper.nodes[iri] for iri in distinct(paper, (node.iri for node in paper.of_kind(KINDS[kind])))]
    named = [node for node in nodes if node.number or captions(paper, node) or kind == "equation"]
    numbered = [node for node in named if node.number] if kind == "equation" else []
    return [node for node in (numbered or named) if not _SUPPLEMENT.search(_shown_label(paper, node))]


def _shown_label(paper: Paper, node: Node) -> str:
    first = next(iter(captions(paper, node)), None)
    match = _LABEL.match(first.plain) if first else None
    return f"{node.label} {match[0] if match else ''}"


def place_of(paper: Paper, node: Node) -> Evidence | None:
    """Where a float can be quoted: its caption, else its own text."""
    first = next(iter(captions(paper, node)), node)
    return mark(paper, first.iri)


def absent(anchor: Anchor) -> Found | None:
    """A float that is not there: known by its number it is missing, by its subject it may only be put otherwise."""
    return None if anchor.sub.endswith("words") else nothing(f"{anchor.sub} {anchor.text}")


def about_float(intent: Intent, paper: Paper) -> Found | None:
    """What one figure or table shows, as its caption says, or the page it is on."""
    assert intent.anchor is not None
    found = floats(paper, intent.anchor)
    if not found:
        return absent(intent.anchor)
    if intent.anchor.sub.endswith("words") and len(distinct(paper, (node.iri for node in found))) > 1:
        return None
    node = found[0]
    if intent.subject == "page":
        place = place_of(paper, node)
        text = f"{called(paper, node)} is on page {node.page}."
        return stating(text, node.page, (place,)) if place else nothing(f"page of {called(paper, node)}")
    said = list(dict.fromkeys(caption for one in found for caption in captions(paper, one)))
    if not said:
        return _formula(paper, node) if node.kind == "Formula" else nothing(f"caption of {called(paper, node)}")
    words = " ".join(filter(None, (_without_label(caption) for caption in said)))
    if not words:
        return nothing(f"caption of {called(paper, node)}")
    places = tuple(evidence(paper, caption.iri) for caption in said)
    return Found((Claim(f"{called(paper, node)}: {sentence(words)}", places),), words)


def _formula(paper: Paper, node: Node) -> Found:
    return stating(f"{called(paper, node)}: {plain(node.text)}", plain(node.text), (evidence(paper, node.iri),))


def _without_label(caption: Node) -> str:
    return _LABEL.sub("", caption.plain, count=1).strip()
