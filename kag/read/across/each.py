"""Questions on papers one by one, read from their words: which papers say something, what each says, A beside B.

"Which papers study ice?", "What methods do the papers use for ice?", "Compare the ice in A and B."
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kag.read.across.naming import several
from kag.read.across.shelf import Volume
from kag.read.extract.asking import Asked, asked

LONGEST = 1_000  # characters of a question that is read here
_MANY = r"(?:papers|articles|publications|preprints|manuscripts|works)"
_ONE = r"(?:paper|article|publication|preprint|manuscript)"
_LIST = re.compile(
    rf"\s*(?:(?:(?:please\s+)?(?:list|find|name|give(?:\s+me)?|show(?:\s+me)?)|are\s+there|(?:in\s+)?(?:which|what))"
    rf"(?:\s+(?:all|any|other|of|the|these))*\s+(?:{_MANY}|stud(?:y|ies)|{_ONE})|who\s+(?:wrote|writes|published))\s+"
    r"(?:(?:here\s+)?(?:that|which)\s+)?(?P<topic>\S.*)",
    re.I | re.S,
)
_ALL = re.compile(
    rf"\b(?:(?:in|across|among|between|of|by|from)\s+)?(?:all\s+)?(?:(?:the|these|those|all|different|various|both)\s+)"
    rf"(?:(?:different|various|other|two|three)\s+)?{_MANY}\b|\b(?:(?:in|of|by|from)\s+)?(?:each|every)\s+{_ONE}\b",
    re.I,
)
_HEAD = re.compile(
    r"\s*(?:what|which|how many)\s+(?:\w[\w\s-]{0,60}?\s+)?(?:do|does|did|are|is|were|was|have|has|had)\s+"
    r"(?P<rest>\S.*)",
    re.I | re.S,
)
_BESIDE = re.compile(
    r"\b(?:compar(?:e|es|ed|ing|ison)|contrast|differ(?:s|ent|ences?)?|between|versus|vs|both)\b\.?", re.I
)


_SAYS = re.compile(
    r"(?:(?:do|does|did|are|is|was|were|have|has|deal|deals|dealing|talk|talks|speak|mainly|also)\s+)*(?:(?:mention|discuss|study"
    r"|studie|address|investigate|examine|explore|consider|cover|treat|concern|present|contain|analy[sz]e|look|focus"
    r")(?:s|es|ed|ing)?\s+)?(?:(?:about|with|on|into|at|of|to)\s+)?(?=\S)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Each:
    """What is asked of each of several papers: `papers` (ids), or all where none is named.

    `topic` is what each is asked for. `lists` is whether the papers themselves are what is asked for.
    """

    need: Asked
    topic: str
    papers: tuple[str, ...] = ()
    lists: bool = False


def read_each(question: str, volumes: Iterable[Volume]) -> Each | None:
    """What a question asks of papers one by one; None when it asks no such thing.

    >>> read_each("Which papers study the ice of lakes?", ()).topic
    'the ice of lakes'
    """
    if len(question) > LONGEST:
        return None
    text = question.strip(" ?.")
    papers, rest = several(text, volumes)
    if papers:
        return _each(_BESIDE.sub(" ", rest), rest, papers)
    if match := _LIST.fullmatch(text):
        return _each(_SAYS.sub("", match["topic"], count=1), match["topic"], lists=True)
    if not _ALL.search(text):
        return None
    whole = " ".join(_ALL.sub(" ", text).split())
    head = _HEAD.fullmatch(whole)
    return (_each(head["rest"], whole) if head else None) or _each(_BESIDE.sub(" ", whole), whole)


def _each(topic: str, whole: str, papers: tuple[str, ...] = (), *, lists: bool = False) -> Each | None:
    """With a topic that says something, whatever the rest of the question says."""
    said = " ".join(topic.split())
    if 1.0 not in asked(said).words.values():
        return None
    return Each(asked(said, whole), said, papers, lists)
