"""The compiled validator: what it reports, where it agrees with pySHACL, and which input it refuses."""

from __future__ import annotations

import pytest
from rdflib import BNode, Graph, Literal, Namespace, URIRef
from rdflib.namespace import RDF, RDFS, SH, XSD

from kag.core.errors import BadValue, OntologyError
from kag.rdf.pyshacl_validator import path_text, referee
from kag.rdf.shacl import Validator

E = Namespace("http://e/")
HEAD = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
CLOSED = """e:S a sh:NodeShape ; sh:targetClass e:A ; sh:closed true ; sh:ignoredProperties ( rdf:type ) ;
    sh:message "m" ; sh:property [ sh:path e:p ] ."""
INVERSE_SEQUENCE = """e:S a sh:NodeShape ; sh:targetClass e:A ;
    sh:property [ sh:path [ sh:inversePath ( e:p e:q ) ] ; sh:minCount 1 ; sh:message "m" ] ."""
CLASS_OF_VALUE = """e:S a sh:NodeShape ; sh:targetSubjectsOf e:p ;
    sh:property [ sh:path e:p ; sh:class e:A ; sh:message "m" ] ."""


def parse(turtle: str) -> Graph:
    return Graph().parse(data=HEAD + turtle, format="turtle")


def graph_of(*triples) -> Graph:
    graph = Graph()
    for triple in triples:
        graph.add(triple)
    return graph


def test_the_inverse_of_a_sequence_is_walked_backwards() -> None:
    """Where pySHACL errs: it walks the inverse of (p q) as (^p ^q), so our shapes invert single predicates only."""
    validator = Validator(parse(INVERSE_SEQUENCE))
    graph = graph_of((E.n0, RDF.type, E.A), (E.n1, E.p, E.n2), (E.n2, E.q, E.n0))
    assert validator.full(graph).conforms
    graph.remove((E.n1, E.p, E.n2))
    assert not validator.full(graph).conforms


def test_classes_of_classes_are_followed() -> None:
    validator = Validator(parse(CLASS_OF_VALUE))
    graph = graph_of((E.n0, E.p, E.n1), (E.n1, RDF.type, E.B))
    assert not validator.full(graph).conforms
    graph.add((E.B, RDFS.subClassOf, E.A))
    assert validator.full(graph).conforms


def test_blank_nodes_and_both_forms_of_a_string_are_reported_alike_by_both_engines() -> None:
    shapes = parse(CLOSED)
    node = BNode("x2")
    graph = graph_of((E.n0, RDF.type, E.A), (E.n0, E.q, BNode("x1")), (node, RDF.type, E.A), (node, E.r, E.n1))
    report = Validator(shapes).full(graph)
    assert report == referee(graph, shapes)
    assert {(issue.focus, issue.value) for issue in report.issues} == {("<http://e/n0>", "_:"), ("_:", "<http://e/n1>")}
    strings = graph_of((E.n0, RDF.type, E.A), (E.n0, E.q, Literal("x")), (E.n0, E.q, Literal("x", datatype=XSD.string)))
    assert Validator(shapes).full(strings) == referee(strings, shapes)


def test_an_iri_that_only_the_engine_refuses_is_a_bad_value_and_the_temporary_file_is_not_named() -> None:
    with pytest.raises(BadValue, match="Parser error at line 1") as raised:
        Validator(parse(CLOSED)).full(graph_of((E.n0, E.p, URIRef("http://[x"))))
    assert "graph.nt" not in raised.value.message


@pytest.mark.parametrize("text", ["", "e:S e:p e:q ."])
def test_shapes_graphs_without_a_shape_are_an_error(text: str) -> None:
    with pytest.raises(OntologyError):
        Validator(parse(text))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("e:p", "<http://e/p>"),
        ("[ sh:oneOrMorePath [ sh:inversePath e:p ] ]", "(^<http://e/p>)+"),
        ("( e:p [ sh:zeroOrOnePath e:q ] )", "(<http://e/p>/(<http://e/q>)?)"),
        ("[ sh:zeroOrMorePath [ sh:alternativePath ( e:p e:q ) ] ]", "((<http://e/p>|<http://e/q>))*"),
    ],
)
def test_paths_are_written_as_the_compiled_engine_writes_them(path: str, text: str) -> None:
    shapes = parse(f"e:S a sh:NodeShape ; sh:targetNode e:n0 ; sh:property [ sh:path {path} ; sh:minCount 9 ] .")
    (node,) = shapes.objects(None, SH.path)
    assert path_text(shapes, node) == text
    assert [issue.path for issue in Validator(shapes).full(Graph()).issues] == [text]


@pytest.mark.parametrize(("text", "expected"), [("a", ["n"]), ("a\n", ["m", "n"]), ("a$", ["m"])])
def test_python_patterns_end_where_xpath_patterns_end(text: str, expected: list[str]) -> None:
    shapes = parse(
        r"""e:S a sh:NodeShape ; sh:targetSubjectsOf e:p ;
        sh:property [ sh:path e:p ; sh:pattern "^a$" ; sh:message "m" ] ;
        sh:property [ sh:path e:p ; sh:pattern "\\$" ; sh:message "n" ] ."""
    )
    graph = graph_of((E.n0, E.p, Literal(text)))
    assert [issue.message for issue in referee(graph, shapes).issues] == expected
    assert Validator(shapes).full(graph) == referee(graph, shapes)
