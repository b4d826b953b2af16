"""Papers' graphs as RDF: one graph as JSON-LD; a named graph a paper and layer as N-Quads or JSON-LD; annotations.

A graph has the name that a corpus gives it: the IRI of its document, or `kag.rdf.profile.layer_graph` of that. Equal
graphs give equal bytes. Layers become Web Annotations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdflib import Graph

from kag.core.errors import RunError
from kag.indexing.run import GRAPH, LAYER_FILES
from kag.layers.gate import spans
from kag.layers.pipeline import parse_layer
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import KAG, LAYER, LAYER_PREFIXES, OA, PREFIXES, PROV, SKOS
from kag.rdf.ntriples import texts
from kag.rdf.profile import IS_ABOUT, REFERS_TO, layer_graph
from kag.rdf.published import PublishedGraph


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


def to_json_ld(graph: Graph) -> str:
    """The graph as one JSON-LD document, nodes by IRI and values in order: equal graphs, equal bytes."""
    document = json.loads(graph.serialize(format="json-ld", context=dict(sorted(PREFIXES.items()))))
    nodes = document.pop("@graph", None) or [{key: document[key] for key in document if key != "@context"}]
    ordered = [{key: _ordered(node[key]) for key in sorted(node)} for node in nodes if node]
    ordered.sort(key=lambda node: str(node["@id"]))
    return json.dumps({"@context": document["@context"], "@graph": ordered}, ensure_ascii=False, indent=1) + "\n"


def _ordered(values: Any) -> Any:
    return sorted(values, key=lambda value: json.dumps(value, sort_keys=True)) if isinstance(values, list) else values


_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_AROUND = 32  # characters of prefix and suffix
_PLAIN, _FULL = str(KAG.plainText), str(KAG.fullText)


def annotations_of(files: Mapping[str, bytes]) -> str:
    """`to_annotations` from the files of a run; raises `RunError` where a layer is damaged."""
    layers = {name: parse_layer(Path(file), files[file]) for name, file in LAYER_FILES.items() if file in files}
    return to_annotations(PublishedGraph.parse(files[GRAPH]), layers)


def to_annotations(document: PublishedGraph, layers: Mapping[str, PublishedGraph]) -> str:
    """Return all spans of the layers as one annotation page; offsets refer to the text of `kag.layers.source`.

    The body of a mention is its entity with name and identifiers, that of a claim its role.
    """
    items = [
        _annotation(node, layer, layers.get("entity", layer), document)
        for layer in layers.values()
        for node in spans(layer)
    ]
    page = {"@context": _CONTEXT, "type": "AnnotationPage", "items": items}
    return json.dumps(page, ensure_ascii=False, indent=2) + "\n"


def _annotation(node: str, layer: PublishedGraph, entities: PublishedGraph, document: PublishedGraph) -> dict[str, Any]:
    source = layer.value(node, str(PROV.wasDerivedFrom))
    text = document.value(source, _PLAIN) or document.value(source, _FULL)
    start, end = (int(layer.value(node, str(name)) or 0) for name in (OA.start, OA.end))
    quote = {
        "type": "TextQuoteSelector",
        "exact": layer.value(node, str(OA.exact)),
        "prefix": text[max(0, start - _AROUND) : start],
        "suffix": text[end : end + _AROUND],
    }
    place = {"type": "TextPositionSelector", "start": start, "end": end}
    return {
        "id": node,
        "type": "Annotation",
        "body": list(_bodies(node, layer, entities)),
        "target": {"source": source, "selector": [place, quote]},
    }


def _bodies(node: str, layer: PublishedGraph, entities: PublishedGraph) -> Iterator[dict[str, Any]]:
    """Return the annotation bodies of a span: the entities it names or is about, and its role or kind as a tag."""
    for name, purpose in ((REFERS_TO, "identifying"), (IS_ABOUT, "linking")):
        for entity in layer.values(node, str(name)):
            same = entities.values(entity, str(SKOS.exactMatch))
            label = {"type": "TextualBody", "value": entities.value(entity, str(SKOS.prefLabel)), "purpose": purpose}
            yield from ({"id": iri, "purpose": purpose} for iri in (entity, *same))
            yield label
    for name in (LAYER.role, LAYER.kind):
        if tag := layer.value(node, str(name)):
            yield {"type": "TextualBody", "value": tag, "purpose": "tagging"}
