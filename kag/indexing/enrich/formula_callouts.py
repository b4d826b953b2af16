"""Call-outs that name formulas by their numbers alone: "the system (1)–(3)", "by (2) and (St0)", "inserting (4) into".

Numbers in brackets are much else, too. So all of them must be numbers of formulas, a word that leads to a formula
stands before them, they count no items of a list, and a paper that cites by such numbers has none of this form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rdflib import URIRef

from kag.indexing.enrich.crossref_finder import between, distinct
from kag.indexing.enrich.mentions import HOSTS, add_mention
from kag.rdf.namespaces import C4O, DOCO, KAG
from kag.rdf.workspace import Workspace

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


def apply(workspace: Workspace) -> int:
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
