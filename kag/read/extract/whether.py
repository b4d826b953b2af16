"""Yes or no: what a sentence answers to a question that asks whether something is so; "" where it does not say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from kag.read.checking.denial import denials
from kag.read.extract.asking import GLUE, weight_of
from kag.read.extract.kin import kin_of
from kag.read.extract.kinds import form_of
from kag.text.search_text import stems

_ASIDE = re.compile(
    r",?\s(?:(?:when|as|if) )?(?:compared|relative) (?:to|with)\b[^,;]*|,?\s(?:most |more )?(?:likely "
    r"|mainly |possibly |probably |partly |perhaps )?"
    r"(?:due to|because|since|owing to|in the absence of|despite|in spite of)\b[^;]*|\([^()]*\)", re.I)  # fmt: skip
_CLAUSE = re.compile(
    r"[;:]\s|,\s(?=(?:but|whereas|while|although|though|however|yet)\b)|\s(?=(?:whereas|but|although)\s)", re.I
)
_DENYING = re.compile(
    r"\b(?:lack(?:s|ed|ing)?|fail(?:s|ed)?|absen(?:t|ce)|unable|hardly|barely|den(?:y|ies|ied)|reject(?:s|ed)?"
    r"|refute[sd]?|exclud(?:e|es|ed|ing)|unlikely|insignificant|nonsignificant|independent of|ruled out"
    r"|contradict(?:s|ed)?"
    r"|little|disproved?|free of|far from|anything but|no longer|dispensable|instead of"
    r"|rather than)\b", re.I)  # fmt: skip
_NOT_ONLY = re.compile(r"\bnot (?:only|merely|just)\b|\bno doubt\b|\bnot surprising\w*", re.I)
_OPPOSITES = """
    increase/decrease rise/fall higher/lower high/low more/less more/fewer larger/smaller longer/shorter greater/smaller
    better/worse faster/slower stronger/weaker positive/negative before/after early/late first/last above/below
    present/absent significant/insignificant same/different gain/loss male/female older/younger
    upregulated/downregulated random/fixed
    best/worst most/least highest/lowest largest/smallest improve/worsen always/never
    allow/prevent promote/inhibit activate/inhibit agree/disagree public/private easy/difficult
    effective/ineffective safe/unsafe superior/inferior
"""
_MORE = re.compile(
    r"\b(?:more|higher|larger|longer|greater|better|older|heavier|faster|deeper|richer|bigger|warmer|above)\b", re.I
)
_LESS = re.compile(
    r"\b(?:less|fewer|lower|smaller|shorter|worse|younger|lighter|slower|shallower|poorer|colder|below)\b", re.I
)
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?")
_ALL = re.compile(r"\b(?:all|always|every|each|any|never|entirely|completely|whole|both)\b", re.I)
_COUNTED = re.compile(r"\bthe (?:two|three|four|five|six|seven|eight|nine|ten) \w", re.I)  # as good as all
_ONLY = re.compile(r"\b(?:only|solely|exclusively|alone|just|sole)\b", re.I)
_SOME = re.compile(
    r"\b(?:some|most|many|several|often|usually|sometimes|mostly|mainly|partly|few|except|half|third"
    r"|two thirds|majority"
    r"|generally|largely|also|besides|\d{1,2}(?:\.\d+)?\s?%)", re.I)  # fmt: skip
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibl[ey]|perhaps|suggests?|appears?|seems?|unclear|unknown|likely|potential(?:ly)?)\b",
    re.I,
)
_OPEN = re.compile(
    r"\?|\bwhether\b|\b(?:aim|aims|aimed|objective|objectives|purpose|hypothes\w+|sought|question|questions|unknown|unclear|controvers\w+|debated?)\b"
    r"|\bno (?:\w+ )?consensus\b"
    r"|\bto (?:investigate|determine|examine|assess|evaluate|test|compare|explore|clarify|study|find out"
    r"|analy[sz]e|describe|estimate)\b"
    r"|\bwe (?:would )?(?:expect|predict|hypothesi[sz]e|assume|anticipate)(?:ed|d)?\b"
    r"|\bwe (?:investigated|examined|asked|tested|assessed|evaluated|studied|explored|compared)\b|\bremains? to be\b"
    r"|^\W*to (?!be\b|date\b)[a-z]+\b|\b(?:study|paper|article|work|review|report)\b[^.;:]{0,40}\b(?:assess|examin"
    r"|investigat|evaluat|explor|compar|review|test|analy[sz])(?:es|ed|e|s)\b"
    r"|\b(?:were|was) (?:then |also |further )?(?:explored|investigated|assessed|evaluated|examined)\b"
    r"|\b(?:studies|trials|data|guidelines?|reports?)\b[^.;:]{0,120}\b(?:lacking|scarce|sparse)\b|\bno guidelines?\b"
    r"|\b(?:has|have) not (?:yet )?been (?:studied|investigated|tested|examined|established"
    r"|evaluated)\b", re.I)  # fmt: skip
_SAME = re.compile(
    r"\b(?:at|by|for|from|in|of|on|over|under|with) the (?:very )?same \w+", re.I
)  # says of nothing that it is alike
_CHANCE = re.compile(r"\bp\s?[=>≥]\s?(?:0?\.(?:[1-9]|0[6-9])|ns)", re.I)
_LONG = 40  # words of a question that are looked at
_APART = 6  # words between what a question says together
_ENOUGH, _SO = 0.6, 0.75  # of the question's words, for a sentence that answers it, and for one that says yes


def verdict(question: str, sentence: str) -> str:
    """What a sentence says to a question: "yes", "no", or "" where it has too little of it or cannot be told.

    >>> verdict("Did the ice melt in March?", "The ice did not melt in March.")
    'no'
    >>> verdict("Are all rivers cold?", "Most rivers are cold.")
    'no'
    """
    if leaves_open(sentence):
        return ""
    compared = _compared(question, sentence)
    if compared:
        return compared
    bare = _SAME.sub(" ", _ASIDE.sub(" ", sentence)) or sentence
    clause = max(_clauses(bare), key=lambda one: (round(share(question, one), 3), len(one)))
    if share(question, clause) < _ENOUGH:
        clause = bare
    if share(question, clause) < _ENOUGH or not _has_subject(question, clause):
        return ""
    limited = _limited(question, clause)
    if limited is not None:
        return limited
    denied = (_denials(question) + _denials(clause) + _turned(question, clause)) % 2
    if denied:
        return "no"
    return "yes" if share(question, clause) >= _SO and is_close(question, clause) else ""


def leaves_open(sentence: str) -> bool:
    """Whether a sentence asks or says what is to be done, and does not answer."""
    return bool(_OPEN.search(sentence))


def is_hedged(sentence: str) -> bool:
    """Whether a sentence only says that something may be so."""
    return bool(_HEDGE.search(sentence))


def _clauses(sentence: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(sentence) if clause and clause.strip()] or [sentence]


def _denials(text: str) -> int:
    bare = _NOT_ONLY.sub(" ", text)
    found = denials(bare) + sum(1 for _ in _DENYING.finditer(bare))
    return found or int(bool(_CHANCE.search(bare)))


def _limited(question: str, clause: str) -> str | None:
    """What to answer where the question says "only" or "all"; None where it does not."""
    body = form_of(question)
    for asked in (_ONLY, _ALL):
        if asked.search(body) and not re.search(r"\bat all\b|\bany\b|\bnot only\b", body):
            if asked.search(clause) or (asked is _ALL and _COUNTED.search(clause)):
                return "no" if _denials(clause) % 2 else "yes"
            return "no" if _SOME.search(clause) or _denials(clause) % 2 else ""
    return None


def _turned(question: str, clause: str) -> int:
    """How many words of the question the clause has as their opposite, and not as themselves."""
    asked, told = set(stems(question)), set(stems(clause))
    return sum(
        1 for one, other in _opposites() if one in asked and other not in asked and other in told and one not in told
    )


@lru_cache(maxsize=1)
def _opposites() -> tuple[tuple[str, str], ...]:
    pairs = [pair.split("/") for pair in _OPPOSITES.split()]
    found = [(stems(one)[0], stems(two)[0]) for one, two in pairs]
    return tuple(dict.fromkeys([*found, *((two, one) for one, two in found)]))


def _compared(question: str, sentence: str) -> str:
    """Yes or no by the numbers of two things that are compared: each is the next number behind its name."""
    form = form_of(question)
    sign = 1 if _MORE.search(form) else -1 if _LESS.search(form) else 0
    left, _, right = form.partition(" than ")
    if not sign or not right:
        return ""
    more = (_MORE if sign > 0 else _LESS).search(left)
    one = _number_of(_names(left[: more.start()] if more else left), _names(right), sentence)
    two = _number_of(_names(right), _names(left[: more.start()] if more else left), sentence)
    if one is None or two is None or one == two:
        return ""
    return "yes" if (one > two) == (sign > 0) else "no"


def _names(text: str) -> list[str]:
    return [stem for word in text.split() if weight_of(word.strip("?,.'\"")) == 1 for stem in stems(word)]


def _number_of(names: Sequence[str], others: Sequence[str], sentence: str) -> float | None:
    """The first number behind a name that is not in both, before the other's; None where there is none."""
    own = [name for name in names if name not in others]
    words = [(match.start(), match.end(), stems(match[0])) for match in re.finditer(r"[^\W\d_][\w'-]*", sentence)]
    places = [end for _, end, found in words if set(found) & set(own)]
    stops = [start for start, _, found in words if set(found) & (set(others) - set(names))]
    for place in places:
        number = _NUMBER.search(sentence, place)
        if number and not any(place < stop < number.start() for stop in stops):
            return float(number[0].replace(",", "").replace("−", "-"))
    return None


def share(question: str, text: str) -> float:
    """The share of the question's words that a text has, in any form, or others for the same."""
    asked = [word for word in re.findall(r"[\w-]+", form_of(question)) if weight_of(word) == 1]
    told = set(stems(text))
    return sum(_has(word, told) for word in asked) / len(asked) if asked else 0.0


def _has_subject(question: str, clause: str) -> bool:
    """Whether a clause has the first word of the question that says something, of which the rest is asked.

    Names count as they are; a clause that begins with a pronoun is about what was said before.
    """
    words = [word for word in re.findall(r"[\w-]+", form_of(question)) if weight_of(word) == 1]
    begins = re.match(r"\W*(?:it|they|this|these|he|she|we|both|such)\b", clause, re.I)
    return not words or bool(begins) or _has(words[0], set(stems(clause)))


def is_close(question: str, sentence: str) -> bool:
    """Whether words that are neighbours in the question stand near each other in the sentence, more than half of them.

    >>> is_close("Did the fall of rain stop?", "The stop in the village was built after a long and early fall of snow.")
    False
    """
    asked = [word for word in re.findall(r"[\w-]+", form_of(question)) if weight_of(word) > GLUE][:_LONG]
    told = [set(stems(word)) for word in re.findall(r"[\w'-]+", sentence)[: 3 * _LONG]]
    places = [[at for at, found in enumerate(told) if _has(word, found)] for word in asked]
    near = [any(abs(one - two) <= _APART for one in first for two in second) for first, second in pairwise(places)]
    return not near or 2 * sum(near) > len(near)


def _has(word: str, told: set[str]) -> bool:
    return any(stem in told for one in (word, *kin_of(word)) for stem in stems(one)) or _opposed(stems(word), told)


def _opposed(asked: Iterable[str], told: set[str]) -> bool:
    return any(one in asked and two in told for one, two in _opposites())
