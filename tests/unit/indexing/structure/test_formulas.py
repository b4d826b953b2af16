from __future__ import annotations

import pytest

from kag.indexing.enrich.crossrefs import numbers_beside
from tests.unit.indexing.structure.blocks import block

LINE = ((100, 100, 800, 140),)
RIGHT = ((850, 110, 890, 130),)
BELOW = ((850, 150, 890, 170),)


def test_a_number_on_the_line_of_a_formula_is_its_own() -> None:
    formula, number = block("1.1", "\\[ a = b \\]", "equation", LINE), block("1.2", "(3)", boxes=RIGHT)
    assert numbers_beside([formula, number]) == {formula.id: number}
    assert numbers_beside([number, formula]) == {formula.id: number}


def test_other_texts_are_no_numbers_of_formulas() -> None:
    formula = block("1.1", "\\[ a = b \\]", "equation", LINE)
    assert numbers_beside([formula, block("1.2", "(3)", boxes=BELOW)]) == {}
    assert numbers_beside([formula, block("1.2", "where a is", boxes=RIGHT)]) == {}
    assert (
        numbers_beside([block("1.1", "\\[ a \\tag{2} \\]", "equation", LINE), block("1.2", "(3)", boxes=RIGHT)]) == {}
    )


def test_a_number_belongs_to_one_formula() -> None:
    first, second = block("1.1", "\\[ a \\]", "equation", LINE), block("1.3", "\\[ b \\]", "equation", LINE)
    number = block("1.2", "(3)", boxes=RIGHT)
    assert numbers_beside([first, number, second]) == {first.id: number}


@pytest.mark.parametrize(
    ("top", "bottom", "beside"),
    [(139, 160, True), (140, 160, False), (80, 101, True), (80, 100, False), (110, 130, True), (90, 150, True)],
)
def test_a_number_stands_on_the_line_of_its_formula(top: int, bottom: int, beside: bool) -> None:
    formula, number = block("1.1", "\\[ a \\]", "equation", LINE), block("1.2", "(3)", boxes=((850, top, 890, bottom),))
    assert bool(numbers_beside([formula, number])) == beside


def test_what_no_number_of_a_formula_is() -> None:
    formula = block("1.1", "\\[ a \\]", "equation", LINE)
    assert numbers_beside([formula, block("2.1", "(3)", boxes=RIGHT)]) == {}, "on another page"
    assert numbers_beside([formula, block("1.2", "(3)", boxes=())]) == {}
    assert numbers_beside([block("1.1", "\\[ a \\]", "equation", ()), block("1.2", "(3)", boxes=RIGHT)]) == {}
    assert numbers_beside([formula, block("1.2", "(3)", "sub_title", RIGHT)]) == {}
    assert numbers_beside([block("1.1", "Words", boxes=LINE), block("1.2", "(3)", boxes=RIGHT)]) == {}


def test_of_several_boxes_the_first_is_the_line() -> None:
    number = block("1.2", "(3)", boxes=RIGHT)
    for boxes, beside in (((*LINE, (100, 500, 800, 540)), True), (((100, 500, 800, 540), *LINE), False)):
        assert bool(numbers_beside([block("1.1", "\\[ a \\]", "equation", boxes), number])) == beside
