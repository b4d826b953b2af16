"""The loop in which a model writes the query, with scripted writers: what is refused goes back and never runs."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from kag.corpus.exact.by_model import by_model, proposed
from kag.corpus.exact.describe import LONGEST, describe, known_terms
from kag.corpus.exact.query_check import complete, query_issues
from kag.corpus.exact.rows import answer_of_rows
from kag.corpus.sparql.query import Limits, Table, ask, reader
from kag.corpus.store import Corpus
from kag.questions.file import Question
from kag.read.checking.verify import verify

GOOD = (
    "SELECT ?paper ?ref WHERE { GRAPH ?paper { ?ref a deo:BibliographicReference ; dcterms:title ?title . "
    'FILTER(REGEX(?title, "frost", "i")) } }'
)


def runner(corpus: Corpus, ran: list[str]) -> Callable[[str], Table]:
    def run(query: str) -> Table:
        ran.append(query)
        return reader(corpus.layout.root)(query)

    return run


def script(*replies: str) -> tuple[Callable[[str], str], list[str]]:
    prompts: list[str] = []

    def write(prompt: str) -> str:
        prompts.append(prompt)
        return f"```sparql\n{replies[min(len(prompts), len(replies)) - 1]}\n```"

    return write, prompts


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (GOOD.replace("BibliographicReference", "BibliographicReferense"), "deo:BibliographicReference"),
        (GOOD.replace("} }", "}"), "Correct the query"),
        ("DELETE WHERE { ?s ?p ?o }", "Queries only read"),
        ("SELECT ?s WHERE { SERVICE <http://example.org/> { ?s ?p ?o } }", "SERVICE is refused"),
        (GOOD.replace("?ref WHERE", "?ref ?year WHERE"), "?year"),
        (GOOD.replace("dcterms:title", "dc:title"), "dc:"),
    ],
)
def test_what_is_wrong_goes_back_and_does_not_run(corpus: Corpus, wrong: str, told: str) -> None:
    ran: list[str] = []
    write, prompts = script(wrong, GOOD)
    outcome = by_model("Who cites the work on frost?", write, runner(corpus, ran))
    assert outcome.table is not None
    assert len(outcome.table.rows) == 1
    assert [step.ok for step in outcome.steps] == [False, True]
    assert told in prompts[1]
    assert wrong in prompts[1]
    assert complete(wrong) not in ran


def test_a_writer_that_never_learns_is_stopped(corpus: Corpus) -> None:
    write, prompts = script("DROP ALL")
    outcome = by_model("Who?", write, runner(corpus, []), tries=3)
    assert (outcome.query, outcome.stopped, len(prompts), len(outcome.steps)) == (None, "tries", 3, 3)


def test_no_rows_are_told_once_with_what_the_parts_find(corpus: Corpus) -> None:
    empty = 'SELECT ?ref WHERE { GRAPH ?paper { ?ref a deo:BibliographicReference . ?ref dcterms:title "Nothing" } }'
    write, prompts = script(empty)
    outcome = by_model("Who?", write, runner(corpus, []))
    assert len(prompts) == 2
    assert outcome.table is not None
    assert not outcome.table.rows
    assert "?ref a deo:BibliographicReference: 11" in prompts[1]
    assert '?ref dcterms:title "Nothing": 0' in prompts[1]


def test_an_endless_query_is_ended_and_told(corpus: Corpus) -> None:
    endless = "SELECT ?a WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a = ?l && ?d = ?c) } ORDER BY ?l"

    def run(query: str) -> Table:
        return ask(corpus.layout.root, query, Limits(seconds=0.4 if "?j" in query else 10))

    write, prompts = script(endless, "NONE")
    outcome = by_model("Who?", write, run, own=reader(corpus.layout.root))
    assert outcome.stopped == "none"
    assert "stopped" in prompts[1]


def test_a_model_may_decline(corpus: Corpus) -> None:
    outcome = by_model("Why?", lambda prompt: "NONE", runner(corpus, []))
    assert (outcome.query, outcome.stopped) == (None, "none")
    assert proposed("Surely:\n```sparql\nASK { }\n```\n") == "ASK { }"


def test_rows_become_claims_that_verify(corpus: Corpus) -> None:
    run = reader(corpus.layout.root)
    outcome = by_model("Who cites the work on frost?", lambda prompt: GOOD, run)
    assert outcome.query
    assert outcome.table
    answer = answer_of_rows(
        Question("q", "Who cites the work on frost?"), outcome.query, outcome.table, corpus, run, "a model"
    )
    assert answer.papers == ("fog",)
    assert "Frost on lakes" in answer.text
    assert verify(answer, corpus.library()).conforms


def test_a_value_that_no_node_prints_is_left_out(corpus: Corpus) -> None:
    run = reader(corpus.layout.root)
    query = (
        'SELECT ?ref ?said WHERE { GRAPH ?paper { ?ref a deo:BibliographicReference . BIND("4711 whales" AS ?said) } }'
    )
    outcome = by_model("How many whales?", lambda prompt: query, run)
    assert outcome.query
    assert outcome.table
    answer = answer_of_rows(Question("q", "How many whales?"), outcome.query, outcome.table, corpus, run, "a model")
    assert not answer.claims
    assert answer.dropped


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
