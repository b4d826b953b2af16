"""The neighbourhood of a node as a graph that can be drawn: never more than `MOST` nodes, the nearest first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from kag.core.errors import UnknownNode
from kag.export.graphs.network import network
from kag.qa.paper import PaperGraph
from kag.serve.papers.reading import State

MOST = 500
_WORDS = 90  # characters of a node's text


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes with their kind, text and page, links with their label; `left` nodes that are near were left out."""

    centre: str
    nodes: tuple[dict[str, Any], ...]
    edges: tuple[dict[str, str], ...]
    left: int = 0


def around(paper: PaperGraph, name: str = "", hops: int = 1, most: int = 60) -> Neighbourhood:
    """What is within some hops of a node; "" is the paper itself. Raises `UnknownNode`."""
    centre = paper.resolve(name) if name.strip() else paper.document
    if centre is None:
        raise UnknownNode(f"no node {name[:80]!r}", hint='Name it as in "ex:b_p001_0004".')
    nodes, edges = network(paper)
    near: dict[str, dict[str, None]] = defaultdict(dict)
    for source, target, _ in edges:
        near[source][target] = None
        near[target][source] = None
    found: dict[str, None] = {centre: None}
    front = [centre]
    for _ in range(hops):
        front = [other for one in front for other in near[one] if other not in found]
        found.update(dict.fromkeys(front))
    kept = dict.fromkeys(list(found)[: min(most, MOST)])
    about = dict(nodes)
    inside = ((a, b, data["label"]) for a, b, data in edges if a in kept and b in kept)
    links = dict.fromkeys(inside)  # two vocabularies may say the same, as po:contains and kag:contains
    return Neighbourhood(
        paper.name(centre),
        tuple(_node(paper, iri, about[iri], len(near[iri])) for iri in kept if iri in about),
        tuple({"source": paper.name(a), "target": paper.name(b), "label": label} for a, b, label in links),
        len(found) - len(kept),
    )


def _node(paper: PaperGraph, iri: str, about: dict[str, Any], degree: int) -> dict[str, Any]:
    text = about["text"]
    return {
        "id": paper.name(iri),
        "kind": about["kind"],
        "page": about["page"],
        "text": text if len(text) <= _WORDS else text[:_WORDS].rsplit(" ", 1)[0] + " …",
        "degree": degree,
    }


def library(state: State, most: int = MOST) -> Neighbourhood:
    """Papers that cite one another; those with most citations first."""
    degree: dict[str, int] = defaultdict(int)
    for pair in state.citations:
        for one in pair:
            degree[one] += 1
    ranked = sorted(state.papers, key=lambda paper: (-degree[paper.id], paper.id))
    kept = {paper.id for paper in ranked[:most]}
    nodes = (
        {"id": one.id, "kind": "Paper", "page": 0, "text": one.title[:_WORDS] or one.id, "degree": degree[one.id]}
        for one in ranked[:most]
    )
    edges = ({"source": a, "target": b, "label": "cites"} for a, b in state.citations if a in kept and b in kept)
    return Neighbourhood("", tuple(nodes), tuple(edges), len(state.papers) - len(kept))
