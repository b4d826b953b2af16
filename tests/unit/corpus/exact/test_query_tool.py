"""SPARQL as an agent asks it: checked, bounded, and every refusal as data."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from kag.core.errors import BadValue
from kag.core.tool import guard, toolset
from kag.core.trajectory import Trajectory
from kag.corpus.exact.query_tool import LONGEST_QUERY, QueryTools
from kag.corpus.sparql.query import Limits, Table, Term, ask, reader
from kag.qa.views.view_bounds import MAX_BYTES, size
from kag.rdf.namespaces import PAPERS
from tests.unit.corpus.exact.small import runner
from tests.unit.corpus.runs import make_run, put

REFERENCES = "SELECT ?node ?title WHERE { GRAPH ?paper { ?node a deo:BibliographicReference ; dcterms:title ?title } }"


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> QueryTools:
    folder: Path = tmp_path_factory.mktemp("queries")
    put(folder / "corpus", make_run(folder, "ice"), make_run(folder, "fog"))
    return QueryTools(partial(ask, folder / "corpus", limits=Limits(seconds=20)), reader(folder / "corpus"))


def test_nodes_are_named_so_that_views_can_go_on(tools: QueryTools) -> None:
    found = tools.query_graph(f"{REFERENCES} ORDER BY ?node")
    assert (found["columns"], found["total"], found["ended"]) == (["node", "title"], 6, "")
    assert found["items"][0] == {"node": "fog/ex:b_p002_0009", "title": "Ice on rivers"}
    assert size(found) <= MAX_BYTES


def test_what_is_counted_has_its_own_name(tools: QueryTools) -> None:
    query = (
        "SELECT ?paper (COUNT(?n) AS ?many) WHERE { GRAPH ?paper { ?n a deo:BibliographicReference } } GROUP BY ?paper"
    )
    assert {row["many"] for row in tools.query_graph(query)["items"]} == {"3"}
    with pytest.raises(BadValue, match=r"\?many is projected and nothing binds it"):
        tools.query_graph("SELECT ?many WHERE { GRAPH ?paper { ?n a deo:BibliographicReference } }")


@pytest.mark.parametrize(
    ("sparql", "said"),
    [
        ("SELECT ?x WHERE { GRAPH ?p { ?x a deo:Metods } }", "deo:Metods is not a term of these graphs"),
        ("DROP ALL", "DROP"),
        ("SELECT * WHERE { SERVICE <http://x.example/> { ?a ?b ?c } }", "SERVICE is refused"),
        ("SELECT ?x WHERE {", ""),
        ("", "a query is needed"),
        ("SELECT ?x " * 1000, "a query is needed"),
    ],
)
def test_what_cannot_be_asked_comes_back_as_data(tools: QueryTools, sparql: str, said: str) -> None:
    with pytest.raises(BadValue) as error:
        tools.query_graph(sparql)
    assert said in error.value.message
    trajectory = Trajectory()
    offered = {tool.name: guard(tool, trajectory).call for tool in toolset(tools)}
    assert offered["query_graph"](sparql)["ok"] is False


def test_the_schema_is_told_in_one_answer(tools: QueryTools) -> None:
    told = tools.graph_schema()
    assert "deo:BibliographicReference" in told["schema"]
    assert size(told) <= MAX_BYTES


def uri(value: str) -> Term:
    return {"type": "uri", "value": f"{PAPERS}{value}"}


def said(value: str) -> Term:
    return {"type": "literal", "value": value}


def test_values_are_told_in_short() -> None:
    table = Table(
        ("a", "b"),
        (
            (uri("fog/b_p1"), said("x" * 301)),
            (uri("fog"), None),
            ({"type": "uri", "value": "urn:w"}, said(f"{PAPERS}fog/b_p1")),
        ),
    )
    tools = QueryTools(lambda _: table, lambda _: table)
    told = tools.query_graph("SELECT ?a ?b WHERE { ?a kag:fullText ?b }")
    assert told["items"] == [
        {"a": "fog/ex:b_p1", "b": "x" * 300},
        {"a": f"{PAPERS}fog"},
        {"a": "urn:w", "b": f"{PAPERS}fog/b_p1"},
    ]
    assert (told["total"], told["columns"]) == (3, ["a", "b"])


def test_a_query_has_at_most_four_thousand_signs() -> None:
    tools = QueryTools(runner(ice=":a a deo:Methods ."), runner(ice=":a a deo:Methods ."))
    query = "SELECT ?x WHERE { GRAPH ?paper { ?x a deo:Methods } } #"
    assert tools.query_graph(query + "x" * (LONGEST_QUERY - len(query)))["total"] == 1
    with pytest.raises(BadValue, match="a query is needed"):
        tools.query_graph(query + "x" * (LONGEST_QUERY - len(query) + 1))
    assert LONGEST_QUERY == 4_000


def test_no_more_than_five_faults_are_told() -> None:
    tools = QueryTools(runner(ice=":a a deo:Methods ."), runner(ice=":a a deo:Methods ."))
    with pytest.raises(BadValue) as error:
        tools.query_graph(f"SELECT ?x WHERE {{ {' . '.join(f'?x a deo:Zq{n}' for n in range(6))} }}")
    assert error.value.message.count("is not a term") == 5
