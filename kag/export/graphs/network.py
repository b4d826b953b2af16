"""A paper's graph as nodes and edges, for libraries of graphs: what networkx takes as it is."""

from __future__ import annotations

from typing import Any

from kag.qa.paper import PaperGraph, local_name
from kag.rdf.namespaces import RDF

Nodes = list[tuple[str, dict[str, Any]]]
Edges = list[tuple[str, str, dict[str, Any]]]


def network(paper: PaperGraph) -> tuple[Nodes, Edges]:
    """The nodes and the links between them, in the order of their IRIs.

    A node has `kind` (a class's local name), `page` (0 where it has none) and `text` (plain words: of a section its
    title, of the paper its title); an edge `label`, the property's local name ("contains", "cites").
    """
    graph = paper.graph
    names = sorted(graph)
    nodes = [(iri, _about(paper, iri)) for iri in names]
    edges = [
        (iri, value, {"label": local_name(predicate)})
        for iri in names
        for predicate, values in sorted(graph.properties(iri).items())
        if graph.is_link(predicate)
        for value in values
        if value in graph
    ]
    return nodes, edges


def _about(paper: PaperGraph, iri: str) -> dict[str, Any]:
    if iri == paper.document:
        return {"kind": "Document", "page": 0, "text": paper.title}
    if section := paper.sections.get(iri):
        return {"kind": "Section", "page": section.page, "text": section.title}
    if node := paper.nodes.get(iri):
        return {"kind": node.kind, "page": node.page, "text": node.plain}
    classes = paper.graph.values(iri, str(RDF.type))
    surface = paper.graph.value(iri, "http://purl.org/spar/c4o/hasContent")
    return {"kind": local_name(classes[0]) if classes else "", "page": 0, "text": surface}
