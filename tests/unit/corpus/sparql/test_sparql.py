"""Queries to a corpus: what they give, what is refused, and that limits end them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from kag.core.errors import CorpusError, QueryError
from kag.corpus.sparql.query import Limits, ask, reader
from kag.corpus.sparql.text import LONGEST
from scripts.attacks.listening import listening
from tests.unit.corpus.runs import put

ICE = "http://la3d.local/kag/doc/ice/document"


@pytest.fixture(scope="module")
def root(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sparql") / "corpus"
    put(folder, runs["ice"], runs["fog"])
    return folder


def test_all_papers_are_asked_as_one_or_apart(root: Path) -> None:
    titles = (
        "SELECT ?id { ?p a <http://purl.org/spar/fabio/ResearchPaper> ; <http://purl.org/dc/terms/identifier> ?id }"
    )
    assert ask(root, titles + " ORDER BY ?id").to_text() == "id\nfog\nice\n"
    apart = f"SELECT DISTINCT ?g {{ GRAPH ?g {{ <{ICE}> ?p ?o }} }}"
    assert json.loads(ask(root, apart).to_json())["results"]["bindings"] == [{"g": {"type": "uri", "value": ICE}}]
    one = titles.replace("{", f"FROM <{ICE}> {{", 1)
    assert ask(root, one).to_text() == "id\nice\n"


def test_ask_construct_and_typed_values(root: Path) -> None:
    assert ask(root, "ASK { ?s ?p 'no such text' }").to_text() == "boolean\nfalse\n"
    built = ask(
        root, f"CONSTRUCT {{ <{ICE}> <a:b> ?n }} {{ SELECT (MAX(?o) AS ?n) {{ ?s <http://la3d.local/kag#order> ?o }} }}"
    )
    assert built.names == ("subject", "predicate", "object")
    (_, _, value), *rest = built.rows
    assert not rest
    assert value is not None
    assert value["datatype"] == "http://www.w3.org/2001/XMLSchema#integer"


def test_rows_and_bytes_are_limited(root: Path) -> None:
    some = ask(root, "SELECT * { ?s ?p ?o }", Limits(rows=7))
    assert (len(some.rows), some.ended) == (7, "rows")
    assert json.loads(some.to_json())["ended"] == "rows"
    small = ask(root, "SELECT * { ?s ?p ?o }", Limits(bytes=2000))
    assert small.ended == "bytes"
    assert 0 < len(small.rows) < 30
    exact = ask(root, "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }", Limits(rows=2))
    assert (len(exact.rows), exact.ended) == (2, "")


def test_time_is_limited(root: Path) -> None:
    start = time.monotonic()
    with pytest.raises(QueryError, match="stopped after 1 s"):
        ask(root, "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }", Limits(seconds=1))
    assert time.monotonic() - start < 8


def test_a_query_that_breaks_its_process_is_an_error(root: Path) -> None:
    with pytest.raises(QueryError, match=r"too much memory|expected"):
        ask(root, "SELECT * {" + "{" * 9000 + "}" * 9000 + "}")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "INSERT is not a query"),
        ("PREFIX select: <a:b>\nDELETE WHERE { ?s ?p ?o }", "DELETE is not a query"),
        ("LOAD <http://example.org/x>", "LOAD is not a query"),
        ("", "a text without a form"),
        ("SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { ?s ?p ?o.service silent <http://example.org/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { ?s ?p '''a''' . # '\nSERVICE <http://example.org/> {} }", "SERVICE"),
        ("SELECT * FROM e:graph { ?s ?p ?o }", "the prefix e: is not declared"),
        ("SELECT * FROM <graph> { ?s ?p ?o }", "corpus list"),
        ("SELECT * FROM <http://example.org/data.ttl> { ?s ?p ?o }", "no graph"),
        ("PREFIX e: <http://example.org/> SELECT * FROM e:data { ?s ?p ?o }", "no graph <http://example.org/data>"),
        ("SELECT * FROM <http://[> { ?s ?p ?o }", "corpus list"),
        ("SELECT * { ?s <http://[> ?o }", "IRI parsing failed"),
        ("SELECT * { ?s ?p }", "cannot be read in line 1"),
        ("SELECT * { ?s ?p 'a' } #" + "x" * LONGEST, "characters"),
        ("SELECT ('\ud800' AS ?x) {}", "half a character"),
    ],
)
def test_refused(query: str, words: str, root: Path) -> None:
    with pytest.raises(QueryError) as error:
        ask(root, query)
    assert words in error.value.message or words in error.value.hint
    assert error.value.hint


def test_no_service_is_ever_asked(root: Path) -> None:
    with listening() as heard:
        clause = f"SERVICE <http://127.0.0.1:{heard.port}/> {{ ?s ?p ?o }}"
        for query in (
            f"SELECT * {{ FILTER(1 <'>' || true) {clause} FILTER('x'='x') }}",
            f"SELECT * {{ {clause} }}",
            f"SELECT * {{ FILTER(1<'>'||true){clause.lower()}FILTER('x'='x') }}",
        ):
            with pytest.raises(QueryError):
                ask(root, query)
            with pytest.raises(QueryError):
                reader(root)(query)
        assert heard.count == 0


def test_a_word_that_is_no_keyword_is_an_ordinary_name(root: Path) -> None:
    query = "PREFIX service: <http://purl.org/dc/terms/> SELECT ?SERVICE { ?service service:identifier ?SERVICE }"
    assert ask(root, query + " ORDER BY ?SERVICE").to_text() == "SERVICE\nfog\nice\n"


def test_what_the_engine_has_against_a_query_is_told(root: Path) -> None:
    with pytest.raises(QueryError, match=r"in line 2: The SELECT contains a variable that is unbound"):
        ask(root, "SELECT ?x\nWHERE { ?s ?p ?o } GROUP BY ?s")


def test_without_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="is not a corpus"):
        ask(tmp_path, "ASK { ?s ?p ?o }")
