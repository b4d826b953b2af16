from __future__ import annotations

from kag.write.structure.formula_blocks import numbers_beside
from tests.unit.write.structure.blocks import block

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
