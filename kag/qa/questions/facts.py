"""Phrases about a thing: relative clauses, participles, prepositions, predicates, with negations and adverbs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kag.qa.questions import naming, nouns
from kag.qa.questions.links import Fact, Link, Objects, Shows, Sorted, Thing
from kag.qa.questions.nouns import in_section, objects, placed
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Name, Place
from kag.qa.questions.words import Read, Verb, Words, called, match_form, rule

Facts = tuple[Fact, ...]
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_GET = frozenset({"gets", "get", "got"})
_DO = frozenset({"do", "does", "did", "can", "could", "may"})
_HAS = frozenset({"has", "have", "had"})
_KNOWN = frozenset({"title", "year", "doi", "journal", "volume", "pages", "caption", "number"})
_SAYS = "mention|mentions|mentioning|contain|contains|containing|say|says|include|includes|has|have|names|with"
_TOGETHER = ("together|along|jointly with", "alongside", "side by side with", "with", "in the same papers as")
_MOST = (
    "the? most often|frequently|commonly", "the? most times?", "more often? than any other",
    "the? least often|frequently", "the? least",
)  # fmt: skip
_OFTEN = (
    "that|which? <own> <s,base:cite> the? most often|frequently?",
    "that|which? <own> <s,base:cite> the? least often?",
)
_FIRST = (
    "that|which|who? have|has <authors> as the? first|lead author",
    "whose first|lead|principal author is|was <authors>",
    "with|having <authors> as the? first|lead author",
)
_CLAUSES = ("that|which|who <predicate>", "whose text <predicate>", "whose <saying>")
_PARTS = {"put": "hold", "stand": "hold"}


@dataclass(frozen=True, slots=True)
class Way:
    """The adverbs and negations of a verb."""

    negated: bool = False
    only: bool = False
    direct: bool = False
    be: bool = False
    do: bool = False

    @property
    def plain(self) -> bool:
        return not self.negated and not self.only


PLAIN = Way()


@called("facts")
@rule
def facts(words: Words, at: int) -> Iterator[Read[Facts]]:
    """Return all phrases behind a kind, the longest reading first; nothing at last."""
    for one, end in fact(words, at):
        for (more,), last in match_form(words, end, ",? and|but? <facts>"):
            if more:
                yield (*one, *more), last
        yield one, end
    yield (), at


@rule
def fact(words: Words, at: int) -> Iterator[Read[Facts]]:
    """Return one phrase behind a kind."""
    for form in _CLAUSES:
        yield from ((one, end) for (one,), end in match_form(words, at, form))
    for form in _OFTEN:
        for _, end in match_form(words, at, form):
            yield (Sorted(nouns.ranked(words, "cited in", most="least" not in form), Place(level=True)),), end
    for form in _FIRST:
        for (people,), end in match_form(words, at, form):
            yield tuple(replace(person, relation="first author") for person in people), end
    way, start = auxiliaries(words, at)
    if not way.be and not way.do:  # "not cited in ...", "citing ..."
        yield from _passive(words, start, way)
    yield from _plain(words, at)
    yield from ((((condition,), end)) for condition, end in naming.about(words, at))


@called("predicate")
@rule
def predicate(words: Words, at: int) -> Iterator[Read[Facts]]:
    """Read a verb with its auxiliaries after its subject, and further verbs joined to it."""
    for one, end in _one_predicate(words, at):
        for (more,), last in match_form(words, end, ",? and|but that|which? also? <predicate>"):
            yield (*one, *more), last
        for (more,), last in match_form(words, end, ",? and|but not <plain>"):
            yield from (((*one, *turned), behind) for turned, behind in _turned(more, Way(negated=True), last))
        yield one, end


def _one_predicate(words: Words, at: int) -> Iterator[Read[Facts]]:
    way, start = auxiliaries(words, at)
    if not way.be:
        yield from active(words, start, way, ("base",) if way.do else ("base", "s", "past"))
        return
    yield from _being(words, start, way)
    if not way.negated:
        for order, end in nouns.superlative(words, start):
            yield (Sorted(order, Place(level=True)),), end


def _being(words: Words, at: int, way: Way) -> Iterator[Read[Facts]]:
    yield from _passive(words, at, way)
    for one, end in _plain(words, at):
        yield from _turned(one, way, end)


@called("after_be")
@rule
def after_be(words: Words, at: int) -> Iterator[Read[Facts]]:
    """Read the phrase behind a subject whose "is" stands before it."""
    way, start = auxiliaries(words, at)
    yield from _being(words, start, way)


@called("after_do")
@rule
def after_do(words: Words, at: int) -> Iterator[Read[Facts]]:
    """Read the phrase behind a subject whose "does" or "has" stands before it."""
    way, start = auxiliaries(words, at)
    yield from active(words, start, way, ("base",))


def auxiliaries(words: Words, at: int) -> Read[Way]:
    """The auxiliaries and adverbs before a verb."""
    way = PLAIN
    while True:
        low = words.low(at)
        if low in _BE or (low in _GET and words.verbs(at + 1, "ed")):
            way = replace(way, be=True)
        elif low in _DO or (
            low in _HAS and (words.low(at + 1) in ("been", "not", "never") or words.verbs(at + 1, "ed"))
        ):
            way = replace(way, do=True)
        elif low in ("not", "never"):
            way = replace(way, negated=not way.negated)
        elif low == "only":
            way = replace(way, only=True)
        elif low in ("directly", "immediately"):
            way = replace(way, direct=True)
        elif low not in ("also", "explicitly", "itself") and not (low == "both" and words.says_later("and", at)):
            return way, at
        at += 1


def _turned(known: Facts, way: Way, end: int) -> Iterator[Read[Facts]]:
    """Negate phrases: one can be negated, of several it is ambiguous which."""
    if way.plain:
        yield known, end
    elif len(known) == 1 and isinstance(one := known[0], Condition) and not way.only:
        yield (replace(one, negated=not one.negated),), end
    elif len(known) == 1 and isinstance(one := known[0], Link):
        yield (replace(one, negated=one.negated != way.negated, only=one.only or way.only),), end


def meaning(verb: Verb) -> str:
    return _PARTS.get(verb.meaning, verb.meaning)


@rule
def adverbs(words: Words, at: int) -> Iterator[Read[tuple[bool, bool, nouns.Bounds | None]]]:
    """Behind a verb: "only", "directly", how many times; whatever there is."""
    only = direct = False
    times: nouns.Bounds | None = None
    while True:
        found = nouns.times(words, at) if times is None else []
        if found:
            times, at = found[0]
        elif words.low(at) == "only":
            only, at = True, at + 1
        elif words.low(at) in ("directly", "immediately"):
            direct, at = True, at + 1
        elif words.says((",", "not", "below", "it"), at):
            direct, at = True, at + 4
        elif words.says(("in", "common"), at):
            at += 2
        else:
            yield (only, direct, times), at
            return


def beside(words: Words, at: int, link: Link) -> Iterator[Read[Link]]:
    """Return a link with its adverbs; repeated adverbs are not read."""
    for (only, direct, times), end in adverbs(words, at):
        if not (times and link.times) and not (only and link.only):
            yield replace(link, only=link.only or only, direct=link.direct or direct, times=link.times or times), end


def _passive(words: Words, at: int, way: Way) -> Iterator[Read[Facts]]:
    for verb, end in words.verbs(at, "ed"):
        if verb.meaning in ("publish", "write"):
            yield from _published(words, end, way)
        if verb.meaning in ("hold", "put") and way.plain:  # "listed from 1980"
            yield from (((year,), last) for year, last in nouns.dated(words, end))
        if verb.meaning == "divide":  # "divided into subsections"
            for (several,), last in match_form(words, end, "<objects>"):
                yield (Link("have", True, several, negated=way.negated, direct=way.direct),), last
        if verb.meaning in ("join", "cite", "refer"):
            yield from _together(words, end, way)
        if verb.meaning in ("cite", "refer", "hold", "put"):
            link = Link(meaning(verb), False, negated=way.negated, only=way.only, direct=way.direct)
            yield from (((one,), last) for one, last in where(words, end, link))
        for form in _MOST if verb.meaning in ("cite", "refer") and way.plain else ():
            sign = "least" not in form
            yield from (
                ((Sorted(nouns.ranked(words, "cited in", most=sign), Place(level=True)),), e)
                for _, e in match_form(words, end, form)
            )


def where(words: Words, at: int, link: Link) -> Iterator[Read[Link]]:
    """The places or doers behind a passive verb, with how often and whether only."""
    for found, end in beside(words, at, link):
        for several, last in placed(words, end):
            yield from beside(words, last, replace(found, objects=several))
        if link.verb in ("cite", "refer"):
            yield replace(found, only=found.only and not found.times), end


def _together(words: Words, at: int, way: Way) -> Iterator[Read[Facts]]:
    """ "cited together with reference 2"."""
    for form in _TOGETHER:
        for (several,), end in match_form(words, at, f"{form} <objects>"):
            conditions = tuple(Condition("beside", thing.query, negated=way.negated) for thing in several.things)
            if (
                not several.without
                and not way.only
                and all(t.simple for t in several.things)
                and not (conditions[1:] and way.negated)
            ):
                yield ((AnyOf(conditions),) if several.either else conditions), end


@called("published")
@rule
def _publishing(words: Words, at: int) -> Iterator[Read[Facts]]:
    yield from _published(words, at, PLAIN)


def _published(words: Words, at: int, way: Way) -> Iterator[Read[Facts]]:
    """ "published in 2009", "published in Nature by Kay"."""
    for one, end in [*_by(words, at), *naming.venue(words, at), *((((y,)), e) for y, e in nouns.dated(words, at))]:
        yield from (((*one, *more), last) for more, last in _publishing(words, end) if way.plain)
        yield from _turned(one, way, end)


def _by(words: Words, at: int) -> Iterator[Read[Facts]]:
    yield from ((people, end) for (people,), end in match_form(words, at, "by|of <authors>"))
    for (people,), end in match_form(words, at, "from <authors>"):  # "from Kay", "from Nature"
        alone = people[0] if len(people) == 1 else None
        yield ((AnyOf((alone, replace(alone, relation="venue"))),) if alone else people), end


def active(words: Words, at: int, way: Way, forms: tuple[str, ...]) -> Iterator[Read[Facts]]:
    """A verb in one of these forms, with its object."""
    for verb, end in words.verbs(at, *forms):
        kind = verb.meaning
        if kind in ("cite", "refer"):
            yield from _acting(words, end, Link(kind, True, negated=way.negated, only=way.only, direct=way.direct))
        if kind in ("hold", "lack"):
            yield from _have(words, end, replace(way, negated=way.negated != (kind == "lack")))
        if kind == "publish":
            yield from _published(words, end, way)
        if kind == "stand":
            yield from (((replace(link, negated=way.negated, only=way.only),), last) for link, last in _put(words, end))
        if kind == "write" and way.plain:
            yield from (((Link("in", False, several),), last) for several, last in objects(words, end))
        if kind in ("follow", "precede") and way.plain:
            to = MANY if verb.form == "base" and words.is_plural(at - 1) else 1  # "which sections follow ..."
            yield from ((_next(one, kind == "follow", to), last) for one, last in nouns.thing(words, end))
        if kind in ("show", "hold") and way.plain:
            yield from (((Shows(name),), last) for name, last in naming.topic(words, end))


def _put(words: Words, at: int) -> Iterator[Read[Link]]:
    """ "appear in the Results": a place behind a verb of standing."""
    yield from ((Link("in", False, several), end) for several, end in placed(words, at))


def _next(thing: Thing, after: bool, to: int = 1) -> Facts:
    return (Sorted(None, Place("after" if after else "before", to=to, of=thing.query)),)


def _acting(words: Words, at: int, link: Link) -> Iterator[Read[Facts]]:
    for found, end in beside(words, at, link):
        for several, last in objects(words, end):
            for one, rest in beside(words, last, replace(found, objects=several)):
                yield from (((where_in,), behind) for where_in, behind in in_section(words, rest, one))


def _have(words: Words, at: int, way: Way) -> Iterator[Read[Facts]]:
    """ "have a DOI", "have more than two subsections", "have text that points to Figure 6"."""
    yield from _acting(words, at, Link("have", True, negated=way.negated, only=way.only, direct=way.direct))
    for one, end in _properties(words, at):
        yield from _turned(one, way, end)
    for (years,), end in match_form(words, at, "the? year|date of? <year>"):
        yield from _turned((Condition("year", low=years[0], high=years[1]),), way, end)
    for one, end in pointing(words, at):
        yield from _turned(one, way, end)
    yield from _saying(words, at) if way.plain else ()


@called("pointing")
@rule
def pointing(words: Words, at: int) -> Iterator[Read[Facts]]:
    """ "text that points to it": who has this points there."""
    yield from ((one, end) for (one,), end in match_form(words, at, "a? running? text|passages that|which <predicate>"))


def _properties(words: Words, at: int) -> Iterator[Read[Facts]]:
    """ "a DOI", "no title"."""
    for negated, form in ((True, "{negations.no} {properties}"), (False, "a|an|any|the|its|their? {properties}")):
        for (name,), end in match_form(words, at, form):
            condition = Condition("has", name=Name(name), negated=negated)
            if name in _KNOWN:
                yield (condition,), end


@called("saying")
@rule
def _saying(words: Words, at: int) -> Iterator[Read[Facts]]:
    """ "whose title mentions ice", "a caption that says frost"."""
    words_of = "the? word|words|phrase|term? <topic>"
    for kind in ("title", "caption"):
        form = f"a|an|the|its|their? {{properties.{kind}}} that|which? {_SAYS} {words_of}"
        yield from (((Condition("title", name=name),), end) for (name,), end in match_form(words, at, form))


@called("plain")
@rule
def _plain(words: Words, at: int) -> Iterator[Read[Facts]]:
    """Prepositions: of a year, by a person, in a place, with and without something, after and before, other than."""
    yield from ((((one,)), end) for one, end in nouns.dated(words, at))
    only, start = words.low(at) == "only", at + (words.low(at) == "only")
    for direct, form in ((False, "<placed>"), (True, "directly|immediately <placed>")):
        for (several,), end in match_form(words, start, form):
            link = Link("in", False, several, only=only, direct=direct)
            yield from (((one,), last) for one, last in beside(words, end, link) if one.times is None)
    yield from _by(words, at)
    yield from naming.venue(words, at)
    yield from _have(words, at + 1, PLAIN) if words.low(at) in ("with", "having") else ()
    for value, end in words.of("negations", at):
        yield from _have(words, end, Way(negated=True)) if value == "without" else ()
        yield from ((one, last) for (one,), last in match_form(words, end, "<except>")) if value == "except" else ()
    for way in ("after|behind|following", "before|preceding"):
        for (one,), end in match_form(words, at, f"right|directly|immediately|just|next|printed* {way} <thing>"):
            yield _next(one, way[0] == "a"), end


def inverted(words: Words, at: int, several: Objects) -> Iterator[Read[Facts]]:
    """Read a passive verb behind its subject, as a condition on the place where it happens."""
    way, start = auxiliaries(words, at)
    for verb, end in words.verbs(start, "ed"):
        if verb.meaning in ("cite", "refer", "hold", "put") and not way.only:
            link = Link(meaning(verb), True, several, negated=way.negated, direct=way.direct)
            last = words.skip(end, "in", "on", "by", "to")  # "which section is it printed in"
            found = beside(words, last if last == len(words.words) else end, link)
            yield from (
                ((one,), behind)
                for cited, last in found
                for one, behind in in_section(words, last, cited)
                if not one.only
            )
