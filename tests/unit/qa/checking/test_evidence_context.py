"""What a judge is given: a quote as it is printed, with what stands around it and what its place is called."""

from __future__ import annotations

import pytest

from kag.core.evidence import Claim, Evidence, Quote
from kag.indexing.batch import find_papers, index_all
from kag.qa.checking.claim_check import case_of, quotes_of, short_forms
from kag.qa.library import open_library
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence, find_quote
from tests.papers import write_paper

CATCH = "<table><tr><th>Pond</th><th>Eels</th></tr>{}</table>".format(
    "".join(f"<tr><td>{pond}</td><td>{eels}</td></tr>" for pond, eels in (("Ash", 31), ("Birch", 22), ("Elm", 14)))
)
CATCHES = "Nets tore. The lower catch rate (LCR) fell in May [1]. Boats sank. All was lost."
PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Eels in ponds"),
        ("sub_title", "[[100, 130, 300, 150]]", "## 1 Catches"),
        ("text", "[[100, 160, 900, 240]]", CATCHES),
        ("sub_title", "[[100, 250, 300, 270]]", "## 1.1 Ponds"),
        ("table_title", "[[100, 280, 900, 300]]", "Table 1. Catches by pond."),
        ("table", "[[100, 310, 900, 400]]", CATCH),
        ("text", "[[100, 420, 900, 450]]", "Figures 3 to 5 are by Poe [1]."),
        ("sub_title", "[[100, 460, 300, 480]]", "## References"),
        ("text", "[[100, 490, 900, 520]]", "[1] Poe E. Ponds of the north (PON). Rivers. 1999;3:1-9."),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def eels(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    folder = tmp_path_factory.mktemp("eels")
    list(index_all(find_papers([write_paper(folder / "eels", PAGES)], folder / "runs"), workers=1))
    return open_library(folder / "runs")["eels"]


def place(paper: PaperGraph, words: str, of: str = "") -> Evidence:
    for one in paper.nodes.values():
        if (span := find_quote(one.text, words)) and of in one.text:
            return evidence(paper, one.iri, *span)
    raise AssertionError(words)


def quote(paper: PaperGraph, words: str, of: str = "") -> Quote:
    (found,) = quotes_of(place(paper, words, of), paper)
    return found


def test_a_sentence_has_what_stands_beside_it_and_no_more(eels: PaperGraph) -> None:
    found = quote(eels, "Boats sank.")
    assert (found.before.strip(), found.after.strip()) == (
        "The lower catch rate (LCR) fell in May [1].",
        "All was lost.",
    )
    assert (found.kind, found.section, found.cells) == ("sentence", ("1 Catches",), ())
    first, last = quote(eels, "Nets tore."), quote(eels, "All was lost.")
    assert (first.before, first.after.strip()) == ("", "The lower catch rate (LCR) fell in May [1].")
    assert (last.before.strip(), last.after) == ("Boats sank.", "")
    part = quote(eels, "rate (LCR) fell")
    assert (part.before.strip(), part.after.strip()) == ("Nets tore. The lower catch", "in May [1]. Boats sank.")


def test_a_row_has_its_headers_and_the_whole_table(eels: PaperGraph) -> None:
    found = quote(eels, "Birch | 22")
    assert (found.kind, found.headers, found.cells) == ("row", ("Pond", "Eels"), ("Birch", "22"))
    assert found.rows == (("Ash", "31"), ("Birch", "22"), ("Elm", "14"))
    assert (found.label, found.caption) == ("Table 1", "Table 1. Catches by pond.")
    assert quote(eels, "22").cells == ("Birch", "22")


def test_rows_that_a_quote_touches_are_a_table_of_their_own(eels: PaperGraph) -> None:
    found = quote(eels, "31\nBirch")
    assert (found.kind, found.cells, found.rows) == ("table", (), (("Ash", "31"), ("Birch", "22")))
    assert quote(eels, "Pond | Eels\nAsh").cells == ("Ash", "31"), "a head is no row"
    head = quote(eels, "Pond | Eels")
    assert (head.kind, head.rows, head.headers) == ("table", (), ())


def test_an_entry_names_the_sections_that_cite_it(eels: PaperGraph) -> None:
    entry = quote(eels, "Poe E. Ponds of the north")
    assert (entry.kind, entry.section) == ("reference", ("References", "1 Catches", "1.1 Ponds"))
    assert quote(eels, "1.1 Ponds", "1.1").kind == "heading"
    assert quote(eels, "Catches by pond").kind == "caption"


def test_short_forms_are_those_of_the_text_and_not_of_references(eels: PaperGraph) -> None:
    assert short_forms(eels) == {"LCR": "lower catch rate"}


def test_a_judge_is_given_claim_question_and_each_quote_once(eels: PaperGraph) -> None:
    sentence = place(eels, "The lower catch rate (LCR) fell in May [1].")
    claim = Claim("Reference 1 says that LCR fell in May.", (sentence, place(eels, "Birch | 22"), place(eels, "22")))
    text, quotes, context = case_of(claim, {"eels": eels}, "Why?")
    assert (text, context.question, context.abbreviations) == (claim.text, "Why?", {"LCR": "lower catch rate"})
    assert [quote.text for quote in quotes] == ["The lower catch rate (LCR) fell in May [1].", "Birch | 22"]
    assert "1" in context.labels, "the reference that the sentence cites"
