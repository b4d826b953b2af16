"""The terms that the files of ontology/ define."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rdflib import Graph, URIRef
from rdflib.namespace import OWL, RDF, RDFS, XSD

from kag.rdf.ontology import ontology_dir

_KINDS = (
    OWL.Class,
    OWL.ObjectProperty,
    OWL.DatatypeProperty,
    OWL.AnnotationProperty,
    OWL.NamedIndividual,
    RDF.Property,
)
_BUILT_IN = (str(RDF), str(RDFS), str(XSD))


@cache
def defined_terms() -> frozenset[URIRef]:
    """Every class and property that the subsets of published vocabularies or our extensions define."""
    folder = ontology_dir()
    files = [*sorted(folder.glob("subsets/*.ttl")), *sorted(folder.glob("*_ext.ttl"))]
    graphs = [Graph().parse(path) for path in files]
    nodes = {term for graph in graphs for kind in _KINDS for term in graph.subjects(RDF.type, kind)}
    return frozenset(term for term in nodes if isinstance(term, URIRef))


def undefined_terms(terms: Iterable[URIRef]) -> tuple[URIRef, ...]:
    """Return the terms that none of our vocabularies defines, sorted; RDF, RDFS and XSD count as known."""
    known = defined_terms()
    return tuple(sorted({term for term in terms if term not in known and not str(term).startswith(_BUILT_IN)}))
