"""Turtle: the same graph gives the same bytes, and the bytes give the same graph."""

from __future__ import annotations

import random

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, Literal, URIRef
from rdflib.compare import isomorphic

from kag.core.errors import BadValue
from kag.rdf.namespaces import DOCO, KAG, PREFIXES, RDF, XSD
from kag.rdf.ntriples import term
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


def test_an_empty_graph_is_its_prefixes():
    assert to_turtle(Graph(), {"ex": "http://e/"}) == "@prefix ex: <http://e/> .\n"


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


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_pieces_make_the_same_bytes_and_part_no_subject(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    triples = [(node(name), p, Literal(n)) for name in "abc" for n in range(4) for p in (KAG.fullText, KAG.order)]
    triples += [(node(name), RDF.type, DOCO.Table) for name in "ac"]
    for prefixes in (EX, {}):
        whole = to_turtle(graph(*triples), prefixes)
        with monkeypatch.context() as patched:
            patched.setattr("kag.rdf.turtle._PIECE", size)
            assert to_turtle(graph(*triples), prefixes) == whole
    assert whole.startswith("<http://e/a> a <http")
    assert to_turtle(graph(), {}) == "\n"


@pytest.mark.parametrize("text", [*STRANGE, "plain", "a ; b , c .", "naïve ⁸⁹Zr"])
def test_terms_are_spelled_as_the_library_spells_them(text: str) -> None:
    values = [Literal(text), Literal(text, lang="en"), Literal(3), Literal(True), Literal("x", datatype=XSD.integer)]
    values += [Literal("1.5E0", datatype=XSD.double), node("b.c"), node("b/c"), URIRef("https://doi.org/10.1/a(b)")]
    for value in values:
        [line] = [
            row for row in to_turtle(graph((node("a"), KAG.describes, value)), EX).split("\n") if "describes" in row
        ]
        triple = pyoxigraph.parse(f"<http://e/a> <{KAG.describes}> {term(value)} .", pyoxigraph.RdfFormat.N_TRIPLES)
        told = pyoxigraph.serialize(triple, format=pyoxigraph.RdfFormat.TURTLE, prefixes=EX)
        assert line == told.decode().rstrip("\n").split("\n")[-1]
