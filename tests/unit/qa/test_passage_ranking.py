"""Passages: whole paragraphs and table rows below their header, ranked by a question's words, the best part marked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kag.core.evidence import Answer, Passage
from kag.qa.checking.verify import verify
from kag.qa.paper import PaperGraph
from kag.qa.passage_ranking import rank_passages, words_not_printed
from tests.unit.qa.papers import Maker

ROWS = "\n".join(f"Site {number} | {number * 3}" for number in range(1, 31))


@pytest.fixture(scope="module")
def paper() -> PaperGraph:
    make = Maker()
    make.section("s_results", "1 Results")
    make.section("s_loss", "1.1 Losses of sensors", "s_results")
    make.add("b_1", "doco:Paragraph", "Nets tore in May. Batteries failed under thick", "s_loss")
    make.add("b_2", "doco:Paragraph", "ice, and boats sank.", "s_loss", page=2)
    make.link("b_2", "kag:continues", "b_1")
    make.add("b_3", "deo:Caption", "Table 1. Sensors lost at each site.", "s_loss", page=2)
    make.add("b_4", "doco:Table", f"Site | Lost\n{ROWS}", "s_loss", page=2, floatLabel="Table 1", floatNumber="1")
    make.link("b_3", "kag:describes", "b_4")
    make.add("b_5", "doco:Footnote", "Moorings were bought from a shipyard.", "s_loss", page=3)
    make.add("b_6", "deo:BibliographicReference", "Poe E. Batteries under thick ice. 1999.", page=3, citationNumber="1")
    return make.paper()


def best(paper: PaperGraph, question: str) -> Passage:
    return rank_passages(paper, question, 1)[0]


def names(passage: Passage) -> list[str]:
    return [iri.rpartition("/")[2] for iri in passage.nodes]


def test_a_paragraph_is_joined_over_a_page_break(paper: PaperGraph) -> None:
    found = best(paper, "Did batteries fail under thick ice?")
    assert (names(found), found.kind, found.page) == (["b_1", "b_2"], "Paragraph", 1)
    assert found.section == "1 Results > 1.1 Losses of sensors"
    assert found.text == "Nets tore in May. Batteries failed under thick ice, and boats sank."
    assert found.text[found.start : found.end] == "Batteries failed under thick ice, and boats sank."
    assert [one.quote for one in found.evidence] == ["Batteries failed under thick", "ice, and boats sank."]


def test_a_row_is_shown_below_caption_and_header(paper: PaperGraph) -> None:
    found = best(paper, "How many sensors were lost at site 17?")
    assert (names(found), found.kind) == (["b_4", "b_3"], "Table")
    lines = found.text.split("\n")
    assert lines[:2] == ["Table 1. Sensors lost at each site.", "Site | Lost"]
    assert lines[2:] == ROWS.split("\n")[12:24], "a long table is shown in parts"
    assert found.text[found.start : found.end] == "Site 17 | 51"


def test_footnotes_are_found_and_references_are_not(paper: PaperGraph) -> None:
    assert names(best(paper, "Who sold the moorings, a shipyard?")) == ["b_5"]
    assert all(passage.kind != "BibliographicReference" for passage in rank_passages(paper, "Poe batteries ice 1999"))


def test_nothing_is_found_for_words_that_are_not_printed(paper: PaperGraph) -> None:
    assert rank_passages(paper, "What melts tungsten?") == []
    assert words_not_printed(paper, "pls, is tungsten vs. batteries sure to work in Results?") == ["tungsten"]


def test_ranked_passages_verify_and_changed_ones_do_not(paper: PaperGraph) -> None:
    found = tuple(rank_passages(paper, "sensors lost at site 17 under thick ice"))
    answer = Answer("q", "?", "passages", "no model", searches=("a",), papers=(paper.id,), passages=found)
    assert verify(answer, {paper.id: paper}).issues == ()
    for change in ({"text": "Nets held in May."}, {"page": 9}, {"nodes": ("x",)}):
        changed = Passage(**{name: getattr(found[0], name) for name in Passage.__slots__} | change)
        wrong = Answer("q", "?", "passages", "", searches=("a",), papers=(paper.id,), passages=(changed,))
        assert "passage" in {issue.component for issue in verify(wrong, {paper.id: paper}).issues}


def test_a_reader_orders_the_best_again(paper: PaperGraph) -> None:
    class Reader:
        name = "last first"

        def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
            assert texts[0].startswith("1.1 Losses of sensors ")
            return range(0, 100 * len(texts), 100)

    question = "sensors lost under thick ice"
    plain = rank_passages(paper, question)
    assert [one.nodes for one in rank_passages(paper, question, reader=Reader())] == [one.nodes for one in plain][::-1]


def test_a_reader_reads_a_long_passage_in_parts_and_the_best_part_counts() -> None:
    make = Maker()
    make.section("s", "1 Gulls")
    filler = "Many birds of the coast were counted by boat in each of these years. " * 12
    make.add("b_1", "doco:Paragraph", f"{filler}Nests stood below bridges.", "s")
    make.add("b_2", "doco:Paragraph", "Birds have nests in many places of the coast.", "s")
    seen: list[str] = []

    class Reader:
        name = "bridges"

        def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
            seen.extend(texts)
            return [20.0 * ("bridges" in text) for text in texts]

    found = rank_passages(make.paper(), "Where do birds of the coast have nests?", reader=Reader())
    assert names(found[0]) == ["b_1"]
    assert len(seen) > 2
    assert all(text.startswith("1 Gulls ") and len(text.split()) <= 110 for text in seen)


def test_words_that_mean_nearly_the_same_count() -> None:
    make = Maker()
    make.section("s", "1 Surgery")
    make.add("b_1", "doco:Paragraph", "Vessels of the animals were exposed and a scalpel was used by the surgeon.", "s")
    make.add("b_2", "doco:Paragraph", "Heparin prevented thrombus formation in vessels of the animals.", "s")
    found = rank_passages(make.paper(), "Which drug stopped blood clots in the vessels of the animals?")
    assert names(found[0]) == ["b_2"]


def test_papers_are_ranked_together(paper: PaperGraph) -> None:
    make = Maker()
    make.section("s", "1 Gulls")
    make.add("b_1", "doco:Paragraph", "Gulls nest below the bridges of the north.", "s")
    gulls = make.paper()
    found = rank_passages([paper, gulls], "Where do gulls nest under ice?")
    assert found[0].text.startswith("Gulls nest")
    assert len(found) > 1
