"""The one number or date in a sentence that a question asks for; nothing when several would fit."""

from __future__ import annotations

import re
from collections.abc import Collection

from kag.read.extract.asking import Asked
from kag.read.extract.kin import kin_of
from kag.text.dates import MONTH
from kag.text.quantities import find_quantities, read_unit
from kag.text.search_text import tokens

_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty"
)
_COUNT = re.compile(
    rf"(?<![\w.,^{{\[/-])(?:\d{{1,3}}(?:[,\s]\d{{3}}){{1,4}}|\d+|{'|'.join(_WORDS.split())})(?![\w%^/]|[.,]\d|-\d|\s?[%°])",
    re.I,
)
_CALL_OUT = re.compile(  # and labels of floats and parts: their numbers are names
    r"\[[\d,;\s–-]{1,60}\]|\\\(\s?\^\{[^{}]{0,60}\}\s?\\\)|\([^()]{0,80}\b(?:19|20)\d\d[a-z]?\)"
    r"|(?<!\w)(?:fig(?:ure)?|table|eq(?:uation)?|section|scheme|algorithm|appendix|chapter|box)s?\.?\s?\(?[A-Z]?\d{1,3}[a-z]?\)?(?![\w%])"
    r"|(?<!\w)(?:predictions?|hypothes[ie]s|experiments?|study|studies|aims?|objectives?|examples?|phase|stage|steps?|type|models?"
    r"|videos?|movies?|notes?|questions?|cohort|criterion|claim|theorem|lemma)\s\d{1,2}[a-z]?(?=\s?[),.;:]|$)",
    re.I,
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?(?![\d.])"
_YEAR = r"(?:1[5-9]|20)\d\d(?![\w.]\d)"
_DATE = re.compile(
    rf"\b(?:{_DAY}\s(?:of\s)?{MONTH}(?:,?\s{_YEAR})?|{MONTH}(?:\s{_DAY})?(?:,?\s{_YEAR})?|{_YEAR})(?!\w|-[A-Za-z])"
)
_CHANCE = re.compile(
    r"\bp(?:[- ]values?)?\s?(?:[=<>≤≥]|of|was|is)\s?=?\s?[<>]?\s?0?\.\d+", re.I
)  # how likely by chance
_ASKS_CHANCE = re.compile(r"\bp\b|\bsignifican", re.I)
_MONEY = re.compile(
    r"(?:(?:US|AU|CA|NZ|HK)\s?)?[$€£¥]\s?\d[\d,]*(?:\.\d+)?(?:\s(?:million|billion|thousand|bn|m)\b)?"
    r"|\d[\d,]*(?:\.\d+)?\s(?:(?:million|billion|thousand)\s)?(?:dollars|euros|pounds|USD|EUR|GBP)\b"
)
_PRICE = re.compile(r"\bprices?\b", re.I)  # of one thing: of most sums of money no price
_UNIT = re.compile(r"\bhow many (?P<unit>[^\W\d_]+)", re.I)  # "how many grams"
_OFTEN = re.compile(r"\bhow often\b", re.I)
_DIFFERENCE = re.compile(r"\bhow many (?:more|fewer|less)\b", re.I)  # which may be told in percent
_NOUN = re.compile(
    r"\s?(?:of (?:the|these|those|our|all)\b|(?!(?:of|were|was|are|is|did|do|had|have|has|and|or|in|at|on|for|to"
    r"|from|with|by|who|which|that|as)\b)[a-z])"
)
_RATED = re.compile(r"\b(?:per|every)\s$", re.I)  # what a rate is told for is no count
_LEFT_OUT = re.compile(r"\b(?:except(?: for)?|all but|apart from|other than|excluding)\s$", re.I)
_DATED = re.compile(rf"\b(?:in|since|until|till|from|during|before|after|by|{MONTH}),?\s$", re.I)
_NEAR = 3  # words between a number and what it counts


def value_in(sentence: str, need: Asked) -> str:
    """The number or date as printed; empty when the question asks for none, or when not exactly one fits."""
    bare = without_callouts(sentence)
    if not _ASKS_CHANCE.search(need.text):
        bare = _CHANCE.sub(lambda match: " " * len(match[0]), bare)
    if need.kind == "date":
        return _one({match[0] for match in _DATE.finditer(bare) if match[0] != "May"})
    if not need.is_number:
        return _beside(bare, need)
    known = {token.text for token in tokens(need.text)}
    measured = {quantity.surface for quantity in find_quantities(bare)}
    if need.kind == "cost" and not _PRICE.search(need.text):
        return _one({match[0] for match in _MONEY.finditer(bare)} or measured)
    unit = _UNIT.search(need.text)
    read = read_unit(unit["unit"]) if unit else None
    if unit and read and read[1] == len(unit["unit"]):
        return _one({one.surface for one in find_quantities(bare) if one.unit_canonical == read[0].canonical})
    if need.counted:
        found = _count(bare, {need.head}, known) or _count(bare, need.counted, known, alone=not measured)
        return found or (_one(measured) if _DIFFERENCE.search(need.text) else "")
    return _one(measured) if not _OFTEN.search(need.text) else ""


def _beside(text: str, need: Asked) -> str:
    """The one measured value of a sentence, where it stands at a word of a question that asks for no other kind: "what
    excess was used" of "a 50-fold excess"."""
    found = find_quantities(text) if not need.kinds else ()
    if len({one.surface for one in found}) != 1 or not need.focus:
        return ""
    at = text.find(found[0].surface)
    after = tokens(text[at + len(found[0].surface) :], stem=True)[:1]
    wanted = {token.text for word in need.focus for token in tokens(word, stem=True)}
    return found[0].surface if at >= 0 and any(token.text in wanted for token in after) else ""


def without_callouts(sentence: str) -> str:
    """The sentence with blanks in the place of its call-outs, whose numbers count nothing."""
    return _CALL_OUT.sub(lambda match: " " * len(match[0]), sentence)


def without_numbers(sentence: str, known: Collection[str]) -> str:
    """The sentence without the numbers that are known, such as those of the question itself.

    >>> without_numbers("In 2010 they kept 60 of 74.5 litres.", {"60", "74"})
    'In 2010 they kept   of 74.5 litres.'
    """
    numbers = "|".join(re.escape(word) for word in sorted(known) if word[:1].isdigit())
    return re.sub(rf"(?<![\w.,])(?:{numbers})(?![\w]|[.,]\d)", " ", sentence) if numbers else sentence


def _count(text: str, counted: Collection[str], known: Collection[str], *, alone: bool = False) -> str:
    """The one number that stands before what is counted, or the only one that counts nothing else (`alone`); none of
    the question's own, and none that is left out ("all except four")."""
    found = [match for match in _COUNT.finditer(text) if match[0].lower() not in known and not _is_other(text, match)]
    left_out = [match for match in found if _LEFT_OUT.search(text, max(match.start() - 14, 0), match.start())]
    found = [match for match in found if match not in left_out]
    near = {match[0] for match in found if _counts(text[match.end() : match.end() + 80], counted)}
    if _one(near) or not alone or left_out:
        return _one(near)
    return _one({one[0] for one in found if not _NOUN.match(text, one.end()) and not re.fullmatch(_YEAR, one[0])})


def _is_other(text: str, match: re.Match[str]) -> bool:
    """Whether a number is what a rate is told for ("per 1000 children"), or a year."""
    before = text[max(match.start() - 14, 0) : match.start()]
    return bool(_RATED.search(before) or (re.fullmatch(_YEAR, match[0]) and _DATED.search(before)))


def _counts(after: str, counted: Collection[str]) -> bool:
    """Whether one of the things counted, by stems alike or another word for it, is among the next words."""
    wanted = {token.text for word in counted for one in (word, *kin_of(word)) for token in tokens(one, stem=True)}
    return any(token.text in wanted for token in tokens(after, stem=True, wholes=False)[:_NEAR])


def _one(found: Collection[str]) -> str:
    return next(iter(found)) if len(found) == 1 else ""
