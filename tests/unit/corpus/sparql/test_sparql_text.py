"""How a query is read: on the standard's grammar, to the form and the columns that the engine finds in it too."""

from __future__ import annotations

import contextlib
import re

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.core.errors import QueryError
from kag.corpus.sparql.grammar import parse, table
from kag.corpus.sparql.text import LONGEST, LONGEST_WRITTEN, columns, read, resolved
from tests.growth import linear
from tests.unit.corpus.sparql.queries import graphs, queries

STORE = graphs()
SERVICE = "SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }"
SMALL = {"iri", "name", "namespace", "variable", "string", "language", "blank", "integer", "number", "signed"}


def found(text: str, graphs: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """The engine's columns and rows, without the names of blank nodes."""
    result = STORE.query(text, use_default_graph_as_union=not graphs)
    if isinstance(result, pyoxigraph.QueryBoolean):
        return ("boolean",), [str(bool(result))]
    if isinstance(result, pyoxigraph.QueryTriples):
        return ("subject", "predicate", "object"), sorted(re.sub(r"_:\w+", "_:", str(triple)) for triple in result)
    names = tuple(variable.value for variable in result.variables)
    return names, sorted(re.sub(r"_:\w+", "_:", str([str(term) for term in row])) for row in result)


@pytest.mark.parametrize("query", queries(), ids=lambda query: query.splitlines()[4][:60])
def test_every_kind_of_query_is_read_as_the_engine_reads_it(query: str) -> None:
    reading = read(query)
    told = found(reading.text, reading.graphs)
    assert told[0] == reading.columns
    if "FALSE" not in query:  # of which the engine knows small letters only
        assert told == found(query, reading.graphs)
    again = read(reading.text)
    assert (again.form, again.columns, again.text.split()) == (reading.form, reading.columns, reading.text.split())


def test_there_are_enough_kinds() -> None:
    words = {token.kind for query in queries() for token in parse(query).tokens}
    never = {"SERVICE", "SILENT"} | {"RAND", "NOW", "UUID", "STRUUID", "BNODE"}  # no two answers are the same
    kinds = {kind for row in table().values() for kind in row if kind}
    assert kinds - words == never


def test_a_rule_is_made_of_rules_keywords_marks_and_classes() -> None:
    rows = table()
    used = {symbol for row in rows.values() for production in row.values() for symbol in production}
    small = {symbol for symbol in used - set(rows) if symbol[0].islower()}
    assert small - {"a"} == SMALL


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT * {{ FILTER(1 <'>' || true) {SERVICE} FILTER('x'='x') }}",
        f"SELECT * {{ FILTER(1 <\">\" || true) {SERVICE} FILTER('x'='x') }}",
        f"SELECT * {{ ?s ?p ?o FILTER EXISTS {{ {{ SELECT * {{ {SERVICE} }} }} }} }}",
        f"SELECT * {{ ?s ?p '''a''' . # '\n{SERVICE} }}",
        f"SELECT * {{ ?s ?p 'a' . # '\r{SERVICE} }}",
        f"SELECT * {{ \\u0053{SERVICE[1:]} }}",
        f"SELECT * {{ ?s ?p <a:b\\u003E> . {SERVICE} . ?s ?p <c:> }}",
        f"SELECT * {{ {SERVICE.lower()} }}",
        f"ASK {{ OPTIONAL {{ {SERVICE.replace('SERVICE', 'SERVICE#x' + chr(10) + 'SILENT')} }} }}",
        f"CONSTRUCT {{ }} WHERE {{ BIND(EXISTS {{ {SERVICE} }} AS ?x) }}",
        f"SELECT (EXISTS {{ {SERVICE} }} AS ?x) {{ }} ORDER BY (NOT EXISTS {{ {SERVICE} }})",
        f"PREFIX e: <a:> SELECT * {{ ?s ?p e:.{SERVICE} }}",
        f"\ufeffSELECT * {{ {SERVICE} }}",
    ],
)
def test_service_is_refused_wherever_it_stands(query: str) -> None:
    with pytest.raises(QueryError):
        read(query)


MARKS = list("<>'\"\\{}()[]#.;,?$@^|&!=+-*/_:\n\r\t a1\ufeff\u200b\u00a0")
WORDS = (
    "<'>~'''~\"\"\"~\\u0053~\\'~SERVICE~SELECT * {~ASK {~?s ?p ?o~e:a~_:b~FILTER(~1 <'>'~<a:b>~'x'~\"x\"~}~@en~^^<a:t>"
)
PIECES = st.sampled_from([*MARKS, *WORDS.split("~"), SERVICE])


@given(st.lists(PIECES, max_size=25).map("".join))
def test_what_is_read_is_read_alike_by_the_engine_or_refused(text: str) -> None:
    for query in (text, f"SELECT * {{ {text} }}", f"ASK {{ FILTER({text}) }}"):
        with contextlib.suppress(QueryError, SyntaxError):
            reading = read(query)
            assert "SERVICE" not in re.sub(r'"(?:[^"\\]|\\.)*"|<[^>]*>|[?@]\w+', "", reading.text)
            result = STORE.query(reading.text)
            assert isinstance(result, pyoxigraph.QueryBoolean) == (reading.form == "ASK")
            if isinstance(result, pyoxigraph.QuerySolutions):
                assert tuple(variable.value for variable in result.variables) == reading.columns


def test_a_sign_behind_a_path_is_its_number_s() -> None:
    assert found(read("SELECT ?s { ?s <http://example.org/score> +7 }").text, ())[1] == [
        "['<http://example.org/shop>']"
    ]
    assert '"+7" ^^' in read("SELECT ?s { ?s <http://example.org/score> +7 }").text


def test_each_token_stays_on_its_line() -> None:
    lines = read("PREFIX e: <http://e/>\nSELECT ?x\n# no\n{ ?x\n\ne:y 'a' FILTER(BNODE\n(?x)) }").text.split("\n")
    assert [line.strip() for line in lines] == [
        "",
        "SELECT ?x",
        "",
        "{ ?x",
        "",
        '<http://e/y> "a" FILTER( BNODE(',
        "?x ) ) }",
    ]


def test_the_columns_of_a_query_are_those_of_its_patterns() -> None:
    query = (
        "SELECT * { ?a ?b [ ?c 1 ] FILTER(?no) MINUS { ?no ?no ?no } OPTIONAL { ?d ?b ?a FILTER EXISTS { ?no a ?no } }"
        " { SELECT ?e (?no AS ?f) { ?no ?e ?no } } { SELECT * { ?g a ?h } } GRAPH ?i {} BIND(?no AS ?j) }"
        " VALUES ?k { 1 }"
    )
    assert columns(parse(query)) == tuple("abcdefghijk")
    assert found(read(query).text, ())[0] == tuple("abcdefghijk")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * { ?s e:p ?o }", "the prefix e: is not declared"),
        ("SELECT * { ?s <p> ?o }", "<p> is not a whole IRI"),
        ("SELECT * { ?s <a:\\u0020> ?o }", "<a: > is not an IRI"),
        ("SELECT ('\\uD800' AS ?x) {}", "is not a character"),
        ("SELECT ('\ud800' AS ?x) {}", "half a character"),
        ("SELECT * { ?s ?p ?o", "the query ends too early"),
        ("SELECT * {\n ?s ?p ?o } LIMIT x", "line 2, column 19: 'x' cannot stand here; expected integer"),
        ("SELECT variable {}", "'variable {}' cannot stand here"),
        ("SELECT ~1 {}", "line 1, column 8: '~1 {}' cannot stand here"),
        (f"PREFIX a: <a:{'x' * 9000}> ASK {{ {'a: a: a: . ' * 500} }}", f"over {LONGEST_WRITTEN} characters"),
    ],
)
def test_what_is_wrong_is_told(query: str, said: str) -> None:
    with pytest.raises(QueryError) as error:
        read(query)
    assert said in error.value.message
    assert error.value.hint


def test_relative_iris_are_resolved_as_the_standard_says() -> None:
    base = "http://a/b/c/d;p?q"
    for reference in (
        *(
            "g:h",
            "g",
            "./g",
            "g/",
            "/g",
            "//g",
            "?y",
            "g?y",
            "#s",
            "g#s",
            "g?y#s",
            ";x",
            "g;x",
            "g;x?y#s",
            "",
            ".",
            "./",
        ),
        *("..", "../", "../g", "../..", "../../", "../../g", "../../../g", "/./g", "/../g", "g.", ".g", "g..", "..g"),
        *("./../g", "./g/.", "g/./h", "g/../h", "g;x=1/./y", "g;x=1/../y", "g?y/./x", "g#s/../x", "http://x/a/../b"),
    ):
        for around in (base, "http://a", "http://a/"):
            with contextlib.suppress(SyntaxError):
                (row,) = STORE.query(f"BASE <{around}> SELECT (<{reference}> AS ?x) {{}}")
                assert row["x"].value == resolved(around, reference), (around, reference)


HOSTILE = (
    "PREFIX" + " " * LONGEST,
    "'",
    '"',
    "<",
    "a:",
    "\\'",
    "a.",
    "a-",
    "<a",
    "'\\",
    "'''a",
    '""',
    "'''\\",
    "?a.b",
    "_",
    ":",
    "(",
    "[",
    "(#",
    "1.",
)
HOSTILE += (
    "_:a.",
    ":a..",
    "+",
    "?s ?p ?o.",
    "{",
    "a b ",
    "BASE<a:>",
    "PREFIX a:<b:>",
    "{SELECT * ",
    "1+",
    "FILTER EXISTS{",
)


def test_hostile_texts_are_read_in_linear_time() -> None:
    for text in HOSTILE:
        for start in ("", "SELECT * {"):
            assert linear(_refused, (start + text * LONGEST)[:LONGEST]), text


def test_no_nesting_is_too_deep() -> None:
    for left, inner, right in (
        ("{", "", "}"),
        ("{SELECT * ", "{?s ?p ?o}", "}"),
        ("{FILTER EXISTS ", "{?x a ?y}", "}"),
    ):
        times = LONGEST // (len(left + right) + 1)
        assert read("SELECT * " + "{" + left * times + (inner or "{}") + right * times + "}").form == "SELECT"


def _refused(text: str) -> None:
    with contextlib.suppress(QueryError):
        read(text)
