"""What counts as a thing of a kind, what is said of it and how it stands to others, over graphs of a few triples."""

from __future__ import annotations

import pytest

from kag.corpus.exact.find import Finder
from kag.corpus.exact.named import Names
from kag.corpus.exact.things import Slot, Unfit, slot
from kag.qa.questions.structured_query import Condition, Name, Query
from tests.unit.corpus.exact.small import listed, local, runner

PAPERS_HERE = (listed("ice", "Ice"), listed("fog", "Fog"))


def found(query: Query, **graphs: str) -> list[str]:
    finder = Finder(Names(runner(**graphs), PAPERS_HERE))
    return local(item.id for item in finder.things(query))


def of(kind: str, **said: object) -> Query:
    """Things of a kind with one condition: `of("section", relation="title", name=...)`."""
    return Query(kind, (Condition(**said),) if said else ())  # type: ignore[arg-type]


PAPER = "<> a fabio:ResearchPaper . "


def test_a_keyword_is_shown_among_the_first_twenty_nodes() -> None:
    for order, shown in ((20, "p"), (21, "ice")):
        graph = f':p kag:fullText "Keywords: Frost" ; kag:order {order} . <> prism:keyword "frost" .'
        finder = Finder(Names(runner(ice=PAPER + graph), PAPERS_HERE))
        (item,) = finder.things(Query("keyword"))
        assert item.node.rpartition("/")[2] == shown


def test_papers_by_words_of_their_text() -> None:
    ice, fog = (f'{PAPER} :p kag:fullText "{text}" .' for text in ("Thin ice melts.", "Thinice melts."))
    assert found(of("paper", relation="text", name=Name("thin ice", "words")), ice=ice, fog=fog) == ["ice"]


SECTIONS = """
:s1 a doco:Section , deo:Methods ; kag:containsAsHeader :h1 ; kag:depth 1 ; kag:sectionNumber "2." .
:h1 kag:fullText "2. How we saw ice" ; kag:order 1 .
:s2 a doco:Section ; kag:containsAsHeader :h2 ; kag:depth 2 ; kag:sectionNumber "2.1" .
:h2 kag:fullText "2.1 Methods" ; kag:order 3 .
:s3 a doco:Section ; kag:containsAsHeader :h3 . :h3 kag:fullText "Ice" ; kag:isSynthetic true ; kag:order 5 .
:s1 kag:contains :p1 , :s2 . :s2 kag:contains :p2 .
:p1 a doco:Paragraph ; kag:fullText "Snow fell" ; kag:order 2 .
:p2 a doco:Paragraph ; kag:fullText "Frost came" ; kag:order 4 .
:p3 a doco:Paragraph ; kag:fullText "and went" ; kag:order 6 ; kag:continues :p2 .
"""


@pytest.mark.parametrize(
    ("query", "sections"),
    [
        (of("section"), ["s1", "s2"]),  # not one that no page prints
        (of("section", relation="is", name=Name("saw ice", "words")), ["s1"]),
        (of("section", relation="is", name=Name("How we saw ice")), ["s1"]),
        (of("section", relation="is", name=Name("Methods")), ["s1", "s2"]),  # by its role, and by its heading
        (of("section", relation="is", name=Name("2.1", "number")), ["s2"]),
        (of("section", relation="is", name=Name("2.1.", "number")), ["s2"]),
        (of("section", relation="role", name=Name("methods")), ["s1"]),
        (of("section", relation="title", name=Name("we saw", "words")), ["s1"]),
        (of("section", relation="depth", low=2, high=2), ["s2"]),
        (of("section", relation="depth", low=1, high=1), ["s1"]),
        (of("section", relation="text", name=Name("frost", "words")), ["s1", "s2"]),  # what stands below is its own
        (of("section", relation="text", name=Name("snow", "words")), ["s1"]),
        (of("section", relation="holds", of=Query("section")), ["s1"]),
        (of("section", relation="in", of=Query("section")), ["s2"]),
        (of("paragraph"), ["p1", "p2"]),  # a part that goes on is none of its own
        (of("paragraph", relation="text", name=Name("went", "words")), ["p2"]),
        (of("paragraph", relation="in", of=of("section", relation="is", name=Name("2.1", "number"))), ["p2"]),
    ],
)
def test_sections_and_paragraphs(query: Query, sections: list[str]) -> None:
    assert found(query, ice=PAPER + SECTIONS) == [f"ice/{name}" for name in sections]


FLOATS = """
:f1 a doco:Figure ; kag:floatNumber "1" ; kag:order 1 . :c1 kag:describes :f1 ; kag:fullText "Fig. 1. Ice." .
:f2 a doco:Figure ; kag:floatNumber "1" ; kag:order 2 . :c1 kag:describes :f2 .
:f3 a doco:Figure ; kag:floatNumber "2" ; kag:order 3 .
:f4 a doco:Figure ; kag:floatNumber "S2" ; kag:floatLabel "Supplementary Fig. S2" ; kag:fullText "x" ; kag:order 4 .
:f5 a doco:Figure ; kag:floatNumber "1" ; kag:floatLabel "Scheme 1" ; kag:fullText "y" ; kag:order 5 .
:e1 a doco:Formula ; kag:floatNumber "3" ; kag:order 6 . :e2 a doco:Formula ; kag:order 7 .
"""


def test_floats_are_told_apart_by_their_numbers() -> None:
    finder = Finder(Names(runner(ice=PAPER + FLOATS), PAPERS_HERE))
    figures = finder.things(Query("figure"))
    nodes = [[node.rpartition("/")[2] for _, node in item.nodes] for item in figures]
    assert nodes == [["f1", "f2"], ["f5"]], "one figure of two pictures, and a scheme; no caption and no text is none"
    assert [item.captions[0].rpartition("/")[2] for item in figures[:1]] == ["c1"]
    assert [item.node.rpartition("/")[2] for item in finder.things(Query("formula"))] == ["e1"]
    assert len(finder.things(Query("float"))) == 3
    bare = ":e1 a doco:Formula ; kag:order 1 . :e2 a doco:Formula ; kag:order 2 ."
    assert len(Finder(Names(runner(ice=PAPER + bare), PAPERS_HERE)).things(Query("formula"))) == 2


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        (of("formula", relation="number", low=3, high=3), 1),
        (of("formula", relation="number", low=4, high=9), 0),
        (of("figure", relation="has", name=Name("caption")), 1),
        (of("figure", relation="title", name=Name("ice", "words")), 1),
        (of("figure", relation="is", name=Name("1", "number")), 2),
    ],
)
def test_floats_by_what_is_said_of_them(query: Query, numbers: int) -> None:
    assert len(found(query, ice=PAPER + FLOATS)) == numbers


@pytest.mark.parametrize(
    "query",
    [
        of("paragraph", relation="year", low=1999, high=1999),
        of("figure", relation="author", name=Name("Poe")),
        of("section", relation="keyword", name=Name("ice")),
        of("paragraph", relation="role", name=Name("methods")),
        of("section", relation="role", name=Name("zebras")),  # a title that says nothing of what it is
        of("figure", relation="depth", low=1),
        of("paragraph", relation="number", low=1),
        of("paper", relation="has", name=Name("wings")),
        of("reference", relation="title", name=Name("...", "words")),
        of("paper", relation="keyword"),
        of("column"),
        of("paper", relation="refers to", of=Query("paper")),
        of("page", relation="cites", of=Query("reference")),
        of("figure", relation="beside", of=Query("figure")),
    ],
)
def test_what_the_graphs_do_not_state(query: Query) -> None:
    with pytest.raises(Unfit):
        found(query, ice=PAPER + FLOATS)


def test_variables_of_things() -> None:
    assert slot("figure", "1") == Slot("figure", "1", "?k1", "?n1", "?g1", "", deep=False)
    assert slot("section", "1", slot("paper", "0")).graph == "?g0"
    assert slot("section", "1").is_node
    assert not slot("work", "1").is_node
