"""What is printed for a node, and the words of it that stand for a thing; rows of any query as claims."""

from __future__ import annotations

import pytest

from kag.corpus.exact.fields import BATCH, Printed, find_printed
from kag.corpus.sparql.query import Table
from kag.rdf.namespaces import PAPERS
from tests.unit.corpus.exact.small import runner

LONG = "Ice " * 200


def node(text: str, *, start: int = 0, end: int = 0) -> Printed:
    return Printed("ice", "urn:n", 3, ((1, 2, 3, 4),), text, start, end)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("a" * 480, 480),  # short enough to be whole
        ("a" * 481, 240),
        ("a" * 100 + " " + "b" * 400, 100),
        ("a" * 239 + " " + "b" * 400, 239),
        ("a" * 240 + " " + "b" * 400, 240),  # the blank stands behind
        (" " + "b" * 500, 240),
        ("a " + "b" * 500, 1),
    ],
)
def test_a_place_is_the_beginning_of_a_long_text(text: str, end: int) -> None:
    assert node(text).place() == node(text).evidence(0, end)


def test_a_mark_is_what_stands_for_a_thing_that_is_counted() -> None:
    marked = node(LONG).mark()
    assert marked is not None
    assert marked.quote == LONG[:79]
    assert node(" ").mark() is None


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("It was so. " + "Ice covered the lakes of the north for most of the winter. More.", 69),
        ("Ice covered the lakes of the far north for most of one year. More of it came.", 60),
        ("Ice covered the lakes of the far north for most of a year. More of it came.", 75),
        ("Ice melts.", 10),
    ],
)
def test_a_paragraph_is_told_by_its_first_sentences(text: str, opening: int) -> None:
    assert node(text).opening() == node(text).evidence(0, opening)


GRAPH = """
:h kag:fullText "1 Ice" ; kag:pageNumber 1 ; kag:hasBBox "[[1, 2, 3, 4]]" , "[[5, 6, 7, 8]]" .
:s kag:containsAsHeader :h .
:f a doco:Figure . :c kag:describes :f ; kag:fullText "Fig. 1. Ice." ; kag:pageNumber 2 .
:p kag:fullText "Ice [3] melts." ; kag:pageNumber 2 ; kag:hasMention :m . :m kag:startOffset 4 ; kag:endOffset 7 .
<> a fabio:ResearchPaper . :t a doco:Title ; kag:fullText "Ice on lakes" ; kag:pageNumber 1 .
:r kag:fullText "[3] Poe" ; kag:pageNumber 9 ; biro:references <urn:work> .
:q kag:fullText "[4] Roe" ; kag:pageNumber 8 ; biro:references <urn:work> .
"""
BARE = """<> a fabio:ResearchPaper .
:a kag:fullText "Fourth" ; kag:pageNumber 1 ; kag:order 4 . :b kag:fullText "Third" ; kag:pageNumber 1 ; kag:order 3 .
"""
IDS = {f"{PAPERS}{name}": name for name in ("ice", "fog")}


def found(*names: str) -> dict[str, tuple[str, str, int, str]]:
    """The printed node of each, by paper, name and page, with what it shows."""
    iris = [name if name.startswith("urn:") else f"{PAPERS}{name}" for name in names]
    printed = find_printed(runner(ice=GRAPH, fog=BARE), iris, IDS)
    return {
        iri.removeprefix(PAPERS): (one.paper, one.iri.rpartition("/")[2], one.page, one.place().quote)
        for iri, one in printed.items()
    }


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ice/h", ("ice", "h", 1, "1 Ice")),
        ("ice/s", ("ice", "h", 1, "1 Ice")),  # its heading
        ("ice/f", ("ice", "c", 2, "Fig. 1. Ice.")),  # its caption
        ("ice/m", ("ice", "p", 2, "[3]")),  # the call-out itself
        ("ice", ("ice", "t", 1, "Ice on lakes")),  # its title
        ("urn:work", ("ice", "q", 8, "[4] Roe")),  # the first entry
        ("fog", ("fog", "b", 1, "Third")),  # among the first three, where no title is
    ],
)
def test_what_is_printed_for_a_node(name: str, shown: tuple[str, str, int, str]) -> None:
    assert found(name, "ice/none") == {name: shown}


def test_a_float_is_shown_by_its_caption_where_that_is_wanted() -> None:
    graph = GRAPH + ':f kag:fullText "0 5 10 Distance" ; kag:pageNumber 2 .\n'
    iri = f"{PAPERS}ice/f"
    own, caption = (find_printed(runner(ice=graph), [iri], IDS, by_caption=wanted)[iri] for wanted in (False, True))
    assert (own.text, caption.text) == ("0 5 10 Distance", "Fig. 1. Ice.")


def test_a_node_of_a_paper_that_is_not_listed_is_left_out() -> None:
    assert find_printed(runner(gone=GRAPH), [f"{PAPERS}gone/h", f"{PAPERS}gone/s"], IDS) == {}


def test_nodes_are_asked_for_forty_at_once_and_each_once() -> None:
    run, asked = runner(ice=GRAPH), list[str]()

    def told(query: str) -> Table:
        asked.append(query)
        return run(query)

    names = [f"urn:{n}" for n in range(BATCH - 1)]
    find_printed(told, [f"{PAPERS}ice/h", *names, *names], IDS)
    assert len(asked) == 2, "one for the nodes, one for what stands for those that are not printed"
    assert f"{PAPERS}ice/h" not in asked[1]
    asked.clear()
    assert f"{PAPERS}ice/h" in find_printed(told, [*names, "urn:more", f"{PAPERS}ice/h"], IDS)
    assert len(asked) == 3
