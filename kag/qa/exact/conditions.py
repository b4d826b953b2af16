"""Whether conditions hold of things: yes, no, or the paper cannot say.

Three values, so that what was not read never makes an answer: an entry without a year is neither before 2010 nor not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kag.qa.exact.links import INVERSE, Links, Shown
from kag.qa.exact.names import Undecided, named
from kag.qa.exact.properties import PROPERTIES, is_so, is_whole_list
from kag.qa.exact.things import FLOATS, Thing
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Wish

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
_ANY = Wish("mention")


@dataclass(frozen=True, slots=True)
class Others:
    """The things that the `of` of a condition means, those that may be of them, and how sure that is."""

    things: frozenset[Thing] = frozenset()
    maybe: frozenset[Thing] = frozenset()
    sure: float = 1.0


Resolve = Callable[[Wish], Others]


class Conditions:
    """The conditions of a wish, put to the things of a paper; `resolve` says what the others are that they name."""

    def __init__(self, links: Links, resolve: Resolve) -> None:
        self.links, self.things, self.resolve = links, links.things, resolve

    def holds(self, condition: Condition | AnyOf, thing: Thing, beside: frozenset[Thing]) -> bool | None:
        """Whether a condition holds of a thing, one of those `beside` which it is in question."""
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
        """Those of the others that a thing stands in the condition's relation to, each with the texts that say so."""
        return self.links.links(condition.relation, thing, tuple(others), beside, direct=condition.direct)

    def _has_more(self, condition: Condition, thing: Thing, others: Others, beside: frozenset[Thing]) -> bool:
        """Whether a thing stands in the relation to others than those that may be meant."""
        assert condition.of is not None
        known = others.things | others.maybe
        if condition.relation in ("cited in", "referred to in"):
            return self.links.outside(condition.relation, thing, known, direct=condition.direct)
        rest = [one for one in self.things.all(condition.of.kind) if one not in known]
        return bool(self.shown(condition, thing, rest, beside))


def check(wish: Wish) -> None:
    """Raise `Undecided` for a condition that makes no sense of the kind of thing it is put on."""
    for condition in flat(wish.where):
        if condition.relation == "is":
            continue
        if wish.kind not in _KINDS.get(condition.relation, ()):
            raise Undecided(f"{wish.kind} {condition.relation}")
        of = condition.of
        inverse = INVERSE.get(condition.relation)
        if inverse and of is not None and not _goes(condition.relation, of.kind):
            raise Undecided(f"{wish.kind} {condition.relation} {of.kind}")
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
    """Whether a condition is on what a thing's texts say or hold, and not on what it is itself."""
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
