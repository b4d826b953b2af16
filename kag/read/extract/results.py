"""What a sentence reports: that something was found, or that nothing was, and what a paper reports it in.

Numbers speak as words do: a p-value below .05 is something found, one from .06 on is nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.read.passages import Passage

_THING = (
    r"(?:differen\w+|changes?|associat\w+|correlat\w+|relation\w*|effects?|influence|impact|benefits?|advantages?"
    r"|improvements?|increases?|decreases?|reductions?|evidence|significan\w+|interactions?|predict\w+|value|role"
    r"|affect\w*|alter\w*|relat\w+|improv\w*|var(?:y|ied|iation)|longer)"
)
_NOTHING = re.compile(
    r"\b(?:no|not|none|nor|neither|never|without|fail\w*|\w+n['’]t|lack of)\b"
    rf"(?:(?! only\b)[^.;,]){{0,45}}?\b{_THING}\b"
    r"|\b(?:similar\w*|comparable|identical|unchanged|equivalent|unaffected|non-?significant\w*|insignificant\w*"
    r"|unrelated|independent of|the same|equal(?:ly)?|as well as|did not)\b"
    r"|\bp\s?[=>≥]\s?(?:0?\.(?:[1-9]|0[6-9])|ns)|(?-i:\bNS\b)",
    re.I,
)
_SOMETHING = re.compile(
    r"\bsignificant\w*|\bp\s?(?:<|&lt;|≤|<or=|less than)\s?0?\.0|\bp\s?=\s?0?\.0(?:0|[1-4])"
    r"|\b(?:independent|strong\w*) (?:\w+ )?(?:predictor|risk factor|association)s?\b"
    r"|\b(?:associated|association) (?:with|between)\b|\bcorrelat\w+|\bpredict(?:ed|or|ors|s|ive)\b|\brisk factors?\b"
    r"|\b(?:higher|lower|greater|more|less|fewer|better|worse|longer|shorter|larger|smaller|increased|decreased"
    r"|reduced|improved)\b",
    re.I,
)
_SHADES = re.compile(
    r"\b(?:not|no|none|never|neither|nor|without|cannot|fail\w*|lack\w*|unable|only|few|poor\w*|low|less|limited"
    r"|inadequate|insufficient|however|despite|although)\b",
    re.I,
)
_MOST = 2  # reports of a kind that one sentence counts for
_NO_RESULTS = frozenset(("Background", "Motivation", "Introduction", "Materials", "Methods", "Objective"))
_SUMMARY = frozenset(("abstract", "summary"))
_SHORT = 6000  # characters of a text that is its own summary
_PROSE = frozenset(("paragraph", "footnote", ""))


@dataclass(frozen=True, slots=True)
class Report:
    """How often a sentence says that something was found, and that nothing was; `shaded`: whether it takes back."""

    something: int
    nothing: int
    shaded: bool


def report_of(sentence: str) -> Report:
    """What a sentence reports.

    >>> report_of("Sleep was longer with the lamp (p<0.01), and no difference in mood was seen.")
    Report(something=2, nothing=1, shaded=True)
    """
    rest = _NOTHING.sub(" ", sentence)
    return Report(
        something=min(sum(1 for _ in _SOMETHING.finditer(rest)), _MOST),
        nothing=min(sum(1 for _ in _NOTHING.finditer(sentence)), _MOST),
        shaded=bool(_SHADES.search(sentence)),
    )


def summary_of(passages: tuple[Passage, ...]) -> tuple[tuple[Passage, ...], bool]:
    """The paragraphs in which a paper says in short what it found, and whether they are all that there is: a text that
    is no longer than an abstract, else the abstract."""
    prose = tuple(one for one in passages if one.kind in _PROSE)
    if sum(len(one.text) for one in prose) <= _SHORT:
        return prose, True
    return tuple(one for one in prose if not _SUMMARY.isdisjoint(map(str.lower, (*one.roles, *one.path)))), False


def is_of_results(passage: Passage) -> bool:
    """Whether a passage may report results, by the section that it stands in."""
    return "Results" in passage.roles or _NO_RESULTS.isdisjoint(passage.roles)
