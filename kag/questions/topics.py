"""`read_topic`: what a question on a library asks of its papers' text, where it is not read whole.

The words, names and forms are those of the whole reader; what is left of the question is a topic. Which papers are
meant is a wish, with the topic as the words that they have to say:

    Which papers study moss on piers?            paper(text 'moss on piers')
    What does each paper say about rain?         paper(text 'say about rain') each paper
    Compare the rain in moss_1 and rain_2        paper(any(is moss_1 | is rain_2); text 'the rain in and') each paper
    How wet is the moss paper?                   paper(is moss_1)
    What do papers that cite moss_1 say of it?   paper(cites [paper(is moss_1)])
    What did the work cited for ice find?        work(cited in [paragraph(text 'ice')])
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kag.questions.forms import called, said
from kag.questions.links import named
from kag.questions.papers import PAPERS, KnownPaper, named_papers
from kag.questions.wish import AnyOf, Condition, Name, Relation, Wish
from kag.questions.words import Read, Word, Words, rule, split

CHARACTERS = 2_000  # of a question that is read
_HERE = "this paper"
_BE = "is|are|was|were"
_DO = f"{_BE}|do|does|did|has|have|had"
_NAMED = "the|this|that? <papers>? {naming.called}? <paper>"
_AROUND: tuple[tuple[Relation, str], ...] = (
    ("cites", f"the? <papers> that|which? <s,base,ing,ed:cite> {_NAMED}"),
    ("cited in", f"the? <papers> that|which? {_BE}? <ed:cite> by|in {_NAMED}"),
    ("cited in", f"the? <papers> that|which? {_NAMED} <s,base:cite>"),
)
_CITED = (f"<base,s,ed,ing:cite> {_NAMED}", f"{_NAMED} {_BE}|been* often|also|ever? <ed:cite>")
_CITED_FOR = f"what did|does|do the? <papers> that|which? {_BE}? <ed:cite> for|on|about"
_FOUND = "find|say|show|report|conclude|state|measure on|about? it|this?"
_LIST = ("{topics.list} all|any|other|of|the|these* <listed> here? that|which?", "{topics.who} that|which?")
_SAYS = f"{_DO}|mainly|also* {{topics.treat}}? about|with|on|into|at|of|to?"
_ALL = (
    "in|across|among|between|of|by|from? all? the|these|those|all|different|various|both "
    "different|various|other|two|three? {topics.many}",
    "in|of|by|from? each|every {topics.one}",
)
_COMPARE = ("{topics.compare}",)
_ASKED = 12  # words of what is asked for, before its verb


@dataclass(frozen=True, slots=True)
class Topic:
    """What papers are asked for (`wish`), and the question put to them, their names left out or "this paper"."""

    wish: Wish
    text: str


def read_topic(question: str, papers: Iterable[KnownPaper]) -> Topic | None:
    """What a question asks of papers that it names, of those around one, or of papers one by one; None for no such.

    >>> read_topic("Which papers study the ice of lakes?", ()).wish.where[0].name
    Name(text='the ice of lakes', way='words')
    """
    text = unicodedata.normalize("NFC", question).rstrip(" .")
    if len(text) > CHARACTERS:
        return None
    names = named_papers(text, papers)
    words = Words(tuple(split(text, (Word(one.paper, "", "paper", one.start, one.end) for one in names))), many=True)
    found = tuple(dict.fromkeys(one.paper for one in names))
    if len(found) == 1:
        return _of_one(words, text, found[0])
    text = text.rstrip(" ?.")
    return _side_by_side(words, text, found) if found else _cited_for(words, text) or _one_by_one(words, text)


def _of_one(words: Words, text: str, paper: str) -> Topic | None:
    """Of the one paper that is named, or of those that cite it or that it cites; None where it asks who cites it."""
    one = named("paper", paper, "id")
    for relation, form in _AROUND:
        if found := _spans(words, form)[:1]:
            return Topic(Wish("paper", (Condition(relation, one),)), _put(text, found, "they"))
    if any(_spans(words, form) for form in _CITED):
        return None
    return Topic(one, _put(text, _spans(words, _NAMED), _HERE))


def _side_by_side(words: Words, text: str, papers: Sequence[str]) -> Topic:
    """Of several papers that are named."""
    names = _spans(words, "<paper>")
    either = AnyOf(tuple(Condition("is", name=Name(paper, "id")) for paper in papers))
    topic = _saying(_put(text, [*names, *_spans(words, *_COMPARE)], " "))
    return Topic(Wish("paper", (either, topic), each="paper"), _put(text, names, " "))


def _cited_for(words: Words, text: str) -> Topic | None:
    """Of the works that are cited for something."""
    for _, start in said(words, 0, _CITED_FOR):
        for at in range(start + 1, len(words.words)):
            if any(words.skip(end, "?", ".") == len(words.words) for _, end in said(words, at, _FOUND)):
                topic = _saying(text[words.words[start].start : words.words[at - 1].end])
                return Topic(Wish("work", (Condition("cited in", Wish("paragraph", (topic,))),)), text)
    return None


def _one_by_one(words: Words, text: str) -> Topic | None:
    """Of papers one by one: which say something, or what each says."""
    for form in _LIST:
        for _, at in said(words, 0, form):
            start = next(end for _, end in said(words, at, _SAYS))
            return Topic(Wish("paper", (_saying(_behind(words, text, start)),)), _behind(words, text, at))
    every = _spans(words, *_ALL)
    if not every:
        return None
    whole = _put(text, every, " ")
    rest = Words(tuple(split(whole)), many=True)
    verb = next((at for at in range(1, _ASKED) if rest.low(at) in _DO.split("|")), 0)
    if verb and rest.low(0) in ("what", "which", "how"):
        topic = _behind(rest, whole, verb + 1)
    else:
        topic = _put(whole, _spans(rest, *_COMPARE), " ")
    return Topic(Wish("paper", (_saying(topic),), each="paper"), whole)


def _saying(topic: str) -> Condition:
    return Condition("text", name=Name(topic, "words"))


def _behind(words: Words, text: str, at: int) -> str:
    return text[words.words[at].start :] if at < len(words.words) else ""


def _spans(words: Words, *forms: str) -> list[tuple[int, int]]:
    """The characters in which one of these forms stands, one place after the other."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(words.words):
        end = next((end for form in forms for _, end in said(words, at, form)), at)
        found += [(words.words[at].start, words.words[end - 1].end)] if end > at else []
        at = max(end, at + 1)
    return found


def _put(text: str, spans: Iterable[tuple[int, int]], new: str) -> str:
    """The text with these words in place of some characters."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}{new}{text[end:]}"
    return " ".join(text.split())


@called("paper")
@rule
def _paper(words: Words, at: int) -> Iterator[Read[str]]:
    """A paper that is named."""
    if words.mark(at) == "paper":
        yield words.text(at), at + 1


@called("papers")
@rule
def _papers(words: Words, at: int) -> Iterator[Read[str]]:
    """A word for papers."""
    yield from ((value, end) for value, end in words.of("topics", at) if value in PAPERS)


@called("listed")
@rule
def _listed(words: Words, at: int) -> Iterator[Read[str]]:
    """A word for papers that is asked for: "reports" may be anything."""
    yield from ((value, end) for value, end in _papers(words, at) if value != "other")
