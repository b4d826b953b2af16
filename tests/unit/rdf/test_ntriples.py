"""Terms as N-Triples: canonical, and read back by others as the same term."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import BNode, Graph, Literal, URIRef
from rdflib.namespace import XSD

from kag.core.errors import BadValue
from kag.rdf.ntriples import lines, term

S, P = URIRef("http://e/s"), URIRef("http://e/p")
TEXT = st.text(st.characters(exclude_categories=("Cs",)))


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (URIRef("http://e/é%20x"), "<http://e/é%20x>"),
        (BNode("b1"), "_:b1"),
        (Literal('a"b\\c\nd\te\r\x01\x7f'), '"a\\"b\\\\c\\nd\\te\\r\\u0001\\u007F"'),
        (Literal("x", datatype=XSD.string), '"x"'),
        (Literal("x", lang="en-GB"), '"x"@en-gb'),
        (Literal(3), '"3"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        (Literal("a\ud800b"), '"a\ufffdb"'),
        (Literal("\U0001f600\u2028"), '"\U0001f600\u2028"'),
    ],
)
def test_term(node, expected):
    assert term(node) == expected


@pytest.mark.parametrize(
    "iri", ["http://e/a b", "relative", "", "http://e/<x>", "http://e/%zz", "http://e/\n", "http://e/\ud800"]
)
def test_what_is_no_iri_is_refused(iri):
    with pytest.raises(BadValue, match="not an absolute IRI"):
        term(URIRef(iri))


@pytest.mark.parametrize("node", [BNode("a b"), BNode("a> <x"), BNode("")])
def test_blank_node_labels_cannot_smuggle_syntax(node):
    with pytest.raises(BadValue):
        term(node)


@given(TEXT, st.sampled_from([None, XSD.date, URIRef("urn:x:t")]))
def test_literals_are_read_back_by_two_parsers(text, datatype):
    literal = Literal(text, datatype=datatype, normalize=False)
    (line,) = lines([(S, P, literal)])
    (triple,) = pyoxigraph.parse(line, pyoxigraph.RdfFormat.N_TRIPLES)
    assert triple.object.value == text
    assert str(Graph().parse(data=line + "\n", format="nt").value(S, P)) == text
