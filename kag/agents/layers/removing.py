"""What goes with what a model removes from layers: nothing may be left that speaks of it, or that was of it alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rdflib import URIRef
from rdflib.term import Node

from kag.rdf.layer_profiles import REFERS_TO
from kag.rdf.namespaces import SAID, SKOS
from kag.rdf.workspace import Workspace

_PARTS = (SAID.hasMatch, SAID.hasScope, SAID.cue)
_SAME = (SKOS.exactMatch, SKOS.closeMatch)


def remove_node(graphs: Mapping[str, Workspace], graph: str, node: URIRef) -> int:
    """Take a node out of a graph, the links to it out of all, with its matches, scopes, and mentions of it alone.

    Returns how many triples that were.
    """
    gone = [node, *_owned(graphs[graph], node)]
    return sum(_take(each, triple) for each in graphs.values() for one in gone for triple in _about(each, one))


def remove_link(workspace: Workspace, subject: URIRef, property_: URIRef, value: URIRef) -> int:
    """Take a link away, of an identifier also what tells how sure it was; returns how many triples that were."""
    matches = workspace.links(subject, SAID.hasMatch) if property_ in _SAME else []
    gone = [match for match in matches if value in workspace.links(match, SAID.matches)]
    count = _take(workspace, (subject, property_, value))
    return count + sum(_take(workspace, triple) for match in gone for triple in _about(workspace, match))


def _owned(workspace: Workspace, node: URIRef) -> Iterator[URIRef]:
    """What is of a node alone."""
    for mention in workspace.sources(REFERS_TO, node):
        if workspace.links(mention, REFERS_TO) == [node]:
            yield mention
    for property_ in _PARTS:
        for part in workspace.links(node, property_):
            yield part
            yield from _owned(workspace, part)


def _about(workspace: Workspace, node: URIRef) -> list[tuple[Node, Node, Node]]:
    graph = workspace.graph
    return [*graph.triples((node, None, None)), *graph.triples((None, None, node))]


def _take(workspace: Workspace, triple: tuple[Node, Node, Node]) -> bool:
    subject, property_, value = triple
    return workspace.remove(URIRef(str(subject)), URIRef(str(property_)), value)
