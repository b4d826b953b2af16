"""What a paper prints only the terms of: a change from one year to the next, a difference, a share of a whole."""

from __future__ import annotations

import re

from kag.read.checking.arithmetic import MEAN
from kag.read.extract.reckoning.series import years_of
from kag.read.extract.reckoning.sums import VALUE, asked_sum
from kag.text.search_text import stems
from kag.values.evidence import Claim

_CHANGED = (
    r"(?:chang(?:e|es|ed)|differences?|increas(?:e|es|ed)|decreas(?:e|es|ed)|growth|grow|gr[eo]wn?|declin(?:e|es|ed))"
)
_YEAR = r"\b(?:19|20)\d\d\b"
_ASKED = re.compile(
    rf"\b{_CHANGED}\b(?=.*\b(?:from|between|over|to|in|of|for)\b)"
    r"|\b(?:year[- ]o(?:n|ver)[- ]year|altogether|combined)\b"
    rf"|\b(?:percentage|percent|proportion|share|fraction) of\b.*\b(?:out of|over|to)\b"
    rf"|\b(?:average|mean|total|sum)\b.*{_YEAR}.*{_YEAR}",
    re.I,
)
_PRINTED = re.compile(rf"\b{_CHANGED}\b|Δ|\bdiff\b|\b(?:average|mean)\b", re.I)
_AMOUNT = re.compile(rf"\b(?:percentage|percent|per cent|net)\b|{_YEAR}.*{_YEAR}", re.I)
_REASON = re.compile(r"^why\b|\b(?:driven|caused|due to|reasons?|because|attribut\w+)\b", re.I)
_MEAN = re.compile(
    r"(?<!\bon )(?<!\bin )\b(?:average|mean)(?: of)?(?: the| our| its| their)?(?P<of>(?: [\w-]+){1,3})", re.I
)
_TOGETHER = re.compile(r"\b(?:altogether|combined|in total|in all|taken together|sum|total(?:s|ed|ing)?)\b", re.I)
_OF_BOTH = re.compile(r"\baltogether\b|\b(?:how (?:many|much)|number|sum|total|amount)\b.*\bcombined\b", re.I)
_CELLS = " | "


def is_only_terms(question: str, claim: Claim) -> bool:
    """Whether a question asks for what has to be reckoned, and a claim does not print it.

    A claim of a table has to name it; a sentence too, where an amount is asked for.

    >>> claim = Claim("Additions | 2019 | 3.1", ())
    >>> is_only_terms("What was the change in additions from 2018 to 2019?", claim)
    True
    >>> is_only_terms("What were the additions in 2019?", claim)
    False
    """
    if _is_of_other_years(question, claim) or _is_mean_of_other(question, claim):
        return True
    if _OF_BOTH.search(question) and not _TOGETHER.search(claim.text):
        return True
    if not _ASKED.search(question) or _REASON.search(question):
        return False
    amount = _AMOUNT.search(question)
    if _CELLS not in claim.text and not amount:  # the difference between two things may be told in words
        return False
    words = {word.lower()[:5] for word in _PRINTED.findall(question)}
    said = {word.lower()[:5] for word in _PRINTED.findall(claim.text)}
    return not words & said or (bool(amount) and not re.search(r"\d", claim.text))


def _is_of_other_years(question: str, claim: Claim) -> bool:
    """Whether values of several years are asked for, or of one, and a row of a table has years, but not those."""
    wanted = asked_sum(question) if _CELLS in claim.text else None
    told = set(years_of(claim.text))
    return wanted is not None and bool(told) and wanted.what == VALUE and not set(wanted.years) <= told


def _is_mean_of_other(question: str, claim: Claim) -> bool:
    """Whether the mean of something is asked for, and a claim names the means of other things alone.

    >>> _is_mean_of_other("What was the average rent?", Claim("Rent rose with higher average prices.", ()))
    True
    """
    wanted = asked_sum(question)
    told = [match["of"] for match in _MEAN.finditer(claim.text)]
    if wanted is None or wanted.what != MEAN or not told:
        return False
    named = {stem for name in wanted.names for stem in stems(name)}
    return all(named.isdisjoint(stems(of)) for of in told)
