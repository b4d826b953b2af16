"""Things in their order, at their place, next to another, ranked, and counted for each of others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kag.corpus.exact.fields import fields
from kag.corpus.exact.find import Finder, Item, compared, each_query, ranked_by
from kag.corpus.exact.named import Ambiguous, Names
from kag.corpus.exact.things import Unfit
from kag.qa.questions.structured_query import AnyOf, Condition, Name, Order, Place, Query
from kag.rdf.namespaces import PAPERS
from tests.unit.corpus.exact.small import listed, local, runner


def entries(*rows: tuple[int, int, str]) -> str:
    """Entries of a list by number, with year and title; each is printed as "Poe <year>. <title>"."""
    return "".join(
        f":r{n} a deo:BibliographicReference ; kag:order {100 + n} ; kag:citationNumber {n} ; "
        f'dcterms:title "{title}" ; '
        f'fabio:hasPublicationYear "{year}" ; kag:fullText "Poe {year}. {title}" ; kag:pageNumber 9 .\n'
        for n, year, title in rows
    )


def cites(paragraph: int, *numbers: int) -> str:
    """A paragraph that cites entries, each with a call-out of its own."""
    calls = "".join(
        f":m{paragraph}{n} a c4o:InTextReferencePointer ; c4o:denotes :r{n} ; kag:startOffset {place} ; "
        f"kag:endOffset {place + 1} .\n"
        f":p{paragraph} kag:hasMention :m{paragraph}{n} .\n"
        for place, n in enumerate(numbers)
    )
    own = f":p{paragraph} a doco:Paragraph ; kag:order {10 + paragraph} ; kag:pageNumber 1 ; "
    return f'{own} kag:fullText "{"x" * paragraph}" .\n{calls}'


ICE = "".join(
    (
        '<> a fabio:ResearchPaper ; dcterms:title "Ice" ; fabio:hasPublicationYear "2001" .\n',
        entries((1, 1999, "Snow"), (2, 1980, "hail"), (3, 2005, "Fog"), (4, 2005, "Rain"), (10, 1970, "Dew")),
        cites(1, 1),
        cites(2, 2, 3),
        cites(3, 3, 1, 2),
        cites(4, 3),
    )
)
FOG = "".join(('<> a fabio:ResearchPaper ; dcterms:title "Fog" .\n', entries((1, 2010, "Mist")), cites(1, 1)))
PAPERS_HERE = (listed("ice", "Ice"), listed("fog", "Fog"))
IDS = {one.iri: one.id for one in PAPERS_HERE}
OF_ICE = Condition("in", Query("paper", (Condition("is", name=Name("ice", "id")),)))
REFERENCES = Query("reference", (OF_ICE,))
PARAGRAPHS = Query("paragraph", (OF_ICE,))


@pytest.fixture
def finder() -> Finder:
    return Finder(Names(runner(ice=ICE, fog=FOG), PAPERS_HERE))


def names(items: tuple[Item, ...]) -> list[str]:
    return [name.rpartition("/")[2] for name in local(item.id for item in items)]


def numbered(kind: str, number: int) -> Query:
    return Query(kind, (OF_ICE, Condition("is", name=Name(str(number), "number"))))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (None, ["r1", "r2", "r3", "r4", "r10"]),  # in the order of print, and not of letters
        (Place(), ["r1"]),
        (Place(at=2, to=3), ["r2", "r3"]),
        (Place(at=5, to=9), ["r10"]),
        (Place(at=6, to=6), []),
        (Place(at=-1, to=-1), ["r10"]),
        (Place(at=-2, to=-1), ["r4", "r10"]),
        (Place(at=-3, to=-2), ["r3", "r4"]),
        (Place(at=-9, to=-5), ["r1"]),
        (Place(at=2, to=-1), ["r2", "r3", "r4", "r10"]),
        (Place("after", of=numbered("reference", 2)), ["r3"]),
        (Place("after", at=2, to=3, of=numbered("reference", 1)), ["r3", "r4"]),
        (Place("after", of=numbered("reference", 10)), []),
        (Place("before", of=numbered("reference", 3)), ["r2"]),
        (Place("before", at=1, to=2, of=numbered("reference", 4)), ["r2", "r3"]),
        (Place("before", at=2, to=2, of=numbered("reference", 4)), ["r2"]),
        (Place("before", of=numbered("reference", 1)), []),
        (Place("before", of=numbered("reference", 9)), []),  # there is none
    ],
)
def test_things_at_a_place(finder: Finder, place: Place | None, found: list[str]) -> None:
    assert names(finder.things(replace(REFERENCES, place=place))) == found


@pytest.mark.parametrize(
    ("order", "place", "found"),
    [
        (Order("year"), None, ["r10", "r2", "r1", "r3", "r4"]),
        (Order("year"), Place(), ["r10"]),
        (Order("year", descending=True), Place(at=1, to=3), ["r3", "r4", "r1"]),
        (Order("year", descending=True), Place(level=True), ["r3", "r4"]),
        (Order("year", descending=True), Place(at=2, to=2, level=True), ["r3", "r4"]),
        (Order("year", descending=True), Place(at=3, to=3, level=True), ["r1"]),
        (Order("year"), Place(at=-1, to=-1), ["r4"]),
        (Order("year"), Place(at=-1, to=-1, level=True), ["r3", "r4"]),
        (Order("year"), Place(at=-3, to=-2), ["r1", "r3"]),
        (Order("length"), Place(at=-1, to=-1, level=True), ["r1", "r2", "r4"]),
    ],
)
def test_things_by_an_order(finder: Finder, order: Order, place: Place | None, found: list[str]) -> None:
    assert sorted(names(finder.things(replace(REFERENCES, order=order, place=place)))) == sorted(found)
    if not (place and place.level):
        assert names(finder.things(replace(REFERENCES, order=order, place=place))) == found


def test_the_most_cited_with_how_often(finder: Finder) -> None:
    order = Order("cited in", Query("mention"), descending=True)
    short = [(name.rpartition("/")[2], number) for name, number in finder.ranked(replace(REFERENCES, order=order))]
    assert short == [("r3", 3.0), ("r1", 2.0), ("r2", 2.0), ("r10", 0.0), ("r4", 0.0)]
    assert names(finder.things(replace(REFERENCES, order=order, place=Place(level=True)))) == ["r3"]
    assert ranked_by(Query("reference", order=order)) == ("cited in", Query("mention"))
    assert ranked_by(Query("reference", order=Order("year"))) is None
    assert ranked_by(Query("reference")) is None


def test_numbers_and_things_for_each(finder: Finder) -> None:
    counted = finder.numbers("cites", Query("reference"), PARAGRAPHS)
    assert {name.rpartition("/")[2]: number for name, number in counted.items()} == {"p1": 1, "p2": 2, "p3": 3, "p4": 1}
    linked = finder.linked("cites", Query("reference"), PARAGRAPHS, list(counted))
    assert {name.rpartition("/")[2]: names(items) for name, items in linked.items()} == {
        "p1": ["r1"],
        "p2": ["r2", "r3"],
        "p3": ["r1", "r2", "r3"],  # in the order of the list
        "p4": ["r3"],
    }
    assert [name.rpartition("/")[2] for name in linked[f"{PAPERS}ice/p2"][0].shown] == ["m22"]
    assert names(finder.known(REFERENCES, [f"{PAPERS}ice/r4", f"{PAPERS}ice/r2"])) == ["r2", "r4"]
    assert finder.known(REFERENCES, []) == ()


@pytest.mark.parametrize(
    ("query", "error"),
    [
        (Query("reference", place=Place()), Ambiguous),  # the first one of which paper?
        (Query("paper", (Condition("is", name=Name("ice", "id")),), place=Place()), Ambiguous),
        (Query("work", (OF_ICE,), place=Place()), Unfit),  # works are printed in no order
        (replace(REFERENCES, place=Place("after")), Unfit),
        (replace(REFERENCES, order=Order("year"), place=Place("after", of=numbered("reference", 2))), Unfit),
        (replace(REFERENCES, place=Place("after", of=REFERENCES)), Ambiguous),
        (Query("section", (OF_ICE,), order=Order("length"), place=Place()), Unfit),
        (Query("section", (OF_ICE,), order=Order("year"), place=Place()), Unfit),
        (Query("paragraph", (OF_ICE,), order=Order("number"), place=Place()), Unfit),
    ],
)
def test_places_that_nothing_has(finder: Finder, query: Query, error: type[Exception]) -> None:
    with pytest.raises(error):
        finder.things(query)


def test_a_year_that_papers_have_to_state_is_noted(finder: Finder) -> None:
    assert local(item.id for item in finder.things(Query("paper", order=Order("year"), place=Place()))) == ["ice"]
    assert finder.stated == ["fabio:hasPublicationYear"]
    finder.things(replace(REFERENCES, order=Order("year"), place=Place()))
    assert finder.stated == ["fabio:hasPublicationYear"]


def test_many_that_are_level_are_no_first_ones() -> None:
    rows = [(n, 1990, f"Snow {n}") for n in range(1, 121)]
    finder = Finder(Names(runner(ice=entries(*rows)), PAPERS_HERE))
    ranked = Query("reference", order=Order("year"), place=Place(level=True))
    with pytest.raises(Ambiguous):
        finder.things(ranked)
    with pytest.raises(Ambiguous):
        finder.things(replace(ranked, place=Place(at=-1, to=-1, level=True)))
    assert len(finder.things(replace(ranked, place=Place(at=1, to=3)))) == 3
    few = Finder(Names(runner(ice=entries(*rows[:99])), PAPERS_HERE))
    assert len(few.things(ranked)) == 99


def test_a_cut_result_is_none(finder: Finder) -> None:
    run = finder.names.run
    cut = Finder(Names(lambda query: replace(run(query), ended="rows"), PAPERS_HERE))
    with pytest.raises(Ambiguous):
        cut.rows("SELECT ?n WHERE { ?n ?p ?o }")
    assert cut.asked == ["SELECT ?n WHERE { ?n ?p ?o }"]


# wishes about each, and about two ------------------------------------------------------------------


def test_what_is_said_of_each_is_told_from_what_is_said_of_the_things() -> None:
    old = Condition("year", low=1, high=1980)
    named = Condition("is", name=Name("2", "number"))
    section = Condition("cited in", Query("section", (named,)))
    for one, is_own in (
        (section, True),
        (Condition("in", Query("section", (named,))), True),
        (replace(section, negated=True), False),
        (replace(section, only=True), False),
        (replace(section, low=2), False),
        (Condition("cited in", Query("paragraph", (named,))), False),
        (Condition("beside", Query("section", (named,))), False),
        (AnyOf((section,)), False),
    ):
        own, of, _ = each_query(Query("reference", (one, old), each="section"), "section")
        assert own == Query("section", (named,) if is_own else ())
        assert of == Query("reference", (old,) if is_own else (one, old))


def test_two_that_are_compared_are_either_of_them() -> None:
    one, other = (Query("paper", (Condition("is", name=Name(name, "id")),)) for name in ("ice", "fog"))
    order = Order("holds", Query("figure"), descending=True)
    made = compared(Query("paper", order=order, among=(one, other), ask="compare"))
    assert made == Query("paper", (AnyOf((*one.where, *other.where)),), order, Place(level=True))
    for wrong in (
        Query("paper", order=order, among=(one,)),
        Query("paper", among=(one, other)),
        Query("paper", order=order, among=(one, Query("paper"))),
    ):
        with pytest.raises(Unfit):
            compared(wrong)


# what is told of them -------------------------------------------------------------------------------


def told(finder: Finder, query: Query, name: str) -> dict[str, list[tuple[str, str, str]]]:
    """The values of each thing, with the node that prints each and what it prints."""
    found = fields(finder, query.kind, finder.things(query), name, IDS)
    return {
        key.rpartition("/")[2]: [(one.text, one.evidence.node.rpartition("/")[2], one.evidence.quote) for one in values]
        for key, values in found.items()
    }


def test_values_stand_where_their_things_print_them(finder: Finder) -> None:
    first = replace(REFERENCES, place=Place(at=1, to=2))
    assert told(finder, first, "year") == {"r1": [("1999", "r1", "1999")], "r2": [("1980", "r2", "1980")]}
    assert told(finder, first, "title") == {"r1": [("Snow", "r1", "Snow")], "r2": [("hail", "r2", "hail")]}
    assert told(finder, first, "page") == {
        "r1": [("page 9", "r1", "Poe 1999. Snow")],
        "r2": [("page 9", "r2", "Poe 1980. hail")],
    }
    assert told(finder, first, "text")["r1"] == [("Poe 1999. Snow", "r1", "Poe 1999. Snow")]
    assert told(finder, first, "volume") == {"r1": [], "r2": []}
    with pytest.raises(Unfit):
        told(finder, first, "keyword")
    with pytest.raises(Unfit):
        told(finder, PARAGRAPHS, "year")


def test_a_list_of_names_and_what_is_printed_elsewhere() -> None:
    ice = """:r1 a deo:BibliographicReference ; kag:fullText "E Poe, F Roe. Snow" ; kag:pageNumber 9 ;
      kag:authorList "Poe, E; Roe, F" ; prism:doi "10.1/x" ; prism:volume "3" .
    :p2 kag:fullText "at 10.1/x again" ; kag:order 5 ; kag:pageNumber 2 .
    :p1 kag:fullText "See 10.1/x" ; kag:order 3 ; kag:pageNumber 1 ."""
    finder = Finder(Names(runner(ice=ice), PAPERS_HERE))
    all_ = Query("reference")
    assert told(finder, all_, "author") == {"r1": [("Poe, E; Roe, F", "r1", "E Poe, F Roe. Snow")]}
    assert told(finder, all_, "doi") == {"r1": [("10.1/x", "p1", "10.1/x")]}, "where the paper prints it first"
    with pytest.raises(Ambiguous):
        told(finder, all_, "volume")


def test_the_same_value_in_two_entries_of_a_work_is_told_once() -> None:
    one = (
        ':r{0} a deo:BibliographicReference ; kag:fullText "{1}" ; kag:pageNumber 9 ; '
        'dcterms:title "{1}" ; biro:references <urn:w> .'
    )
    graphs = {"ice": one.format(1, "Ice on lakes"), "fog": one.format(1, "ice  on Lakes")}
    finder = Finder(Names(runner(**graphs), PAPERS_HERE))
    (values,) = told(finder, Query("work"), "title").values()
    assert len(values) == 1


def test_the_caption_of_a_float_and_the_title_of_a_section() -> None:
    ice = """:t1 a doco:Table ; kag:fullText "1 2 3" ; kag:pageNumber 2 ; kag:order 4 ; kag:floatNumber "1" .
    :c1 kag:describes :t1 ; kag:fullText "Table 1.  Ice\\nby month." ; kag:pageNumber 2 ; kag:order 3 .
    :s1 a doco:Section ; kag:containsAsHeader :h1 . :h1 kag:fullText "2 Ice" ; kag:pageNumber 1 ; kag:order 1 ."""
    finder = Finder(Names(runner(ice=ice), PAPERS_HERE))
    for name in ("caption", "title"):
        (((value, node, _),),) = told(finder, Query("table"), name).values()
        assert (value, node) == ("Table 1. Ice by month.", "c1")
    assert [row[0][0] for row in told(finder, Query("table"), "page").values()] == ["page 2"]
    assert told(finder, Query("section"), "title") == {"s1": [("2 Ice", "h1", "2 Ice")]}
    assert told(finder, Query("section"), "page")["s1"][0][0] == "page 1"
