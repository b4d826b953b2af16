"""Search: BM25 by hand, conditions, and spans that print what was looked for."""

import math

import pytest

from kag.qa.passage_index import SearchIndex
from kag.qa.passages import SNIPPET, Passage, passages
from kag.qa.word_query import Condition, parse_query, section_named
from tests.unit.qa.papers import BASE, ice

UNITS = ("ice on the river", "snow and ice and ice", "sensors in the river bed")


def plain(*texts, **more):
    return SearchIndex([Passage(f"p{number}", text) for number, text in enumerate(texts)], **more)


def ids(results):
    return [hit.passage.id.removeprefix(BASE) for hit in results.hits]


def printed(paper, hit):
    return [paper.nodes[iri].text[start:end] for iri, start, end in hit.spans]


@pytest.fixture(scope="module")
def paper():
    return ice()


@pytest.fixture(scope="module")
def index(paper):
    return SearchIndex(passages(paper))


def test_scores_are_bm25():
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    mean = (4 + 5 + 5) / 3
    scores = plain(*UNITS).scores({"ice": 1.0})
    for number, count, length in ((0, 1, 4), (1, 2, 5)):
        norm = 1.2 * (1 - 0.75 + 0.75 * length / mean)
        assert scores[number] == pytest.approx(rarity * count * 2.2 / (count + norm))
    assert 2 not in scores
    assert plain(*UNITS).scores({"ice": 2.0})[0] == pytest.approx(2 * scores[0])


def test_a_heading_counts_less_than_the_text_and_more_than_nothing():
    index = SearchIndex(
        [Passage("a", "ice here"), Passage("b", "fog here", heading="Ice"), Passage("c", "fog here")], heading=0.5
    )
    assert ids(index.search("ice")) == ["a", "b"]
    assert ids(SearchIndex(index.passages, heading=0).search("ice")) == ["a"]
    assert index.search("ice").hits[1].spans == ()


def test_equals_come_in_reading_order_and_pages_join_up():
    index = plain(*["ice"] * 7)
    assert ids(index.search("ice", 5)) + ids(index.search("ice", 5, 5)) == [f"p{number}" for number in range(7)]
    assert index.search("ice", 5, 5).total == 7


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("89Zr", ["b_1"]),
        ("⁸⁹Zr half life", ["b_1"]),
        ("study", ["b_5"]),
        ('"half life"', ["b_1"]),
        ('"life half"', []),
        ('"fail as was shown"', ["b_1"]),
        ("stud*", ["b_5"]),
        ("ice kind:caption", ["b_3"]),
        ("ice kind:reference", ["b_8"]),
        ("rivers -snow", ["b_8"]),
        ('rivers -"snow on"', ["b_8"]),
        ("rivers -kind:reference", []),
        ("section:methods snow", ["b_5"]),
        ("section:2.1 kind:paragraph", ["b_5"]),
        ('section:"materials and methods" kind:caption', ["b_7"]),
        ("in:ex:s_sites kind:paragraph", ["b_5"]),
        ("in:b_6", ["b_6#0", "b_6#1", "b_6#2"]),
        ("page:3 rivers", ["b_8", "b_9"]),
        ("page:2-3 kind:paragraph", ["b_1", "b_5"]),
        ("lower lost", ["b_6#2", "b_6#0", "b_6#1"]),
        ("page:x", []),
        ("qwxz", []),
        ("", []),
    ],
)
def test_what_queries_find(index, query, found):
    assert ids(index.search(query)) == found


def test_words_that_are_nowhere_are_named(index):
    assert index.search("ice qwxz qwxz 17").unknown == ("qwxz", "17")


def test_spans_print_what_was_looked_for(paper, index):
    (hit,) = index.search("89Zr").hits
    assert printed(paper, hit) == ["\\( ^{89} \\) Zr"]
    (hit,) = index.search('"fail as was shown"').hits
    assert "fail as" in printed(paper, hit)
    assert "was shown" in printed(paper, hit)
    (hit,) = index.search("study").hits
    assert printed(paper, hit) == ["studied", "Studies"]


def test_a_snippet_is_the_densest_stretch_of_one_node():
    far = "fog " * 200
    index = plain(f"ice {far}ice sensors {far}")
    ((hit,), text) = index.search("sensors ice").hits, index.passages[0].text
    node, start, end = hit.snippet
    assert node == "p0"
    assert end - start <= SNIPPET
    assert "ice sensors" in text[start:end]
    assert not text[start - 1].strip()
    assert not text[end].strip()


def test_a_snippet_stays_in_a_node_and_within_bounds(paper, index):
    for hit in index.search("the of in ice sensors rivers", 20).hits:
        node, start, end = hit.snippet
        assert 0 <= start < end <= len(paper.nodes[node].text)
    ((hit,),) = (plain("x" * 1000 + " " + "y" * 1000).search("y" * 1000).hits,)
    assert hit.snippet == ("p0", 1001, 1001 + SNIPPET)


def test_forms_of_a_word():
    index = plain("study studies studied studying", "student studio", "rate rates rating ratio")
    assert index.forms("studies") == ("studied", "studies", "study", "studying")
    assert index.forms("rate") == ("rate", "rates", "rating")
    assert index.idf("qwxz") == 0
    assert index.idf("student") > 0


def test_an_empty_index_finds_nothing():
    assert SearchIndex([]).search("ice").total == 0
    assert plain("", " ").search("ice").total == 0


def test_queries_are_read_into_parts():
    query = parse_query('half-life of "river ice" sens* -snow -"old ice" -kind:caption section:"my methods" -5 ratio:3')
    assert query.phrases == (("river", "ice"),)
    assert query.prefixes == ("sens",)
    assert query.without == (("snow",), ("old", "ice"))
    assert query.conditions == (Condition("kind", "caption", keep=False), Condition("section", "my methods"))
    assert {"halflife", "half", "life", "5", "ratio", "3", "river", "ice"} <= set(query.words)
    assert "snow" not in query.words
    assert parse_query(' - * "" ').empty


def test_section_names():
    assert section_named("2.1", ("2.1 Sites",))
    assert not section_named("2", ("2.1 Sites",))
    assert not section_named("1", ("2.1 Sites",))
    assert section_named("results & discussion", ("3. Results and discussion", "Results & Discussion"))
    assert not section_named("method", ("Methods",))
    assert not section_named("?", ("Methods",))


def test_a_phrase_runs_through_compounds_formulas_and_powers():
    index = plain("The  \\( {}^{89} \\) Zr-oxalic acid at 5 mg per 2 × 10 \\( ^{3} \\) cells")
    for phrase in ("the 89 zr oxalic acid", "oxalic acid at 5 mg per", "2 x 10^3 cells"):
        assert index.search(f'"{phrase}"').total == 1, phrase
    assert index.search('"oxalic at"').total == 0
