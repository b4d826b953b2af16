"""Turtle: the same graph gives the same bytes, and the bytes give the same graph."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, Literal, URIRef
from rdflib.compare import isomorphic

from kag.core.errors import BadValue
from kag.rdf.namespaces import DOCO, KAG, PREFIXES, RDF
from kag.rdf.turtle import from_turtle, to_turtle

EX = {**PREFIXES, "ex": "http://e/"}
STRANGE = [
    'say "hi"', "back\\slash \\n", "two\nlines\n\nex:b a doco:Table .", "tab\tstart", "\tindented", "\x00\x01\x7f\x85",
    "line\u2028separator\x0b\x0c\x1c", "\U0001f600", "", '"""', "a\r\nb", " trailing ", "@prefix x: <y> .",
]  # fmt: skip


def graph(*triples):
    found = Graph(bind_namespaces="none")
    for triple in triples:
        found.add(triple)
    return found


def node(name):
    return URIRef("http://e/" + name)


def test_layout():
    text = to_turtle(
        graph(
            (node("b"), KAG.fullText, Literal("x\ny")),
            (node("b"), RDF.type, DOCO.Paragraph),
            (node("b"), KAG.refersTo, node("a")),
            (node("a"), RDF.type, DOCO.Section),
            (node("a"), KAG.contains, node("b")),
            (node("a"), KAG.contains, node("c")),
            (node("a"), KAG.depth, Literal(1)),
        ),
        {"kag": PREFIXES["kag"], "ex": "http://e/", "doco": PREFIXES["doco"]},
    )
    assert text == (
        "@prefix doco: <http://purl.org/spar/doco/> .\n"
        "@prefix ex: <http://e/> .\n"
        "@prefix kag: <http://la3d.local/kag#> .\n"
        "\n"
        "ex:a a doco:Section ;\n"
        "    kag:contains ex:b , ex:c ;\n"
        "    kag:depth 1 .\n"
        "\n"
        "ex:b a doco:Paragraph ;\n"
        '    kag:fullText "x\\ny" ;\n'
        "    kag:refersTo ex:a .\n"
    )


def test_same_graph_same_bytes_whatever_the_order_of_insertion():
    triples = [(node(f"n{i % 7}"), node(f"p{i % 5}"), Literal(text)) for i, text in enumerate(STRANGE * 3)]
    outputs = set()
    for seed in range(5):
        random.Random(seed).shuffle(triples)
        outputs.add(to_turtle(graph(*triples), dict(random.Random(seed).sample(list(EX.items()), len(EX)))))
    assert len(outputs) == 1


@pytest.mark.parametrize("text", STRANGE)
def test_strange_texts_survive(text):
    before = graph((node("a"), KAG.fullText, Literal(text)), (node("b.c"), KAG.contains, node("a")))
    after = Graph().parse(data=to_turtle(before, EX), format="turtle")
    assert isomorphic(before, after)


TEXTS = st.text(st.characters(exclude_categories=("Cs",)))
VALUES = st.one_of(TEXTS.map(Literal), st.integers().map(Literal), st.booleans().map(Literal),
                   TEXTS.map(lambda text: Literal(text, lang="en-gb")), st.sampled_from("abc").map(node))  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from("abc").map(node), st.sampled_from("pqr").map(node), VALUES), max_size=8))
def test_round_trip(triples):
    before = graph(*triples)
    assert isomorphic(before, Graph().parse(data=to_turtle(before, EX), format="turtle"))


@pytest.mark.parametrize("iri", ["no iri", "http://[x"])
def test_a_bad_iri_is_refused(iri):
    with pytest.raises(BadValue):
        to_turtle(graph((URIRef(iri), RDF.type, DOCO.Section)), EX)


def test_reading_is_as_rdflib_reads() -> None:
    data = b"""@prefix ex: <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    ex:a ex:p "plain", "tagged"@en, "3"^^xsd:integer, 3, 3.50, true, "x\\u2028y", ex:b ; ex:q [ ex:p "inside" ] ."""
    read, parsed = from_turtle(data), Graph().parse(data=data, format="turtle")
    assert isomorphic(read, parsed)
    assert dict(read.namespaces())["ex"] == URIRef("http://example.org/")


def test_what_is_no_turtle_is_refused() -> None:
    with pytest.raises(SyntaxError):
        from_turtle(b"ex:a ex:p .")
