"""The words of a question never become part of a query but as terms."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.corpus.exact import answer_by_schema
from kag.corpus.exact.build import build
from kag.corpus.exact.condition import Filter
from kag.corpus.exact.marks import find_marks
from kag.corpus.exact.names import Ambiguous, Names
from kag.corpus.exact.patterns import dated
from kag.corpus.exact.schema_query import literal, phrase_pattern, term, with_prefixes
from kag.corpus.exact.terms import LATEST
from kag.corpus.exact.wish import read_wish
from kag.corpus.sparql.query import reader
from kag.corpus.sparql.tokens import scan
from kag.corpus.store import Corpus
from kag.questions.file import Question
from kag.rdf.namespaces import FABIO
from kag.values.errors import BadValue

HOSTILE = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    ['") } DROP ALL #', "\\", '"""', "} UNION { ?s ?p ?o", 'a\\" ) . ?x', "\n} #", ".*+?(){}[]^$|", "<x> ?y 'z"]
)


@given(HOSTILE)
def test_a_literal_is_one_token(words: str) -> None:
    assert [token.kind for token in scan(f"SELECT {literal(words)} ?end")] == ["SELECT", "string", "variable"]


@given(HOSTILE)
def test_a_pattern_has_letters_digits_and_gaps_alone(words: str) -> None:
    rest = phrase_pattern(words).replace(r"[^\p{L}\p{N}]+", "")
    assert all(char.isalnum() or char in "[]" for char in rest)


@pytest.mark.parametrize("written", ['"%s"^^<http://www.w3.org/2001/XMLSchema#gYear>', '"%s"'])
@pytest.mark.parametrize(
    ("low", "high", "years"),
    [(1999, 1999, ["1999"]), (1999, LATEST, ["1999", "2004"]), (0, 1999, ["1987", "1999"]), (2005, 2010, [])],
)
def test_years_are_found_with_a_type_and_in_graphs_made_before_they_had_one(
    written: str, low: int, high: int, years: list[str]
) -> None:
    store = pyoxigraph.Store()
    for year in ("1987", "1999", "2004"):
        line = f"<urn:{year}> <{FABIO.hasPublicationYear}> {written % year} ."
        store.load(line.encode(), pyoxigraph.RdfFormat.TURTLE)
    query = with_prefixes(f"SELECT ?ref WHERE {{ {dated('?ref', Filter('year', '', low, high), '')} }} ORDER BY ?ref")
    assert [row["ref"].value for row in store.query(query)] == [f"urn:{year}" for year in years]


def test_an_iri_with_other_characters_is_refused() -> None:
    with pytest.raises(BadValue):
        term("http://example.org/> . ?s ?p ?o")


@settings(max_examples=12, deadline=None)
@given(HOSTILE, st.sampled_from(['Which papers cite "{}"?', "Which papers cite {} (1999)?", "Which papers cite {}?"]))
def test_a_hostile_question_changes_no_query(corpus: Corpus, said: str, frame: str) -> None:
    shapes = set()

    def run(query: str):
        shapes.add(tuple(token.kind for token in scan(query) if token.kind.isalpha() and token.kind.isupper()))
        return reader(corpus.layout.root)(query)

    answer_by_schema(Question("q", frame.format(said) or "?"), corpus, run)
    words = (
        "SELECT DISTINCT WHERE GRAPH OPTIONAL BIND COALESCE AS FILTER REGEX CONCAT VALUES UNION ORDER BY PREFIX LIMIT"
    )
    allowed = {*words.split(), "SUBSTR", "COUNT", "NOT", "EXISTS", "STR", "LCASE", "IN"}
    assert all(word in allowed for shape in shapes for word in shape)


def test_building_is_the_same_each_time(corpus: Corpus) -> None:
    marked, marks = find_marks('Which papers cite "Ice on rivers" in 1999?', corpus.papers())
    wish = read_wish("Which papers cite @q0 ?")
    assert wish is not None
    assert marked
    names = Names(reader(corpus.layout.root), corpus.papers(), marks)
    assert build(wish, names).query == build(wish, names).query


def test_a_name_that_fits_two_titles_is_not_taken(corpus: Corpus) -> None:
    _, marks = find_marks('"on rivers"', corpus.papers())
    with pytest.raises(Ambiguous):
        Names(reader(corpus.layout.root), corpus.papers(), marks).works("@q0")
