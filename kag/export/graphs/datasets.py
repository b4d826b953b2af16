"""Papers' graphs as one RDF dataset, a named graph a paper and one for each of its layers: N-Quads, JSON-LD.

A graph has the name that a corpus gives it: the IRI of its document, or `kag.rdf.profile.layer_graph` of that.
Equal graphs give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kag.core.errors import RunError
from kag.indexing.run import GRAPH, LAYER_FILES
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import LAYER_PREFIXES
from kag.rdf.ntriples import texts
from kag.rdf.profile import layer_graph


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """The triples of a paper or of a layer of it, as sorted lines of N-Triples without the dot."""

    paper: str
    name: str
    lines: tuple[str, ...]


def graph_of(paper: PaperGraph, turtle: bytes, layer: str = "") -> NamedGraph:
    """The graph of a run, or of a layer of it, from its Turtle; raises `RunError` where that is damaged."""
    from kag.rdf.turtle import from_turtle

    try:
        lines = sorted({" ".join(triple) for triple in texts(from_turtle(turtle))})
    except SyntaxError as error:
        file = LAYER_FILES[layer] if layer else GRAPH
        raise RunError(f"{paper.id}: {file}: {error}", hint="Index the paper again.") from error
    name = layer_graph(paper.document, layer) if layer else paper.document
    return NamedGraph(paper.id, name, tuple(lines))


def to_nquads(graphs: Iterable[NamedGraph]) -> Iterator[str]:
    """N-Quads, graph by graph as they come, the lines of each in order."""
    for graph in graphs:
        yield from (f"{line} <{graph.name}> .\n" for line in graph.lines)


def datasets_to_json_ld(graphs: Iterable[NamedGraph]) -> str:
    """JSON-LD, each graph below its name."""
    import pyoxigraph  # a compiled library: imported when first needed

    quads = list(pyoxigraph.parse("".join(to_nquads(graphs)).encode(), pyoxigraph.RdfFormat.N_QUADS))
    written = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.JSON_LD, prefixes=dict(LAYER_PREFIXES))
    return json.dumps(json.loads(written or b"[]"), ensure_ascii=False, indent=1) + "\n"


def same_triples(graph: NamedGraph, other: bytes) -> bool:
    """Whether a graph holds the triples that N-Triples of a store state, however each spells its literals."""
    try:
        return _held("".join(f"{line} .\n" for line in graph.lines).encode()) == _held(other)
    except (SyntaxError, ValueError):  # what is no N-Triples states nothing
        return False


def _held(triples: bytes) -> frozenset[str]:
    """Triples as the engine keeps them: a number or a date by its value."""
    import pyoxigraph

    store = pyoxigraph.Store()
    store.load(triples, pyoxigraph.RdfFormat.N_TRIPLES)
    return frozenset(f"{quad.subject} {quad.predicate} {quad.object}" for quad in store)
