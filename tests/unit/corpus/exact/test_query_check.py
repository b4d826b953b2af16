"""What is said of a query that cannot be run as it stands, what it is completed by, and what its parts find."""

from __future__ import annotations

import time

import pytest

from kag.corpus.exact.query_tool import LONGEST, complete, describe, known_terms, query_issues, short
from kag.corpus.sparql.query import reader
from kag.corpus.store import Corpus
from tests.unit.corpus.exact.small import runner

KNOWN = known_terms()


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT ?x WHERE { ?x a deo:Methods }", []),
        (
            "SELECT ?x WHERE { ?x a deo:Metods }",
            ["deo:Metods is not a term of these graphs. Did you mean deo:Methods or deo:Model or deo:Materials?"],
        ),
        (  # by its name alone where its whole is like none
            "SELECT ?x WHERE { ?x a <http://x.example/Sectoin> }",
            [
                "<http://x.example/Sectoin> is not a term of these graphs. "
                "Did you mean Section or SectionTitle or direction?"
            ],
        ),
        (
            "SELECT ?x WHERE { ?x a <http://x.example/zzzz> }",
            ["<http://x.example/zzzz> is not a term of these graphs. Use the terms of the schema."],
        ),
        ("SELECT ?x WHERE { ?x a doe:Methods }", ["the prefix doe: is not known. Use deo or doco."]),
        ("SELECT ?x WHERE { ?x kag:order '1'^^xsd:integer , <http://la3d.local/kag/doc/ice/a> }", []),
        (
            "PREFIX deo: <http://x.example/> SELECT ?s WHERE { ?s a deo:Methods }",
            ["deo: is declared as <http://x.example/>. Declare <http://purl.org/spar/deo/>."],
        ),
        ("PREFIX deo: <http://purl.org/spar/deo/> SELECT ?s WHERE { ?s a deo:Methods }", []),
        ("PREFIX own: <http://la3d.local/kag/doc/> SELECT ?s WHERE { ?s kag:contains own:ice }", []),
        (
            "SELECT ?x ?y WHERE { ?x a deo:Methods }",
            ["?y is projected and nothing binds it. Bind it in the pattern or leave it out."],
        ),
        ("SELECT (?x AS ?y) WHERE { ?x a deo:Methods }", []),
        ("SELECT ?x WHERE { { SELECT ?x ?y WHERE { ?x a deo:Methods } } }", []),  # what is inside is its own
        (
            "SELECT ?s WHERE { ?s a deo:Metods ; kag:odrer 1 }",
            [
                "kag:odrer is not a term of these graphs. Did you mean kag:order or kag:model or kag:rule?",
                "deo:Metods is not a term of these graphs. Did you mean deo:Methods or deo:Model or deo:Materials?",
            ],
        ),
    ],
)
def test_what_is_wrong_with_a_query(query: str, told: list[str]) -> None:
    assert [issue.message for issue in query_issues(complete(query), KNOWN)] == told


def test_a_prefix_that_is_like_none_is_told_with_all() -> None:
    (issue,) = query_issues("SELECT ?x WHERE { ?x a qqqq:Methods }", KNOWN)
    assert (issue.focus, issue.component) == ("qqqq:", "prefix")
    assert ". Use biro, c4o, cito, " in issue.message


@pytest.mark.parametrize(
    ("query", "whole"),
    [
        ("  ASK { ?x a deo:Methods } ", "PREFIX deo: <http://purl.org/spar/deo/>\nASK { ?x a deo:Methods }"),
        (" SELECT ?x WHERE { ?x a x:y } ", "SELECT ?x WHERE { ?x a x:y }\nLIMIT 500"),
        ("SELECT ?x WHERE { ?x ?p ?o } LIMIT 7", "SELECT ?x WHERE { ?x ?p ?o } LIMIT 7"),
        ("  no query ", "no query"),
    ],
)
def test_a_query_made_whole(query: str, whole: str) -> None:
    assert complete(query) == whole


ICE = ":a a deo:Results ; kag:order 1 . :b a deo:Results ; kag:order 2 . :c a deo:Methods ."


def test_what_the_schema_tells() -> None:
    title = "Ice on lakes and rivers in the far north"  # forty letters
    run = runner(
        ice=f'<> a fabio:ResearchPaper ; dcterms:title "{title}" . :a a deo:Methods , deo:Model . :s a doco:Section .',
        fog=f'<> a fabio:ResearchPaper ; prism:doi "abc" ; prism:keyword "{title}s" .',
    )
    lines = describe(run).splitlines()
    assert lines[1:4] == [
        "  fabio:ResearchPaper (2): a paper of the corpus; its IRI is also the name of its graph",
        "  doco:Section (1): a section; also typed by what it is (deo:Methods, deo:Results, doco:Abstract, ...)",
        "  others: deo:Methods deo:Model",
    ]
    assert f'  dcterms:title: paper, reference, as in "{title}"' in lines
    assert f'  prism:keyword: paper, as in "{title}…"' in lines
    assert '  prism:doi: paper, reference, as in "abc"' in lines, "a short one where there is no longer"
    assert "  kag:order: whatever is printed: reading order, integer (none here)" in lines
    assert len(describe(run)) < LONGEST == 3_500


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://purl.org/spar/deo/Methods", "deo:Methods"),
        ("http://la3d.local/kag#order", "kag:order"),
        ("http://x.example/a", "<http://x.example/a>"),
        ("http://la3d.local/kag/doc/ice", "<http://la3d.local/kag/doc/ice>"),
    ],
)
def test_an_iri_with_its_prefix(iri: str, name: str) -> None:
    assert short(iri) == name


def test_the_schema_is_short_and_has_numbers(corpus: Corpus) -> None:
    text = describe(reader(corpus.layout.root))
    assert len(text) <= LONGEST
    assert "deo:BibliographicReference (11)" in text
    assert "fabio:ResearchPaper (3)" in text


def test_a_limit_inside_is_no_limit_outside() -> None:
    query = complete("SELECT ?s WHERE { { SELECT ?s WHERE { ?s a deo:Methods } LIMIT 3 } }")
    assert query.endswith("LIMIT 500")
    assert query.startswith("PREFIX deo:")
    assert complete("SELECT ?s WHERE { ?s a ?o } LIMIT 3").endswith("LIMIT 3")


def test_a_redeclared_prefix_is_refused() -> None:
    query = "PREFIX deo: <http://example.org/> SELECT ?s WHERE { ?s a deo:Methods }"
    assert [issue.component for issue in query_issues(query, known_terms())] == ["prefix"]


def test_a_limit_goes_where_the_grammar_wants_it() -> None:
    assert complete("SELECT * { ?s ?p ?o } VALUES ?o { 1 }").endswith("}\nLIMIT 500 VALUES ?o { 1 }")
    assert complete("SELECT * { ?s ?p ?o } # no LIMIT }").endswith("}\nLIMIT 500 # no LIMIT }")
    assert complete("SELECT * { ?s ?p ?o } LIMIT 3 # }").endswith("LIMIT 3 # }")
    assert complete("SELECT * { ?s ?limit 'LIMIT 3' }").endswith("LIMIT 500")
    assert complete("SELECT * { ?s deo:x 'fabio:y <rdf:z>' } ORDER BY ?s").startswith(
        "PREFIX deo: <http://purl.org/spar/deo/>\nS"
    )
    assert complete(" ASK { ?s ?p ?o } ") == "ASK { ?s ?p ?o }"
    assert complete(" SELECT { ") == "SELECT {"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT ?a (?x AS ?b) ?c { ?x a ?c }", ["?a"]),
        ("SELECT ?a { SELECT ?b { ?a ?p ?o } }", []),
        ("SELECT * { ?s ?p ?o }", []),
        ("CONSTRUCT { ?s ?p 1 } { ?s ?p 2 }", []),
        ("SELECT ?s { ?s ?p 'WHERE { SERVICE <http://x/> {} }' }", []),
        ("SELECT ?s { SERVICE <http://x/> { ?s ?p ?o } }", ["query"]),
        ("SELECT ?s { ?s deo:none ?o }", ["deo:none"]),
        ("SELECT ?s { ?s nowhere:x ?o }", ["nowhere:"]),
    ],
)
def test_what_is_wrong_is_known_before_anything_runs(query: str, told: list[str]) -> None:
    assert [issue.focus for issue in query_issues(complete(query), known_terms())] == told


def test_an_endless_query_is_read_at_once() -> None:
    endless = "ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a = ?l && ?d = ?c) }"
    start = time.process_time()
    assert not query_issues(endless, known_terms())
    assert time.process_time() - start < 1
