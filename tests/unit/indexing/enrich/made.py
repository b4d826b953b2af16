"""Workspaces of a few nodes, for tests of passes."""

from __future__ import annotations

from collections.abc import Sequence

from rdflib import URIRef

from kag.core.types import Document
from kag.rdf.namespaces import KAG, RDF
from kag.rdf.workspace import Workspace


def workspace_of(*nodes: tuple[str, URIRef, str]) -> Workspace:
    """A workspace with nodes, each of a name, a class and a text, in reading order."""
    workspace = Workspace(Document("paper", (), (), (), 1, ""))
    for order, (name, cls, text) in enumerate(nodes, start=1):
        node = workspace.node(name)
        workspace.add(node, RDF.type, cls)
        workspace.put(node, KAG.order, order)
        workspace.put(node, KAG.fullText, text)
    return workspace


def named(nodes: Sequence[URIRef]) -> list[str]:
    """The local names of nodes."""
    return [str(node).rpartition("/")[2] for node in nodes]
