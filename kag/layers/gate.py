"""Checks of layers: terms, ownership of nodes, shapes and quotes; and validation of whole runs by pySHACL.

A run is validated document by its shapes, each layer by its own, and several runs as one graph by the shapes of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from rdflib import Graph

from kag.core.errors import NotConforming, RunError
from kag.core.files import shown
from kag.core.report import Issue, Report
from kag.indexing.run import layers_of, load_run, read_file
from kag.layers.source import Source, text_of
from kag.rdf.namespaces import OA, PROV, RDF
from kag.rdf.ntriples import TextTriple, term, texts
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC, LAYERS, PROFILES, GraphProfile
from kag.rdf.published import PublishedGraph
from kag.rdf.pyshacl_validator import referee
from kag.rdf.shacl import Validator
from kag.rdf.turtle import from_turtle

_TYPE = term(RDF.type)


@cache
def validator(layer: str) -> Validator:
    """The compiled shapes of a layer; compiled once a process."""
    return Validator(load_shapes(PROFILES[layer]))


def check_layer(profile: GraphProfile, triples: Iterable[TextTriple], below: Iterable[TextTriple]) -> Report:
    """Return the violations of a layer over the layers `below` it; of the document, node classes suffice."""
    own, under = list(triples), list(below)
    return Report.of([*foreign(profile, own, under), *validator(profile.name).report([*own, *under]).issues])


def foreign(profile: GraphProfile, triples: Iterable[TextTriple], below: Iterable[TextTriple]) -> Iterator[Issue]:
    """Terms that the layer's profile does not name, and nodes that belong to a layer below."""
    classes, properties = frozenset(map(term, profile.classes)), frozenset(map(term, profile.properties))
    taken = {subject for subject, _, _ in below}
    for subject, predicate, value in triples:
        known = predicate in properties and (predicate != _TYPE or value in classes)
        if not known:
            named = value if predicate == _TYPE else predicate
            hint = f'Remove the node, op_remove_node(node, graph="{profile.name}"), and use a term of its profile.'
            yield Issue(subject, predicate, "Profile", f"{named} is not a term of the {profile.name} layer. {hint}")
        if subject in taken:
            hint = f'Make a node of its own: op_create_node(text_node, class_iri, start, end, graph="{profile.name}").'
            yield Issue(subject, predicate, "ReadOnly", f"The {profile.name} layer may not change this node. {hint}")


def require(profile: GraphProfile, report: Report, paper: str) -> None:
    """Raise `NotConforming` where a layer is not right."""
    if report.issues:
        first = report.issues[0]
        count = len(report.issues)
        hint = f"{first.message} ({first.focus})"
        raise NotConforming(f"{paper}: the {profile.name} layer has {count} violations", hint=hint)


_START, _END, _EXACT = str(OA.start), str(OA.end), str(OA.exact)
_FROM = str(PROV.wasDerivedFrom)


def audit_layer(layer: PublishedGraph, source: Source) -> Report:
    """Return the statements of a layer without support in its text; issues carry the node as focus."""
    return Report.of(_misquotes(layer, source))


def spans(layer: PublishedGraph) -> list[str]:
    """Return the nodes of a layer with a span in a text."""
    return sorted(node for node in layer if layer.value(node, _EXACT))


def _misquotes(layer: PublishedGraph, source: Source) -> Iterator[Issue]:
    for node in spans(layer):
        try:
            start, end = int(layer.value(node, _START)), int(layer.value(node, _END))
        except ValueError:
            yield _issue(node, "NoSpan", "start or end is no number")
            continue
        text = text_of(source.graph, layer.value(node, _FROM))
        if start < 0 or text[start:end] != layer.value(node, _EXACT):
            reason = "the text has no such characters" if end > len(text) else f"there stands {text[start:end][:60]!r}"
            yield _issue(node, "TextChanged", f"what it quotes does not stand at {start} to {end}: {reason}")


def _issue(node: str, kind: str, message: str) -> Issue:
    return Issue(f"<{node}>", "", kind, f"{message}. Make the layers again: `kag layers RUN --force`.")


def graphs_of(run: Path) -> dict[str, Graph]:
    """The graphs of a run by the names of their layers, the document's first; raises `RunError`."""
    found = {DOC.name: load_run(run).graph}
    for name, file in layers_of(run).items():
        try:
            found[name] = from_turtle(read_file(run, file))
        except (SyntaxError, ValueError) as error:
            hint = "The file was changed or damaged; make it again: `kag layers RUN --force`."
            raise RunError(f"{shown(run / file)}: {error}", hint=hint) from error
    return found


def validate_run(run: Path) -> dict[str, Report]:
    """Validate a run's document and each of its layers with pyshacl."""
    graphs = graphs_of(run)
    reports = {DOC.name: referee(graphs[DOC.name], load_shapes(DOC))}
    for name in graphs.keys() - {DOC.name}:
        profile = LAYERS[name]
        below = _joined(graphs[one] for one in profile.rests_on if one in graphs)
        strange = foreign(profile, texts(graphs[name]), texts(below))
        shaped = referee(_joined((below, graphs[name])), load_shapes(profile))
        reports[name] = Report.of([*shaped.issues, *strange])
    return {name: reports[name] for name in PROFILES if name in reports}


def validate_union(runs: Iterable[Path]) -> Report:
    """Validate the union of some runs' graphs with pyshacl, by the shapes of all layers present."""
    found = [graphs_of(run) for run in runs]
    names = {DOC.name}.union(*found)
    shapes = _joined(load_shapes(PROFILES[name]) for name in names)
    return referee(_joined(graph for graphs in found for graph in graphs.values()), shapes)


def _joined(graphs: Iterable[Graph]) -> Graph:
    together = Graph(bind_namespaces="none")
    for graph in graphs:
        together += graph
    return together
