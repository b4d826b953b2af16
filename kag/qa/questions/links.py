"""Facts about a thing, and how a query for it is narrowed by them: which relation a verb means between two kinds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Kind, Name, Order, Place, Query, Relation

FLOATS = frozenset({"figure", "table", "formula", "float"})
CITING = frozenset({"section", "paragraph", "paper", "mention"}) | FLOATS
CITED = frozenset({"reference", "work"})
_HOLDS: dict[str, frozenset[str]] = {
    "paper": frozenset({"section", "paragraph", "reference", "work", "mention", "author", "keyword", "page"}) | FLOATS,
    "page": frozenset({"section", "paragraph", "reference"}) | FLOATS,
    "section": frozenset({"section", "paragraph", "mention", "formula", "footnote"}) | FLOATS,
    "paragraph": frozenset({"mention", "formula"}),
    "table": frozenset({"row", "column", "cell"}),
    "row": frozenset({"cell"}),
    "column": frozenset({"cell"}),
    "reference": frozenset({"author"}),
    "work": frozenset({"author"}),
}
_INVERSE: dict[Relation, Relation] = {
    "cites": "cited in",
    "cited in": "cites",
    "refers to": "referred to in",
    "referred to in": "refers to",
    "holds": "in",
}
_DATED = CITED | {"paper", "journal"}
_OF = {  # which kinds a condition fits that is no link to another thing
    "year": _DATED,
    "author": _DATED | {"figure"},
    "first author": _DATED,
    "venue": _DATED,
    "keyword": frozenset({"paper"}),
    "role": frozenset({"section"}),
    "depth": frozenset({"section"}),
    "has": CITED | FLOATS | {"paper", "section"},
    "title": CITED | FLOATS | {"paper", "section", "row"},
    "beside": CITED,
    "number": CITED | FLOATS,
}
_POINTING = frozenset({"cite", "refer"})
_HOLDING = frozenset({"hold", "have", "in"})
_AT_ALL = (Condition("cited in"), Condition("referred to in"))


@dataclass(frozen=True, slots=True)
class Thing:
    """What a noun phrase means: a query, and how many of it; `most` is 1 or -1 for "the most" or "the fewest".

    `own` is the paper that the question is put to, `each` "each section", `back` what is pointed back to ("it").
    """

    query: Query
    low: int = 1
    high: int = MANY
    only: bool = False
    most: int = 0
    own: bool = False
    each: bool = False

    @property
    def named(self) -> bool:
        return not self.own and is_named(self.query)

    @property
    def definite(self) -> bool:
        """Whether a phrase is definite, by a name or by its place."""
        return self.named or (self.query.place is not None and not self.own)

    @property
    def simple(self) -> bool:
        """Whether a phrase is one thing or things without a number, and its article adds nothing."""
        return (self.low, self.high, self.most) == (1, MANY, 0) and not (self.only or self.own or self.each)


@dataclass(frozen=True, slots=True)
class Objects:
    """Several things in a phrase: each, or one of them (`either`), except those `without`."""

    things: tuple[Thing, ...]
    either: bool = False
    without: tuple[Thing, ...] = ()
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A verb between a subject and others: `active` if these are its object. `times` is how often, `section` where in a
    paper."""

    verb: str
    active: bool
    objects: Objects | None = None
    times: tuple[int, int] | None = None
    negated: bool = False
    only: bool = False
    direct: bool = False
    section: Query | None = None


@dataclass(frozen=True, slots=True)
class Sorted:
    """An order and the place in it."""

    order: Order | None
    place: Place


@dataclass(frozen=True, slots=True)
class Shows:
    """A figure or table shows something: these are words of its caption."""

    name: Name


Fact = Link | Condition | AnyOf | Sorted | Shows
"""What is said of a thing."""


def relation(verb: str, agent: Kind, patient: Kind) -> Relation | None:
    """Return the relation that a verb means between two kinds; None if it makes no sense between them.

    >>> relation("cite", "section", "figure"), relation("have", "section", "reference")
    ('refers to', 'cites')
    """
    if verb == "refer" and patient in ("work", "paper", "journal"):
        return None  # "discuss" and the like: in a library a question on what papers say
    if verb in _POINTING:
        if patient in CITED and agent in CITING:
            return "cites"
        if patient == "paper" and agent == "paper":
            return "cites"
        if patient == "journal" and agent == "paper":
            return "cites"
        return "refers to" if patient in FLOATS | {"section"} and agent in CITING else None
    if verb not in _HOLDING:
        return None
    if patient == "mention" and agent in CITED | FLOATS:
        return "cited in" if agent in CITED else "referred to in"
    if patient in CITED and agent in CITING - {"paper"}:
        return "cites"
    if patient == "work" and agent == "paper":
        return "cites"
    return "holds" if patient in _HOLDS.get(agent, ()) else None


def narrowed(query: Query, facts: tuple[Fact, ...]) -> Query | None:
    """Return the query with all conditions; None if its kind does not allow one."""
    for fact in facts:
        found = _with(query, fact)
        if found is None:
            return None
        query = found
    return query


def _with(query: Query, fact: Fact) -> Query | None:
    if isinstance(fact, Sorted):
        if query.place or query.order:
            return None
        if fact.place.of and (
            fact.place.of.kind != query.kind or any(condition in query.where for condition in _AT_ALL)
        ):
            return None  # "cited before reference 3" is about call-outs
        return _sorted(query, fact)
    if isinstance(fact, Link):
        return _linked(query, fact)
    if isinstance(fact, Shows):
        return _where(query, Condition("title", name=fact.name)) if query.kind in ("figure", "table") else None
    if isinstance(fact, Condition) and fact.relation == "is" and not fact.negated and is_named(query):
        return None  # a thing has one name
    if query.place and query.place.way == "at" and not query.order and is_named(query):
        return None
    return _where(query, fact) if fits(query.kind, fact) else None


def fits(kind: str, fact: Condition | AnyOf) -> bool:
    """Whether a condition is possible for a kind."""
    if isinstance(fact, AnyOf):
        return all(fits(kind, condition) for condition in fact.conditions)
    if fact.relation == "is" and fact.name and fact.name.way == "words":
        return kind in FLOATS | {"reference", "section", "row", "column"}
    return kind in _OF.get(fact.relation, (kind,))


def _sorted(query: Query, fact: Sorted) -> Query | None:
    """Return the query in an order: only top-level sections are compared by length or place."""
    order = fact.order
    if order and order.by == "year" and query.kind not in _DATED:
        return None
    if order and order.by == "length" and query.kind not in ("section", "paragraph", "paper", "reference"):
        return None
    if order and order.by == "cited in":
        counter: Kind = "paper" if query.kind in ("work", "journal") else "mention"
        if query.kind not in CITED | FLOATS | {"journal"}:
            return None
        by = "cited in" if query.kind in CITED | {"journal"} else "referred to in"
        order = replace(order, by=by, of=order.of or Query(counter))
    whole = query.kind == "section" and not query.where and (order is None or order.by == "length")
    if whole and fact.place.way == "at":
        query = _where(query, Condition("depth", low=1, high=1))
    return replace(query, order=order, place=fact.place)


def is_named(query: Query) -> bool:
    """Whether a query says by a name which thing is meant."""
    flat = [condition for one in query.where for condition in (one.conditions if isinstance(one, AnyOf) else (one,))]
    return any(
        isinstance(one, Condition) and one.relation in ("is", "number", "first author") and not one.negated
        for one in flat
    )


def _where(query: Query, *conditions: Condition | AnyOf) -> Query:
    return replace(
        query, where=(*query.where, *(condition for condition in conditions if condition not in query.where))
    )


def _linked(query: Query, link: Link) -> Query | None:
    """Return the query with the condition of a verb."""
    objects = link.objects
    if link.section:
        return _in_section(query, link, link.section)
    if objects is None:
        return _alone(query, link)
    if link.times is not None:
        return _often(query, link)
    if any(thing.each for thing in (*objects.things, *objects.without)):
        return _for_each(query, link)
    alone = objects.things[0] if len(objects.things) == 1 and not objects.without else None
    if alone and alone.most:
        return _by_amount(query, link, alone)
    return _of_paper(query, link) if alone and alone.own else _of_all(query, link, objects)


def _in_section(query: Query, link: Link, section: Query) -> Query | None:
    """A paper that has such a section of which the link holds."""
    if query.kind != "paper" or not link.active or link.only or link.direct:
        return None
    linked = narrowed(section, (replace(link, section=None, negated=False),))
    return _where(query, Condition("holds", linked, negated=link.negated)) if linked else None


def _of_all(query: Query, link: Link, objects: Objects) -> Query | None:
    """Return the condition on several things: each of them, one of them, only of them."""
    several = len(objects.things) > 1
    if link.negated and (objects.without or (several and not objects.either)):
        return None  # "not in A and B": in one of them, or in none?
    if link.only and (link.negated or objects.without):
        return None
    if several and not objects.either and query.kind == "reference" and objects.things[0].query.kind == "paper":
        query = replace(query, kind="work")  # what entries of several papers have in common
    conditions: list[Condition] = []
    for thing in (*objects.things, *objects.without):
        query, condition = _condition(query, link, thing, negated=link.negated or thing in objects.without)
        if condition is None:
            return None
        conditions.append(condition)
    if link.only and several:
        return _only(query, conditions)
    if objects.either and not link.negated:
        return _where(query, AnyOf(tuple(conditions[: len(objects.things)])), *conditions[len(objects.things) :])
    return _where(query, *conditions)


def _condition(query: Query, link: Link, thing: Thing, *, negated: bool) -> tuple[Query, Condition | None]:
    """A link to one thing as a condition; the query without its depth where subsections of the thing are meant."""
    if thing.most or thing.own or thing.query.get:
        return query, None
    link_relation = _relation(query.kind, link, thing.query.kind)
    if link_relation is None or (negated and (thing.only or thing.low > 1 or thing.high < MANY)):
        return query, None
    below = Condition("depth", low=2)
    direct = link.direct
    if link_relation == "in" and thing.query.kind == "section" and query.kind == "section":
        query = replace(query, where=tuple(one for one in query.where if one != below))
        direct = direct or below not in thing.query.where
    if (
        link_relation == "holds"
        and thing.query.kind == "section"
        and query.kind == "section"
        and below in thing.query.where
    ):
        thing = replace(thing, query=replace(thing.query, where=tuple(w for w in thing.query.where if w != below)))
        direct = True
    only = link.only or thing.only
    return query, Condition(link_relation, thing.query, None, thing.low, thing.high, only, direct, negated)


def _relation(kind: Kind, link: Link, other: Kind) -> Relation | None:
    """Return the relation that a link states between a thing of one kind and one of another."""
    found = relation(link.verb, kind, other) if link.active else relation(link.verb, other, kind)
    if found == "cites" and not link.active and kind == "paper":
        return None  # what is cited is a work
    return found if found is None or link.active else _INVERSE[found]


def _only(query: Query, conditions: list[Condition]) -> Query | None:
    """ "Only in A and B": in each, and in none that is neither."""
    queries = [condition.of for condition in conditions if condition.of]
    if len({one.kind for one in queries}) > 1 or any(len(one.where) != 1 for one in queries):
        return None
    either = replace(queries[0], where=(AnyOf(tuple(one.where[0] for one in queries)),))
    return _where(
        query, replace(conditions[0], of=either), *(replace(condition, only=False) for condition in conditions)
    )


def _alone(query: Query, link: Link) -> Query | None:
    """Read a passive verb without an agent: cited at all, or so many times."""
    link_relation: Relation = "cited in" if query.kind in CITED | {"journal"} else "referred to in"
    if link.active or link.verb not in _POINTING or link.direct or query.kind not in FLOATS | {"reference", "section"}:
        return None
    if link.times:
        low, high = link.times
        return _where(query, Condition(link_relation, Query("mention"), None, low, high, negated=link.negated))
    return None if link.only else _where(query, Condition(link_relation, negated=link.negated))


def _often(query: Query, link: Link) -> Query | None:
    """Return the number of times: as many citations from it, or to it."""
    objects, times = link.objects, link.times
    if (
        objects is None
        or times is None
        or len(objects.things) != 1
        or objects.without
        or link.only
        or link.verb not in _POINTING
    ):
        return None
    thing = objects.things[0]
    link_relation = _relation(query.kind, link, thing.query.kind)
    if link_relation is None or thing.each or thing.most or (thing.low, thing.high) != (1, MANY):
        return None
    if link_relation in ("cites", "refers to"):
        calls, link_relation = Query("mention", (Condition(link_relation, thing.query),)), "holds"
    else:
        calls = Query("mention", () if thing.own else (Condition("in", thing.query),))
    return _where(query, Condition(link_relation, calls, None, *times, negated=link.negated))


def _for_each(query: Query, link: Link) -> Query | None:
    """ "How many references does each section cite": one answer for each section."""
    objects = link.objects
    if objects is None or len(objects.things) != 1 or objects.without or link.negated or link.only:
        return None
    thing = objects.things[0]
    if query.ask != "count" or query.each or thing.query.where or _relation(query.kind, link, thing.query.kind) is None:
        return None
    kind = thing.query.kind
    made = query if kind == "paper" else _condition(query, link, replace(thing, each=False), negated=False)[1]
    if isinstance(made, Condition):
        made = _where(query, made)
    return replace(made, each=kind) if made else None


def _by_amount(query: Query, link: Link, thing: Thing) -> Query | None:
    link_relation = _relation(query.kind, link, thing.query.kind)
    if link_relation is None or query.order or query.place or link.negated or link.only or link.times:
        return None
    return replace(
        query,
        order=Order(link_relation, thing.query, descending=thing.most > 0),
        place=query.place or Place(level=True),
    )


def _of_paper(query: Query, link: Link) -> Query | None:
    """Return the query for a link to the paper itself, which narrows nothing unless the paper cites a named thing."""
    link_relation = _relation(query.kind, link, "paper")
    if link_relation is None or link.only:
        return None
    if link_relation == "cited in" or (link.negated and link_relation == "referred to in"):
        return _where(query, Condition("cited in", negated=link.negated)) if is_named(query) or link.negated else query
    return None if link.negated else query


def named(kind: Kind, text: str, way: str) -> Query:
    return Query(kind, (Condition("is", name=Name(text, way)),))  # type: ignore[arg-type]
