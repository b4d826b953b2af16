"""The gate of the layers: no term outside the profile, no word on a node of another layer, and the shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from kag.core.errors import NotConforming
from kag.core.report import Issue, Report
from kag.rdf.layer_profiles import PROFILES
from kag.rdf.namespaces import RDF
from kag.rdf.ntriples import TextTriple, term
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import GraphProfile
from kag.rdf.shacl import Validator

_TYPE = term(RDF.type)


@cache
def validator(layer: str) -> Validator:
    """The compiled shapes of a layer; compiled once a process."""
    return Validator(load_shapes(PROFILES[layer]))


def check_layer(profile: GraphProfile, triples: Iterable[TextTriple], below: Iterable[TextTriple]) -> Report:
    """What is wrong with a layer over the layers `below` it; of the document the classes of nodes are enough."""
    own, under = list(triples), list(below)
    return Report.of([*foreign(profile, own, under), *validator(profile.name).whole([*own, *under])])


def foreign(profile: GraphProfile, triples: Iterable[TextTriple], below: Iterable[TextTriple]) -> Iterator[Issue]:
    """Terms that the layer's profile does not name, and nodes that belong to a layer below."""
    classes, properties = frozenset(map(term, profile.classes)), frozenset(map(term, profile.properties))
    taken = {subject for subject, _, _ in below}
    for subject, predicate, value in triples:
        known = predicate in properties and (predicate != _TYPE or value in classes)
        if not known:
            named = value if predicate == _TYPE else predicate
            hint = f'Remove the node, op_remove_node(node, graph="{profile.name}"), and use a term of its profile.'
            yield Issue(subject, predicate, "Profile", f"{named} is no term of the {profile.name} layer. {hint}")
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
