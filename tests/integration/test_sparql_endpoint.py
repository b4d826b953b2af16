"""`kag corpus sparql --endpoint`: stores that a corpus was pushed to answer as the corpus itself does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kag.cli.main import cli
from kag.core.errors import QueryError, StoreError
from kag.export.sparql_store import PASSWORD, USER
from tests.store_servers import Server, oxigraph, stand_in, virtuoso

QUERIES = [
    "SELECT ?t { ?p a fabio:ResearchPaper ; dcterms:title ?t } ORDER BY ?t",
    "SELECT ?paper (COUNT(*) AS ?n) { GRAPH ?paper { ?s a doco:Paragraph } } GROUP BY ?paper ORDER BY ?paper",
    "SELECT ?a ?b { ?a cito:cites ?b } ORDER BY ?a ?b",
    "SELECT ?s ?n ?d { ?s kag:sectionNumber ?n OPTIONAL { ?s kag:depth ?d } } ORDER BY ?s ?n",
    "SELECT DISTINCT ?p { ?s ?p ?o } ORDER BY ?p",
    'SELECT ?t { ?s kag:fullText ?t FILTER(CONTAINS(LCASE(?t), "reservoir")) } ORDER BY ?t',
    "SELECT ?x { ?x a <urn:nothing> }",
    "ASK { ?p a fabio:ResearchPaper }",
    "ASK { ?p a <urn:nothing> }",
    "CONSTRUCT { ?p dcterms:title ?t } WHERE { ?p a fabio:ResearchPaper ; dcterms:title ?t }",
]


@pytest.fixture(scope="module")
def corpus(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("asked") / "corpus"
    assert CliRunner().invoke(cli, ["corpus", "add", str(bundled_runs), "--corpus", str(root)]).exit_code == 0
    return root


@pytest.fixture(scope="module", params=[oxigraph, virtuoso])
def store(request: pytest.FixtureRequest, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A store with the corpus in it, and somebody else's graph."""
    with request.param(tmp_path_factory.mktemp("stores") / "store") as server, pytest.MonkeyPatch.context() as patched:
        name, _, password = server.user.partition(":")
        if name:
            patched.setenv(USER, name)
            patched.setenv(PASSWORD, password)
        done = CliRunner().invoke(cli, ["push", server.put, *server.options, "--corpus", str(corpus)])
        assert done.exit_code == 0, done.stderr
        yield server


def asked(query: str, corpus: Path, *more: str) -> Result:
    return CliRunner().invoke(cli, ["corpus", "sparql", query, "--corpus", str(corpus), "--format", "json", *more])


def rows(done: Result) -> list[dict[str, dict[str, str]]]:
    assert done.exit_code == 0, done.output
    found: list[dict[str, dict[str, str]]] = json.loads(done.stdout)["results"]["bindings"]
    return found


@pytest.mark.parametrize("query", QUERIES)
def test_a_store_answers_as_the_corpus_does(query: str, corpus: Path, store: Server) -> None:
    here, there = rows(asked(query, corpus)), rows(asked(query, corpus, "--endpoint", store.query))
    assert Counter(map(value, here)) == Counter(map(value, there))
    if not store.user:  # Oxigraph is the same engine
        assert sorted(map(str, here)) == sorted(map(str, there))


def value(row: dict[str, dict[str, str]]) -> str:
    """A row by what its terms are worth: engines name types of whole numbers differently."""
    return json.dumps({name: (term["type"], term["value"]) for name, term in row.items()}, sort_keys=True)


def test_limits_hold_for_stores_too(corpus: Path, store: Server) -> None:
    cut = asked("SELECT * { ?s ?p ?o }", corpus, "--endpoint", store.query, "--max-rows", "7")
    assert json.loads(cut.stdout)["ended"] == "rows"
    assert len(rows(cut)) == 7


def test_what_must_not_run_does_not_reach_a_store(corpus: Path) -> None:
    with stand_in() as server:
        for query in (
            "DROP ALL",
            "SELECT * { SERVICE <http://x/> { ?s ?p ?o } }",
            "SELECT ?x FROM <urn:other> { ?x ?p ?o }",
        ):
            assert isinstance(asked(query, corpus, "--endpoint", server.url).exception, QueryError)
        assert not server.seen


def test_what_is_no_answer_is_told(corpus: Path) -> None:
    with stand_in() as server:
        assert isinstance(asked("ASK { ?s ?p ?o }", corpus, "--endpoint", server.url).exception, QueryError)
        server.faults = [500]
        assert isinstance(asked("ASK { ?s ?p ?o }", corpus, "--endpoint", server.url).exception, StoreError)
    assert isinstance(asked("ASK { ?s ?p ?o }", corpus, "--endpoint", "http://127.0.0.1:9/q").exception, StoreError)
