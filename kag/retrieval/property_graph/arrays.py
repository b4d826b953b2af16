"""A graph handed to a library for whole-graph algorithms: rustworkx or igraph, neither of which is needed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kag.core.errors import MissingExtra

if TYPE_CHECKING:
    from kag.retrieval.property_graph.engine import GraphEngine


def to_rustworkx(graph: GraphEngine) -> Any:
    """A `rustworkx.PyDiGraph` whose nodes are our nodes and whose edges are our edges, in the same order."""
    try:
        import rustworkx  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise MissingExtra("rustworkx is not installed", hint="Run: pip install rustworkx") from error
    found = rustworkx.PyDiGraph(multigraph=True)
    places = dict(zip(graph.tables.nodes, found.add_nodes_from(list(graph.nodes)), strict=True))
    found.add_edges_from([(places[edge.source], places[edge.target], edge) for edge in graph.edges])
    return found


def to_igraph(graph: GraphEngine) -> Any:
    """An `igraph.Graph` with `name` and `label` of nodes and edges as columns, in the same order."""
    try:
        import igraph  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise MissingExtra("igraph is not installed", hint="Run: pip install igraph") from error
    places = {name: place for place, name in enumerate(graph.tables.nodes)}
    ends = [(places[edge.source], places[edge.target]) for edge in graph.edges]
    found = igraph.Graph(n=len(places), edges=ends, directed=True)
    found.vs["name"], found.vs["label"] = list(places), [node.label for node in graph.nodes]
    found.es["name"], found.es["label"] = [e.id for e in graph.edges], [e.label for e in graph.edges]
    return found
