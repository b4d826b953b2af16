"""What is seen of a query before the engine reads it: form, graphs, terms, prefixes; and that it takes linear time."""

from __future__ import annotations

import contextlib

import pytest

from kag.core.errors import QueryError
from kag.corpus.sparql.text import LONGEST, counting, read, tokens, unbound_columns, unknown_terms, with_prefixes
from tests.growth import linear

HOSTILE = ("'", '"', "<", "a:", "\\'", "a.", "<a", "'''a", "_:", "(#", ":a..", "{SELECT * ", "COUNT(", "PREFIX a:<b:>")


def test_the_parts_of_a_query() -> None:
    query = """PREFIX e: <http://e/> SELECT ?x FROM <a:g> FROM NAMED e:h # FROM <a:no>
        { ?x e:y 'FROM <a:no>' , "SERVICE", '''it's''' ; deo:x\\,y <a:b#c> . _:b ?y 1.5 }"""
    reading = read(query)
    assert (reading.form, reading.graphs) == ("SELECT", ("a:g", "http://e/h"))
    assert reading.iris == {"a:g", "http://e/h", "http://e/y", "http://purl.org/spar/deo/x,y", "a:b#c"}
    assert reading.text == f"PREFIX deo: <http://purl.org/spar/deo/> {query}"


@pytest.mark.parametrize(
    ("query", "prefixes"),
    [
        ("ASK { ?x a deo:Methods , kag:y }", ["deo", "kag"]),
        ("PREFIX deo: <http://x/> ASK { ?x a deo:Methods }", []),
        ("ASK { ?x ?y 'deo:Methods' , <deo:x> }", []),
        ("no query", []),
    ],
)
def test_known_prefixes_are_declared_where_they_are_used(query: str, prefixes: list[str]) -> None:
    whole = with_prefixes(query)
    assert whole.endswith(query)
    assert [part.partition(":")[0] for part in whole.removesuffix(query).split("PREFIX ")[1:]] == prefixes


def test_a_prefix_that_nobody_declared_is_reported_with_the_nearest() -> None:
    with pytest.raises(QueryError, match="the prefix doe: is not declared") as error:
        read("ASK { ?x a doe:Methods }")
    assert "use deo or doco" in error.value.hint


@pytest.mark.parametrize(
    ("iri", "line"),
    [
        ("http://purl.org/spar/deo/Methods", None),
        ("http://la3d.local/kag/doc/ice/a", None),
        ("http://www.w3.org/2001/XMLSchema#integer", None),
        ("http://purl.org/spar/deo/Metods", "deo:Metods is not a term of these graphs. Did you mean deo:Methods or"),
        (
            "http://x.example/Sectoin",
            "<http://x.example/Sectoin> is not a term of these graphs. Did you mean Section or",
        ),
        (
            "http://x.example/zzzz",
            "<http://x.example/zzzz> is not a term of these graphs. Use the terms of the schema.",
        ),
    ],
)
def test_terms_that_no_graph_has(iri: str, line: str | None) -> None:
    lines = unknown_terms([iri])
    assert not lines if line is None else lines[0].startswith(line)


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("SELECT ?a (?x AS ?b) ?c { ?x a ?c }", ["a"]),
        ("SELECT ?a { SELECT ?b { ?a ?p ?o } }", []),
        ("SELECT * { ?s ?p ?o }", []),
        ("CONSTRUCT { ?s ?p 1 } { ?s ?p 2 }", []),
    ],
)
def test_columns_that_nothing_binds(query: str, columns: list[str]) -> None:
    assert unbound_columns(query) == columns


def test_a_count_is_asked_again_with_what_it_counts() -> None:
    again = counting("SELECT ?p (COUNT(DISTINCT ?x) AS ?n) FROM <a:g> { ?x a ?p } GROUP BY ?p")
    assert again is not None
    assert '(GROUP_CONCAT(DISTINCT STR(?x); SEPARATOR=" ") AS ?kag_counted) FROM' in again
    assert counting("SELECT (COUNT(*) AS ?n) { ?x a ?p }") is None
    assert counting("ASK { ?x a ?p }") is None


def test_hostile_texts_are_read_in_linear_time() -> None:
    for text in HOSTILE:
        assert linear(_looked_at, ("SELECT * {" + text * LONGEST)[:LONGEST]), text


def _looked_at(text: str) -> None:
    tokens(text)
    with contextlib.suppress(QueryError):
        read(text)
    counting(text)
