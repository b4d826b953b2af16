"""`Evaluator`: a query evaluated over one paper: its things, how sure that is, what the paper could not say.

    things of the kind -> conditions on what they are -> conditions on what they say -> order -> place

Each condition combines with each kind, order and place; what makes no sense, or what the paper cannot say, has no
answer (`Undecided`) or one that is not sure. Something named that is not there is `Absent`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kag.qa.exact.labels import key, numbered
from kag.qa.exact.properties import MEASURES, PROPERTIES, is_so, is_whole_list, title_of
from kag.qa.exact.resolve import LIKELY, UNSURE, Named, Undecided, named
from kag.qa.exact.things import FLOATS, INVERSE, Links, Shown, Thing, Things
from kag.qa.paper import PaperGraph
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Order, Place, Query


@dataclass(frozen=True, slots=True)
class Selection:
    """The things of a query in order; `maybe` are those of which the paper cannot say whether they belong to them."""

    things: tuple[Thing, ...]
    maybe: tuple[Thing, ...] = ()
    sure: float = 1.0
    beside: frozenset[Thing] = field(default_factory=frozenset)


class Evaluator:
    """Queries over one paper; each that is met again is not evaluated again."""

    def __init__(self, paper: PaperGraph) -> None:
        self.paper, self.things = paper, Things(paper)
        self.links = Links(self.things)
        self.conditions = Conditions(self.links, self.others)
        self._known: dict[tuple[Query, bool], Selection] = {}

    def select(self, query: Query, *, nested: bool = False) -> Selection:
        """The things that a query selects; raises `Undecided` and `Absent`. `nested`: as the end of a relation."""
        if (query, nested) not in self._known:
            self._known[query, nested] = self._select(query, nested)
        return self._known[query, nested]

    def others(self, query: Query) -> Others:
        """Return the things that the `of` of a condition means."""
        selection = self.select(query, nested=True)
        return Others(frozenset(selection.things), frozenset(selection.maybe), selection.sure)

    def _select(self, query: Query, nested: bool) -> Selection:
        check(query)
        query = replace(query, where=tuple(map(self._decided, query.where)))
        start = self._start(query, nested)
        near = start.sure == LIKELY
        own = [one for one in query.where if not is_link(one) and not (near and _is_shown(query, one))]
        kept = self._keep(own, start.things, frozenset())
        beside = frozenset((*kept.things, *kept.maybe))
        linked = self._keep([one for one in query.where if is_link(one)], kept.things, beside)
        maybe = tuple(thing for thing in start.things if thing in {*kept.maybe, *linked.maybe})
        sure = min([start.sure, *self._surety(query)])
        selection = Selection(linked.things, maybe, UNSURE if maybe else sure, beside)
        return self._placed(query, selection) if query.order or query.place else selection

    def _decided(self, condition: Condition | AnyOf) -> Condition | AnyOf:
        """A name that may be an author's or a journal's ("from Nature") as the one that entries have.

        Raises `Undecided` for a journal that no entry has: it may be printed in a form that is not known.
        """
        names = {(one.relation, one.name) for one in flat([condition])}
        either = {relation for relation, _ in names} == {"author", "venue"} and len({name for _, name in names}) == 1
        for one in flat([condition]):
            if one.relation in (("venue", "author") if either else ("venue",)):
                plain = replace(one, negated=False)
                stated = any(self.conditions.holds(plain, entry, frozenset()) for entry in self.things.all("reference"))
                if stated and either:
                    return one
                if not stated and not either:
                    raise Undecided("venue")
        if either:
            raise Undecided("venue")
        return condition

    def _start(self, query: Query, nested: bool) -> Named:
        """The things to begin with: those named, or all of the kind."""
        for condition in query.where:
            if isinstance(condition, Condition) and condition.relation == "is" and not condition.negated:
                if condition.name is not None:
                    return named(self.things, query.kind, condition.name)
                assert condition.of is not None
                return Named(self.select(condition.of).things)
            if isinstance(condition, Condition) and _is_shown(query, condition):
                return self._shown(query, condition)
        if query.kind == "author" and (nested or query.where):
            return Named(self.things.all("any author"))
        return Named(self.things.all(query.kind))

    def _shown(self, query: Query, condition: Condition) -> Named:
        """The figures or tables whose caption has all words that say what they show, else the one that comes near."""
        every = self.things.all(query.kind)
        if any(self.conditions.holds(condition, thing, frozenset()) for thing in every):
            return Named(every)
        assert condition.name is not None
        near = named(self.things, query.kind, condition.name)
        return Named(near.things, min(near.sure, LIKELY))

    def _keep(self, where: Sequence[Condition | AnyOf], things: Iterable[Thing], beside: frozenset[Thing]) -> Selection:
        """The things of which all conditions hold, and those of which that cannot be said."""
        kept: list[Thing] = []
        maybe: list[Thing] = []
        for thing in things:
            found = [self.conditions.holds(one, thing, beside) for one in where]
            if False in found:
                continue
            (maybe if None in found else kept).append(thing)
        return Selection(tuple(kept), tuple(maybe))

    def _surety(self, query: Query) -> Iterable[float]:
        """Return the certainty of the conditions: of their names, and of numbers if the reference list prints none."""
        for condition in flat(query.where):
            if condition.of is not None:
                yield self.others(condition.of).sure
            if condition.relation == "number" and query.kind == "reference" and not numbered(self.paper):
                yield UNSURE

    # order and place ------------------------------------------------------------------------------

    def _placed(self, query: Query, selection: Selection) -> Selection:
        ranked, unread = self._ordered(query, selection.things)
        things, doubtful = self._at(query, ranked, selection)
        sure = UNSURE if unread or doubtful or selection.maybe else selection.sure
        return Selection(things, selection.maybe, sure, selection.beside)

    def _ordered(self, query: Query, things: Sequence[Thing]) -> tuple[list[tuple[Any, Thing]], bool]:
        """The things with what they are ordered by, in order, and whether some have none and are left out."""
        order, beside = query.order or Order(), frozenset(things)
        ranked = [(rank, thing) for thing in things if (rank := self._rank(order, thing, beside)) is not None]
        ranked.sort(key=lambda pair: pair[0], reverse=order.descending)
        return ranked, order.by != "length" and len(ranked) < len(things)

    def _rank(self, order: Order, thing: Thing, beside: frozenset[Thing]) -> Any:
        """Return the value by which a thing is ordered; None if the paper does not state it."""
        if order.by == "print":
            return self.things.order(thing)
        if order.of is not None:
            if order.of.kind in ("row", "column", "cell"):
                raise Undecided(order.by)  # these are read in a table that is named
            if order.of.kind == "author" and not is_whole_list(self.things, thing):
                return None
            others = self.others(order.of).things
            return len(self.links.links(order.by, thing, others, beside))
        if order.by == "title":
            return key(title_of(self.things, thing)) or None
        if order.by not in MEASURES:
            raise Undecided(order.by)
        value = MEASURES[order.by](self.things, thing)
        return None if order.by == "length" and not value else value

    def _at(self, query: Query, ranked: list[tuple[Any, Thing]], found: Selection) -> tuple[tuple[Thing, ...], bool]:
        """The things at a place, and whether it is chance that it is these."""
        place = query.place
        things = [thing for _, thing in ranked]
        if place is None:
            return tuple(things), False
        if place.way != "at":
            return self._beside(query, place, things), False
        first, last = (at - 1 if at > 0 else len(things) + at for at in (place.at, place.to))
        if first < 0 or first >= len(things) or (place.at == place.to and last >= len(things)):
            return (), False
        last = min(last, len(things) - 1)
        chosen = things[first : last + 1]
        edges = [ranked[at][0] for at in (first, last)]
        level = [thing for rank, thing in ranked if rank in edges and thing not in chosen]
        if not level:
            return tuple(chosen), False
        if place.level or place.at == place.to:
            return tuple(thing for rank, thing in ranked if thing in chosen or rank in edges), False
        return tuple(chosen), True

    def _beside(self, query: Query, place: Place, things: list[Thing]) -> tuple[Thing, ...]:
        """The things next to another: sections to one under the same section, others to any of the kind."""
        assert place.of is not None
        selection = self.select(place.of)
        if len(selection.things) != 1 or (selection.sure < 1 and query.kind == "section"):
            raise Undecided("place")
        anchor = selection.things[0]
        if anchor.kind != query.kind:
            raise Undecided("place")
        line = sorted({*things, anchor}, key=self.things.order) if query.order is None else [*things]
        if query.kind == "section":
            parent = self.things.section(anchor).parent
            line = [thing for thing in line if self.things.section(thing).parent == parent]
        if anchor not in line:
            raise Undecided("place")
        at = line.index(anchor)
        if place.way == "after":
            return tuple(line[at + place.at : at + place.to + 1])
        return tuple(line[max(at - place.to, 0) : max(at - place.at + 1, 0)])


def _is_shown(query: Query, condition: Condition | AnyOf) -> bool:
    """Whether a condition describes the content of a figure or table."""
    if not isinstance(condition, Condition) or condition.negated or query.kind not in FLOATS:
        return False
    return condition.relation == "title" and condition.name is not None and condition.name.way == "words"


_KINDS = {  # what can stand in a relation at all
    "cites": {"section", "paragraph", "mention", "paper", "page", "footnote", *FLOATS, "float"},
    "cited in": {"reference", "work"},
    "refers to": {"section", "paragraph", "mention", "paper", "page", "footnote", *FLOATS, "float"},
    "referred to in": {*FLOATS, "float", "section"},
    "beside": {"reference", "work"},
    "in": {"section", "paragraph", "mention", "footnote", *FLOATS, "float", "author", "page", "reference", "journal"},
    "holds": {"section", "paragraph", "page", "paper", "reference", "journal"},
    "year": {"reference", "work"},
    "author": {"reference", "work"},
    "first author": {"reference", "work"},
    "venue": {"reference", "work"},
    "title": {"reference", "work", "section", *FLOATS, "float"},
    "role": {"section"},
    "depth": {"section"},
    "number": {"reference", "section", *FLOATS, "float", "page"},
    "has": {"reference", "work", "section", *FLOATS, "float"},
    "text": {"section", "paragraph", "footnote", "reference", "work", *FLOATS, "float"},
}
_LINKS = frozenset(["cites", "cited in", "refers to", "referred to in", "holds", "in"])
"""Relations by which a text belongs to the innermost of the sections in question."""
_ANY = Query("mention")


@dataclass(frozen=True, slots=True)
class Others:
    """The things that the `of` of a condition means, those that may be of them, and how sure that is."""

    things: frozenset[Thing] = frozenset()
    maybe: frozenset[Thing] = frozenset()
    sure: float = 1.0


Resolve = Callable[[Query], Others]


class Conditions:
    """The conditions of a query, put to the things of a paper; `resolve` says what the others are that they name."""

    def __init__(self, links: Links, resolve: Resolve) -> None:
        self.links, self.things, self.resolve = links, links.things, resolve

    def holds(self, condition: Condition | AnyOf, thing: Thing, beside: frozenset[Thing]) -> bool | None:
        """Whether a condition holds of a thing, one of those `beside` which it is considered."""
        if isinstance(condition, AnyOf):
            return _any(self.holds(one, thing, beside) for one in condition.conditions)
        found = self._holds(condition, thing, beside)
        return found if found is None or not condition.negated else not found

    def _holds(self, condition: Condition, thing: Thing, beside: frozenset[Thing]) -> bool | None:
        if condition.relation == "is":
            return self._is(condition, thing)
        if condition.relation in PROPERTIES:
            return is_so(self.things, thing, condition)
        if condition.of is None or is_anything(condition):
            return self._is_pointed_to(condition, thing)
        others = self.resolve(condition.of)
        shown = self.shown(condition, thing, others.things, beside)
        maybe = self.shown(condition, thing, others.maybe, beside) if others.maybe else {}
        if condition.of.kind == "mention" and not self.links.are_called_out(condition.relation, thing):
            return None
        least, most = len(shown), len(shown) + len(maybe)
        if condition.of.kind == "author" and not is_whole_list(self.things, thing):
            return True if least >= condition.low and condition.high == MANY else None
        if most < condition.low or least > condition.high:
            return False
        if condition.only and self._has_more(condition, thing, others, beside):
            return False
        sure = least >= condition.low and most <= condition.high
        return True if sure and not (condition.only and maybe) else None

    def _is_pointed_to(self, condition: Condition, thing: Thing) -> bool:
        """Whether anything at all points to a thing, or it to anything, with no word of what."""
        if condition.low > 1:
            raise Undecided(condition.relation)
        if condition.relation in ("cited in", "referred to in"):
            holds = bool(self.links.everywhere(condition.relation, thing))
        else:
            kind = "reference" if condition.relation in ("cites", "beside") else "float"
            holds = bool(self.shown(condition, thing, self.things.all(kind), frozenset([thing])))
        return holds if condition.high else not holds

    def _is(self, condition: Condition, thing: Thing) -> bool | None:
        if condition.of is not None:
            return thing in self.resolve(condition.of).things
        assert condition.name is not None
        found = named(self.things, thing.kind, condition.name)
        alike = {node for one in found.things for node in self._alike(one)}
        return thing in found.things or bool(alike.intersection(self._alike(thing)))

    def _alike(self, thing: Thing) -> list[str]:
        return [node.iri for node in self.things.parts(thing)] if thing.kind in FLOATS else []

    def shown(self, condition: Condition, thing: Thing, others: Iterable[Thing], beside: frozenset[Thing]) -> Shown:
        """Return the others in the condition's relation to a thing, each with its evidence."""
        return self.links.links(condition.relation, thing, tuple(others), beside, direct=condition.direct)

    def _has_more(self, condition: Condition, thing: Thing, others: Others, beside: frozenset[Thing]) -> bool:
        """Whether a thing is in the relation to others than the possible ones."""
        assert condition.of is not None
        known = others.things | others.maybe
        if condition.relation in ("cited in", "referred to in"):
            return self.links.outside(condition.relation, thing, known, direct=condition.direct)
        rest = [one for one in self.things.all(condition.of.kind) if one not in known]
        return bool(self.shown(condition, thing, rest, beside))


def check(query: Query) -> None:
    """Raise `Undecided` for a condition that makes no sense of the kind of thing it is put on."""
    for condition in flat(query.where):
        if condition.relation == "is":
            continue
        if query.kind not in _KINDS.get(condition.relation, ()):
            raise Undecided(f"{query.kind} {condition.relation}")
        of = condition.of
        inverse = INVERSE.get(condition.relation)
        if inverse and of is not None and not _goes(condition.relation, of.kind):
            raise Undecided(f"{query.kind} {condition.relation} {of.kind}")
        if condition.relation in ("in", "holds") and of is None:
            raise Undecided(condition.relation)


def _goes(relation: str, kind: str) -> bool:
    """Whether things of a kind can be at the other end of a relation."""
    ends = {"in": ("section", "page", "paper", "paragraph", "reference", "table", "journal", "column", "row")}
    return kind in _KINDS.get(INVERSE[relation], ()) or kind in ends.get(relation, ()) or relation == "holds"


def flat(where: Iterable[Condition | AnyOf]) -> Iterable[Condition]:
    """All single conditions, those of either-or among them."""
    for one in where:
        if isinstance(one, AnyOf):
            yield from flat(one.conditions)
        else:
            yield one


def is_link(condition: Condition | AnyOf) -> bool:
    """Whether a condition is on the content of a thing's texts, and not on the thing itself."""
    if isinstance(condition, AnyOf):
        return any(is_link(one) for one in condition.conditions)
    return condition.relation in _LINKS and not (
        condition.relation in ("in", "holds") and condition.of is not None and condition.of.kind == "section"
    )


def is_anything(condition: Condition) -> bool:
    """Whether a condition asks only whether there is such a link: "cited at all"."""
    pointed = condition.relation in ("cited in", "referred to in") and condition.of == _ANY
    return pointed and condition.low <= 1 and condition.high in (0, MANY) and not condition.only


def _any(values: Iterable[bool | None]) -> bool | None:
    found = list(values)
    return True if True in found else None if None in found else False
