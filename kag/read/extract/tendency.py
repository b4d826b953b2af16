"""What results lean to: yes or no to a question that a paper is about, where no sentence says so outright.

Most papers answer the question in their title by what they report: differences that were found, and others that were
not. A logistic over what the paper's summary reports near the question, and over how much the question claims, tells
how likely the answer is yes. The weights are those that `scripts/fit_tendency.py` prints.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kag.read.extract.asking import Asked, asked
from kag.read.extract.ranking import Scored, rank
from kag.read.extract.results import Report, is_of_results, report_of, summary_of
from kag.read.extract.sure import logistic, weighed
from kag.read.extract.unknown import absent
from kag.read.extract.whether import leaves_open
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.text.search_text import stems

ABSENT = 0.5  # of a question's words: where as many are not in the summary, the paper is not about it
TITLE = 0.7  # of a question's words, by weight, for one that is the title's
BAR = 0.85  # likelihood from which a leaning is more than a guess
GUESS, HIGHEST = 0.49, 0.9  # what is told below the bar, and at most
_FLOOR = 0.15  # what a sentence weighs that has no word of the question
_EVEN = 0.3  # keeps a single report from deciding alone
_HALF = 0.5  # the weight of reports against it that is half of what they can say

_VERBS = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)"
_ASKS = re.compile(rf"(?:^|[.:;,?!–—]\s|\s-+\s)\s*{_VERBS}(?:n['’]t)?\s", re.I)
_OTHERWISE = re.compile(r"\W*(?:what|which|who|whom|whose|when|where|why|how)\b", re.I)
_TITLE = re.compile(r"(?::|--|–|—)(?!\s*(?:what|which|who|whom|whose|when|where|why|how)\b)[^:]{8,}\?\s*$", re.I)
_AS = re.compile(r"\bas an? \w+ [^?]*\?\s*$", re.I)
_LONGEST = 400  # characters of a question
_CLAIMS_MUCH = re.compile(
    r"\b(?:all|always|every|only|really|truly|just|any|routinely|sufficient|alone|best|most|myth|adequately|the key"
    r"|single|overestimat\w+)\b", re.I)  # fmt: skip
_NEED = re.compile(
    r"\b(?:necessary|need(?:ed|s)?|required?|routine\w*|mandatory|essential|always|still|justified|warranted"
    r"|should|(?:contra)?indicat\w+)\b", re.I)  # fmt: skip
_LESS = re.compile(
    r"\b(?:reduc\w*|decreas\w*|lower\w*|less|prevent\w*|worse\w*|protect\w*|impair\w*|diminish\w*|decline\w*)\b", re.I
)
_LINK = re.compile(
    r"\b(?:associat\w*|relat\w*|correlat\w*|link\w*|predict\w*|marker|factors?|influence[ds]?|affect\w*|impact"
    r"|effects?|determin\w+|depend\w*|matter|contribut\w*|cause|play|involv\w+|independent|sign|differ\w*"
    r"|increas\w*|improv\w*|enhanc\w*|higher|more|better|promote\w*|greater|superior)\b"
    r"|\b(?:is|are|was|were) there\b", re.I)  # fmt: skip
_SAME = re.compile(
    r"\b(?:same|agree\w*|equal\w*|equivalent|comparable|similar|reliab\w*|accura\w*|valid\w*|adequate\w*|sufficient\w*"
    r"|appropriate\w*|enough|know|aware|ready|concordan\w+|consisten\w+|reproducib\w+|correct\w*)\b", re.I)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leaning:
    """What tells of yes or no, each between -1 and 1.

    What was found speaks for yes, and what was not against it; the other way round where sameness is asked for
    (`alike`). `balance`: reports for it less those against it, near the question; `linked`: the same where an effect, a
    link or a difference is asked for. `against`: how much is reported against it. `shaded`: the share of what takes
    back. The others are of the question alone: it claims much (`much`), asks what is needed (`need`), for less of
    something (`less`), whether something is so by "is" (`state`), or is a title with a question mark (`title`).
    """

    balance: float
    against: float
    shaded: float
    linked: float
    alike: float
    much: float
    need: float
    less: float
    state: float
    title: float


WEIGHTS = Leaning(
    balance=0.95, against=-0.95, shaded=-0.7, linked=0.8, alike=-0.45, much=-0.85, need=-0.7, less=1.0, state=0.5,
    title=0.85,
)  # fmt: skip
INTERCEPT = 0.6


@dataclass(frozen=True, slots=True)
class Told:
    """Yes or no, how sure, and the sentence of the summary's index that speaks most for it."""

    answer: str
    sure: float
    one: Scored
    index: SearchIndex


def asks_whether(question: str) -> bool:
    """Whether a question can be answered by yes or no, by its form.

    >>> asks_whether("Sleep under lamps: is it shorter?"), asks_whether("Why is sleep shorter?")
    (True, False)
    """
    if len(question) > _LONGEST or _OTHERWISE.match(question):
        return False
    return bool(_ASKS.search(question) or _TITLE.search(question) or _AS.search(question))


def tendency(question: str, title: str, passages: tuple[Passage, ...]) -> Told | None:
    """What a paper's summary leans to; None where yes or no is not asked for, the summary is not on it, or all that is
    near the question speaks against it."""
    found = read(question, title, passages)
    if found is None:
        return None
    reports, index = found
    likely = probability(leaning(question, reports))
    answer = "yes" if likely >= 0.5 else "no"
    spoken = _spoken_for(answer, question, reports)
    if spoken is None:
        return None
    one, speaks = spoken
    sure = max(likely, 1 - likely)
    is_sure = speaks and one.cover > 0 and sure >= BAR
    return Told(answer, round(min(sure, HIGHEST), 2) if is_sure else GUESS, one, index)


Reports = Sequence[tuple[Scored, Report]]  # in the order of the text


def read(question: str, title: str, passages: tuple[Passage, ...]) -> tuple[Reports, SearchIndex] | None:
    """What the summary of a paper reports, sentence by sentence, if the question may be answered by it.

    Of a paper in full only the question in its title can be: on all else its results say more than what they lean to.
    """
    need, (summary, is_whole) = asked(question), summary_of(passages)
    if not (summary and asks_whether(question) and (is_whole or is_title(need, title))):
        return None
    index = SearchIndex(summary)
    if absent(need, index) > ABSENT:
        return None
    ranked = rank(need, index, extra=dict.fromkeys(range(len(summary)), 0.0))
    told = [one for one in ranked if not leaves_open(_text(one, index))]
    best = [one for one in told if is_of_results(summary[one.number])] or told
    best.sort(key=lambda one: (one.number, one.start))
    return ([(one, report_of(_text(one, index))) for one in best], index) if best else None


def is_title(need: Asked, title: str) -> bool:
    """Whether a question asks for what a title names: most of its words stand there, in any form.

    >>> is_title(asked("Does shade help the growth of moss?"), "Growth of moss in shade and sun")
    True
    """
    told = set(stems(title))
    held = sum(weight for word, weight in need.content.items() if told.issuperset(stems(word)))
    return held >= TITLE * sum(need.content.values())


def _text(one: Scored, index: SearchIndex) -> str:
    return index.passages[one.number].text[one.start : one.end]


def leaning(question: str, reports: Reports) -> Leaning:
    """The features of a question and what is reported."""
    turned = -1 if _SAME.search(question) else 1
    weights = [one.cover + _FLOOR for one, _ in reports]
    something = sum(weight * said.something for weight, (_, said) in zip(weights, reports, strict=True))
    nothing = sum(weight * said.nothing for weight, (_, said) in zip(weights, reports, strict=True))
    for_it, against = (something, nothing)[::turned]
    balance = (for_it - against) / (something + nothing + _EVEN)
    shaded = sum(weight for weight, (_, said) in zip(weights, reports, strict=True) if said.shaded)
    return Leaning(
        balance=balance,
        against=against / (against + _HALF),
        shaded=shaded / sum(weights),
        linked=balance if _LINK.search(question) or _LESS.search(question) else 0.0,
        alike=float(turned < 0),
        much=float(bool(_CLAIMS_MUCH.search(question))),
        need=float(bool(_NEED.search(question))),
        less=float(bool(_LESS.search(question))),
        state=float(bool(re.match(r"\W*(?:is|are)\b", question, re.I))),
        title=float(not re.search(rf"\b{_VERBS}\b", question, re.I)),
    )


def probability(found: Leaning, weights: Leaning = WEIGHTS, intercept: float = INTERCEPT) -> float:
    """How likely yes is."""
    return logistic(weighed(found, weights, intercept))


def _spoken_for(answer: str, question: str, reports: Reports) -> tuple[Scored, bool] | None:
    """The sentence that reports most for an answer, near the question, and whether it does; else the one that is
    nearest to the question and reports nothing against it. Where sameness is asked for, nothing found is a yes.
    """
    sign = 1 if (answer == "yes") != bool(_SAME.search(question)) else -1
    found = [(sign * (said.something - said.nothing), one) for one, said in reports]
    for_it = [(points * (one.cover + _FLOOR), one) for points, one in found if points > 0]
    open_to_it = [(one.cover, one) for points, one in found if points == 0 and one.cover]
    held = for_it or open_to_it
    if not held:
        return None
    return max(held, key=lambda pair: (round(pair[0], 6), -pair[1].number, -pair[1].start))[1], bool(for_it)
