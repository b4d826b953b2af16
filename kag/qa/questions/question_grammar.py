"""The forms of questions, as a table: each is a line of words and what makes queries of what stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from kag.qa.questions import cells, facts, making, nouns
from kag.qa.questions.links import CITED, FLOATS, Fact, Link, Objects, Sorted, Thing, narrowed, relation
from kag.qa.questions.making import Queries, authors, caption, get, split_up, there, true
from kag.qa.questions.structured_query import Condition, Kind, Order, Place, Query
from kag.qa.questions.words import Read, Verb, Words, called, lexicon, match_form, rule

Make = Callable[..., Queries | None]


@rule
def asked(words: Words, at: int) -> Iterator[Read[Queries]]:
    """Read a whole part of a question, the more specific readings first."""
    yield from ((((query,)), end) for query, end in cells.cell(words, at))
    yield from _front(words, at)
    yield from _prefixed(words, at)
    for form, make in (*(LIBRARY if words.many else ALONE), *FORMS):
        for handed, end in match_form(words, at, form):
            queries = make(*handed)
            if queries:
                yield queries, end
    yield from _listed(words, at)


def _front(words: Words, at: int) -> Iterator[Read[Queries]]:
    """Read a question about front matter besides title and authors; every word has to belong to it."""
    if words.many or any(word.mark for word in words.words[at:]):
        return
    size = len(words.words)
    people = [(person, start, end) for start in range(at, size) for person, end in _person(words, start)]
    for query, start, end in ((Query("paper"), at, at), *people):
        low = {words.low(place) for place in range(at, size) if not start <= place < end}
        for names in _facts_asked(low, lexicon().values("front") if query.kind == "paper" else ("affiliation",)):
            yield tuple(replace(query, get=(name,)) for name in names), size
            return


def _facts_asked(low: set[str], possible: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The facts that words ask for, none of which is left over: one of them, or several dates."""
    rows = lexicon().rows
    asked = [name for name in possible if low & rows["front", name]]
    dates = tuple(name for name in asked if name in _DATES)
    for names in [*((name,) for name in asked), dates]:
        known = frozenset().union(rows["beside", "all"], *(rows["front", one] | rows["beside", one] for one in names))
        if names and low <= (known | _MARKS if len(names) > 1 else known):
            yield names


def _person(words: Words, at: int) -> Iterator[Read[Query]]:
    """One author by name: "Nadia El Khoury", "the second author"."""
    name = words.text(at)[:1].isupper() and words.low(at) not in lexicon().single
    for (people,), end in match_form(words, at, "<authors>") if name else ():
        if len(people) == 1:
            yield Query("author", (Condition("is", name=people[0].name),)), end
    for (place,), end in match_form(words, at, "the {ordinals} author|writer"):
        yield Query("author", place=Place(at=int(place), to=int(place))), end


def _prefixed(words: Words, at: int) -> Iterator[Read[Queries]]:
    """ "Tell me how many ...", "In section 2, which figures ...", "According to its caption, what does ..."."""
    for _, end in match_form(words, at, "{asking.list}"):
        if words.of("asking", end) or words.low(end) in ("where", "who", "when"):
            yield from asked(words, end)
    for (one, queries), end in match_form(words, at, "{places.in} <thing> , <asked>"):
        found = [narrowed(query, (Link("in", False, Objects((one,))),)) for query in queries]
        if (one.named or one.own) and all(found) and not any(query.place or query.order for query in queries):
            yield tuple(query for query in found if query), end
    for (queries,), end in match_form(words, at, "according to its|the caption ,? <asked>"):
        if all(query.get == ("caption",) for query in queries):
            yield queries, end


def _whole(queries: Queries, tail: tuple[Fact, ...], more: tuple[Fact, ...] = ()) -> Queries | None:
    """Return queries with all the phrases behind them."""
    found = [narrowed(query, (*tail, *more)) for query in queries]
    return tuple(_as_property(query) for query in found if query) if all(found) else None


def _as_property(query: Query) -> Query:
    """Read "on which page": a property of a thing."""
    one = query.where[0] if query.kind == "page" and query.ask == "list" and len(query.where) == 1 else None
    if isinstance(one, Condition) and one.of and one == Condition("holds", one.of) and Thing(one.of).definite:
        return replace(one.of, get=("pages" if one.of.kind in CITED else "page",))
    return query


@called("kinds")
@rule
def _kinds(words: Words, at: int) -> Iterator[Read[Queries]]:
    """Read the kind behind "which"; "two" before it is the number requested."""
    if words.low(at + 1) == "or" and words.low(at).rstrip("s") == words.low(at + 2).rstrip("s"):
        at += 2  # "section or sections"
    yield from ((((query,)), end) for (query,), end in match_form(words, at, "of? the? these? <noun>"))


@called("counted")
@rule
def _counted(words: Words, at: int) -> Iterator[Read[Queries]]:
    """Kinds to be counted, each by itself: "figures and tables", "figures and how many tables"."""
    for (query,), end in match_form(words, at, "THE* <noun>"):
        one = replace(query, ask="count")
        for (more,), last in [
            *match_form(words, end, ",? and {asking.count} <counted>"),
            *match_form(words, end, ",? and <counted>"),
            *match_form(words, end, ", <counted>"),
        ]:
            yield (one, *more), last
        yield (one,), end


@called("tail")
@rule
def _tail(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """Read the phrases behind the requested thing, including empty ones ("are there", "are given").

    "Have" and "has" agree with who has: in "which papers have a figure" the papers, in "how many figures has it" it.
    """
    if words.low(at) != "has" or not words.is_plural(at - 1):
        yield from facts.predicate(words, at)
    for (several,), end in match_form(words, at, "BE <objects>"):
        yield from facts.inverted(words, end, several)
    for (several,), end in match_form(words, at, "BE <objects> part? FOR*"):
        if end == len(words.words):
            yield (Link("hold", True, several),), end
    for (several,), end in [*match_form(words, at, "DO <objects>"), *match_form(words, at, "can <objects>")]:
        yield from _done(words, end, several)
    for (people, _), end in match_form(words, at, "DO <authors> <base:write>") if not words.many else ():
        yield from ((people + more, last) for (more,), last in match_form(words, end, "<facts>"))
    for (several,), end in match_form(words, at, "HAVE <objects>"):
        if words.low(at) != "have" or len(several.things) > 1 or several.things[0].own:
            yield (Link("have", False, several),), end
    yield from (((), end) for _, end in match_form(words, at, "BE* <ed:hold,put>"))
    end = words.skip(at, "are", "is", "were", "was", "do", "does", "did", "exist", "found", "has", "have")
    yield (), end if end == len(words.words) else at


def _done(words: Words, at: int, several: Objects) -> Iterator[Read[tuple[Fact, ...]]]:
    """Read a subject and its verb, with the verb's object or, if the subject is the paper, the place."""
    way, start = facts.auxiliaries(words, at)
    for verb, end in words.verbs(start, "base"):
        link = Link(facts.meaning(verb), False, several, negated=way.negated, only=way.only, direct=way.direct)
        if verb.meaning == "stand":
            yield (replace(link, active=True),), words.skip(end, "in", "on", "to", "under")
        if verb.meaning not in ("cite", "refer", "hold", "compose"):
            continue
        if several.things[0].own:
            yield from facts.active(words, start, way, ("base",))
        yield from (((one,), last) for one, last in facts.beside(words, end, link))


def _where(query: Query, tail: tuple[Fact, ...]) -> Queries | None:
    return _whole((query,), tail) if tail else None


def _calls(thing: Thing) -> Queries | None:
    """How often something is cited: the call-outs that point to it."""
    point = relation("cite", "mention", thing.query.kind)
    if point is None or not thing.simple or not thing.definite:
        return None
    return (Query("mention", (Condition(point, thing.query),), ask="count"),)


def _follows(tail: tuple[Fact, ...]) -> Queries | None:
    one = tail[0] if len(tail) == 1 else None
    return (Query(one.place.of.kind, place=one.place),) if isinstance(one, Sorted) and one.place.of else None


def _what(thing: Thing) -> Queries | None:
    """ "What is reference 3?"; of a figure what it shows."""
    return caption(thing) if thing.query.kind in FLOATS else making.entry(thing)


def _cited(kind: Kind) -> Make:
    return lambda tail: _where(Query(kind), tail)


def _more(less: str, several: Objects, by: Order) -> Queries | None:
    """ "..., reference 3 or reference 4?": which of these has more."""
    kinds = {thing.query.kind for thing in several.things}
    if (
        len(several.things) < 2
        or not several.either
        or len(kinds) != 1
        or not all(thing.named for thing in several.things)
    ):
        return None
    kind = kinds.pop()
    if by.by == "cited in" and kind not in CITED:
        by = replace(by, by="referred to in")
    among = tuple(thing.query for thing in several.things)
    return (Query(kind, order=replace(by, descending=less != "less"), ask="compare", among=among),)


def _has_more(less: str, verb: Verb, query: Query, several: Objects) -> Queries | None:
    point = relation(facts.meaning(verb), several.things[0].query.kind, query.kind)
    return _more(less, several, Order(point, query)) if point else None


def _is_more(*parts: Any) -> Queries | None:
    """ "Which is older, A or B?": the last two parts are the comparative and the things."""
    comparative, several = parts[-2:]
    by, sign = comparative.rsplit(" ", 1)
    return _more("more" if sign == "+" else "less", several, Order(by))


def _cites_any(thing: Thing, verb: Verb) -> Queries | None:
    """ "Does the Introduction cite anything?"."""
    found = narrowed(thing.query, (Link("cite", True, Objects((Thing(Query("reference")),))),)) if thing.named else None
    return (replace(found, ask="whether"),) if found else None


def _asked_last(thing: Thing, verb: Verb, *kinds: Queries) -> Queries | None:
    """ "Reference 3 is cited in which section?"."""
    link = Link(facts.meaning(verb), True, Objects((thing,)))
    queries = kinds[0] if kinds else (Query("section"),)
    return _whole(queries, (link,)) if thing.named and thing.simple else None


def _cite_it(verb: Verb, thing: Thing) -> Queries | None:
    """ "Does the paper cite reference 2?"."""
    if not thing.definite or not thing.simple:
        return None
    condition = Condition("cited in" if thing.query.kind in CITED else "referred to in")
    return (replace(thing.query, where=(*thing.query.where, condition), ask="whether"),)


def _is_one(thing: Thing) -> bool:
    """Whether a query is one thing by its name or its place, without properties of each."""
    place = thing.query.place
    return thing.named or (place is not None and place.at == place.to)


_DATES = ("submitted", "revised", "accepted", "published")
_MARKS = frozenset([",", ":", "/", "and"])  # between dates
_SHOWN = "<panels>"
_MENTIONS = Order("cited in", Query("mention"))
FORMS: tuple[tuple[str, Make], ...] = (
    ("into? which|what {deep.top}? {kinds} BE <thing> <ed:divide> into? up? of?", lambda _, one, verb: split_up(one)),
    ("how BE <thing> <ed:divide>", lambda one, verb: split_up(one)),
    ("{places.in}? {asking.which} <kinds> <tail> <facts>", _whole),
    ("{places.in}? {asking.count} <counted> <tail> <facts>", _whole),
    (
        "{places.in}? {asking.which} <properties> BE <thing> be? <ed,base:publish,hold,put,stand,write>? FOR*",
        lambda names, one, verb: get(one, names),
    ),
    (
        "{places.in}? {asking.which} <properties> DO <thing> <base:publish,hold,stand>? FOR* out?",
        lambda names, one, verb: get(one, names),
    ),
    (
        "{places.in}? {asking.which} <properties> and|, {places.in}? which|what <properties> DO <thing> <base:publish>",
        lambda names, more, one, verb: get(one, names + more),
    ),
    ("where|whereabouts <tail>", _cited("section")),
    ("<thing> BE <ed:cite,refer,hold> in|to|from* which|what <kinds>", _asked_last),
    ("<thing> BE <ed:cite,refer,hold> in|to|from* where", _asked_last),
    ("where <thing> BE <ed:cite,refer,hold>", _asked_last),
    ("{asking.often} BE <thing> <ed:cite,refer>", lambda one, verb: _calls(one)),
    ("who <past:write> <thing>", lambda verb, one: authors(one)),
    ("when BE <thing> <ed:publish>", lambda one, verb: get(one, ("year",))),
    ("what <predicate>", _follows),
    (f"what data|information|values? DO {_SHOWN} <base:show,hold,put>", lambda one, verb: caption(one)),
    (f"what BE* <ed:show,hold,put,refer>? seen? in|on|by {_SHOWN}", lambda verb, one: caption(one)),
    (f"how DO {_SHOWN} <base:show>", lambda one, verb: caption(one)),
    ("what is|are|was|were <thing>", lambda one: _what(one) if one.named else None),
    ("what BE <thing> called|titled|entitled|named", lambda one: get(one, ("title",))),
    ("where BE <thing> <ed:publish>", lambda one, verb: get(one, ("journal",))),
    ("by whom BE <thing> <ed:publish,write>", lambda one, verb: authors(one)),
    ("how long BE THE* {list}", lambda name: (Query("reference", ask="count"),)),
    ("is|are a? the? any? {list}", lambda name: (Query("reference", ask="whether"),)),
    ("DO <own> <base:hold> <thing>", lambda own, verb, one: there(one)),
    ("DO <own> <base:cite,refer> <thing>", lambda own, verb, one: _cite_it(verb, one)),
    ("BE <thing> <after_be>", true),
    ("DO <thing> <after_do>", true),
    ("is|are|was|were <thing>", there),
    ("DO <thing>", there),  # "Does section 2.1 exist?"
    ("DO <thing> <base:cite> anything|something", _cites_any),
    ("which|what|who {kinds}? BE the? {comparatives} ,? <objects>", _is_more),
    (
        "which|what {kinds}? BE <ed:cite,refer> more often|frequently ,? <objects>",
        lambda *match_form: _more("more", match_form[-1], _MENTIONS),
    ),
    (
        "which|what {kinds}? BE <ed:cite,refer> less often|frequently ,? <objects>",
        lambda *match_form: _more("less", match_form[-1], _MENTIONS),
    ),
    (
        "which|what {kinds}? <s,base:cite,refer,hold> fewer <noun> in? it? ,? <objects>",
        lambda *match_form: _has_more("less", *match_form[-3:]),
    ),
    (
        "which|what {kinds}? <s,base:cite,refer,hold> more <noun> in? it? ,? <objects>",
        lambda *match_form: _has_more("more", *match_form[-3:]),
    ),
)
ALONE: tuple[tuple[str, Make], ...] = (  # of one paper
    ("what DO <authors> <base:write> <facts>", lambda people, verb, facts: _where(Query("reference"), people + facts)),
    (
        "what|which BE <ed:write> by <authors> <facts>",
        lambda _, people, facts: _where(Query("reference"), people + facts),
    ),
)
LIBRARY: tuple[tuple[str, Make], ...] = (
    ("where <tail>", _cited("paper")),
    ("who <predicate>", _cited("paper")),
)


def _listed(words: Words, at: int) -> Iterator[Read[Queries]]:
    """ "List the references", "What is the title of reference 31?", "Works cited in section 2"."""
    leads = {end for _, end in match_form(words, at, "{asking.list} :? THE*")}
    leads |= {end for _, end in match_form(words, at, "{asking.list} every") if words.low(end) != "the"}
    for lead in sorted({*leads, at}, reverse=True):
        start = lead - (lead > at and words.low(lead - 1) in ("the", "a", "an", "any", "these"))
        for form, make in LISTS if words.many or words.back else (*LISTS, *OWN):
            for handed, end in match_form(words, start, form):
                queries = make(*handed)
                if queries and not making.of_every_work(queries[0]):
                    yield queries, end
        for (one, names), end in match_form(words, start, "<thing> <by>?"):
            for query in making.is_listed(one, asked=lead > at):
                if names is None or not query.get:
                    yield (replace(query, get=names or query.get),), end
        yield from _of_pointed(words, start)


def _of_pointed(words: Words, at: int) -> Iterator[Read[Queries]]:
    """ "The title and year", "the first three": of what the part before names or asks for."""
    if not words.back:
        return
    for (names,), end in match_form(words, at, "<properties>"):
        yield from (((query,), end) for query in get(Thing(words.back[0]), names) or ())
    for (place, names), end in match_form(words, at, "the? <place> <by>?"):
        part = narrowed(replace(words.back[0], ask="list", get=()), (place,))
        if part:
            yield (replace(part, get=names or ()),), end


OWN: tuple[tuple[str, Make], ...] = (
    ("<properties>", lambda names: get(Thing(Query("paper"), own=True), names)),  # of the paper that is asked
)
LISTS: tuple[tuple[str, Make], ...] = (
    ("<properties> FOR <thing> and its|their <properties>", lambda names, one, more: get(one, names + more)),
    ("<properties> FOR all? <thing>", lambda names, one: get(one, names)),
    ("<properties> FOR each|every of? <thing>", lambda names, one: None if _is_one(one) else get(one, names)),
    ("<thing> 's <properties>", lambda one, names: get(one, names)),
    ("<properties> <thing>", lambda names, one: get(one, names) if one.named else None),  # "caption fig 3"
)


@called("properties")
@rule
def _properties(words: Words, at: int) -> Iterator[Read[tuple[str, ...]]]:
    """ "title", "the title and the DOI"."""
    for (name,), end in match_form(words, at, "THE* its|their? {properties}"):
        for (more,), last in [
            *match_form(words, end, ",? and <properties>"),
            *match_form(words, end, ", <properties>"),
        ]:
            yield (name, *more), last
        yield (name,), end


@called("by")
@rule
def _by(words: Words, at: int) -> Iterator[Read[tuple[str, ...]]]:
    """ "by number and title"."""
    yield from ((names, end) for (names,), end in match_form(words, at, "by <properties>"))


@called("panels")
@rule
def _panels(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A figure or table, all panels of one, or its caption."""
    for form in ("<thing>", "THE* two|three|four|both? panels|parts of <thing>", "THE* {properties.caption} of <thing>",
                 "<thing> 's two|three|four|both? panels"):  # fmt: skip
        for (one,), end in match_form(words, at, form):
            if one.query.kind in FLOATS | CITED:
                yield one, end


called("asked")(asked)
called("own")(nouns.own)
called("place")(nouns.places)
