"""What is counted: how many things pieces of evidence stand for."""

from __future__ import annotations

import pytest

from kag.core.evidence import Evidence
from kag.qa.checking.quoted import things
from kag.qa.library import Library
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence, find_quote


def quoted(paper: PaperGraph, words: str) -> Evidence:
    for node in paper.nodes.values():
        if span := find_quote(node.text, words):
            return evidence(paper, node.iri, *span)
    raise AssertionError(words)


@pytest.mark.parametrize(
    ("noun", "quotes", "number"),
    [
        ("sections", ["1 Introduction", "2 Methods", "2.1 Sites"], 3),
        ("sections", ["1 Introduction", "Introduction"], 1),  # two spans of one node
        ("sections", ["Twelve sites"], 0),
        ("paragraphs", ["Twelve sites", "River ice hides"], 2),
        ("paragraphs", ["2 Methods"], 0),
        ("references", ["Poe E.", "Roe E.", "Doe J."], 3),
        ("entries", ["Poe E.", "2 Methods"], 1),
        ("tables", ["Table 1. Losses by site."], 1),
        ("tables", ["Table 1. Losses by site.", "Site | Lost"], 1),  # the caption and the table are one
        ("figures", ["Table 1. Losses by site."], 0),
        ("figures", ["Fig. 1. Sensors lost"], 1),
        ("equations", ["a"], 0),
        ("rows", ["Twelve sites"], 0),
        ("authors", ["Ana Lima", "Jon Berg"], 2),
        ("authors", ["Ana", "Jon Berg"], 1),
        ("authors", ["Twelve sites"], 0),
        ("works", ["Poe E.", "Roe E.", "Twelve sites"], 2),
        ("keywords", ["Twelve sites", "Poe E."], 0),
        ("pages", ["River ice hides", "1 Introduction"], 1),
        ("pages", ["River ice hides", "Twelve sites"], 2),
        ("papers", ["River ice hides", "Twelve sites"], 1),
        ("times", ["[1, 2]", "Table 1 and", "Fig. 1, as"], 1),
        ("times", ["[1, 2]", "[2]."], 2),
    ],
)
def test_things(ice: PaperGraph, library: Library, noun: str, quotes: list[str], number: int) -> None:
    found = things(noun, [quoted(ice, words) for words in quotes], library)
    assert len(found) == number, found


@pytest.mark.parametrize(
    ("noun", "quotes", "number"),
    [
        ("rows", ["Upper | 3"], 1),
        ("rows", ["Site", "Upper"], 2),
        ("columns", ["Site", "Lost"], 2),
        ("rows", ["Sit", "Upper"], 1),  # not all are cells as a whole
        ("sections", ["Site", "Lost"], 0),
    ],
)
def test_cells(ice: PaperGraph, library: Library, noun: str, quotes: list[str], number: int) -> None:
    (table,) = ice.of_kind("Table")
    spans = [(table.text.index(words), len(words)) for words in quotes]
    found = things(noun, [evidence(ice, table.iri, at, at + long) for at, long in spans], library)
    assert len(found) == number, found
