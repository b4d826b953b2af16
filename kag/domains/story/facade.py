"""A story in its own words: characters, places, things, events and arcs added and asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kag.domains.claims import Verdict, sentences_of
from kag.domains.facade import DomainGraph
from kag.domains.story.reader import Told, read_sentences
from kag.domains.story.state import POSSESSION, State, state_of
from kag.graph.elements import Growth
from kag.graph.issues import Checked

Relationship = Literal["allies", "enemies", "kin", "mentor", "rival"]
TIMELINE = ("causal_circle", "self_cause", "effect_before_cause", "two_settings")
CAUSAL = ("causes",)


@dataclass(frozen=True, slots=True)
class CharacterArc:
    """The arcs that a character's events belong to, the events as they are told of it, and as they happen."""

    arc_ids: tuple[str, ...]
    events: tuple[str, ...]
    order: tuple[str, ...]


class StoryGraph(DomainGraph):
    """A story. Its methods add and ask in the words of the domain; `graph` is the engine beneath."""

    given = "story"

    def add_character(
        self,
        name: str,
        *,
        summary: str | None = None,
        traits: Mapping[str, Any] | None = None,
        goals: Iterable[str] | None = None,
        id: str = "",
    ) -> str:
        """Add a character."""
        wants = list(goals) if goals is not None else None
        return self.add("Character", {"name": name, "summary": summary, "traits": traits, "goals": wants}, id)

    def add_location(self, name: str, *, region: str | None = None, id: str = "") -> str:
        """Add a place."""
        return self.add("Location", {"name": name, "region": region}, id)

    def add_artifact(self, name: str, *, abilities: Iterable[str] | None = None, id: str = "") -> str:
        """Add a thing. Who has it is said by events, as it changes."""
        return self.add("Artifact", {"name": name, "abilities": list(abilities) if abilities is not None else None}, id)

    def add_event(
        self,
        name: str,
        *,
        summary: str | None = None,
        chronology: float | None = None,
        told: float | None = None,
        kind: str | None = None,
        id: str = "",
    ) -> str:
        """Add an event: when it happens, when it is told, and what kind it is (move, take, drop, give, leave, be)."""
        said = {"name": name, "summary": summary, "chronology": chronology, "told": told, "kind": kind}
        return self.add("Event", said, id)

    def add_arc(self, name: str, *, milestones: Iterable[str] | None = None, id: str = "") -> str:
        """Add an arc."""
        return self.add("Arc", {"name": name, "milestones": list(milestones) if milestones is not None else None}, id)

    def relate_characters(self, a: str, b: str, subtype: Relationship) -> str:
        """Two characters are allies, enemies, kin, mentor or rival."""
        return self.link("relationship", a, b, {"subtype": subtype})

    def link_participation(self, character: str, event: str, role: str = "actor") -> str:
        """A character takes part in an event; `receiver` gets what is given there."""
        return self.link("participates_in", character, event, {"role": role})

    def set_event_location(self, event: str, location: str) -> str:
        """An event happens at a place; one said before is taken away."""
        with self.graph.transaction():
            for edge in self.graph.find_edges("occurs_at", source=event):
                self.graph.delete_edge(edge)
            return self.link("occurs_at", event, location)

    def link_use(self, who: str, artifact: str) -> str:
        """A character, or an event, uses a thing."""
        return self.link("uses", who, artifact)

    def link_causality(self, cause: str, effect: str) -> str:
        """One event brings about another."""
        return self.link("causes", cause, effect)

    def link_foreshadowing(self, hint: str, event: str) -> str:
        """One event hints at another."""
        return self.link("foreshadows", hint, event)

    def assign_to_arc(self, event: str, arc: str) -> str:
        """An event belongs to an arc."""
        return self.link("belongs_to_arc", event, arc)

    # --- telling -----------------------------------------------------------------------------------------------------

    def tell(self, text: str | Iterable[str]) -> tuple[Told, ...]:
        """Read plain sentences into events, after those that are there; what was understood of each comes back."""
        sentences = sentences_of(text) if isinstance(text, str) else tuple(text)
        begin = len(self.graph.find_nodes("Event"))
        found = tuple(read_sentences(sentences))
        with self.graph.transaction():
            for number, told in enumerate(found, begin):
                self._event(told, number)
        return found

    def _event(self, told: Told, number: int) -> None:
        """A sentence as one event for each who acts in it."""
        kind = "take" if told.kind == "hold" else told.kind
        for actor in told.actors or ("",):
            when = told.time if told.time >= 0 else number
            event = self.add_event(told.sentence, chronology=when, told=number, kind=kind or None)
            if actor:
                self.link_participation(self.named("Character", actor), event)
            if told.receiver:
                self.link_participation(self.named("Character", told.receiver), event, "receiver")
            if told.thing:
                self.link_use(event, self.named("Artifact", told.thing))
            if told.place:
                self.set_event_location(event, self.named("Location", told.place))

    def named(self, label: str, name: str) -> str:
        """The node of this label and name, made where there is none."""
        self.graph.index("name")
        found = self.graph.find_nodes(label, {"name": name})
        return found[0] if found else self.add(label, {"name": name})

    # --- questions ---------------------------------------------------------------------------------------------------

    def state(self, told_until: float | None = None) -> State:
        """Who is where and has what, after all events or after those told so far."""
        return state_of(self.graph.tables, told_until)

    def get_character_arc(self, character: str) -> CharacterArc:
        """The arcs and events of a character."""
        events = self.graph.neighbors(character, direction="out", edge_labels=["participates_in"])
        arcs = dict.fromkeys(
            a for e in events for a in self.graph.neighbors(e, direction="out", edge_labels=["belongs_to_arc"])
        )
        return CharacterArc(tuple(arcs), events, tuple(sorted(events, key=self._when)))

    def _when(self, event: str) -> tuple[bool, float, float]:
        """By which events are ordered: those without a chronology last."""
        props = self.graph.node(event).props
        chronology, told = props.get("chronology"), props.get("told")
        known = isinstance(chronology, int | float)
        return not known, float(chronology) if isinstance(chronology, int | float) else 0.0, float(told or 0)

    def get_event_chain(self, start: str, depth: int | None = None) -> tuple[str, ...]:
        """What an event brings about, the nearest first, itself before."""
        return tuple(self.graph.breadth_first([start], depth=depth, direction="out", edge_labels=CAUSAL))

    def get_character_network(self, character: str, hops: int = 1) -> tuple[str, ...]:
        """The characters near one, by relationship or a common event."""
        self.graph.node(character)
        seen, border = {character: None}, [character]
        for _ in range(hops):
            found: dict[str, None] = {}
            for one in border:
                found.update(dict.fromkeys(self.graph.neighbors(one, edge_labels=["relationship"])))
                found.update(dict.fromkeys(self.graph.along([one], ("participates_in", "^participates_in"))))
            border = [one for one in found if one not in seen]
            seen.update(dict.fromkeys(border))
        return tuple(seen)[1:]

    def get_arc_timeline(self, arc: str) -> tuple[tuple[str, float | None], ...]:
        """The events of an arc as they happen, each with its chronology."""
        events = self.graph.neighbors(arc, direction="in", edge_labels=["belongs_to_arc"])
        return tuple(
            (event, self.graph.node(event).props.get("chronology")) for event in sorted(events, key=self._when)
        )

    # --- checks ------------------------------------------------------------------------------------------------------

    def validate(self, *rules: str) -> Checked:
        """All rules of the domain and of the state, or those of these names."""
        told = Checked(self.state().issues)
        return super().validate(*rules) + (told.of(*rules) if rules else told)

    def validate_timeline(self) -> Checked:
        """Causes before effects, nobody in two places at once."""
        return self.validate(*TIMELINE, "two_places_at_once")

    def validate_possession(self) -> Checked:
        """Nobody gives or drops what another has, or takes what is held or lies elsewhere."""
        return self.validate(*POSSESSION)

    def validate_foreshadowing(self) -> Checked:
        """Hints are told before what they hint at."""
        return self.validate("foreshadowed_too_late", "self_cause")

    # --- hooks of retrieval ------------------------------------------------------------------------------------------

    def expand_seeds(self, seeds: Iterable[str], growth: Growth | None = None) -> tuple[str, ...]:
        """The seeds, the characters in their scenes and those near them, what caused their events, and their arcs."""
        how = growth or self.domain.growth
        near = self.graph.any_of([list(seeds)], how).node_ids
        causes = self.graph.breadth_first(near, direction="in", edge_labels=CAUSAL)
        arcs = self.graph.along(near, ("belongs_to_arc",))
        found = tuple(dict.fromkeys((*near, *causes, *arcs)))
        return found[: how.max_nodes] if how.max_nodes else found

    def check_consistency(self, draft: str) -> tuple[Verdict, ...]:
        """Each sentence of a draft against the story so far: told as if it came next, or stated as of now."""
        from kag.domains.story.draft import check_story

        return check_story(self, draft)
