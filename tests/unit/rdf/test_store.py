import pytest
from rdflib import Graph, Literal, URIRef

from kag.core.errors import BadValue
from kag.rdf.ntriples import term
from kag.rdf.triple_store import TripleStore

A, B, P, Q = (URIRef(f"http://a.test/{name}") for name in "abpq")
ONE, TWO = Literal("one"), Literal(2)
A_, B_, P_, Q_, ONE_, TWO_ = map(term, (A, B, P, Q, ONE, TWO))
TRIPLES = [(A, P, ONE), (A, P, B), (A, Q, TWO), (B, P, ONE)]


@pytest.fixture
def store():
    store = TripleStore()
    for triple in TRIPLES:
        assert store.insert(*map(term, triple))
    return store


@pytest.mark.parametrize("subject", [None, A, B, URIRef("http://a.test/none")])
@pytest.mark.parametrize("predicate", [None, P, Q, URIRef("http://a.test/none")])
@pytest.mark.parametrize("value", [None, ONE, TWO, B, Literal("none")])
def test_each_pattern_finds_what_rdflib_finds(store, subject, predicate, value):
    pattern = subject, predicate, value
    plain = Graph(store="SimpleMemory")
    for triple in TRIPLES:
        plain.add(triple)
    found = list(Graph(store=store).triples(pattern))
    assert len(found) == len(set(found))
    assert set(found) == set(plain.triples(pattern))


def test_a_triple_is_held_once_and_counted(store):
    assert not store.insert(A_, P_, '"one"')
    assert len(store) == len(Graph(store=store)) == 4
    assert list(store.objects(A_, P_)) == [ONE_, B_]
    assert list(store.subjects(P_, ONE_)) == [A_, B_]
    assert store.holds(A_, Q_, TWO_)
    assert not store.holds(B_, Q_, TWO_)


def test_a_term_that_is_none_leaves_no_trace(store):
    with pytest.raises(BadValue):
        Graph(store=store).add((URIRef("no iri"), P, ONE))
    assert len(store) == 4
    assert list(store.subjects(P_, ONE_)) == [A_, B_]


def test_draining_gives_what_texts_give_and_leaves_nothing(store):
    before = list(store.texts())
    assert before == sorted(before, key=lambda triple: triple[0])
    assert list(store.drained()) == before
    assert len(store) == 0
    assert list(store.texts()) == list(store.subjects(P_, ONE_)) == []
