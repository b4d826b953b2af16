"""Formulas whose number OCR took for a text of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kag.core.types import Block
from kag.indexing.enrich.formulas import formula_number, is_formula_number
from kag.sources.labels import FORMULAS


def numbers_beside(blocks: Sequence[Block]) -> dict[str, Block]:
    """The block with the number of each formula, by the formula's id; `blocks` are in reading order.

    Such a block holds nothing but a number in brackets, and stands on a line with the formula.
    """
    found: dict[str, Block] = {}
    taken: set[str] = set()
    for pair in pairwise(blocks):
        for formula, number in (pair, pair[::-1]):
            free = formula.id not in found and number.id not in taken
            if free and _is_beside(formula, number):
                found[formula.id] = number
                taken.add(number.id)
    return found


def _is_beside(formula: Block, number: Block) -> bool:
    if (
        formula.label not in FORMULAS
        or number.label != "text"
        or not is_formula_number(number.plain)
        or formula_number(formula.text)
    ):
        return False
    if formula.page != number.page or not formula.boxes or not number.boxes:
        return False
    one, other = formula.boxes[0], number.boxes[0]
    return min(one.y1, other.y1) > max(one.y0, other.y0)
