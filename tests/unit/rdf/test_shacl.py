"""The validator on shapes made for the purpose: every kind of path and nesting, and where it must give up."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import BNode, Graph, Literal, Namespace, URIRef
from rdflib.namespace import RDF, RDFS, SH

from kag.core.errors import BadValue, OntologyError
from kag.core.types import Document
from kag.rdf.neighbours import Neighbours, affected, needed
from kag.rdf.ntriples import texts
from kag.rdf.paths import Unsupported, reach_of, render
from kag.rdf.pyshacl_validator import referee
from kag.rdf.shacl import Session, Validator
from kag.rdf.workspace import Workspace

E = Namespace("http://e/")
HEAD = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
# One graph of shapes for each way in which a verdict can depend on triples far from its focus.
SHAPES = """
# inverse
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [ sh:path [ sh:inversePath e:p ] ; sh:minCount 1 ; sh:message "m" ] .
# sequence
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [ sh:path ( e:p e:q [ sh:inversePath e:r ] ) ; sh:maxCount 1 ; sh:message "m" ] .
# inverse of a sequence
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [ sh:path [ sh:inversePath ( e:p e:q ) ] ; sh:minCount 1 ; sh:message "m" ] .
# alternative
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [ sh:path [ sh:alternativePath ( e:p [ sh:inversePath e:q ] ) ] ; sh:maxCount 1 ; sh:message "m" ] .
# one or more
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [
        sh:path [ sh:oneOrMorePath [ sh:inversePath e:p ] ] ;
        sh:qualifiedValueShape [ sh:class e:B ] ; sh:qualifiedMinCount 1 ; sh:message "m"
    ] .
# zero or more
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [ sh:path ( [ sh:zeroOrMorePath ( e:p e:q ) ] e:r ) ; sh:maxCount 1 ; sh:message "m" ] .
# zero or one
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [ sh:path ( [ sh:zeroOrOnePath e:p ] e:q ) ; sh:class e:B ; sh:message "m" ] .
# class of a value
e:S a sh:NodeShape ;
    sh:targetSubjectsOf e:p ;
    sh:property [ sh:path e:p ; sh:class e:A ; sh:message "m" ] .
# nested
e:S a sh:NodeShape ;
    sh:targetObjectsOf e:p ;
    sh:message "m" ;
    sh:node [ sh:property [ sh:path e:q ; sh:node [ sh:property [ sh:path e:r ; sh:minCount 1 ] ] ] ] .
# logic
e:S a sh:NodeShape ;
    sh:targetNode e:n0 ;
    sh:message "m" ;
    sh:xone (
        [ sh:not [ sh:property [ sh:path e:p ; sh:hasValue e:n1 ] ] ]
        [ sh:and ( [ sh:class e:A ] [ sh:or ( [ sh:property [ sh:path e:q ; sh:minCount 1 ] ] [ sh:class e:B ] ) ] ) ]
    ) .
# pairs
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:property [ sh:path ( e:p e:q ) ; sh:equals e:r ; sh:message "m" ] ;
    sh:disjoint e:p ;
    sh:message "d" .
# closed
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:closed true ;
    sh:ignoredProperties ( rdf:type ) ;
    sh:message "m" ;
    sh:property [ sh:path e:p ] .
# closed far away
e:S a sh:NodeShape ;
    sh:targetClass e:A ;
    sh:message "m" ;
    sh:property [
        sh:path e:q ; sh:message "m" ;
        sh:node [ sh:closed true ; sh:ignoredProperties ( rdf:type ) ; sh:property [ sh:path e:p ] ]
    ] .
# class that is a shape
e:A a rdfs:Class, sh:NodeShape ;
    sh:property [ sh:path e:p ; sh:minCount 1 ; sh:message "m" ] .
# property shape with targets
e:S a sh:PropertyShape ;
    sh:targetClass e:A ;
    sh:path e:p ;
    sh:maxCount 0 ;
    sh:message "m" .
"""
PARSED = {
    name: Graph().parse(data=HEAD + text, format="turtle")
    for name, text in re.findall(r"^# (.+)\n((?:[^#].*\n)+)", SHAPES, re.M)
}
COMPILED = {name: Validator(shapes) for name, shapes in PARSED.items()}

NODES = st.sampled_from([E[f"n{i}"] for i in range(5)])
LINKS = st.tuples(NODES, st.sampled_from([E.p, E.q, E.r, E.s]), NODES)
TYPES = st.tuples(NODES, st.just(RDF.type), st.sampled_from([E.A, E.B]))
TRIPLES = st.one_of(LINKS, TYPES)
BATCHES = st.lists(st.lists(TRIPLES, min_size=1, max_size=3), min_size=1, max_size=12)


def workspace(*triples):
    ws = Workspace(Document("t", (), (), (), 1, ""))
    for triple in triples:
        ws.add(*triple)
    return ws


def parse(turtle):
    return Graph().parse(data=HEAD + turtle, format="turtle")


def flip(ws, triple):
    """Take the triple away, or put it there."""
    if not ws.remove(*triple):
        ws.add(*triple)


@pytest.mark.parametrize("name", PARSED)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(start=st.lists(TRIPLES, max_size=12), batches=BATCHES)
def test_incremental_equals_full_for_every_kind_of_shape(name, start, batches):
    validator = COMPILED[name]
    assert validator.reach is not None
    ws = workspace(*start)
    session = Session(validator, ws)
    assert session.report() == validator.full(ws.graph)
    for batch in batches:
        for triple in batch:
            flip(ws, triple)
        assert session.report() == validator.full(ws.graph)


def test_the_inverse_of_a_sequence_is_walked_backwards():
    """Where pySHACL errs: it walks the inverse of (p q) as (^p ^q), so our shapes invert single predicates only."""
    ws = workspace((E.n0, RDF.type, E.A), (E.n1, E.p, E.n2), (E.n2, E.q, E.n0))
    assert COMPILED["inverse of a sequence"].full(ws.graph).conforms
    ws.remove(E.n1, E.p, E.n2)
    assert not COMPILED["inverse of a sequence"].full(ws.graph).conforms


@pytest.mark.parametrize("name", sorted(set(PARSED) - {"inverse of a sequence"}))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(triples=st.lists(TRIPLES, min_size=3, max_size=14))
def test_both_engines_agree_on_every_kind_of_shape(name, triples):
    graph = workspace(*triples).graph
    assert COMPILED[name].full(graph) == referee(graph, PARSED[name])


def test_only_the_nodes_a_change_can_reach_are_looked_at_again():
    reach = reach_of(PARSED["sequence"])
    triples = [(E.n0, E.p, E.n1), (E.n1, E.q, E.n2), (E.n3, E.r, E.n2), (E.n4, E.p, E.n3),
               *((node, RDF.type, E.A) for node in (E.n0, E.n1, E.n4))]  # fmt: skip
    graph = Neighbours(texts(triples))
    assert affected(graph, texts([(E.n3, E.r, E.n2)]), reach) == {"<http://e/n0>"}
    assert affected(graph, texts([(E.n1, E.q, E.n2)]), reach) == {"<http://e/n0>"}
    assert affected(graph, texts([(E.n4, RDF.type, E.A)]), reach) == {"<http://e/n4>"}
    assert affected(graph, texts([(E.n0, E.s, E.n1)]), reach) == set()


def test_needed_triples_are_those_on_the_paths_and_a_marker():
    reach = reach_of(PARSED["sequence"])
    path = [(E.n0, E.p, E.n1), (E.n1, E.q, E.n2), (E.n3, E.r, E.n2), (E.n0, RDF.type, E.A)]
    graph = Neighbours(texts([*path, (E.n0, E.s, E.n4), (E.n3, E.r, E.n4), (E.n1, RDF.type, E.A)]))
    (root,) = reach.roots
    assert needed(graph, ["<http://e/n0>"], reach) == {
        *texts(path),
        ("<urn:x-kag:marks>", root.marker, "<http://e/n0>"),
    }


def test_neighbours_forget_what_is_removed():
    graph = Neighbours(texts([(E.n0, E.p, E.n1)]))
    graph.remove(("<http://e/n0>", "<http://e/p>", "<http://e/n2>"))
    assert len(list(graph)) == 1
    graph.remove(("<http://e/n0>", "<http://e/p>", "<http://e/n1>"))
    assert (list(graph), graph.out, graph.into) == ([], {}, {})


@pytest.mark.parametrize(
    "extra",
    [
        'e:S sh:sparql [ sh:select "SELECT $this WHERE { $this <http://e/x> ?y }" ; sh:message "m" ] .',
        "e:S sh:node e:S .",
        "e:S sh:property [ sh:path e:p ; sh:property [ sh:path e:x ; sh:maxCount 0 ] ] .",
        "e:S sh:property [ sh:path e:p ; sh:qualifiedValueShape [ sh:class e:B ] ; sh:qualifiedMinCount 1 ; "
        "sh:qualifiedValueShapesDisjoint true ] .",
    ],
)
def test_shapes_whose_reach_is_unknown_are_validated_in_full(extra):
    shapes = parse(f"e:S a sh:NodeShape ; sh:targetClass e:A ; sh:property [ sh:path e:p ; sh:minCount 1 ] . {extra}")
    with pytest.raises(Unsupported):
        reach_of(shapes)
    if "sh:node" in extra:
        return  # how engines run recursive shapes is not defined
    validator = Validator(shapes)
    ws = workspace((E.n0, RDF.type, E.A))
    session = Session(validator, ws)
    for triple in [(E.n0, E.p, E.n1), (E.n1, E.x, E.n1), (E.n0, E.x, E.n1), (E.n0, E.p, E.n1)]:
        assert session.report() == validator.full(ws.graph)
        flip(ws, triple)
    assert session.report() == validator.full(ws.graph)
    assert not session.report().conforms


def test_classes_of_classes_are_followed():
    validator = COMPILED["class of a value"]
    ws = workspace((E.n0, E.p, E.n1), (E.n1, RDF.type, E.B))
    session = Session(validator, ws)
    assert not session.report().conforms
    ws.add(E.B, RDFS.subClassOf, E.A)
    assert session.report().conforms
    ws.remove(E.B, RDFS.subClassOf, E.A)
    assert not session.report().conforms
    ws.add(E.n1, RDF.type, E.A)
    assert session.report().conforms


def test_blank_nodes_are_reported_the_same_by_all():
    validator, shapes = COMPILED["closed"], PARSED["closed"]
    ws = workspace((E.n0, RDF.type, E.A))
    session = Session(validator, ws)
    assert session.report().conforms
    ws.add(E.n0, E.q, BNode("x1"))
    ws.add(BNode("x2"), RDF.type, E.A)
    ws.add(BNode("x2"), E.r, E.n1)
    report = session.report()
    assert report == validator.full(ws.graph) == referee(ws.graph, shapes)
    assert {(issue.focus, issue.value) for issue in report.issues} == {("<http://e/n0>", "_:"), ("_:", "<http://e/n1>")}


def test_one_rdf_term_in_two_rdflib_forms():
    from rdflib.namespace import XSD

    validator, plain, typed = COMPILED["closed"], Literal("x"), Literal("x", datatype=XSD.string)
    ws = workspace((E.n0, RDF.type, E.A), (E.n0, E.q, plain), (E.n0, E.q, typed))
    session = Session(validator, ws)
    for change in ("nothing", typed, plain):
        if change != "nothing":
            ws.remove(E.n0, E.q, change)
        assert session.report() == validator.full(ws.graph) == referee(ws.graph, PARSED["closed"])
    assert session.report().conforms


def test_what_is_no_iri_is_refused_at_once():
    ws = workspace((E.n0, RDF.type, E.A))
    with pytest.raises(BadValue, match="not an absolute IRI"):
        ws.add(E.n0, E.q, URIRef("http://e/a b"))
    assert len(ws.graph) == 1


def test_a_report_forgets_the_changes_and_a_failed_one_keeps_them():
    iri = "http://[x"  # has the form of an IRI, which only the engine looks behind
    ws = workspace((E.n0, RDF.type, E.A), (E.n0, E.r, E.n1))
    session = Session(COMPILED["closed"], ws)
    assert not session.report().conforms
    assert ws.changes == set()
    ws.add(E.n0, E.q, URIRef(iri))
    ws.remove(E.n0, E.r, E.n1)
    for _ in range(2):
        with pytest.raises(BadValue):
            session.report()
        assert len(ws.changes) == 2
    ws.remove(E.n0, E.q, URIRef(iri))
    assert session.report() == COMPILED["closed"].full(ws.graph)


def test_an_iri_only_the_engine_refuses_is_a_bad_value_too():
    with pytest.raises(BadValue, match="cannot be read"):
        COMPILED["closed"].full(workspace((E.n0, E.p, URIRef("http://[x"))).graph)


@pytest.mark.parametrize("text", ["", "e:S e:p e:q ."])
def test_shapes_that_are_none_are_an_error(text):
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
def test_paths_are_written_as_the_compiled_engine_writes_them(path, text):
    shapes = parse(f"e:S a sh:NodeShape ; sh:targetNode e:n0 ; sh:property [ sh:path {path} ; sh:minCount 9 ] .")
    (node,) = shapes.objects(None, SH.path)
    assert render(shapes, node) == text
    assert [issue.path for issue in Validator(shapes).full(Graph()).issues] == [text]


def test_python_patterns_end_where_xpath_patterns_end():
    shapes = parse(
        r"""e:S a sh:NodeShape ; sh:targetSubjectsOf e:p ;
        sh:property [ sh:path e:p ; sh:pattern "^a$" ; sh:message "m" ] ;
        sh:property [ sh:path e:p ; sh:pattern "\\$" ; sh:message "n" ] ."""
    )
    for text, expected in {"a": ["n"], "a\n": ["m", "n"], "a$": ["m"]}.items():
        graph = workspace((E.n0, E.p, Literal(text))).graph
        assert [issue.message for issue in referee(graph, shapes).issues] == expected
        assert Validator(shapes).full(graph) == referee(graph, shapes)


def test_changes_beyond_a_number_are_not_told_and_all_is_looked_at(monkeypatch):
    monkeypatch.setattr("kag.rdf.workspace.MOST_CHANGES", 2)
    ws = workspace((E.n0, RDF.type, E.A), (E.n0, E.p, E.n1), (E.n1, E.p, E.n0))
    assert ws.changes is None
    session = Session(COMPILED["closed"], ws)
    assert session.report().conforms
    assert ws.changes == set()
    for node in (E.n1, E.n2, E.n3):
        ws.add(E.n0, E.q, node)
    assert ws.changes is None
    assert session.report() == COMPILED["closed"].full(ws.graph)
    assert not session.report().conforms


def test_where_a_file_was_is_not_said():
    with pytest.raises(BadValue) as raised:
        COMPILED["closed"].full(workspace((E.n0, E.p, URIRef("http://[x"))).graph)
    assert "graph.nt" not in raised.value.message
    assert "Parser error at line 1" in raised.value.message
