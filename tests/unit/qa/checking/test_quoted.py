"""What a quote has to be to carry a claim, and what it must not hide."""

from __future__ import annotations

import pytest

from kag.core.evidence import Claim, Evidence
from kag.qa.checking.quoted import (
    content_words,
    context,
    has_meaning,
    is_identical,
    quoted_words,
    signs,
    strange_signs,
    tells,
)
from kag.qa.library import Library
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence
from tests.unit.qa.papers import Maker


@pytest.mark.parametrize(
    ("text", "known", "strange"),
    [
        ("Ice", "", []),
        ("a, b; c! d?", "", []),
        ("a < b", "a b", ["LESS-THAN SIGN"]),
        ("a < b", "x < y", []),
        ("a ± b", "", ["PLUS-MINUS SIGN"]),
        ("é", "", ["LATIN SMALL LETTER E WITH ACUTE"]),
        ("É", "é", []),  # case says nothing
        ("a – b…“c”", "", []),  # marks of punctuation
        ("a\u200bb", "", ["ZERO WIDTH SPACE"]),
        ("a\tb", "", ["U+0009"]),
        ("ﬁ", "fi", []),  # one letter printed for two
    ],
)
def test_strange_signs(text: str, known: str, strange: list[str]) -> None:
    assert strange_signs(text, known) == strange


@pytest.fixture
def host(ice: PaperGraph) -> str:
    """ "Sensors fail under ice [1, 2]. Losses are given in Table 1 ..."."""
    return next(node.iri for node in ice.nodes.values() if node.text.startswith("Sensors fail under ice ["))


def part(paper: PaperGraph, iri: str, words: str) -> Evidence:
    at = paper.nodes[iri].text.index(words)
    return evidence(paper, iri, at, at + len(words))


@pytest.mark.parametrize(
    ("words", "told"),
    [("Sensors fail", "Sensors fail"), ("ensors fail under i", "fail under"), ("[1, 2]", "[1, 2]"), ("enso", "")],
)
def test_a_word_that_a_quote_cuts_is_not_said(ice: PaperGraph, host: str, words: str, told: str) -> None:
    assert quoted_words(part(ice, host, words), ice).strip() == told


@pytest.mark.parametrize(
    ("words", "claim", "carries"),
    [
        ("Sensors", "Anything.", True),
        ("in", "Sensors are in ice.", False),
        ("1", "Table 2.", False),
        ("1", "Table 1.", True),  # a number that the claim names
        ("[1, 2]", "Anything.", True),  # a call-out is what it is
        ("Table 1", "Anything.", True),
    ],
)
def test_what_a_quote_can_carry(ice: PaperGraph, host: str, words: str, claim: str, carries: bool) -> None:
    one = part(ice, host, words)
    assert tells(one, words, Claim(claim, (one,)), ice) == carries


def test_a_cell_and_a_whole_text_are_what_they_are(ice: PaperGraph) -> None:
    (table,) = ice.of_kind("Table")
    cell, scrap = part(ice, table.iri, "3"), part(ice, table.iri, "|")
    claim = Claim("Anything.", (cell,))
    assert tells(cell, "3", claim, ice)
    assert not tells(scrap, "|", claim, ice)
    whole = evidence(ice, table.iri)
    assert tells(whole, "", claim, ice)
    assert tells(scrap, "|", Claim("There is 1 sign.", (scrap,), 1.0, 1), ice), "what is counted stands for its place"
    assert not tells(scrap, " ", Claim("There is 1 sign.", (scrap,), 1.0, 1), ice)


TEXT = (
    "The nets held [1]. No sensor failed under ice, and the boats came back. If rain falls, the pond fills. "
    "We doubt that eels are blind. Losses were 3.5 kg."
)


@pytest.fixture(scope="module")
def paper() -> PaperGraph:
    make = Maker()
    make.section("s", "1 Results")
    make.add("b_1", "doco:Paragraph", TEXT, "s")
    return make.paper()


@pytest.mark.parametrize(
    ("text", "quote", "same"),
    [
        ("The nets held.", "The nets held [1].", True),
        ("the nets held [1]", "The nets held [1].", True),
        ("No sensor failed under ice, and the boats came back.", "No sensor failed under ice, and the boats", False),
        ("No sensor failed under ice, and the boats came back.", TEXT, True),
        ("Sensor failed under ice.", "sensor failed under ice", False),
        ("The boats came back.", TEXT, False),  # the rest of the sentence has a "no"
        ("The pond fills.", "the pond fills", False),
        ("Eels are blind.", "eels are blind", False),
        ("Losses were 3.5 kg", "Losses were 3.5 kg.", True),
        ("Losses were 5 kg", "Losses were 3.5 kg.", False),
        ("", "The nets held [1].", False),
    ],
)
def test_identity(paper: PaperGraph, text: str, quote: str, same: bool) -> None:
    iri = next(node.iri for node in paper.nodes.values() if node.text == TEXT)
    start = TEXT.index(quote)
    claim = Claim(text, (evidence(paper, iri, start, start + len(quote)),))
    assert is_identical(claim, {paper.id: paper}) is same


def test_numbers_are_signs_and_no_words() -> None:
    assert signs("the 12 sensors") - content_words("the 12 sensors") == {"12"}


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("ice", True),
        ("the ice", True),
        ("A&A", True),
        ("pH", True),
        ("(B2)", True),
        ("of the", False),
        ("12", False),
        ("12 and 14", False),
        ("a", False),
        ("x", False),
        ("“The”", False),
        ("--", False),
        ("", False),
    ],
)
def test_what_has_a_meaning(text: str, means: bool) -> None:
    assert has_meaning(text) == means


def test_the_context_of_a_quote_is_what_its_place_is_called(library: Library, ice: PaperGraph) -> None:
    (sites,) = (node for node in ice.nodes.values() if node.text.startswith("Twelve sites"))
    (caption,) = (node for node in ice.nodes.values() if node.text.startswith("Table 1."))
    said = context(["a quote"], [evidence(ice, sites.iri), evidence(ice, caption.iri)], library)
    assert said.startswith("a quote")
    for words in ("Methods", "Sites", "Table 1"):
        assert words in said
    assert "Introduction" not in said
    assert context([], [evidence(ice, sites.iri)], {}) == ""
