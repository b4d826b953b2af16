"""Places and possessions as facts between two events, and the events that contradict them.

A fact holds from the event that begins it to the one that ends it, so that a question as of a time and a contradiction
are the same look-up. What was never said is unknown, and unknown contradicts nothing: a thing may lie anywhere until
somebody takes it. An event that contradicts is left out of the state, and what follows is judged without it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from kag.retrieval.property_graph.elements import Node
from kag.retrieval.property_graph.schema import Issue
from kag.retrieval.property_graph.tables import Tables

Relation = Literal["at", "holds"]
FIXES = {
    "drop_without_holding": "Let the holder drop it, or let this one have taken it before.",
    "give_without_holding": "Let the holder give it, or let this one have taken it before.",
    "taken_while_held": "Let the holder put it down or hand it over before.",
    "taken_elsewhere": "Let the taker come to where it lies, or let it have been carried here.",
    "two_places_at_once": "Correct the time or the place of one of the two.",
    "used_without_holding": "Let the holder take part, or let this one have got it before.",
    "unknown_owner": "Name a character of the graph as ownerId, or remove the property.",
}
POSSESSION = (
    "drop_without_holding", "give_without_holding", "taken_while_held", "taken_elsewhere", "used_without_holding",
    "unknown_owner",
)  # fmt: skip
CHANGES = frozenset({"own", "take", "drop", "give", "move", "be", "leave"})
OWNER = "ownerId"
"""The property of a thing that names who has it before the first event."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An event as the state sees it; ends that the graph does not say are empty."""

    id: str
    kind: str
    text: str
    when: tuple[float, float]
    actor: str = ""
    thing: str = ""
    place: str = ""
    receiver: str = ""
    people: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Fact:
    """`subject` is at, or holds, `object` from the event `begun_by` until `ended_by`; empty where it still is."""

    subject: str
    relation: Relation
    object: str
    begun_by: str
    ended_by: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """All facts, the happenings in order, and the issues."""

    facts: tuple[Fact, ...]
    happenings: tuple[Happening, ...]
    issues: tuple[Issue, ...]

    def now(self, relation: Relation, subject: str = "", object: str = "") -> tuple[Fact, ...]:
        """The facts that still hold at the end."""
        return tuple(
            fact
            for fact in self.facts
            if not fact.ended_by
            and fact.relation == relation
            and (not subject or fact.subject == subject)
            and (not object or fact.object == object)
        )

    def places(self, subject: str) -> tuple[str, ...]:
        """Return the places of a person or thing in order, without repetitions."""
        found: list[str] = []
        for fact in self.facts:
            if fact.relation == "at" and fact.subject == subject and found[-1:] != [fact.object]:
                found.append(fact.object)
        return tuple(found)


def happenings(graph: Tables, until: float | None = None) -> tuple[Happening, ...]:
    """Events in order of happening, up to a point of the telling.

    Before them come the owners of things, each as something that happens before all events.
    """
    found = [_happening(graph, graph.nodes[name]) for name in graph.of_label("Event")]
    kept = [
        happening
        for happening in found
        if (happening.kind or happening.thing) and (until is None or happening.when[1] <= until)
    ]
    return (*_owners(graph), *sorted(kept, key=lambda one: one.when))


def _owners(graph: Tables) -> Iterator[Happening]:
    for name in graph.of_label("Artifact"):
        owner = graph.nodes[name].props.get(OWNER)
        if isinstance(owner, str) and owner in graph.nodes:
            called = (str(graph.nodes[node].props.get("name", node)) for node in (owner, name))
            yield Happening(name, "own", " owns ".join(called), (-math.inf, -math.inf), owner, name)


def _happening(graph: Tables, event: Node) -> Happening:
    told = _number(event.props.get("told"), 0.0)
    chronology = _number(event.props.get("chronology"), told)
    happening = Happening(
        event.id, str(event.props.get("kind", "")), str(event.props.get("name", "")), (chronology, told)
    )
    ends: dict[str, Any] = {}
    people = set[str]()
    for link in graph.links_at(event.id):
        if link.label == "participates_in":
            people.add(link.other(event.id))
            key = "receiver" if link.props.get("role") == "receiver" else "actor"
        elif link.label in ("uses", "occurs_at") and link.source == event.id:
            key = "thing" if link.label == "uses" else "place"
        else:
            continue
        ends[key] = link.other(event.id)
    return replace(happening, people=frozenset(people), **ends)


def _number(value: object, other: float) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else other


def state_of(graph: Tables, until: float | None = None) -> State:
    """The state after all events, or up to a point of the telling."""
    state = _Telling().after(happenings(graph, until))
    return replace(state, issues=(*state.issues, *_misuses(graph, state)))


def _misuses(graph: Tables, state: State) -> Iterator[Issue]:
    """Owners that are no characters, and things used by characters who never have them, though somebody else does."""
    for name in graph.of_label("Artifact"):
        owner = graph.nodes[name].props.get(OWNER)
        if owner is None:
            continue
        if not isinstance(owner, str) or owner not in graph.nodes or graph.nodes[owner].label != "Character":
            message = f"{OWNER} of {name!r:.80} is {owner!r:.80}, which is no character."
            yield Issue("unknown_owner", "error", message, FIXES["unknown_owner"], (name,), prop=OWNER)
            continue
        held = [fact for fact in state.facts if fact.relation == "holds" and fact.object == name]
        users = {link.source: link.id for link in graph.links_at(name, "in", frozenset(("uses",)))}
        lost = any(event.kind == "drop" and event.thing == name for event in state.happenings)
        for user, link_id in users.items():
            never = user not in {fact.subject for fact in held} and not lost
            if never and graph.nodes[user].label == "Character":
                message = f"{user!r:.80} uses {name!r:.80}, which {owner!r:.80} owns and never hands over."
                rule = "used_without_holding"
                yield Issue(rule, "error", message, FIXES[rule], (user, name, owner), (link_id,))


class _Telling:
    """The facts that hold now, and the steps that change them."""

    def __init__(self) -> None:
        self._facts: list[Fact] = []
        self._open: dict[tuple[Relation, str, str], int] = {}
        self._lies: dict[str, str] = {}  # things that were put down, and the event that did
        self._issues: list[Issue] = []

    def after(self, events: Iterable[Happening]) -> State:
        """Tell all events in order."""
        events = tuple(events)
        by_id = {event.id: event for event in events}
        for event in events:
            fault = next(self._faults(event, by_id), None)
            if fault is None:
                getattr(self, f"_{event.kind}", self._nothing)(event)
            else:
                self._issues.append(fault)
        return State(tuple(self._facts), events, tuple(self._issues))

    # --- what is known -----------------------------------------------------------------------------------------------

    def _place(self, subject: str) -> Fact | None:
        return next((self._facts[at] for (r, s, _), at in self._open.items() if r == "at" and s == subject), None)

    def _holder(self, thing: str) -> Fact | None:
        return next((self._facts[at] for (r, _, o), at in self._open.items() if r == "holds" and o == thing), None)

    # --- what cannot be ----------------------------------------------------------------------------------------------

    def _faults(self, event: Happening, events: dict[str, Happening]) -> Iterator[Issue]:
        """Why the event cannot be."""
        yield from self._faults_of_holding(event, events)
        if event.kind in ("move", "be") and event.place:
            stands = self._place(event.actor)
            before = events.get(stands.begun_by) if stands else None
            if stands and before and before.when[0] == event.when[0] and stands.object != event.place:
                yield self._issue("two_places_at_once", event, (stands.begun_by,), events)

    def _faults_of_holding(self, event: Happening, events: dict[str, Happening]) -> Iterator[Issue]:
        """Why somebody cannot drop, give, take or use the thing of the event."""
        if event.kind in ("drop", "give") and event.actor and event.thing:
            rule = f"{event.kind}_without_holding"
            holder = self._holder(event.thing)
            if holder is not None and holder.subject != event.actor:
                yield self._issue(rule, event, (holder.begun_by,), events)
            elif holder is None and event.thing in self._lies:
                yield self._issue(rule, event, (self._lies[event.thing],), events)
        if event.kind == "take" and event.actor and event.thing:
            holder = self._holder(event.thing)
            if holder is not None and holder.subject != event.actor:
                yield self._issue("taken_while_held", event, (holder.begun_by,), events)
            lies, stands = self._place(event.thing), self._place(event.actor)
            elsewhere = holder is None and event.thing in self._lies and lies and stands
            if elsewhere and lies and stands and lies.object != stands.object:
                yield self._issue("taken_elsewhere", event, (self._lies[event.thing], stands.begun_by), events)
        if event.kind not in CHANGES and event.people and event.thing:
            holder = self._holder(event.thing)
            if holder is not None and holder.subject not in event.people:
                yield self._issue("used_without_holding", event, (holder.begun_by,), events)

    def _issue(self, rule: str, event: Happening, others: tuple[str, ...], events: dict[str, Happening]) -> Issue:
        against = "; ".join(repr(events[one].text[:100]) for one in others if one in events)
        message = f"{event.text[:100]!r} cannot be after {against}."
        return Issue(rule, "error", message, FIXES[rule], (event.id, *dict.fromkeys(others)))

    # --- what changes ------------------------------------------------------------------------------------------------

    def _begin(self, event: Happening, relation: Relation, subject: str, object: str) -> None:
        self._open[relation, subject, object] = len(self._facts)
        self._facts.append(Fact(subject, relation, object, event.id))

    def _end(self, event: Happening, relation: Relation, subject: str = "", object: str = "") -> None:
        for key in [k for k in self._open if k[0] == relation and subject in ("", k[1]) and object in ("", k[2])]:
            at = self._open.pop(key)
            self._facts[at] = replace(self._facts[at], ended_by=event.id)

    def _put(self, event: Happening, subject: str, place: str) -> None:
        """Somebody or something is at a place from now on."""
        there = self._place(subject)
        if there is None or there.object != place or subject == event.actor:
            self._end(event, "at", subject)
            self._begin(event, "at", subject, place)

    def _carried(self, holder: str) -> list[str]:
        return [o for (relation, s, o) in self._open if relation == "holds" and s == holder]

    def _move(self, event: Happening) -> None:
        if event.actor and event.place:
            self._put(event, event.actor, event.place)
            for thing in self._carried(event.actor):
                self._put(event, thing, event.place)

    _be = _move

    def _leave(self, event: Happening) -> None:
        for one in (event.actor, *self._carried(event.actor)):
            self._end(event, "at", one)

    def _take(self, event: Happening) -> None:
        self._hand(event, event.actor)

    _own = _take

    def _hand(self, event: Happening, holder: str) -> None:
        """Somebody has the thing from now on, and it is where that one is."""
        if not holder or not event.thing or self._holder_is(event.thing, holder):
            return
        self._lies.pop(event.thing, None)
        self._end(event, "holds", "", event.thing)
        self._begin(event, "holds", holder, event.thing)
        stands = self._place(holder)
        if stands is not None:
            self._put(event, event.thing, stands.object)

    def _holder_is(self, thing: str, holder: str) -> bool:
        fact = self._holder(thing)
        return fact is not None and fact.subject == holder

    def _give(self, event: Happening) -> None:
        self._hand(event, event.receiver)

    def _drop(self, event: Happening) -> None:
        if event.thing:
            self._end(event, "holds", "", event.thing)
            self._lies[event.thing] = event.id
            stands = self._place(event.actor)
            if stands is not None:
                self._put(event, event.thing, stands.object)

    def _nothing(self, event: Happening) -> None:
        """An event that changes no state."""
