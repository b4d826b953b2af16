"""The tools by which a model writes layers: those of documents, with a `graph` argument.

Nothing about a span is the model's: characters, place and text come from the document, numbers and units of a
measured value from the reader of quantities. Profile and shapes decide what a graph may contain, as they do for rules.
With what a model removes goes all that refers to it or was of it alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from rdflib import URIRef
from rdflib.term import Node

from kag import __version__
from kag.core.errors import BadValue, UnknownNode, UnknownTerm
from kag.core.report import Issue
from kag.core.tool import tool
from kag.indexing.tools.build_tools import Names
from kag.layers.gate import check_layer
from kag.layers.graphs import numbers_of
from kag.layers.pipeline import document_types
from kag.layers.sheet import concept_iri, span_name
from kag.layers.source import Source, text_of
from kag.layers.values import Entity, Identifier, Mention
from kag.rdf.namespaces import CITO, LAYER, OA, PROV, QUDT, RDF, SKOS
from kag.rdf.ntriples import is_iri
from kag.rdf.profile import KIND_CLASSES, LAYERS, LINK, MEASURED, REFERS_TO
from kag.rdf.workspace import Workspace, typed_literal
from kag.text.quantities import Quantity, find_quantities, read_quantity

_ELSEWHERE = ("http://", "https://")


class LayerNames:
    """The graphs of one paper that may be written, and the document's below them, which may not."""

    def __init__(self, source: Source, graphs: Mapping[str, Workspace]) -> None:
        self._source, self._graphs = source, graphs
        self._names = {name: Names(graph) for name, graph in graphs.items()}

    def graph(self, name: str) -> Workspace:
        """The graph of a layer that may be written; raises `BadValue`."""
        workspace = self._graphs.get(name)
        if workspace is None:
            why = "the document's graph is read-only" if name == "doc" else f"there is no graph {name!r}"
            raise BadValue(why, hint=f"Give graph= one of {', '.join(self._graphs)}.")
        return workspace

    def names(self, graph: str) -> Names:
        """Names in one graph; raises `BadValue`."""
        self.graph(graph)
        return self._names[graph]

    def text_node(self, name: str) -> str:
        """The IRI of a text of the document; raises `UnknownNode`."""
        iri = str(next(iter(self._graphs.values())).resolve(name if ":" in name else f"ex:{name}"))
        if iri not in self._source.graph:
            raise UnknownNode(f"the document has no text {name!r}", hint="Texts are the keys of `texts`.")
        return iri

    def property_(self, name: str, graph: str, *, links: bool) -> URIRef:
        """A property of a graph's profile that links nodes, or one that does not; raises what `Names` raises."""
        found = self.names(graph).property_(name)
        if (self.graph(graph).profile.properties[found] == LINK) is not links:
            other = "op_set_single_literal" if links else "op_add_iri_link or op_set_single_iri_link"
            raise BadValue(f"{name} {'takes a literal' if links else 'links nodes'}", hint=f"Use {other}.")
        return found

    def target(self, name: str, graph: str) -> URIRef:
        """Return the target of a link: a node of this graph or of one below, or an IRI elsewhere."""
        text = name.strip().removeprefix("<").removesuffix(">")
        workspace = self.graph(graph)
        if text.startswith(_ELSEWHERE) and not text.startswith(workspace.base):
            if not is_iri(text):
                raise BadValue(f"{name!r} is not an IRI", hint="Percent-encode what an IRI cannot hold.")
            return URIRef(text)
        found = workspace.resolve(name)
        if not found.startswith(workspace.base) or self._is_there(found):
            return found
        raise UnknownNode(f"{name} does not exist", hint="Create it with op_create_node or op_assert_type.")

    def _is_there(self, node: URIRef) -> bool:
        return str(node) in self._source.graph or any(graph.exists(node) for graph in self._graphs.values())


_PARTS = (LAYER.hasMatch, LAYER.hasScope, LAYER.cue)
_SAME = (SKOS.exactMatch, SKOS.closeMatch)


def remove_node(graphs: Mapping[str, Workspace], graph: str, node: URIRef) -> int:
    """Take a node out of a graph, the links to it out of all, with its matches, scopes, and mentions of it alone.

    Returns how many triples that were.
    """
    gone = [node, *_owned(graphs[graph], node)]
    return sum(_take(each, triple) for each in graphs.values() for one in gone for triple in _about(each, one))


def remove_link(workspace: Workspace, subject: URIRef, property_: URIRef, value: URIRef) -> int:
    """Remove a link, and for an identifier its confidence; return the number of triples removed."""
    matches = workspace.links(subject, LAYER.hasMatch) if property_ in _SAME else []
    gone = [match for match in matches if value in workspace.links(match, LAYER.matches)]
    count = _take(workspace, (subject, property_, value))
    return count + sum(_take(workspace, triple) for match in gone for triple in _about(workspace, match))


def _owned(workspace: Workspace, node: URIRef) -> Iterator[URIRef]:
    """Return the triples that belong to one node only."""
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


_LETTERS = {LAYER.Mention: "m", QUDT.QuantityValue: "q", LAYER.Claim: "c", LAYER.Scope: "s", CITO.Citation: "w"}
_MOST_ROWS, _MOST_NODES = 25, 10


class LayerTools:
    """The tools over the layers of one paper, made by `model`. Each successful operation returns {"ok": true, ...}."""

    def __init__(self, source: Source, graphs: Mapping[str, Workspace], model: str) -> None:
        self._source, self._graphs, self._model = source, graphs, model
        self._names = LayerNames(source, graphs)
        self._below = list(document_types(source.graph))
        self.finished = -1  # sum of the graphs' versions when finalize_graph last returned READY

    @tool
    def op_create_node(
        self, text_node: str, class_iri: str, start: int, end: int, graph: str = "entity"
    ) -> dict[str, Any]:
        """Create the node of what stands in a text from one character to another: kag:Mention, qudt:QuantityValue,
        kag:Claim, kag:Scope or cito:Citation. Its words, place and, of a value, numbers and unit are filled in.

        Returns {"ok": true, "node": "ex:m-...", "words": what stands there}.
        """
        workspace = self._names.graph(graph)
        cls = self._names.names(graph).class_(class_iri)
        if cls not in _LETTERS:
            known = ", ".join(sorted(workspace.curie(one) for one in _LETTERS))
            raise UnknownTerm(f"{class_iri} does not stand in a text", hint=f"Take {known}, or op_assert_type.")
        host = self._names.text_node(text_node)
        text = text_of(self._source.graph, host)
        if not 0 <= start < end <= len(text):
            raise BadValue(f"[{start}:{end}] is not in {text_node}", hint=f"Give 0 <= start < end <= {len(text)}.")
        words = Mention(host, start, end, text[start:end], "", 1.0, self._model)
        letter = "k" if graph == "claim" and cls == LAYER.Mention else _LETTERS[cls]
        node = workspace.node(span_name(letter, words))
        if workspace.exists(node):
            raise BadValue(f"{workspace.curie(node)} exists already", hint="Use it, or op_remove_node first.")
        values = _read(words.text) if cls == QUDT.QuantityValue else None
        workspace.add(node, RDF.type, cls)
        for property_, value in ((OA.exact, words.text), (OA.start, start), (OA.end, end)):
            workspace.put(node, property_, value)
        workspace.add(node, PROV.wasDerivedFrom, URIRef(host))
        workspace.add(node, PROV.wasGeneratedBy, self._activity(workspace))
        if values is not None:
            _fill(workspace, node, values)
        return {"ok": True, "node": workspace.curie(node), "words": words.text}

    @tool
    def op_assert_type(self, node_iri: str, class_iri: str, graph: str = "entity") -> dict[str, Any]:
        """Add a type to a node, or begin one that stands in no text, such as "ex:e-spleen" of kag:Entity.

        Returns {"ok": true, "node": ..., "type": ...}.
        """
        workspace, names = self._names.graph(graph), self._names.names(graph)
        node, cls = names.own(node_iri), names.class_(class_iri)
        if str(node) in self._source.graph:
            raise BadValue(f"{node_iri} is the document's, which is read-only", hint="Begin a node of your own.")
        added = workspace.add(node, RDF.type, cls)
        if added:
            workspace.add(node, PROV.wasGeneratedBy, self._activity(workspace))
        return {"ok": True, "node": workspace.curie(node), "type": workspace.curie(cls), "added": added}

    @tool
    def op_set_single_literal(
        self, node_iri: str, property_iri: str, value: str | int | float | bool, graph: str = "entity"
    ) -> dict[str, Any]:
        """Set a property to one value. Returns {"ok": true, "node": ..., "property": ..., "value": ...}."""
        workspace = self._names.graph(graph)
        node, property_ = (
            self._names.names(graph).node(node_iri),
            self._names.property_(property_iri, graph, links=False),
        )
        if property_ in (OA.exact, OA.start, OA.end):
            raise BadValue(f"{property_iri} is what the text has", hint="Create the node with op_create_node.")
        literal = typed_literal(value, workspace.profile.properties[property_])
        workspace.set(node, property_, literal)
        return {"ok": True, "node": node_iri, "property": property_iri, "value": literal.toPython()}

    @tool
    def op_add_iri_link(
        self, subject_iri: str, predicate_iri: str, object_iri: str, graph: str = "entity"
    ) -> dict[str, Any]:
        """Link a node to another, also of a layer below, or to an IRI elsewhere ("unit:KiloGM", an identifier).

        Returns {"ok": true, "added": true}.
        """
        workspace = self._names.graph(graph)
        property_ = self._names.property_(predicate_iri, graph, links=True)
        node, target = self._names.names(graph).node(subject_iri), self._names.target(object_iri, graph)
        return {"ok": True, "added": workspace.add(node, property_, target)}

    @tool
    def op_set_single_iri_link(
        self, subject_iri: str, predicate_iri: str, object_iri: str, graph: str = "entity"
    ) -> dict[str, Any]:
        """The same, and all other links of (subject, predicate) go. Returns {"ok": true}."""
        workspace = self._names.graph(graph)
        property_ = self._names.property_(predicate_iri, graph, links=True)
        node, target = self._names.names(graph).node(subject_iri), self._names.target(object_iri, graph)
        workspace.set(node, property_, target)
        return {"ok": True}

    @tool
    def op_remove_iri_link(
        self, subject_iri: str, predicate_iri: str, object_iri: str, graph: str = "entity"
    ) -> dict[str, Any]:
        """Take one link away, such as a wrong identifier. Returns {"ok": true, "removed": <triples>}."""
        workspace = self._names.graph(graph)
        property_ = self._names.property_(predicate_iri, graph, links=True)
        node, target = self._names.names(graph).node(subject_iri), self._names.target(object_iri, graph)
        return {"ok": True, "removed": remove_link(workspace, node, property_, target)}

    @tool
    def op_remove_node(self, node_iri: str, graph: str = "entity") -> dict[str, Any]:
        """Remove a node with its links, mentions, matches and scopes. Returns {"ok": true, "removed": <triples>}."""
        node = self._names.names(graph).node(node_iri)
        return {"ok": True, "removed": remove_node(self._graphs, graph, node)}

    @tool
    def validate_graph(self, graph: str = "entity") -> list[dict[str, Any]]:
        """Check a graph. Returns [] or [{"message": what is wrong and the call that fixes it, "count", "nodes"}]."""
        self._names.graph(graph)
        return _rows(self._issues(graph), self._graphs[graph])

    @tool
    def finalize_graph(self, answer: str = "") -> dict[str, Any]:
        """Finish: refused until all graphs conform. Returns {"ok": true, "status": "READY"} or {"ok": false, ...}."""
        self._complete()
        rows = [
            {**row, "graph": name} for name in self._graphs for row in _rows(self._issues(name), self._graphs[name])
        ]
        if rows:
            hint = "Repair what the messages say, then call finalize_graph again."
            result = {"ok": False, "status": "NOT_READY", "error": f"{len(rows)} kinds of violations"}
            return {**result, "code": "not_conforming", "hint": hint, "violations": rows}
        self.finished = self.version
        return {"ok": True, "status": "READY", "answer": answer}

    @property
    def version(self) -> int:
        """Grows with each change of any graph."""
        return sum(graph.version for graph in self._graphs.values())

    def _issues(self, name: str) -> tuple[Issue, ...]:
        below = list(self._below)
        for other in LAYERS[name].rests_on:
            below += self._graphs[other].texts() if other in self._graphs else []
        return check_layer(LAYERS[name], self._graphs[name].texts(), below).issues

    def _complete(self) -> None:
        """Fill in what follows from the rest: an entity's texts, the class of its kind, and which concept it is."""
        workspace = self._graphs["entity"]
        for node in workspace.of_type(LAYER.Entity):
            name, kind = workspace.text(node, SKOS.prefLabel), workspace.text(node, LAYER.kind)
            for mention in workspace.sources(REFERS_TO, node):
                for text in workspace.links(mention, PROV.wasDerivedFrom):
                    workspace.add(node, PROV.wasDerivedFrom, text)
            if kind in KIND_CLASSES:
                for cls in {*KIND_CLASSES.values()} - {KIND_CLASSES[kind]}:
                    workspace.remove(node, RDF.type, cls)
                workspace.add(node, RDF.type, KIND_CLASSES[kind])
            same = tuple(Identifier(str(iri), "exact", 1.0) for iri in workspace.links(node, SKOS.exactMatch))
            workspace.set(node, LAYER.concept, URIRef(concept_iri(Entity(name, kind, (), (), same))))

    def _activity(self, workspace: Workspace) -> URIRef:
        node = workspace.node(f"by-{workspace.profile.name}-model")
        if workspace.add(node, RDF.type, PROV.Activity):
            workspace.put(node, LAYER.rule, f"model {self._model}")
            workspace.put(node, LAYER.version, __version__)
            workspace.add(node, PROV.used, workspace.paper)
        return node


def _read(words: str) -> Quantity:
    """The value that some words are; raises `BadValue` where they print none."""
    quantity = next(iter(find_quantities(words)), None) or read_quantity(words.strip())
    if quantity is None or not numbers_of(quantity):
        raise BadValue(f"{words[:80]!r} prints no value", hint="Give the characters of a number with its unit.")
    return quantity


def _fill(workspace: Workspace, node: URIRef, value: Quantity) -> None:
    workspace.add(node, RDF.type, MEASURED)
    for property_, number in numbers_of(value).items():
        workspace.put(node, property_, number)
    literals = ((LAYER.unitText, value.unit), (LAYER.unitName, value.unit_canonical), (LAYER.bound, value.bound))
    for property_, text in (*literals, (LAYER.uncertaintyKind, value.uncertainty_kind)):
        if text:
            workspace.put(node, property_, text)
    if value.unit_iri:
        workspace.add(node, QUDT.unit, URIRef(value.unit_iri))


def _rows(issues: tuple[Issue, ...], workspace: Workspace) -> list[dict[str, Any]]:
    """Issues by message, the most frequent first, bounded in rows and nodes."""
    nodes: dict[str, set[str]] = defaultdict(set)
    for issue in issues:
        nodes[issue.message].add(workspace.curie(URIRef(issue.focus.strip("<>"))))
    ranked = sorted(nodes.items(), key=lambda item: (-len(item[1]), item[0]))[:_MOST_ROWS]
    return [{"message": text, "count": len(names), "nodes": sorted(names)[:_MOST_NODES]} for text, names in ranked]
