"""`Evaluator`: a wish evaluated over one paper: its things, how sure that is, what the paper could not say.

    things of the kind -> conditions on what they are -> conditions on what they say -> order -> place

Each condition combines with each kind, order and place; what makes no sense, or what the paper cannot say, has no
answer (`Undecided`) or one that is not sure. Something named that is not there is `Absent`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kag.qa.exact.conditions import Conditions, Others, check, flat, is_link
from kag.qa.exact.labels import key, numbered
from kag.qa.exact.links import Links
from kag.qa.exact.names import LIKELY, UNSURE, Named, Undecided, named
from kag.qa.exact.properties import MEASURES, title_of
from kag.qa.exact.things import FLOATS, Thing, Things
from kag.qa.paper import PaperGraph
from kag.qa.questions.structured_query import AnyOf, Condition, Order, Place, Wish


@dataclass(frozen=True, slots=True)
class Selection:
    """The things of a wish in order; `maybe` are those of which the paper cannot say whether they belong to them."""

    things: tuple[Thing, ...]
    maybe: tuple[Thing, ...] = ()
    sure: float = 1.0
    beside: frozenset[Thing] = field(default_factory=frozenset)


class Evaluator:
    """Wishes over one paper; each that is met again is not evaluated again."""

    def __init__(self, paper: PaperGraph) -> None:
        self.paper, self.things = paper, Things(paper)
        self.links = Links(self.things)
        self.conditions = Conditions(self.links, self.others)
        self._known: dict[tuple[Wish, bool], Selection] = {}

    def select(self, wish: Wish, *, nested: bool = False) -> Selection:
        """The things that a wish selects; raises `Undecided` and `Absent`. `nested`: as the other end of a relation."""
        if (wish, nested) not in self._known:
            self._known[wish, nested] = self._select(wish, nested)
        return self._known[wish, nested]

    def others(self, wish: Wish) -> Others:
        """What the `of` of a condition means."""
        found = self.select(wish, nested=True)
        return Others(frozenset(found.things), frozenset(found.maybe), found.sure)

    def _select(self, wish: Wish, nested: bool) -> Selection:
        check(wish)
        start = self._start(wish, nested)
        near = start.sure == LIKELY
        own = [one for one in wish.where if not is_link(one) and not (near and _is_shown(wish, one))]
        kept = self._keep(own, start.things, frozenset())
        beside = frozenset((*kept.things, *kept.maybe))
        linked = self._keep([one for one in wish.where if is_link(one)], kept.things, beside)
        maybe = tuple(one for one in start.things if one in {*kept.maybe, *linked.maybe})
        sure = min([start.sure, *self._surety(wish)])
        found = Selection(linked.things, maybe, UNSURE if maybe else sure, beside)
        return self._placed(wish, found) if wish.order or wish.place else found

    def _start(self, wish: Wish, nested: bool) -> Named:
        """The things to begin with: those named, or all of the kind."""
        for condition in wish.where:
            if isinstance(condition, Condition) and condition.relation == "is" and not condition.negated:
                if condition.name is not None:
                    return named(self.things, wish.kind, condition.name)
                assert condition.of is not None
                return Named(self.select(condition.of).things)
            if isinstance(condition, Condition) and _is_shown(wish, condition):
                return self._shown(wish, condition)
        if wish.kind == "author" and (nested or wish.where):
            return Named(self.things.all("any author"))
        return Named(self.things.all(wish.kind))

    def _shown(self, wish: Wish, condition: Condition) -> Named:
        """The figures or tables whose caption has all words that say what they show, else the one that comes near."""
        every = self.things.all(wish.kind)
        if any(self.conditions.holds(condition, one, frozenset()) for one in every):
            return Named(every)
        assert condition.name is not None
        near = named(self.things, wish.kind, condition.name)
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

    def _surety(self, wish: Wish) -> Iterable[float]:
        """How sure the conditions are: what they name, and numbers where the list of references prints none."""
        for one in flat(wish.where):
            if one.of is not None:
                yield self.others(one.of).sure
            if one.relation == "number" and wish.kind == "reference" and not numbered(self.paper):
                yield UNSURE

    # order and place ------------------------------------------------------------------------------

    def _placed(self, wish: Wish, found: Selection) -> Selection:
        ranked, unread = self._ordered(wish, found.things)
        things, doubtful = self._at(wish, ranked, found)
        sure = UNSURE if unread or doubtful or found.maybe else found.sure
        return Selection(things, found.maybe, sure, found.beside)

    def _ordered(self, wish: Wish, things: Sequence[Thing]) -> tuple[list[tuple[Any, Thing]], bool]:
        """The things with what they are ordered by, in order, and whether some have none and are left out."""
        order, beside = wish.order or Order(), frozenset(things)
        ranked = [(rank, thing) for thing in things if (rank := self._rank(order, thing, beside)) is not None]
        ranked.sort(key=lambda pair: pair[0], reverse=order.descending)
        return ranked, order.by != "length" and len(ranked) < len(things)

    def _rank(self, order: Order, thing: Thing, beside: frozenset[Thing]) -> Any:
        """What a thing is ordered by; None where the paper does not say it."""
        if order.by == "print":
            return self.things.order(thing)
        if order.of is not None:
            others = self.others(order.of).things
            return len(self.links.links(order.by, thing, others, beside))
        if order.by == "title":
            return key(title_of(self.things, thing)) or None
        if order.by not in MEASURES:
            raise Undecided(order.by)
        value = MEASURES[order.by](self.things, thing)
        return None if order.by == "length" and not value else value

    def _at(self, wish: Wish, ranked: list[tuple[Any, Thing]], found: Selection) -> tuple[tuple[Thing, ...], bool]:
        """The things at a place, and whether it is chance that it is these."""
        place = wish.place
        things = [thing for _, thing in ranked]
        if place is None:
            return tuple(things), False
        if place.way != "at":
            return self._beside(wish, place, things), False
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

    def _beside(self, wish: Wish, place: Place, things: list[Thing]) -> tuple[Thing, ...]:
        """The things next to another: sections to one under the same section, others to any of the kind."""
        assert place.of is not None
        found = self.select(place.of)
        if len(found.things) != 1 or (found.sure < 1 and wish.kind == "section"):
            raise Undecided("place")
        anchor = found.things[0]
        if anchor.kind != wish.kind:
            raise Undecided("place")
        line = sorted({*things, anchor}, key=self.things.order) if wish.order is None else [*things]
        if wish.kind == "section":
            parent = self.things.section(anchor).parent
            line = [one for one in line if self.things.section(one).parent == parent]
        if anchor not in line:
            raise Undecided("place")
        at = line.index(anchor)
        if place.way == "after":
            return tuple(line[at + place.at : at + place.to + 1])
        return tuple(line[max(at - place.to, 0) : max(at - place.at + 1, 0)])


def _is_shown(wish: Wish, condition: Condition | AnyOf) -> bool:
    """Whether a condition says in words what a figure or table shows."""
    if not isinstance(condition, Condition) or condition.negated or wish.kind not in FLOATS:
        return False
    return condition.relation == "title" and condition.name is not None and condition.name.way == "words"
