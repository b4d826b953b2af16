"""Cypher of an agent: what only reads is asked, everything else is refused before it reaches a database."""

from __future__ import annotations

import pytest

from kag.core.errors import BadValue
from kag.export.cypher_databases import counting, read_only


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p:Paper) RETURN p.id LIMIT 3",
        "match (p:Paper) where p.title contains 'DELETE; // all' return p.id limit 3",
        'MATCH (p:Paper {title: "it\'s"}) WITH p, count(*) AS n WHERE n > 1 RETURN p.id ORDER BY n LIMIT 3',
        "MATCH (p) WHERE p.create = 1 AND p:Set RETURN {set: p.id} LIMIT 3",
    ],
)
def test_a_query_that_reads_is_asked_as_it_is(query: str) -> None:
    assert read_only(query) == query


def test_a_query_without_a_limit_gets_one() -> None:
    assert (
        read_only("MATCH (p:Paper) WITH p LIMIT 2 RETURN p.id")
        == "MATCH (p:Paper) WITH p LIMIT 2 RETURN p.id LIMIT 500"
    )


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) DETACH DELETE n",
        "MATCH (n) SET n.x = 1 RETURN n",
        "match (n) remove n.x return n",
        "CREATE (n) RETURN n",
        "MATCH (n) RETURN n; MATCH (m) DELETE m RETURN m",
        "MATCH (n) RETURN n // x",
        "MATCH (n) /* x */ RETURN n",
        "CALL db.labels() YIELD label RETURN label",
        "MATCH (n) CALL { CREATE (m) } RETURN n",
        "MATCH (n) RETURN apoc.cypher.runFirstColumn('CREATE (m)', {})",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "MATCH (n) WHERE n.x = 'open RETURN n",
        "COPY Paper TO 'out.csv'",
        "MATCH (n)",
        "",
    ],
)
def test_everything_else_is_refused(query: str) -> None:
    with pytest.raises(BadValue) as error:
        read_only(query)
    assert error.value.hint


@pytest.mark.parametrize(
    ("query", "again"),
    [
        ("MATCH (c) RETURN COUNT( c )", "MATCH (c) RETURN collect(DISTINCT c.id) AS kag_counted, COUNT( c )"),
        ("MATCH (c) WITH count(c) AS n RETURN n", None),
        ("MATCH (c) RETURN 'count(c)'", None),
        ("MATCH (c) RETURN count(*)", None),
    ],
)
def test_what_a_query_counts_is_named_by_another(query: str, again: str | None) -> None:
    assert counting(query) == again
