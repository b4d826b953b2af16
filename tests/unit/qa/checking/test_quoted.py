"""What a quote has to be to carry a claim, and what it must not hide."""

from __future__ import annotations

import pytest

from kag.core.evidence import Claim, Evidence
from kag.qa.checking.quoted import quoted_words, strange_signs, tells
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence


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
