"""The numbers printed beside formulas, so that "Eq. (3)" can be linked to the formula it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rdflib import URIRef

from kag.core.types import Block
from kag.indexing.enrich.crossref_finder import between, distinct
from kag.indexing.enrich.mentions import HOSTS, add_mention
from kag.rdf.namespaces import C4O, DOCO, KAG
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
    found = _AT_END.search(end)
    return found[1] if found else ""


def is_formula_number(text: str) -> bool:
    """Whether a text is nothing but a number in brackets, as it is printed beside a formula."""
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


# Call-outs that name formulas by their numbers alone --------------------------------------------------

_NUMBER = r"[A-Za-z]{0,2}\.?\d{1,3}(?:[.-]\d{1,3}){0,2}[a-z]?['′]{0,2}"
_ONE = re.compile(rf"\((?P<number>{_NUMBER})\)")
_JOINT = r"(?:\s?(?:[–—−-]{1,2}|\bto)\s?|,\s?(?:and\s|or\s)?|\s(?:and|or)\s)"
_THINGS = (
    r"formula[es]?|expressions?|(?:in)?equalit(?:y|ies)|relations?(?:hips?)?|systems?|models?|problems?|constraints?|conditions?"
    r"|identit(?:y|ies)|laws?|reactions?|integrals?|estimates?|bounds?"
)
_LEADS = (
    r"by|from|in|into|using|uses?|with|via|see|satisf(?:y|ies|ying)|solv(?:e|es|ing)|minimi[sz](?:e|es|ing)"
    r"|maximi[sz](?:e|es|ing)|insert(?:s|ing)?|combin(?:e|es|ing)|substitut(?:e|es|ing)|appl(?:y|ies|ying)"
)
_CALL_OUT = re.compile(
    rf"\b(?:(?P<thing>{_THINGS})|{_LEADS})\s(?P<list>\({_NUMBER}\)(?:{_JOINT}\({_NUMBER}\)){{0,9}})(?![\w–-]\w)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\)\s?(?:[–—−-]{1,2}|to)\s?\(")
_ITEM = re.compile(rf"(?:[:;,.]|\b(?:and|or|either|both))\s\(({_NUMBER})\)\s[^\W\d_]")


def link_formulas(workspace: Workspace) -> int:
    """Link texts to the formulas that they name by numbers alone; returns the triples added."""
    formulas = {
        workspace.text(node, KAG.floatNumber): node
        for node in reversed(workspace.of_type(DOCO.Formula))
        if workspace.text(node, KAG.floatNumber)
    }
    hosts = [host for host in workspace.of_type(*HOSTS) if not workspace.is_a(host, DOCO.Table)] if formulas else []
    if any(_cites_so(workspace, host) for host in hosts):
        return 0
    added = 0
    for host in hosts:
        for start, surface, targets in find_formulas(workspace.text(host), formulas):
            new = add_mention(workspace, (host, start, surface), KAG.CrossReference, KAG.refersTo, targets)
            if new:
                added += new + workspace.state(URIRef(f"{host}-m{start}"), KAG.targetKind, "equation")
                added += sum(workspace.add(host, KAG.refersTo, target) for target in targets)
    return added


def _cites_so(workspace: Workspace, host: URIRef) -> bool:
    """Whether a text has a citation call-out of numbers in round brackets."""
    mentions = workspace.links(host, KAG.hasMention)
    pointers = (one for one in mentions if workspace.is_a(one, C4O.InTextReferencePointer))
    return any(re.match(r"\(\d{1,3}\W", workspace.text(one, C4O.hasContent)) for one in pointers)


def find_formulas(text: str, formulas: Mapping[str, URIRef]) -> Iterator[tuple[int, str, list[URIRef]]]:
    """Place, words and formulas of each call-out; `formulas` are those of the paper by number.

    >>> [(at, words, named) for at, words, named in find_formulas("by (1) and (2) we", {"1": "a", "2": "b"})]
    [(3, '(1) and (2)', ['a', 'b'])]
    """
    items = {item[1] for item in _ITEM.finditer(text)}
    for found in _CALL_OUT.finditer(text):
        numbers = _numbers(found["list"])
        listed = not found["thing"] and len(numbers) == 1 and not items <= {*numbers}
        if not listed and all(number in formulas for number in numbers):
            yield found.start("list"), found["list"], [formulas[number] for number in numbers]


def _numbers(printed: str) -> list[str]:
    """The numbers of a list in brackets, ranges filled in."""
    numbers: list[str] = []
    end = 0
    for one in _ONE.finditer(printed):
        if numbers and _RANGE.match(printed, end - 1):
            numbers += between(numbers[-1], one["number"])
        numbers.append(one["number"])
        end = one.end()
    return list(distinct(numbers))


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
