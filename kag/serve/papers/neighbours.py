"""The neighbourhood of a node as a graph that can be drawn: never more than `MOST` nodes, the nearest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kag.core.errors import UnknownNode
from kag.export.property_graph import Edges, network
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import FOAF
from kag.serve.papers.reading import State

MOST = 500
NEAR = 60  # nodes at first
FAR = 3  # hops at most
_WORDS = 90  # characters of a node's text


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes with their kind, text and page, links with their label; `left` nodes that are near were left out."""

    centre: str
    nodes: tuple[dict[str, Any], ...]
    edges: tuple[dict[str, str], ...]
    left: int = 0


GROUPS: Mapping[str, str] = {
    "Document": "paper",
    "Paper": "paper",
    "Section": "section",
    "Figure": "figure",
    "Table": "figure",
    "Formula": "figure",
    "BibliographicReference": "reference",
    "Person": "person",
    "Organization": "person",
}
"""What a node is drawn as, by its kind; any other is text."""
_MEANS = {"relatesToDocument": "author of", "isRelatedToRoleInTime": "author of"}


def around(paper: PaperGraph, name: str = "", hops: int = 1, most: int = NEAR) -> Neighbourhood:
    """Return the neighbourhood of a node within some hops; "" is the paper itself. Raises `UnknownNode`.

    Shown are the paper, its sections, what it prints and its authors. Other nodes (roles, works, mentions) are left
    out, and a link through one of them is a link of its own.
    """
    centre = paper.resolve(name) if name.strip() else paper.document
    if centre is None:
        raise UnknownNode(f"unknown node {name[:80]!r}", hint='Name it as in "ex:b_p001_0004".')
    nodes, edges = network(paper)
    about = dict(nodes)
    links = _visible(paper, about, edges, centre)
    near: dict[str, dict[str, None]] = defaultdict(dict)
    for source, target in links:
        near[source][target] = None
        near[target][source] = None
    found: dict[str, None] = {centre: None}
    front = [centre]
    for _ in range(hops):
        front = [other for one in front for other in near[one] if other not in found]
        found.update(dict.fromkeys(front))
    kept = dict.fromkeys(list(found)[: min(most, MOST)])
    return Neighbourhood(
        paper.name(centre),
        tuple(_node(paper, iri, about[iri], len(near[iri])) for iri in kept if iri in about),
        tuple(
            {"source": paper.name(a), "target": paper.name(b), "label": _MEANS.get(label, label)}
            for (a, b), label in links.items()
            if a in kept and b in kept
        ),
        len(found) - len(kept),
    )


def _visible(
    paper: PaperGraph, about: Mapping[str, Mapping[str, Any]], edges: Edges, centre: str
) -> dict[tuple[str, str], str]:
    """The links between nodes that people know, by their ends, each pair once."""

    def is_shown(iri: str) -> bool:
        kind = about[iri]["kind"]
        printed = iri == paper.document or iri in paper.sections or iri in paper.nodes or GROUPS.get(kind) == "person"
        return iri == centre or (printed and kind != "SectionTitle")

    links: dict[tuple[str, str], str] = {}
    into: dict[str, list[str]] = defaultdict(list)
    out: list[tuple[str, str, str]] = []
    for source, target, data in edges:
        if is_shown(source) and is_shown(target):
            links.setdefault((source, target), data["label"])
        elif is_shown(source):
            into[target].append(source)
        elif is_shown(target):
            out.append((source, target, data["label"]))
    for hidden, target, label in out:
        for source in into[hidden]:
            if source != target and (target, source) not in links:
                links.setdefault((source, target), label)
    return links


def _node(paper: PaperGraph, iri: str, about: dict[str, Any], degree: int) -> dict[str, Any]:
    text = about["text"]
    if not text and GROUPS.get(about["kind"]) == "person":
        text = paper.graph.value(iri, str(FOAF.name))
    return {
        "id": paper.name(iri),
        "kind": about["kind"],
        "group": GROUPS.get(about["kind"], "text"),
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
        {
            "id": one.id,
            "kind": "Paper",
            "group": "paper",
            "page": 0,
            "text": one.title[:_WORDS] or one.id,
            "degree": degree[one.id],
        }
        for one in ranked[:most]
    )
    edges = ({"source": a, "target": b, "label": "cites"} for a, b in state.citations if a in kept and b in kept)
    return Neighbourhood("", tuple(nodes), tuple(edges), len(state.papers) - len(kept))
