"""The numbers printed beside formulas, so that "Eq. (3)" can be linked to the formula it names."""

from __future__ import annotations

import re

from kag.rdf.namespaces import DOCO, KAG
from kag.rdf.workspace import Workspace

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
    found = _AT_END.search(end)
    return found[1] if found else ""


def is_formula_number(text: str) -> bool:
    """Whether a text is nothing but a number in brackets, as it is printed beside a formula."""
    return bool(_ALONE.match(text.strip()))


def apply(workspace: Workspace) -> int:
    """Give each formula the number printed with it; returns how many have one."""
    numbered = 0
    for node in workspace.of_type(DOCO.Formula):
        number = formula_number(workspace.text(node))
        if number and not workspace.text(node, KAG.floatNumber):
            workspace.state(node, KAG.floatNumber, number)
            numbered += 1
    return numbered
