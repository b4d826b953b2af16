"""Questions that ask for what is reckoned from the years of a table: a change, a mean, a share, the year of the most.

What is asked for is read from the words; nothing is reckoned here (`kag.read.extract.reckoning.by_years`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from kag.read.checking.arithmetic import CHANGE, DIFFERENCE, MEAN, PERCENT_CHANGE, PERCENTAGE, RATIO, SUM
from kag.read.extract.reckoning.series import years_of
from kag.text.amounts import first_amount
from kag.text.dates import FISCAL, MONTH

HIGHEST, LOWEST, ABOVE, BELOW, VALUE = "highest", "lowest", "above", "below", "value"

_TURN = r"(?:increase|decrease|change|growth|decline|rise|fall|drop|difference|variance|reduction)"
_TURNS = rf"{_TURN}s?(?:\s?/\s?\(?{_TURN}s?\)?)?"
_YEARS = rf"(?:(?:19|20)\d\d|{FISCAL}\d\d)"
_ASK = r"(?:what|how much|how large|how big)(?:\s(?:is|was|were|are|did|has|have|had))?(?:\sbeen)?\s"
_PERCENT = r"(?:percentage|percent|per cent|%|relative)"
_PERCENT_CHANGE = re.compile(
    rf"\b(?:absolute\s)?(?:year[- ]o(?:n|ver)[- ]year\s)?{_PERCENT}\s(?:point\s)?{_TURNS}(?:\s(?:of|in|for))?"
    rf"|%\s{_TURNS}(?:\s(?:of|in|for))?|\bby\s(?:what|how\smuch)\spercent\w*\sdid\b|\bgrowth\srate\s(?:of|in|for)\b",
    re.I,
)
_CHANGE = re.compile(
    r"\b(?:the|a|any|much)\s(?:value\sof\sthe\s|net\s|total\s|nominal\s|absolute\s|year[- ]o(?:n|ver)[- ]year\s)*"
    rf"{_TURNS}\s(?:in|of|for|between|from)\b"
    r"|\bhow\smuch\s(?:did|has|have)\b(?=.*\b(?:change|increase|decrease|grow|rise|fall)d?\b)",
    re.I,
)
_BETWEEN_TWO = re.compile(r"\bdifferences?\b", re.I)
_MEAN = re.compile(r"\b(?:average|mean)\b(?:\s(?:of|annual|yearly)\b)?", re.I)
_SUM = re.compile(r"\b(?:total|sum|combined|altogether|aggregate)\b(?:\sof\b)?", re.I)
_WHICH = re.compile(
    r"\b(?:in\s|for\s|during\s|over\s)?(?:which|what)\s(?:of the\s)?(?:\w+\s)?(?:years?|periods?)\b", re.I
)
_MOST = re.compile(
    r"\b(?:the\s)?(?:most|highest|larg(?:er|est)|high(?:er)?|great(?:er|est)|bigg(?:er|est)|more)\b", re.I
)
_LEAST = re.compile(r"\b(?:the\s)?(?:least|low(?:er|est)|small(?:er|est)|fewest|less)\b", re.I)
_LIMIT = r"\s(?P<limit>[$€£¥]?\s?\d[\d,.]*)\s?(?:%|percent|thousands?|millions?|billions?|[mk]\b)*"
_ABOVE = re.compile(
    rf"\b(?:exceed(?:s|ed)?|(?:more|great(?:er)?|higher|larger)\sthan|above|over)(?:\sthe\samount\sof)?{_LIMIT}", re.I
)
_BELOW = re.compile(rf"\b(?:(?:less|lower|smaller|fewer)\sthan|below|under){_LIMIT}", re.I)
_SIDES = (
    (PERCENTAGE, re.compile(
        r"\b(?:percentage|percent|proportion|share|fraction)(?:,\sin\spercentage,)?\sof\s(?P<two>.+?)\s"
        r"(?:is|are|was|were)\s(?:made\sup\sof|made\sup\sby|constituted\sby|from)\s(?P<one>.+)", re.I)),
    (PERCENTAGE, re.compile(
        rf"\b(?:what\s(?:is|was|are|were)\s)?(?P<one>[^?]+?),?\s(?:as\sa|in)\s{_PERCENT}\sof\s(?P<two>.+)", re.I)),
    (PERCENTAGE, re.compile(
        r"\b(?:percentage|percent|proportion|share|fraction)(?:,\sin\spercentage,)?\s(?:constitution\s)?of\s(?P<one>.+?)\s"
        r"(?:out\sof|over|among|against|to|relative\sto)\s(?:the\s)?(?P<two>.+)", re.I)),
    (RATIO, re.compile(r"\bratio\sof\s(?P<one>.+?)\s(?:to|over|and)\s(?P<two>.+)", re.I)),
    (DIFFERENCE, re.compile(
        r"\bhow\s(?:much|many)\s(?:more|less|fewer|higher|lower)\s(?:is|was|are|were)?\s?(?P<one>.+?)\s"
        r"(?:than|(?:as\s)?compared\s(?:to|with))\s(?P<two>.+)", re.I)),
    (DIFFERENCE, re.compile(r"\bdifference\s(?:between|in)\s(?P<one>.+?)\s(?:and|from)\s(?P<two>.+)", re.I)),
)  # fmt: skip
_VALUE = re.compile(
    rf"{_ASK}(?:the\s)?(?:respective(?:ly)?\s)?(?:values?\s|amounts?\s)?(?:of\s)?(?P<name>.+)", re.I | re.S
)
_LEFT = re.compile(
    rf"\b{_YEARS}\b|\b(?:respective(?:ly)?|values?|amounts?|between|from|both|year|years|fiscal|financial|ended|ending|end"
    r"|period|periods|annual|compared|versus|across|over|dollars?|nominal|absolute|calculated|recorded|company(?:['’]s)?"
    rf"|{MONTH}|\d{{1,2}}(?:st|nd|rd|th)?|the|three|two|four|five)\b",
    re.I,
)
_SPAN = re.compile(rf"(?P<one>{_YEARS})\s?(?:-|–|to|through|until)\s?(?P<two>{_YEARS})", re.I)
_REASON = re.compile(
    r"^\W*(?:why|how (?!much|many|large|big|long|high|did|has|have))\b"
    r"|\b(?:driven|caused|cause|due|reasons?|because|attribut\w+|main|primarily|explain\w*)\b",
    re.I,
)
_HOLDING = "(?:and|of|in|for|at|to|as|by|with|on)"
_LONG = 30  # years of a span
_LONGEST = 400  # characters of a question that is looked at


@dataclass(frozen=True, slots=True)
class Sum:
    """What is to be reckoned: `names` are the words for each thing, one or two, `years` those named, in order.

    `limit` is the number that values are to be above or below.
    """

    what: str
    names: tuple[str, ...]
    years: tuple[int, ...]
    limit: Fraction | None = None


def asked_sum(question: str) -> Sum | None:
    """What a question asks to be reckoned, or read off for named years; None where it asks for nothing of the kind.

    >>> asked_sum("What was the percentage change in total sales between 2018 and 2019?")
    Sum(what='percentage change', names=('total sales',), years=(2018, 2019), limit=None)
    >>> asked_sum("In which year was the gross margin higher?").what
    'highest'
    """
    if len(question) > _LONGEST or _REASON.search(question):
        return None
    years = _years(question)
    return next((found for read in _READERS if (found := read(question, years))), None)


def _years(question: str) -> tuple[int, ...]:
    """The years of a question; of a span all that are in it."""
    span = _SPAN.search(question)
    ends = years_of(span[0]) if span else ()
    if len(ends) != 2 or not 1 < abs(ends[1] - ends[0]) < _LONG:
        return years_of(question)
    turn = 1 if ends[1] > ends[0] else -1
    return tuple(range(ends[0], ends[1] + turn, turn))


def _which(question: str, years: tuple[int, ...]) -> Sum | None:
    asked = _WHICH.search(question)
    rest = question[: asked.start()] + question[asked.end() :] if asked else ""
    for what, pattern in ((ABOVE, _ABOVE), (BELOW, _BELOW), (HIGHEST, _MOST), (LOWEST, _LEAST)):
        found = pattern.search(rest)
        if found:
            limit = first_amount(found["limit"]) if what in (ABOVE, BELOW) else None
            return Sum(what, (_bare(pattern.sub(" ", rest)),), years, limit)
    return None


def _sides(question: str, years: tuple[int, ...]) -> Sum | None:
    for what, pattern in _SIDES:
        found = pattern.search(question)
        names = tuple(_bare(found[side]) for side in ("one", "two")) if found else ()
        if all(names) and names and len(years) <= 1:
            bare = what == PERCENTAGE and not re.search(r"percent|per cent|%", question, re.I)
            return Sum(RATIO if bare else what, names, years)
    return None


def _turned(question: str, years: tuple[int, ...]) -> Sum | None:
    for what, pattern in ((PERCENT_CHANGE, _PERCENT_CHANGE), (CHANGE, _CHANGE)):
        found = pattern.search(question)
        if found and (len(years) != 1 or not _BETWEEN_TWO.search(found[0])):
            return Sum(what, (_bare(question[: found.start()] + " " + question[found.end() :]),), _ends(years))
    return None


def _ends(years: tuple[int, ...]) -> tuple[int, ...]:
    """The first and the last, the earlier first, as a change goes on in time; of one year the year before as well."""
    return (min(years) - (len(years) == 1), max(years)) if years else ()


def _totals(question: str, years: tuple[int, ...]) -> Sum | None:
    found = _MEAN.search(question)
    if found:
        name = _bare(question[: found.start()] + " " + question[found.end() :])
        return Sum(MEAN, _several(name) if len(years) == 1 else (name,), years)
    found = _SUM.search(question)
    several = _several(_bare(_SUM.sub(" ", question))) if found and len(years) == 1 else ()
    if found and (len(years) > 1 or len(several) > 1):
        return Sum(SUM, (_bare(question),) if len(years) > 1 else several, years)
    return None


def _several(name: str) -> tuple[str, ...]:
    """The things that a list names."""
    return tuple(filter(None, (_bare(one) for one in re.split(r",\s|\sand\s|,", name))))


def _value(question: str, years: tuple[int, ...]) -> Sum | None:
    found = _VALUE.search(question)
    return Sum(VALUE, (_bare(found["name"]),), years) if found and years else None


def _bare(text: str) -> str:
    """Words without years and what holds them together."""
    asked = re.sub(rf"^\W*{_ASK}", " ", text, flags=re.I)
    left = _LEFT.sub(" ", _SPAN.sub(" ", asked))
    told = " ".join(re.sub(r"[?,;]|(?<!\w)'|'(?!\w)|[\"“”]", " ", left).split()).strip(" .-–/()")
    return re.sub(rf"(?:^{_HOLDING}\s)+|(?:(?:^|\s){_HOLDING})+$", "", told)


_READERS: tuple[Callable[[str, tuple[int, ...]], Sum | None], ...] = (_which, _turned, _sides, _totals, _value)
