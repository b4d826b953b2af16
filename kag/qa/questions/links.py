"""What is said of a thing, and how a wish for it is narrowed by that: which relation a verb means between two kinds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Kind, Name, Order, Place, Relation, Wish

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
_INVERSE: dict[Relation, Relation] = {"cites": "cited in", "refers to": "referred to in", "holds": "in"}
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
    """What a noun phrase means: a wish, and how many of it; `most` is 1 or -1 for "the most" or "the fewest".

    `own` is the paper that the question is put to, `each` "each section", `back` what is pointed back to ("it").
    """

    wish: Wish
    low: int = 1
    high: int = MANY
    only: bool = False
    most: int = 0
    own: bool = False
    each: bool = False

    @property
    def named(self) -> bool:
        return not self.own and is_named(self.wish)

    @property
    def definite(self) -> bool:
        """Whether it is told which one is meant, by a name or by its place."""
        return self.named or (self.wish.place is not None and not self.own)

    @property
    def simple(self) -> bool:
        """Whether it is one thing or things without a number, and nothing else is said by its article."""
        return (self.low, self.high, self.most) == (1, MANY, 0) and not (self.only or self.own or self.each)


@dataclass(frozen=True, slots=True)
class Objects:
    """Several things that something is said of: each, or one of them (`either`); it is not said of those `without`."""

    things: tuple[Thing, ...]
    either: bool = False
    without: tuple[Thing, ...] = ()
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A verb between what it is said of and others: `active` when these are its object. `times` is how often, `section`
    where in a paper."""

    verb: str
    active: bool
    objects: Objects | None = None
    times: tuple[int, int] | None = None
    negated: bool = False
    only: bool = False
    direct: bool = False
    section: Wish | None = None


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
    """What a verb means between two kinds; None when it makes no sense between them.

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
    if patient in CITED and agent in CITING - {"paper"}:
        return "cites"
    if patient == "work" and agent == "paper":
        return "cites"
    return "holds" if patient in _HOLDS.get(agent, ()) else None


def narrowed(wish: Wish, facts: tuple[Fact, ...]) -> Wish | None:
    """The wish with all that is said of it; None when some of that cannot be said of its kind."""
    for fact in facts:
        found = _with(wish, fact)
        if found is None:
            return None
        wish = found
    return wish


def _with(wish: Wish, fact: Fact) -> Wish | None:
    if isinstance(fact, Sorted):
        if wish.place or wish.order:
            return None
        if fact.place.of and (fact.place.of.kind != wish.kind or any(one in wish.where for one in _AT_ALL)):
            return None  # "cited before reference 3" is about call-outs
        return _sorted(wish, fact)
    if isinstance(fact, Link):
        return _linked(wish, fact)
    if isinstance(fact, Shows):
        return _where(wish, Condition("title", name=fact.name)) if wish.kind in ("figure", "table") else None
    if isinstance(fact, Condition) and fact.relation == "is" and not fact.negated and is_named(wish):
        return None  # a thing has one name
    if wish.place and wish.place.way == "at" and not wish.order and is_named(wish):
        return None
    return _where(wish, fact) if fits(wish.kind, fact) else None


def fits(kind: str, fact: Condition | AnyOf) -> bool:
    """Whether a condition can be said of a kind."""
    if isinstance(fact, AnyOf):
        return all(fits(kind, one) for one in fact.conditions)
    if fact.relation == "is" and fact.name and fact.name.way == "words":
        return kind in FLOATS | {"reference", "section", "row", "column"}
    return kind in _OF.get(fact.relation, (kind,))


def _sorted(wish: Wish, fact: Sorted) -> Wish | None:
    """The wish in an order: of sections only those of the top level are told apart by length or place."""
    order = fact.order
    if order and order.by == "year" and wish.kind not in _DATED:
        return None
    if order and order.by == "length" and wish.kind not in ("section", "paragraph", "paper", "reference"):
        return None
    if order and order.by == "cited in":
        counter: Kind = "paper" if wish.kind in ("work", "journal") else "mention"
        if wish.kind not in CITED | FLOATS | {"journal"}:
            return None
        by = "cited in" if wish.kind in CITED | {"journal"} else "referred to in"
        order = replace(order, by=by, of=order.of or Wish(counter))
    whole = wish.kind == "section" and not wish.where and (order is None or order.by == "length")
    if whole and fact.place.way == "at":
        wish = _where(wish, Condition("depth", low=1, high=1))
    return replace(wish, order=order, place=fact.place)


def is_named(wish: Wish) -> bool:
    """Whether a wish says by a name which thing is meant."""
    flat = [said for one in wish.where for said in (one.conditions if isinstance(one, AnyOf) else (one,))]
    return any(
        isinstance(one, Condition) and one.relation in ("is", "number", "first author") and not one.negated
        for one in flat
    )


def _where(wish: Wish, *conditions: Condition | AnyOf) -> Wish:
    return replace(wish, where=(*wish.where, *(one for one in conditions if one not in wish.where)))


def _linked(wish: Wish, link: Link) -> Wish | None:
    """The wish with what a verb says of it."""
    objects = link.objects
    if link.section:
        return _in_section(wish, link, link.section)
    if objects is None:
        return _alone(wish, link)
    if link.times is not None:
        return _often(wish, link)
    if any(thing.each for thing in (*objects.things, *objects.without)):
        return _for_each(wish, link)
    alone = objects.things[0] if len(objects.things) == 1 and not objects.without else None
    if alone and alone.most:
        return _by_amount(wish, link, alone)
    return _of_paper(wish, link) if alone and alone.own else _of_all(wish, link, objects)


def _in_section(wish: Wish, link: Link, section: Wish) -> Wish | None:
    """A paper that has such a section of which the link holds."""
    if wish.kind != "paper" or not link.active or link.only or link.direct:
        return None
    linked = narrowed(section, (replace(link, section=None, negated=False),))
    return _where(wish, Condition("holds", linked, negated=link.negated)) if linked else None


def _of_all(wish: Wish, link: Link, objects: Objects) -> Wish | None:
    """What is said of several things: each of them, one of them, only of them."""
    several = len(objects.things) > 1
    if link.negated and (objects.without or (several and not objects.either)):
        return None  # "not in A and B": in one of them, or in none?
    if link.only and (link.negated or objects.without):
        return None
    if several and not objects.either and wish.kind == "reference" and objects.things[0].wish.kind == "paper":
        wish = replace(wish, kind="work")  # what entries of several papers have in common
    found: list[Condition] = []
    for thing in (*objects.things, *objects.without):
        wish, one = _condition(wish, link, thing, negated=link.negated or thing in objects.without)
        if one is None:
            return None
        found.append(one)
    if link.only and several:
        return _only(wish, found)
    if objects.either and not link.negated:
        return _where(wish, AnyOf(tuple(found[: len(objects.things)])), *found[len(objects.things) :])
    return _where(wish, *found)


def _condition(wish: Wish, link: Link, thing: Thing, *, negated: bool) -> tuple[Wish, Condition | None]:
    """What a link to one thing says of a wish; the wish without its depth where subsections of the thing are meant."""
    if thing.most or thing.own or thing.wish.get:
        return wish, None
    said = _said(wish.kind, link, thing.wish.kind)
    if said is None or (negated and (thing.only or thing.low > 1 or thing.high < MANY)):
        return wish, None
    below = Condition("depth", low=2)
    direct = link.direct
    if said == "in" and thing.wish.kind == "section" and wish.kind == "section":
        wish = replace(wish, where=tuple(one for one in wish.where if one != below))
        direct = direct or below not in thing.wish.where
    if said == "holds" and thing.wish.kind == "section" and wish.kind == "section" and below in thing.wish.where:
        thing = replace(thing, wish=replace(thing.wish, where=tuple(w for w in thing.wish.where if w != below)))
        direct = True
    only = link.only or thing.only
    return wish, Condition(said, thing.wish, None, thing.low, thing.high, only, direct, negated)


def _said(kind: Kind, link: Link, other: Kind) -> Relation | None:
    """The relation that a link says of a thing of a kind to one of another kind."""
    found = relation(link.verb, kind, other) if link.active else relation(link.verb, other, kind)
    if found == "cites" and not link.active and kind == "paper":
        return None  # what is cited is a work
    return found if found is None or link.active else _INVERSE[found]


def _only(wish: Wish, found: list[Condition]) -> Wish | None:
    """ "Only in A and B": in each, and in none that is neither."""
    wishes = [one.of for one in found if one.of]
    if len({one.kind for one in wishes}) > 1 or any(len(one.where) != 1 for one in wishes):
        return None
    either = replace(wishes[0], where=(AnyOf(tuple(one.where[0] for one in wishes)),))
    return _where(wish, replace(found[0], of=either), *(replace(one, only=False) for one in found))


def _alone(wish: Wish, link: Link) -> Wish | None:
    """A passive verb with nobody who does it: cited at all, or so many times."""
    said: Relation = "cited in" if wish.kind in CITED | {"journal"} else "referred to in"
    if link.active or link.verb not in _POINTING or link.direct or wish.kind not in FLOATS | {"reference", "section"}:
        return None
    if link.times:
        low, high = link.times
        return _where(wish, Condition(said, Wish("mention"), None, low, high, negated=link.negated))
    return None if link.only else _where(wish, Condition(said, negated=link.negated))


def _often(wish: Wish, link: Link) -> Wish | None:
    """So many times: as many call-outs stand there, or point there."""
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
    said = _said(wish.kind, link, thing.wish.kind)
    if said is None or thing.each or thing.most or (thing.low, thing.high) != (1, MANY):
        return None
    if said in ("cites", "refers to"):
        calls, said = Wish("mention", (Condition(said, thing.wish),)), "holds"
    else:
        calls = Wish("mention", () if thing.own else (Condition("in", thing.wish),))
    return _where(wish, Condition(said, calls, None, *times, negated=link.negated))


def _for_each(wish: Wish, link: Link) -> Wish | None:
    """ "How many references does each section cite": one answer for each section."""
    objects = link.objects
    if objects is None or len(objects.things) != 1 or objects.without or link.negated or link.only:
        return None
    thing = objects.things[0]
    if wish.ask != "count" or wish.each or thing.wish.where or _said(wish.kind, link, thing.wish.kind) is None:
        return None
    kind = thing.wish.kind
    made = wish if kind == "paper" else _condition(wish, link, replace(thing, each=False), negated=False)[1]
    if isinstance(made, Condition):
        made = _where(wish, made)
    return replace(made, each=kind) if made else None


def _by_amount(wish: Wish, link: Link, thing: Thing) -> Wish | None:
    said = _said(wish.kind, link, thing.wish.kind)
    if said is None or wish.order or wish.place or link.negated or link.only or link.times:
        return None
    return replace(
        wish, order=Order(said, thing.wish, descending=thing.most > 0), place=wish.place or Place(level=True)
    )


def _of_paper(wish: Wish, link: Link) -> Wish | None:
    """What is said of the paper itself narrows nothing; that it cites a thing named does."""
    said = _said(wish.kind, link, "paper")
    if said is None or link.only:
        return None
    if said == "cited in" or (link.negated and said == "referred to in"):
        return _where(wish, Condition("cited in", negated=link.negated)) if is_named(wish) or link.negated else wish
    return None if link.negated else wish


def named(kind: Kind, text: str, way: str) -> Wish:
    return Wish(kind, (Condition("is", name=Name(text, way)),))  # type: ignore[arg-type]
