"""The words of a sentence with the class that each one shows: articles, verbs' helpers, endings, numbers, marks."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"\w+(?:[-–'’/.,·]\w+)*|\S")
_CLOSED = {
    "det": "a an the this that these those its their his her our my your any some all each every both such no",
    "prep": "of in on at by for with from to into onto upon under over between among during after before through "
    "within without via per as than against toward towards across along around near above below despite except like",
    "and": "and or nor plus",
    "but": "but however yet whereas while although though rather",
    "sub": "because since if when unless until whether so thus thereby hence where how why what",
    "rel": "which who whom whose",
    "be": "is are was were be been being am",
    "have": "has have had having",
    "do": "does do did",
    "modal": "may might can could will would shall should must cannot",
    "pron": "it they we he she i you them us him there here itself themselves one",
    "neg": "not never neither none n't",
    "that": "that",
    "to": "to",
}
_CLASS = {word: name for name, words in _CLOSED.items() for word in words.split()}
_ENDINGS = (
    ("ing", "ing"), ("ed", "ed"), ("ly", "ly"), ("tion", "noun"), ("sion", "noun"), ("ment", "noun"), ("ity", "noun"),
    ("ness", "noun"), ("ence", "noun"), ("ance", "noun"), ("ous", "adj"), ("ive", "adj"), ("able", "adj"),
    ("ible", "adj"), ("al", "adj"), ("ic", "adj"), ("ent", "adj"), ("ant", "adj"), ("ss", "word"), ("us", "word"),
    ("is", "word"), ("s", "s"),
)  # fmt: skip
_IRREGULAR = """
    shown known found seen made given taken done been become begun chosen drawn driven felt held kept led left
    lost met read run said sent set spent told thought understood written built bound grown put
"""
_PARTICIPLES = frozenset(_IRREGULAR.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark; `text` is in small letters, `kind` its class ("det", "prep", "ed", "num", ",", ...)."""

    start: int
    end: int
    text: str
    kind: str


def tokens(sentence: str) -> list[Token]:
    """The tokens of a sentence in order.

    >>> [(token.text, token.kind) for token in tokens("Ice did not melt (3 days).")][:4]
    [('ice', 'word'), ('did', 'do'), ('not', 'neg'), ('melt', 'word')]
    """
    found = []
    for match in _TOKEN.finditer(well_formed(sentence)):
        text = match[0].lower()
        found.append(Token(match.start(), match.end(), text, _kind(text)))
    return found


def well_formed(text: str) -> str:
    """A text of the same length in which half a character is a question mark: no library takes it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _kind(text: str) -> str:
    if not (text[0].isalnum() or text[0] == "_"):
        return text if text in ",;:()[].\"'" else "mark"
    if known := _CLASS.get(text):
        return known
    if text in _PARTICIPLES:
        return "ed"
    if text[0].isdigit():
        return "num"
    return next((kind for ending, kind in _ENDINGS if len(text) > len(ending) + 2 and text.endswith(ending)), "word")
