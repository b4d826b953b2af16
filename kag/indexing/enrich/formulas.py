"""Formula numbers, so that "Eq. (3)" can be linked to its formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kag.core.types import Block
from kag.rdf.namespaces import DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.sources.labels import FORMULAS

_NAME = r"[A-Za-z]{0,2}\.?\d{1,3}(?:[.\-–]\d{1,3}){0,2}[a-z]?['′]{0,2}|[ivx]{1,5}|[A-Z]"
_TAG = re.compile(rf"\\tag\*?\s*\{{\s*(?:\(\s*)?({_NAME})\s*(?:\)\s*)?\}}")
_WRAPPED = rf"(?:\\(?:text|mathrm|textrm|rm|mbox)\s*)?\{{?\s*[(\[]\s*({_NAME})\s*[)\]]\s*\}}?"
_AT_END = re.compile(
    rf"(?:\\q?quad|\\hfill|\\hspace\*?\{{[^{{}}]{{1,12}}\}}|\\c?l?dots|[.…]{{3}}|\\\]|\$\$|~){_WRAPPED}\s*(?:\\\]|\$\$)?$"
)
_ALONE = re.compile(rf"^[(\[]\s*({_NAME})\s*[)\]]$")
_END = 80  # characters behind which a number cannot begin


def formula_number(text: str) -> str:
    r"""The number printed with a formula, empty when there is none; the first where several lines have one.

    A number stands in a tag, or apart from the formula at its end: brackets behind a product or a function
    are a part of it.

    >>> formula_number(r"\[ a = b \quad (3) \]")
    '3'
    >>> formula_number(r"\[ a = f(3) \]")
    ''
    """
    tag = _TAG.search(text)
    if tag:
        return tag[1]
    end = re.sub(r"\s+", "", text[-_END:])
    match = _AT_END.search(end)
    return match[1] if match else ""


def is_formula_number(text: str) -> bool:
    """Whether a text is only a number in brackets, as printed next to a formula."""
    return bool(_ALONE.match(text.strip()))


def number_formulas(workspace: Workspace) -> int:
    """Give each formula the number printed with it; returns how many have one."""
    numbered = 0
    for node in workspace.of_type(DOCO.Formula):
        number = formula_number(workspace.text(node))
        if number and not workspace.text(node, KAG.floatNumber):
            workspace.state(node, KAG.floatNumber, number)
            numbered += 1
    return numbered


# Formulas whose number OCR took for a text of its own ----------------------------------------


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
