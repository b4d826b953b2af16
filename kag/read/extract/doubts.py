"""What makes a sentence doubtful as an answer, by the wording of the question and its own."""

from __future__ import annotations

import re

from kag.read.extract.asking import Asked, is_of_any, weight_of
from kag.read.extract.ranking import Scored
from kag.read.extract.reckoning.sums import VALUE, asked_sum
from kag.read.extract.unknown import names_none
from kag.read.extract.values import value_in, without_callouts
from kag.read.passages import Passage

_POINTS = re.compile(  # it says where the answer stands
    r"\b(?:shown|given|listed|summari[sz]ed|presented|described|explained|detailed|reported|discussed|calculated"
    r"|illustrated|depicted)\b[^.]{0,30}\b(?:in|as|by)\b[^.]{0,20}"
    r"\b(?:table|fig(?:ure)?|section|appendix|eq(?:uation)?|below|above|\()", re.I)  # fmt: skip
_MEANS_TO = re.compile(  # it says what is meant to be done, or what others do
    r"\b(?:to this end|we aim|aims? to|in order to|we propose|in this (?:paper|work|study)"
    r"|previous (?:work|studies)|recent(?:ly)?|have been|has been|researchers|remains?|difficult|challenging)\b",
    re.I,
)
_TURNS = re.compile(
    r"\b(?:increas\w+|decreas\w+|declin\w+|driven|offset|grew|higher than|lower than|fell|rose|changed)\b", re.I
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_THEIRS = re.compile(r"\b(?:they|their|the authors?|proposed|this (?:work|paper|study))\b", re.I)
_RELATION = re.compile(
    r"\b(?:effects?|roles?|contribut\w+|differ(?!ential)\w*|impacts?|influenc\w+|affect\w*|structure|assumptions?"
    r"|relations?(?:hips?)?|mechanisms?|characteristics?|features?|benefits?|advantages?|consequences?|implications?"
    r"|respon[ds]\w*)\b(?<!^what influenced)(?<!^what affected)", re.I)  # fmt: skip
_PLURAL = r"(?:(?!\w+[^us]s\b)[\w-]+ ){0,2}(?!does\b)[a-z]{3,}[^s\W]s\b"
_SEVERAL = re.compile(  # behind a bare "what" an s may be a verb's: "what hides sensors?"
    rf"\b(?:(?:which|what (?:are|were))(?: the)? {_PLURAL}"
    rf"|what {_PLURAL} (?:are|were|do|did|have|had|can|could|will|would|may|might|should|they|we|the authors|\w+ed)\b)",
    re.I,
)
_LIST = re.compile(r", [\w-]+(?: [\w-]+){0,3},? (?:and|or) ", re.I)
_OF_TABLE = re.compile(r"\W*table\b", re.I)
_ENOUGH = 4  # own words of a question
_RECKONED = frozenset(("value", "mean", "sum", "percentage", "ratio", "difference"))


def own_share(need: Asked, text: str) -> float:
    """How many words of a question are of its own subject, of four: "what models do they compare?" has none. A sentence
    that says what the term asked for is needs no more."""
    if need.term and _is_told(need.term, text):
        return 1.0
    own = [word for word, weight in need.words.items() if weight == 1 and not is_of_any(word)]
    return min(len(own), _ENOUGH) / _ENOUGH


def _is_told(term: str, text: str) -> bool:
    name = r"[\s-]?".join(map(re.escape, re.split(r"[\s-]+", term)))
    said = r"(?:(?:is|are|was|were)\s(?:an?|the|one)|consists?\sof|comprises?|denotes?|refers?\sto)\b"
    return bool(re.search(rf"\b{name}s?\s(?:\([^()]*\)\s)?{said}", text, re.I))


def is_unsaid(need: Asked, one: Scored, passage: Passage) -> bool:
    """Whether a sentence lacks what the question cannot do without: yes or no, the one number, what letters mean, the
    name of the very thing that is measured, names where several things are asked for."""
    text = passage.text[one.start : one.end]
    value = value_in(text, need)
    lacks = need.needed is not None and need.needed.must and not has_kind(one, passage) and not value
    other = need.kind == "number" and not need.counted and bool(need.focus) and need.focus.isdisjoint(one.words)
    return asks_outright(need) or lacks or other or bool(need.counted and not value) or names_none(need, text)


def asks_outright(need: Asked) -> bool:
    """Whether yes or no is asked for, or what letters mean: a sentence that is only near says neither."""
    return any(kind.way in ("whether", "expand") for kind in need.kinds)


def has_kind(one: Scored, passage: Passage) -> bool:
    """Whether a sentence has what an answer of this kind must have, or is of the caption of a table, which says it."""
    return one.has_kind or (passage.kind == "caption" and bool(_OF_TABLE.match(passage.text)))


def only_leads(text: str) -> bool:
    """Whether a sentence says where something stands, or what is meant to be done, rather than what it is.

    >>> only_leads("The yields are given in Table 2."), only_leads("The yields fell to 3 %.")
    (True, False)
    """
    return bool(_POINTS.search(text) or _MEANS_TO.search(text))


def is_beside(need: Asked, text: str) -> bool:
    """Whether the size of something is asked for, and a sentence tells only how it changed, or has no number but years.

    >>> from kag.read.extract.asking import asked
    >>> is_beside(asked("What were the sales in 2018?"), "Sales in 2018 increased by $3 million.")
    True
    """
    wanted = asked_sum(need.text)
    is_level = (need.is_number or (wanted is not None and wanted.what == VALUE)) and not _TURNS.search(need.text)
    if is_level and _TURNS.search(text):
        return True
    bare = _YEAR.sub(" ", without_callouts(text))
    return wanted is not None and wanted.what in _RECKONED and not re.search(r"\d", bare)


def asks_theirs(need: Asked) -> bool:
    """Whether a question speaks of "they" or "their model", which most sentences of a paper do; "their" may also be of
    what the question has named.

    >>> from kag.read.extract.asking import asked
    >>> asks_theirs(asked("What is their model?")), asks_theirs(asked("Why do herons leave their nests?"))
    (True, False)
    """
    found = _THEIRS.search(need.text)
    if found is None or found[0].lower() not in ("they", "their"):
        return found is not None
    named = re.findall(r"[\w-]+", need.text[: found.start()].lower())
    return not any(weight_of(word) == 1 and not is_of_any(word) for word in named)


def asks_relation(need: Asked) -> bool:
    """Whether a question asks for an effect, a role, a difference: what many sentences on the same things tell of.

    >>> from kag.read.extract.asking import asked
    >>> asks_relation(asked("What is the role of reeds in the lake?")), asks_relation(asked("How deep is the lake?"))
    (True, False)
    """
    return bool(_RELATION.search(need.text))


def lists_none(need: Asked, text: str) -> bool:
    """Whether several things are asked for by a plural, and a sentence has no list."""
    return bool(_SEVERAL.search(need.text)) and not _LIST.search(text)
