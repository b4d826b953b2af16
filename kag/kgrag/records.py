"""A graph of a domain as records to search: a chunk a node, its edges as links, for every search plan."""

from __future__ import annotations

from collections.abc import Iterator

from kag.kgrag.domain import Domain
from kag.retrieval.chunk import Chunk, ChunkKind
from kag.retrieval.property_graph.engine import GraphEngine

NAMED = 20
"""Neighbours that the text of a record names, of each edge and direction."""


def records(graph: GraphEngine, domain: Domain) -> Iterator[Chunk]:
    """The nodes as chunks: name, properties and named neighbours are their text; `links` are the nodes at its edges."""
    names = {node.id: domain.name_of(node.label, node.props) or node.id for node in graph.nodes}
    for node in graph.nodes:
        lines = [f"{names[node.id]} ({node.label})"]
        lines += [f"{key}: {value}" for key, value in node.props.items() if value not in (None, "", names[node.id])]
        near: dict[str, list[str]] = {}
        links = graph.edges_of(node.id)
        for link in links:
            end = link.other(node.id)
            about = link.label if link.source == node.id else f"{link.label} of"
            near.setdefault(about, []).append(names[end])
        lines += [f"{label}: {', '.join(dict.fromkeys(ends[:NAMED]))}" for label, ends in near.items()]
        outgoing = tuple(dict.fromkeys(link.target for link in links if link.source == node.id))
        yield Chunk(node.id, "\n".join(lines), ChunkKind.RECORD, title=names[node.id], topic=node.label, links=outgoing)
