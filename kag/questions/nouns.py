"""Noun phrases: things named, the paper itself, and kinds of things with what is said of them before and behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kag.questions import amounts, facts, naming
from kag.questions.links import Fact, Sorted, Thing, narrowed
from kag.questions.wish import MANY, Condition, Kind, Order, Place, Wish
from kag.questions.words import Read, Words, rule



@rule
def thing(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A noun phrase, the more telling readings first."""
    start = words.skip(at, "the", "these", "those")
    for read in (naming.numbered, naming.labelled):
        yield from read(words, start)
    yield from naming.quoted(words, at)
    yield from naming.played(words, at)
    yield from naming.worded(words, at)
    for _, end in words.of("kinds", start):
        if words.low(end) in ("cited", "listed", "referenced", "given") and words.low(end + 1) == "as":
            yield from naming.numbered(words, end + 2)
    yield from _own(words, at)
    yield from _back(words, at)
    yield from _described(words, at)
    if words.many and words.text(at)[:1].isupper():  # a title without quotation marks
        yield from ((Thing(Wish("work", (Condition("is", name=name),))), end) for name, end in naming.topic(words, at))


def _back(words: Words, at: int) -> Iterator[Read[Thing]]:
    """What a pronoun points back to: put in by the reader as the marked word of a wish."""
    if words.mark(at) == "back":
        yield Thing(words.back[0]), at + 1
    if words.back and words.low(at) == "the":  # "the melting it depicts"
        for _, end in naming.topic(words, at):
            if words.mark(end) == "back":
                yield from ((Thing(words.back[0]), last) for verb, last in words.verbs(end + 1, "s", "base")
                            if verb.meaning == "show")  # fmt: skip


@rule
def _own(words: Words, at: int) -> Iterator[Read[Thing]]:
    """The paper that the question is put to: "this paper", "the authors", "they"."""
    if words.many:
        return
    paper = Thing(Wish("paper"), own=True)
    if words.low(at) in ("it", "they", "anyone", "anybody", "we"):
        yield paper, at + 1
    start = words.skip(at, "the", "this")
    end = start
    while words.of("self", end) and words.of("self", end)[0][0] == "adjective":
        end += 1
    nouns = [last for value, last in words.of("self", end) if value == "noun"]
    for _, last in words.of("list", start):
        yield paper, last
    if nouns and (start > at or end > start):
        yield paper, nouns[0]


@rule
def _described(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "more than two references of 2009", "each section", "no figure", "the most references", "only sections"."""
    only = words.low(at) == "only"
    start = at + only
    if words.low(start) in ("each", "every") or words.says(("for", "each"), start):
        for wish, end in noun(words, start + 1):
            yield Thing(wish, each=True), end
    for sign, end in words.of("amounts", start):
        for wish, last in noun(words, end):
            yield Thing(wish, most=1 if sign == "+" else -1), last
    for (low, high), end in amounts.bounds(words, words.skip(start, "the")):
        for wish, last in noun(words, end):
            yield Thing(wish, low, high, only), last
            yield from ((Thing(wish, *bound, only), more) for bound, more in _later(words, last, low))
    for wish, end in noun(words, _article(words, start)):
        yield Thing(wish, only=only), end


def _later(words: Words, at: int, low: int) -> Iterator[Read[tuple[int, int]]]:
    """ "3 tables or more"."""
    for said, end in words.of("behind", at):
        yield ((low, MANY) if said == "0 *" else (0, low)), end


def _article(words: Words, at: int) -> int:
    """The place behind articles, but not behind "any" or "all", which may say more than the plural does."""
    return words.skip(at, "the", "a", "an", "these", "those", "its", "their", "some", "any", "this", "our", "my")


@rule
def noun(words: Words, at: int) -> Iterator[Read[Wish]]:
    """A kind with what is said of it before and behind."""
    for before, start in _before(words, at):
        for wish, end in _kind(words, start):
            for behind, last in facts.facts(words, end):
                found = narrowed(wish, (*behind, *before))
                if found:
                    yield found, last


@rule
def _kind(words: Words, at: int) -> Iterator[Read[Wish]]:
    """A kind of thing; "papers" may be what a paper cites, or those of a library."""
    for kind, end in [*words.of("kinds", at), *words.of("plurals", at)]:
        if kind == "subsection":
            yield Wish("section", (Condition("depth", low=2),)), end
        elif kind in ("work", "paper"):
            cited: Kind = "work" if words.many else "reference"
            yield from ((Wish(one), end) for one in ((cited,) if kind == "work" else ("paper", cited) if words.many else (cited, "paper")))  # type: ignore[arg-type]
        else:
            yield Wish(kind), end  # type: ignore[arg-type]


@rule
def _before(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """What stands before a kind: adjectives of no weight, "main", "first three", "two most cited"."""
    end = at
    said: list[Fact] = []
    while True:
        if adjectives := words.of("glue", end):
            if adjectives[0][0] == "article":
                break
            end = adjectives[0][1]
        elif top := [last for value, last in words.of("deep", end) if value == "top"]:
            said.append(Condition("depth", low=1, high=1))
            end = top[0]
        elif words.low(end) in ("uncited", "unreferenced", "unmentioned", "unquoted"):
            said.append(Condition("cited in", negated=True))
            end += 1
        elif words.low(end) in ("direct", "immediate"):
            end += 1
        elif words.low(end) == "," and end > at:
            end += 1
        else:
            break
    for place, last in places(words, end):
        for _, behind in [*_adjectives(words, last), (0, last)]:
            yield (*said, place), behind
    yield tuple(said), end


def _adjectives(words: Words, at: int) -> Iterator[Read[int]]:
    end = at
    while words.of("glue", end) and words.of("glue", end)[0][0] == "adjective":
        end = words.of("glue", end)[0][1]
    if end > at:
        yield 0, end


def places(words: Words, at: int) -> Iterator[Read[Sorted]]:
    """ "first", "first three", "last two", "top 5 most cited", "second oldest", "three longest"."""
    for value, end in words.of("ordinals", at):
        first = int(value)
        for order, last in superlative(words, end):
            place = Place(at=first, to=first)
            yield Sorted(order if first > 0 else _turned(order), replace(place, at=abs(first), to=abs(first))), last
        for many, last in amounts.number(words, end):
            if first == 1:
                yield Sorted(None, Place(at=1, to=many)), last
            if first == -1:
                yield Sorted(None, Place(at=-many, to=-1)), last
        yield Sorted(None, Place(at=first, to=first)), end
    start = words.skip(at, "top")
    for many, end in amounts.number(words, start):
        for order, last in superlative(words, end):
            yield Sorted(order, Place(at=1, to=many)), last
        if start > at:
            yield Sorted(None, Place(at=1, to=many)), end
    for order, end in superlative(words, at):
        yield Sorted(order, Place(level=True)), end


def _turned(order: Order) -> Order:
    return replace(order, descending=not order.descending)


@rule
def superlative(words: Words, at: int) -> Iterator[Read[Order]]:
    """ "most cited", "longest", "oldest"."""
    for said, end in words.of("superlatives", words.skip(at, "the")):
        by, sign = said.rsplit(" ", 1)
        yield Order(by, descending=sign == "+"), end
