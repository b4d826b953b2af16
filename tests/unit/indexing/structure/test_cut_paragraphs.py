"""Paragraphs with an open end over the end of a page or a column."""

from __future__ import annotations

import pytest

from kag.indexing.structure.paragraphs import continuations, notes_of_tables
from tests.unit.indexing.structure.blocks import block

FOOT, HEAD = ((60, 700, 490, 940),), ((60, 80, 490, 300),)
NEXT_COLUMN = ((510, 80, 940, 300),)
OPEN = "The eggs of the second brood, which had been reared in the laboratory, were kindly provided by"
WHOLE = "The eggs of the second brood, which had been reared in the laboratory, were kindly provided."


@pytest.mark.parametrize(
    ("first", "second", "cut"),
    [
        (OPEN, "Dr. Lee of the north station, and kept dry.", True),
        (OPEN, "12 keepers of the north station.", True),
        (OPEN, "(Lee 2010) and kept dry.", True),
        (OPEN, r"\( R_{a}^{2} \), a measure of the fit.", True),
        (WHOLE, "Dr. Lee of the north station kept them dry.", False),
        (OPEN, "• Dr. Lee of the north station.", False),  # an item of a list
        (OPEN, "2. Dr. Lee of the north station.", False),
        (OPEN, "Figure S10. Eggs of the second brood.", False),  # what is described begins anew
        ("Provided by", "Dr. Lee of the north station.", False),  # a line of its own
        (WHOLE[:-1] + ". In Fig.", "2B, the eggs are shown.", True),  # the point of a shortened word ends nothing
    ],
)
def test_an_open_end_goes_on_over_a_page(first: str, second: str, cut: bool) -> None:
    for later in (block("2.1", second, boxes=HEAD), block("1.2", second, boxes=NEXT_COLUMN)):
        assert bool(continuations([block("1.1", first, boxes=FOOT), later])) == cut


def test_an_open_end_alone_does_not_go_on_within_a_column() -> None:
    above, below = ((60, 100, 490, 200),), ((60, 260, 490, 300),)
    assert not continuations([block("1.1", OPEN, boxes=above), block("1.2", "Dr. Lee kept them.", boxes=below)])


def test_nor_over_two_pages_or_behind_a_formula() -> None:
    assert not continuations([block("1.1", OPEN, boxes=FOOT), block("3.1", "Dr. Lee kept them.", boxes=HEAD)])
    later = block("2.1", "Dr. Lee kept them.", boxes=HEAD)
    assert not continuations([block("1.1", OPEN, boxes=FOOT), later], {later.id})


@pytest.mark.parametrize("start", ["the station, and kept dry.", "(see the methods) and kept dry."])
def test_notes_of_a_table_stand_between(start: str) -> None:
    first, note, rest = block("1.1", OPEN), block("2.1", "Eggs that broke are not shown."), block("2.2", start)
    assert continuations([first, note, rest]) == {rest.id: first.id}


@pytest.mark.parametrize(
    "note", ["AMR, Acute mediated rejection; CMR, Chronic rejection.", "BMD a : areal bone density, in grams."]
)
def test_abbreviations_under_a_table_are_notes(note: str) -> None:
    table, below = block("1.1", "a | b", "table"), block("1.2", note)
    assert notes_of_tables([table, below]) == {below.id}
