"""Answers over small graphs: what each kind of question is told, and where a list, a level or a number is none."""

from __future__ import annotations

import pytest

from kag.core.evidence import Answer
from kag.corpus.exact.answer import LEVEL, LISTED, _Writer
from kag.corpus.exact.find import Finder
from kag.corpus.exact.named import Ambiguous, Names
from kag.corpus.exact.things import Unfit
from kag.qa.questions.file import Question
from kag.qa.questions.structured_query import Condition, Name, Order, Place, Query
from tests.unit.corpus.exact.small import listed, runner

PAPERS_HERE = (listed("ice", "Ice"), listed("fog", "Fog"), listed("dew", ""))
MOST_CITED = Order("cited in", Query("paper"), descending=True)


def told(query: Query, **graphs: str) -> Answer:
    papers = tuple(paper for paper in PAPERS_HERE if paper.id in graphs)
    return _Writer(Question("q", "?"), query, Finder(Names(runner(**graphs), papers))).answer()


def entry(number: int, work: str = "", journal: str = "") -> str:
    more = f" ; biro:references <urn:{work}>" if work else ""
    more += f' ; prism:publicationName "{journal}"' if journal else ""
    return (
        f":r{number} a deo:BibliographicReference ; kag:order {number} ; kag:pageNumber 1 ; "
        f'kag:fullText "[{number}] Poe. Ice {number}. {journal}"{more} .\n'
    )


def paper(name: str, *parts: str) -> str:
    return f':t a doco:Title ; kag:fullText "{name}" ; kag:pageNumber 1 . <> a fabio:ResearchPaper .\n' + "".join(parts)


def test_a_list_of_five_hundred_is_told_and_no_longer_one() -> None:
    few, more = (paper("Ice", *(entry(n) for n in range(1, many + 1))) for many in (LISTED, LISTED + 1))
    assert LISTED == 500
    assert len(told(Query("reference"), ice=few).claims) == LISTED
    for query in (Query("reference"), Query("reference", get=("text",))):
        with pytest.raises(Ambiguous):
            told(query, ice=more)
    assert told(Query("reference", ask="count"), ice=more).value == LISTED + 1


def test_what_each_kind_of_question_is_told() -> None:
    graph = paper("Ice", entry(1), entry(2))
    listed_ = told(Query("reference"), ice=graph)
    assert listed_.value == ["[1] Poe. Ice 1.", "[2] Poe. Ice 2."]
    assert [claim.text for claim in listed_.claims] == ["[1] Poe. Ice 1.", "[2] Poe. Ice 2."]
    assert (listed_.papers, listed_.mode) == (("ice",), "exact")
    assert all(search.startswith("SPARQL: PREFIX") for search in listed_.searches)
    counted = told(Query("reference", ask="count"), ice=graph)
    assert (counted.value, counted.claims[0].text, counted.claims[0].count) == (2, "2 entries.", 2)
    assert len(counted.claims[0].evidence) == 2
    there = told(Query("reference", ask="whether"), ice=graph)
    assert (there.value, [claim.text for claim in there.claims]) == ("yes", ["[1] Poe. Ice 1.: yes."])
    none = told(Query("figure", ask="whether"), ice=graph)
    assert (none.value, none.claims) == ("no", ())
    assert told(Query("figure", ask="count"), ice=graph).value == 0
    assert told(Query("figure"), ice=graph).value == []


def test_a_number_names_something_in_one_paper_alone() -> None:
    numbered = Query("reference", (Condition("is", name=Name("1", "number")),))
    own = ":r1 kag:citationNumber 1 ."
    assert len(told(numbered, ice=paper("Ice", entry(1), own)).claims) == 1
    with pytest.raises(Ambiguous):
        told(numbered, ice=paper("Ice", entry(1), own), fog=paper("Fog", entry(1), own))


def test_papers_by_their_titles_or_else_their_ids() -> None:
    graphs = {"ice": paper("Ice", entry(1)), "dew": paper("Dew")}
    assert told(Query("paper"), **graphs).value == ["dew", "Ice"]
    held = Query("paper", (Condition("holds", Query("reference")),))
    assert [claim.text for claim in told(held, **graphs).claims] == ["Ice: [1] Poe. Ice 1."]


def test_papers_that_do_not_say_are_counted_where_they_do_not_decide() -> None:
    year = Condition("year", low=1999, high=1999)
    said = '<> fabio:hasPublicationYear "1999" .'
    found = told(Query("paper", (year,)), ice=paper("Ice", said), fog=paper("Fog"))
    assert (found.value, found.label.rpartition("; ")[2]) == (["Ice"], "1 papers do not say")
    assert "do not say" not in told(Query("paper", (year,)), ice=paper("Ice", said)).label
    for ask in ("count", "whether"):
        with pytest.raises(Ambiguous):
            told(Query("paper", (year,), ask=ask), ice=paper("Ice", said), fog=paper("Fog"))  # type: ignore[arg-type]
    with pytest.raises(Ambiguous):
        told(Query("paper", (Condition("year", low=1990, high=1990),)), ice=paper("Ice", said), fog=paper("Fog"))


def test_values_of_papers_go_by_title() -> None:
    shown = '<> prism:doi "10.1/{0}" . :d kag:fullText "10.1/{0}" ; kag:order 2 ; kag:pageNumber 1 .'
    years = {name: paper(name.title(), shown.format(name)) for name in ("ice", "fog")}
    assert told(Query("paper", get=("doi",)), **years).value == ["Fog: 10.1/fog", "Ice: 10.1/ice"]
    assert told(Query("paper", get=("doi",)), ice=years["ice"]).value == "10.1/ice"
    assert told(Query("paper", get=("doi",)), ice=paper("Ice"), fog=paper("Fog")).value is None


def test_values_of_one_work_are_told_once_and_those_of_entries_each() -> None:
    rivers = [entry(n, "w", "Rivers") for n in (1, 2)]
    work = Query("work", (Condition("is", name=Name("Rivers")),), get=("journal",))
    assert told(Query("reference", get=("journal",)), ice=paper("Ice", *rivers)).value == ["Rivers", "Rivers"]
    assert told(Query("work", get=("journal",)), ice=paper("Ice", *rivers)).value == "Rivers"
    assert work.get == ("journal",)


def test_the_most_cited_work_with_who_cites_it() -> None:
    ice, fog = paper("Ice", entry(1, "a"), entry(2, "b")), paper("Fog", entry(1, "a"))
    found = told(Query("work", order=MOST_CITED, place=Place(level=True)), ice=ice, fog=fog)
    assert found.value == ["[1] Poe. Ice 1."]
    assert [(claim.text, claim.count) for claim in found.claims] == [("[1] Poe. Ice 1.", None), ("2 papers.", 2)]
    with pytest.raises(Ambiguous):
        told(Query("work", order=MOST_CITED, place=Place(level=True)), ice=ice)  # once is not often
    for ask in ("count", "whether"):
        with pytest.raises(Unfit):
            told(Query("work", order=MOST_CITED, place=Place(), ask=ask), ice=ice, fog=fog)  # type: ignore[arg-type]


def test_twenty_that_share_a_place_are_told_and_no_more() -> None:
    for many, is_told in ((LEVEL, True), (LEVEL + 1, False)):
        lists = [paper(name, *(entry(n, f"w{n}") for n in range(1, many + 1))) for name in ("Ice", "Fog")]
        query = Query("work", order=MOST_CITED, place=Place(level=True))
        if is_told:
            assert len(told(query, ice=lists[0], fog=lists[1]).value) == many  # type: ignore[arg-type]
        else:
            with pytest.raises(Ambiguous):
                told(query, ice=lists[0], fog=lists[1])


def test_a_number_for_each_and_by_its_paper_where_two_have_one_name() -> None:
    section = ':s a doco:Section ; kag:containsAsHeader :h . :h kag:fullText "Ice" ; kag:order 1 ; kag:pageNumber 1 .'
    cites = ':s kag:contains :p . :p kag:fullText "x" ; kag:pageNumber 1 ; kag:hasMention :m . :m c4o:denotes :r1 .'
    each = Query("reference", ask="count", each="section")
    assert told(each, ice=paper("Ice", section, cites, entry(1))).value == {"Ice": 1}
    both = told(each, ice=paper("Ice", section, cites, entry(1)), fog=paper("Fog", section))
    assert both.value == {"Ice (ice)": 1, "Ice (fog)": 0}
    for query in (Query("reference", ask="whether", each="section"), Query("reference", each="section")):
        with pytest.raises(Unfit):
            told(query, ice=paper("Ice", section, cites, entry(1)))
    with pytest.raises(Unfit):
        told(Query("float", ask="count"), ice=paper("Ice", ':e a doco:Formula ; kag:fullText "x" ; kag:pageNumber 1 .'))
