"""What a question asks of a library: a target, filters on it, and how the result is summed up.

`read_wish` reads a question by consuming it: each filter takes its words out, and only when nothing but words of no
weight remain is the question understood. What it cannot read whole it does not read: no guess, None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kag.corpus.exact import terms
from kag.corpus.exact.cited import cites, companions, passive
from kag.corpus.exact.condition import Filter, Text
from kag.corpus.exact.filters import captions, numbers, papers, people, roles, times, titles, venues


@dataclass(frozen=True, slots=True)
class Wish:
    """`ask` is list, count or rank.

    `target` is paper, reference, work, section, figure, table, formula, paragraph, journal or mention. For rank, `by`
    names what is counted for each target: a target's name, or "citing" for the papers that cite a work; `least` turns
    the order. For count, `by` "paper" asks for one number for each paper. `limit` bounds a list, 0 for all.
    """

    ask: str
    target: str
    filters: tuple[Filter, ...] = ()
    by: str = ""
    least: bool = False
    limit: int = 0


_COUNT = re.compile(
    r"\bhow many\b|\b(?:total |overall )?(?:number|count) of\b|^\s*count\b|\bhow (?:large|big) is\b", re.I
)
_OFTEN = re.compile(r"\bhow (?:often|many times)\b|\bnumber of times\b", re.I)
_FEW = r"\d{1,3}|two|three|four|five|six|seven|eight|nine|ten"
_LIMIT = re.compile(
    rf"\b(?:top|first)\s+(?P<n>{_FEW})\b|\b(?P<m>{_FEW})\s+(?=most\b|least\b|papers with the (?:most|fewest))", re.I
)
_SMALL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_MOST_CITED = re.compile(
    rf"\b(?:is|are|was|were|gets?|been)?\s*(?:(?P<a>(?:most|least)(?: often| frequently| commonly| widely)?[-"
    rf" ](?:cited|referenced))"
    rf"|(?:cited|referenced)\s+(?P<b>(?:the )?(?:most|least)(?: often| frequently| commonly| widely)?)\b"
    rf"(?:\s+(?:by|in|across|among|of)\s+(?:all\s+)?(?:the\s+|our\s+|these\s+|different\s+)*{terms.PAPERS})?"
    rf"|(?:cited|referenced)\s+(?:by|in)\s+(?P<c>the (?:most|largest number of|highest number of|greatest number of"
    rf"|fewest)|most|more)\s+(?:different\s+)?{terms.PAPERS}(?:\s+than any other)?)",
    re.I,
)
_EXTREME = re.compile(
    r"\b(?:has|have|with|having|contains?|includes?|cites?|lists?|holds?)?\s*(?:(?:by )?far )?\b(?:the\s+)?"
    r"(?P<way>most|largest number of|highest number of|greatest number of|maximum number of|fewest|least"
    r"|smallest number of"
    r"|lowest number of|minimum number of)\s+(?P<what>references?|works|sources|citations|entries|figures?"
    r"|tables?|equations?"
    r"|formulas?|sections?|paragraphs?|papers|cited works|bibliograph\w+ entries)\b",
    re.I,
)
_LENGTH = re.compile(
    r"\b(?:has|have|with|having)?\s*the (?P<way>longest|shortest) (?:reference list|bibliography|list of"
    r" references)\b",
    re.I,
)
_LEAST = re.compile(r"least|fewest|smallest|lowest|minimum|shortest", re.I)
LONGEST = 1_000  # characters of a question that is one; names in quotation marks do not count
_NOT = re.compile(r"\b(?:is|are|was|were|been)(?:\s+not|n['’]t|\s+never)\b", re.I)
_IN_COMMON = re.compile(r"\b(?:both|share|shared|in common|common)\b", re.I)
_EACH = re.compile(
    r"\b(?:(?:for|of|in|does|do|by)\s+(?:each|every)|per)\s+(?:single\s+)?(?:of\s+(?:the|these)\s+)?"
    rf"{terms.PAPERS}\b(?:\s+(?:has|have|contains?|cites?))?",
    re.I,
)


def read_wish(marked: str) -> Wish | None:
    """The wish of a question whose names are marked (`find_marks`); None when the grammar does not cover all of it."""
    if len(marked) > LONGEST or _NOT.search(marked):
        return None
    text = Text(marked)
    limit = _limit(text)
    most = _ranking(text)
    each = bool(text.take(_EACH))
    filters = find_filters(text)
    often, counts = bool(text.take(_OFTEN)), bool(text.take(_COUNT))
    if filters is None or (each and most):
        return None
    named = terms.TARGET.search(text.rest)
    target = named.lastgroup or "" if named else ""
    if named:
        text.rest = text.rest[: named.start()] + " " + text.rest[named.end() :]
    if len([one for one in filters if one.kind == "paper"]) > 1:
        text.take(_IN_COMMON)
    if not text.is_spent():
        return None
    if often:
        return _checked(Wish("count", "mention", filters))
    wish = Wish(
        "count" if counts else "list", target or _implied(marked), filters, "paper" if each else "", limit=limit
    )
    if most:
        counted, least = most
        subject = "work" if counted == "citing" and target in ("paper", "reference", "") else target or "paper"
        wish = replace(wish, ask="rank", target=subject, by=counted, least=least, limit=limit or 1)
    return _checked(wish)


def find_filters(text: Text) -> tuple[Filter, ...] | None:
    """All filters of a question, taken out of the text; None when one is begun and cannot be read."""
    found: list[Filter] = []
    for read in (
        companions,
        numbers,
        captions,
        titles,
        roles,
        cites,
        passive,
        papers,
        people,
        venues,
        times,
    ):
        part = read(text)
        if part is None:
            return None
        found += part
    return tuple(found)


def _implied(marked: str) -> str:
    """Where a question names no target: "where is it cited", "who cites it" ask for papers."""
    if re.search(r"(?i)\bcites?\b.{0,3}$", marked):
        return "reference"
    return "paper" if re.search(r"(?i)\b(?:where|who|write|written|authored)\b", marked) else ""


def _ranking(text: Text) -> tuple[str, bool] | None:
    """What is counted to find the first of all, and whether the least is asked for."""
    cited = text.take(_MOST_CITED)
    if cited:
        return "citing", bool(_LEAST.search(cited[0]))
    length = text.take(_LENGTH)
    if length:
        return "reference", bool(_LEAST.search(length["way"]))
    extreme = text.take(_EXTREME)
    if extreme:
        named = terms.TARGET.search(extreme["what"])
        assert named is not None
        return named.lastgroup or "", bool(_LEAST.search(extreme["way"]))
    return None


def _limit(text: Text) -> int:
    match = text.take(_LIMIT)
    if not match:
        return 0
    number = (match["n"] or match["m"]).lower()
    return int(number) if number.isdigit() else _SMALL.index(number) + 1


_FITS = {  # the filters that each target can have
    "paper": {"cites", "author", "year", "venue", "keyword", "title", "role", "having", "paper", "caption"},
    "reference": {"author", "year", "venue", "title", "paper", "role", "having"},
    "work": {"author", "year", "venue", "title", "paper", "having", "with"},
    "journal": {"year", "author", "paper"},
    "section": {"cites", "paper", "role"},
    "paragraph": {"cites", "paper"},
    "mention": {"cites", "paper"},
    "figure": {"caption", "paper"},
    "table": {"caption", "paper"},
    "formula": {"paper"},
}


def _checked(wish: Wish) -> Wish | None:
    """The wish if its parts go together; a reference that is asked for by the papers that cite it is a work."""
    kinds = {one.kind for one in wish.filters}
    target = wish.target
    if target == "reference" and (kinds & {"with"} or any(one.words == "citing" for one in wish.filters)):
        target = "work"
    several = [one for one in wish.filters if one.kind == "paper"]
    if target == "paper" and several:  # "which papers does P cite"
        target = "reference"
    if target == "reference" and len(several) > 1:
        target = "work"
    counted = (
        {"citing"}
        if target in ("work", "journal")
        else {"reference", "figure", "table", "formula", "section", "paragraph"}
    )
    if target not in _FITS or not kinds <= _FITS[target] or (wish.ask == "rank" and wish.by not in counted):
        return None
    if target == "mention" and not kinds & {"cites"}:
        return None
    return replace(wish, target=target)
