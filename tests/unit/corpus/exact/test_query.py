"""The words of a question never become part of a query but as terms."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.core.errors import BadValue
from kag.corpus.exact import answer_by_schema
from kag.corpus.exact.find import Finder
from kag.corpus.exact.named import Ambiguous, Names
from kag.corpus.exact.properties import dated
from kag.corpus.exact.things import Unfit, literal, phrase_pattern, term
from kag.corpus.sparql.query import reader
from kag.corpus.sparql.text import tokens, with_prefixes
from kag.corpus.store import Corpus
from kag.qa.questions.file import Question
from kag.qa.questions.structured_query import MANY, Condition, Kind, Name, Query, Relation
from kag.rdf.namespaces import FABIO

HOSTILE = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    ['") } DROP ALL #', "\\", '"""', "} UNION { ?s ?p ?o", 'a\\" ) . ?x', "\n} #", ".*+?(){}[]^$|", "<x> ?y 'z"]
)


@settings(max_examples=40)
@given(HOSTILE)
def test_a_literal_is_one_token(words: str) -> None:
    assert [token.kind for token in tokens(f"SELECT {literal(words)} ?end")] == ["word", "string", "variable"]


@settings(max_examples=40)
@given(HOSTILE)
def test_a_pattern_has_letters_digits_and_gaps_alone(words: str) -> None:
    rest = phrase_pattern(words).replace(r"[^\p{L}\p{N}]+", "")
    assert all(char.isalnum() or char in "[]" for char in rest)


@pytest.mark.parametrize("written", ['"%s"^^<http://www.w3.org/2001/XMLSchema#gYear>', '"%s"'])
@pytest.mark.parametrize(
    ("low", "high", "years"),
    [(1999, 1999, ["1999"]), (1999, MANY, ["1999", "2004"]), (1, 1999, ["1987", "1999"]), (2005, 2010, [])],
)
def test_years_are_found_with_a_type_and_in_graphs_made_before_they_had_one(
    written: str, low: int, high: int, years: list[str]
) -> None:
    store = pyoxigraph.Store()
    for year in ("1987", "1999", "2004"):
        line = f"<urn:{year}> <{FABIO.hasPublicationYear}> {written % year} ."
        store.load(line.encode(), pyoxigraph.RdfFormat.TURTLE)
    query = with_prefixes(f"SELECT ?ref WHERE {{ {dated('?ref', low, high, '')} }} ORDER BY ?ref")
    assert [row["ref"].value for row in store.query(query)] == [f"urn:{year}" for year in years]


def test_an_iri_with_other_characters_is_refused() -> None:
    with pytest.raises(BadValue):
        term("http://example.org/> . ?s ?p ?o")


@settings(max_examples=12, deadline=None)
@given(HOSTILE, st.sampled_from(['Which papers cite "{}"?', "Which papers cite {} (1999)?", "Which papers cite {}?"]))
def test_a_hostile_question_changes_no_query(corpus: Corpus, said: str, frame: str) -> None:
    shapes = set()

    def run(query: str):
        shapes.add(tuple(token.word for token in tokens(query) if token.word and token.word != "A"))
        return reader(corpus.layout.root)(query)

    answer_by_schema(Question("q", frame.format(said) or "?"), corpus, run)
    words = (
        "SELECT DISTINCT WHERE GRAPH OPTIONAL BIND COALESCE AS FILTER REGEX CONCAT VALUES UNION ORDER BY PREFIX LIMIT "
        "SUBSTR COUNT GROUP_CONCAT NOT EXISTS STR LCASE IN MINUS GROUP SEPARATOR HAVING BOUND IF FALSE"
    )
    allowed = set(words.split())
    assert {word for shape in shapes for word in shape} <= allowed


def query(relation: Relation, kind: Kind, name: Name) -> Query:
    """Papers by a condition with a name on what they have or cite."""
    link: Relation = "cites" if kind in ("reference", "work") else "holds"
    one = Condition(relation, name=name)
    return Query("paper", (one,) if kind == "paper" else (Condition(link, Query(kind, (one,)), low=2),))


NAMED: list[tuple[Relation, Kind]] = [
    ("is", "reference"),
    ("is", "section"),
    ("is", "figure"),
    ("is", "paper"),
    ("author", "reference"),
    ("author", "paper"),
    ("first author", "paper"),
    ("venue", "work"),
    ("title", "table"),
    ("has", "reference"),
]


@settings(max_examples=25, deadline=None)
@given(HOSTILE, st.sampled_from(NAMED), st.sampled_from(["number", "title", "words", "label", "doi", "id", "role"]))
def test_a_hostile_name_is_a_string_in_every_query(
    corpus: Corpus, said: str, named: tuple[Relation, Kind], way
) -> None:
    """Each query has as many tokens of each kind, in the same order, as one for other words; or there is none."""
    finder = Finder(Names(reader(corpus.layout.root), corpus.papers()))
    try:
        finder.things(query(*named, Name(said, way)))
    except (Ambiguous, Unfit):
        return
    for sent in finder.asked:
        strings = [token.text for token in tokens(sent) if token.kind == "string"]
        bare = sent
        for one in strings:
            bare = bare.replace(one, '""')
        assert not any(mark in bare for mark in ("DROP", "'z", "+?()"))
        assert bare.count("{") == bare.count("}")


def test_a_name_that_fits_two_titles_is_not_taken(corpus: Corpus) -> None:
    with pytest.raises(Ambiguous):
        Names(reader(corpus.layout.root), corpus.papers()).works(Name("on rivers"))
