"""Noun phrases: named things, the paper itself, and kinds of things with their modifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kag.qa.questions import naming
from kag.qa.questions.links import Fact, Link, Objects, Sorted, Thing, named, narrowed
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Kind, Order, Place, Query
from kag.qa.questions.words import Read, Words, called, match_form, rule


@called("thing")
@rule
def thing(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A noun phrase, the more telling readings first."""
    start = words.skip(at, "the", "these", "those")
    numbered = naming.numbered(words, start)
    yield from _of_paper(words, numbered) if words.many else ()
    yield from numbered
    yield from naming.labelled(words, start)
    yield from naming.quoted(words, at)
    yield from naming.played(words, at)
    yield from naming.treated(words, at)
    yield from naming.before_kind(words, at)
    yield from own(words, at)
    yield from _back(words, at)
    yield from _described(words, at)
    if words.many and words.text(at)[:1].isupper():  # a title without quotation marks
        yield from ((Thing(named("work", name.text, "title")), end) for name, end in naming.topic(words, at))


def _of_paper(words: Words, found: list[Read[Thing]]) -> Iterator[Read[Thing]]:
    """ "reference 3 of fog": in a library a number belongs to a paper."""
    for one, end in found:
        for (paper,), last in match_form(words, end, "of|in|from <quoted>"):
            query = (
                narrowed(one.query, (Link("in", False, Objects((paper,))),)) if paper.query.kind == "paper" else None
            )
            if query:
                yield replace(one, query=query), last


def _back(words: Words, at: int) -> Iterator[Read[Thing]]:
    """What a pronoun points back to: put in by the reader as the marked word of a query."""
    if words.mark(at) == "back":
        yield Thing(words.back[0]), at + 1
    if words.back and words.low(at) == "the":  # "the melting it depicts"
        for _, end in naming.topic(words, at):
            if words.mark(end) == "back":
                yield from ((Thing(words.back[0]), last) for verb, last in words.verbs(end + 1, "s", "base")
                            if verb.meaning == "show")  # fmt: skip


@rule
def own(words: Words, at: int) -> Iterator[Read[Thing]]:
    """The paper that the question is put to: "this paper", "the authors", "they"."""
    if words.many:
        return
    paper = Thing(Query("paper"), own=True)
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
        yield paper, words.skip(nouns[0], "itself")


@rule
def _described(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "more than two references of 2009", "each section", "no figure", "the most references", "only sections"."""
    only, start = words.low(at) == "only", at + (words.low(at) == "only")
    each = "each|every" if words.low(start - 1) in ("does", "did", "do") else "each"  # "cited in every section": in all
    yield from ((Thing(query, each=True), end) for (query,), end in match_form(words, start, f"{each} of? the? <noun>"))
    for (sign, query), end in match_form(words, start, "{amounts} <noun>"):
        yield Thing(query, most=1 if sign == "+" else -1), end
    for ((low, high), query), end in match_form(words, start, "the? <bounds> <noun>"):
        yield Thing(query, low, high, only), end
    articles = words.skip(start, "the", "a", "an", "these", "those", "its", "their", "some", "any", "this", "our", "my")
    yield from ((Thing(query, only=only), end) for query, end in noun(words, articles))


@called("noun")
@rule
def noun(words: Words, at: int) -> Iterator[Read[Query]]:
    """Read a kind with its modifiers before and behind."""
    for before, start in _before(words, at):
        for query, end in _kind(words, start):
            for (behind,), last in match_form(words, end, "<facts>"):
                found = narrowed(query, (*behind, *before))
                if found:
                    yield found, last


@rule
def _kind(words: Words, at: int) -> Iterator[Read[Query]]:
    """A kind of thing; "papers" may be what a paper cites, or those of a library."""
    cited: Kind = "work" if words.many else "reference"
    either: tuple[Kind, ...] = ("paper", cited) if words.many else (cited, "paper")
    for kind, end in [*words.of("kinds", at), *words.of("plurals", at)]:
        if kind == "subsection":
            yield Query("section", (Condition("depth", low=2),)), end
        else:
            kinds = either if kind == "paper" else (cited,) if kind == "work" else (kind,)
            yield from ((Query(one), end) for one in kinds)  # type: ignore[arg-type]


@rule
def _before(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """Read the words before a kind: adjectives without weight, "main", "first three", "two most cited"."""
    found: list[Fact] = []
    end = _adjectives(words, at)
    if top := [last for value, last in words.of("deep", end) if value == "top"]:
        found.append(Condition("depth", low=1, high=1))
        end = _adjectives(words, top[0])
    for level, last in words.of("levels", end):
        found.append(Condition("depth", low=int(level), high=int(level)))
        end = _adjectives(words, last)
    if words.low(end) in ("uncited", "unreferenced", "unmentioned", "unquoted"):
        found.append(Condition("cited in", negated=True))
        end = _adjectives(words, end + 1)
    for place, last in places(words, end):
        yield (*found, place), _adjectives(words, last)
    yield tuple(found), end


def _adjectives(words: Words, at: int) -> int:
    """Return the place behind adjectives without meaning: "different", "direct"."""
    while True:
        found = [end for value, end in words.of("glue", at) if value == "adjective"]
        if not found:
            return at
        at = words.skip(found[0], ",")


@rule
def places(words: Words, at: int) -> Iterator[Read[Sorted]]:
    """ "first", "first three", "last two", "top 5 most cited", "second oldest", "three longest"."""
    for (value, order), end in match_form(words, at, "{ordinals} <superlative>"):
        place = Place(at=abs(int(value)), to=abs(int(value)))
        yield Sorted(order if int(value) > 0 else replace(order, descending=not order.descending), place), end
    for (value, many), end in match_form(words, at, "{ordinals} <number>"):
        if value in ("1", "-1"):
            yield Sorted(None, Place(at=1, to=many) if value == "1" else Place(at=-many, to=-1)), end
    yield from (
        (Sorted(None, Place(at=int(value), to=int(value))), end)
        for (value,), end in match_form(words, at, "{ordinals}")
    )
    yield from (
        (Sorted(order, Place(at=1, to=many)), end)
        for (many, order), end in match_form(words, at, "top? <number> <superlative>")
    )
    yield from ((Sorted(order, Place(level=True)), end) for order, end in superlative(words, at))


@called("superlative")
@rule
def superlative(words: Words, at: int) -> Iterator[Read[Order]]:
    """ "most cited", "longest", "oldest"."""
    for (way,), end in match_form(words, at, "the? {superlatives}"):
        by, sign = way.rsplit(" ", 1)
        yield ranked(words, by, most=sign == "+"), end


def ranked(words: Words, by: str, *, most: bool) -> Order:
    """An order; what is cited often in one paper has many call-outs there, in a library it is cited by many papers."""
    return Order(by, None if words.many or by != "cited in" else Query("mention"), descending=most)


@called("placed")
@rule
def placed(words: Words, at: int) -> Iterator[Read[Objects]]:
    """Things behind prepositions of place: "in both A and B", "neither in A nor in B"."""
    for lead in ("neither", "either", "both", ""):
        for (several,), end in match_form(words, at, f"{lead} {{places.in}} <objects>"):
            if lead == "neither":
                yield Objects((), without=several.things), end
            elif not lead or (several.either == (lead == "either") and len(several.things) > 1):
                yield several, end


def in_section(words: Words, at: int, link: Link) -> Iterator[Read[Link]]:
    """ "cite reference 3 in the Introduction": in a library, of papers, where in them."""
    yield link, at
    if words.many and link.verb in ("cite", "refer"):
        for several, end in placed(words, words.skip(at, "somewhere")):
            one = several.things[0] if len(several.things) == 1 and not several.without else None
            if one and one.simple and one.query.kind == "section":
                yield replace(link, section=one.query), end


@called("objects")
@rule
def objects(words: Words, at: int) -> Iterator[Read[Objects]]:
    """One thing or several: "A and B", "either A or B", "A but not B"."""
    lead = words.low(at) if words.low(at) in ("both", "either") else ""
    for chain, end in _chain(words, at + bool(lead)):
        joints = {joint for _, joint in chain[1:]} - {","}
        things = tuple(one for one, joint in chain if joint != "not")
        without = tuple(one for one, joint in chain if joint == "not")
        mixed = (
            {"and", "or"} <= joints or (len(chain) > 1 and not joints) or ("not" in joints and chain[-1][1] != "not")
        )
        alone = joints and any(one.each or one.own for one in things)
        if not mixed and not alone and (not lead or {"both": "and", "either": "or"}[lead] in joints):
            yield Objects(things, "or" in joints, without), end


@called("chain")
@rule
def _chain(words: Words, at: int) -> Iterator[Read[tuple[tuple[Thing, str], ...]]]:
    """Read a list of things with the word before each; the preposition may be repeated."""
    for one, end in thing(words, at):
        first = _apart(words, at, end, one)
        for joint, form in _JOINTS:
            for (more,), last in [
                *match_form(words, end, f"{form} {{places.in}} <chain>"),
                *match_form(words, end, f"{form} <chain>"),
            ]:
                yield (*first, (more[0][0], joint), *more[1:]), last
        yield first, end


def _apart(words: Words, at: int, end: int, one: Thing) -> tuple[tuple[Thing, str], ...]:
    """ "Sections 2 and 3" as two things, which "sections 2 or 3" are not."""
    numbers = one.query.where[0] if len(one.query.where) == 1 else None
    words_of_noun = {words.low(place) for place in range(at, end)}
    if not isinstance(numbers, AnyOf) or not words_of_noun & {"and", "&"} or "or" in words_of_noun:
        return ((one, ""),)
    parts = tuple(replace(one, query=replace(one.query, where=(number,))) for number in numbers.conditions)
    return ((parts[0], ""), *((part, "and") for part in parts[1:]))


_JOINTS = (("not", ",? but|and? not"), ("and", ",? and also?"), ("and", "as well as"), ("and", ",? but also"),
           ("or", ",? or|nor"), (",", ","))  # fmt: skip


@called("except")
@rule
def excepted(words: Words, at: int) -> Iterator[Read[tuple[Condition, ...]]]:
    """ "other than the Introduction"."""
    for several, end in [*placed(words, at), *objects(words, at)]:
        if several.things and all(one.named and one.simple for one in several.things) and not several.without:
            yield tuple(_not(one) for one in several.things), end


def _not(one: Thing) -> Condition:
    only = one.query.where[0] if len(one.query.where) == 1 else None
    named = isinstance(only, Condition) and only.relation == "is"
    return (
        replace(only, negated=True)
        if named and isinstance(only, Condition)
        else Condition("is", one.query, negated=True)
    )


Bounds = tuple[int, int]
"""The least and the greatest number, both possible."""

_YEAR = re.compile(r"((?:1[5-9]|20)\d\d)")
_YEARS = re.compile(r"((?:1[5-9]|20)\d\d)[-–—]((?:1[5-9]|20)\d\d)")
_DECADE = re.compile(r"((?:1[5-9]|20)\d0)s")
_LATER = "or|and later|after|newer|onwards|more"
_EARLIER = "or|and earlier|before|older"


@called("number")
@rule
def number(words: Words, at: int) -> Iterator[Read[int]]:
    yield from ((int(value), end) for value, end in words.of("numbers", at))
    if re.fullmatch(r"\d{1,4}", words.low(at)) and not _YEAR.fullmatch(words.low(at)):
        yield int(words.low(at)), at + 1


@called("bounds")
@rule
def bounds(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """ "more than two", "at least 3", "five or more", "exactly one", "no", "several"; "two" alone is exactly two."""
    yield from ((_bounded(way, many), end) for (way, many), end in match_form(words, at, "{bounds} <number>"))
    yield from ((_bounded(way, 1), end) for (way,), end in match_form(words, at, "{bounds} a|an"))
    yield from ((_bounded(way, many), end) for (many, way), end in match_form(words, at, "<number> {behind}"))
    yield from (((many, many), end) for (many,), end in match_form(words, at, "<number>"))
    yield from (((0, 0), end) for _, end in match_form(words, at, "{negations.no}"))
    yield from (((2, MANY), end) for _, end in match_form(words, at, "several|multiple"))
    yield from (((1, MANY), end) for _, end in match_form(words, at, "some|any"))


def _bounded(way: str, many: int) -> Bounds:
    low, high = way.split()
    return (0 if low == "*" else many + int(low), MANY if high == "*" else many + int(high))


@rule
def times(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """ "more than once", "at least three times", "twice", "only once"."""
    yield from ((_bounded(way, int(value)), end) for (way, value), end in match_form(words, at, "{bounds} {times}"))
    yield from (((int(value), int(value)), end) for (value,), end in match_form(words, at, "{times}"))
    yield from ((found, end) for (found,), end in match_form(words, at, "<bounds> time|times"))
    yield from (((2, MANY), end) for _, end in match_form(words, at, "repeatedly"))


@called("dated")
@rule
def dated(words: Words, at: int) -> Iterator[Read[Condition]]:
    """ "before 2010", "between 2000 and 2005", "from the 1990s", "in 1999 or later", "(2009)"."""
    for (low, high), end in match_form(words, at, "between|from <year> and|to|until|through <year>"):
        yield _years(low[0], high[1]), end
    yield from ((_years(*found), end) for (found,), end in match_form(words, at, "( <year> )"))
    yield from ((one, end) for (one,), end in match_form(words, at, "from|of <dated>"))
    for (way, (low, high)), end in match_form(words, at, "{years} the|year|years* <year>"):
        if way == "0 0":
            yield from (
                (_years(low, MANY), last)
                for _, last in [*match_form(words, end, _LATER), *match_form(words, end, "onwards|on")]
            )
            yield from ((_years(1, high), last) for _, last in match_form(words, end, _EARLIER))
            yield from (
                (_years(low, more[1]), last)
                for (more,), last in match_form(words, end, "or <year>")
                if more[0] == high + 1
            )
        after, before = _bounded(way, 0)
        first, last_year = (high if after > 0 else low) + after, (low if before < 0 else high) + before
        yield _years(1 if way[0] == "*" else first, MANY if way[-1] == "*" else last_year), end


@called("year")
@rule
def _year(words: Words, at: int) -> Iterator[Read[Bounds]]:
    """The first and the last year of "1999", "1999-2004", "the 1990s"."""
    for pattern, more in ((_YEAR, 0), (_YEARS, 0), (_DECADE, 9)):
        if match := pattern.fullmatch(words.low(at)):
            yield (int(match[1]), int(match[match.lastindex or 1]) + more), at + 1


def _years(low: int, high: int) -> Condition:
    return Condition("year", low=low, high=high)
