"""A story: characters, places, things, events and arcs, added or read from plain sentences; and drafts of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from kag.kgrag.claims import Verdict, check_sentence, sentences_of
from kag.kgrag.facade import DomainGraph
from kag.kgrag.names import Names
from kag.kgrag.story.reader import ReadSentence, read_sentences
from kag.kgrag.story.state import OWNER, State, state_of
from kag.retrieval.property_graph.elements import GraphSnapshot
from kag.retrieval.property_graph.engine import GraphEngine

Relationship = Literal["allies", "enemies", "kin", "mentor", "rival"]


class ToldStory(DomainGraph):
    """A story's elements, places and possessions."""

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

    def add_artifact(
        self, name: str, *, abilities: Iterable[str] | None = None, owner_id: str | None = None, id: str = ""
    ) -> str:
        """Add a thing. `owner_id` is the character who has it before the first event; events say who has it later."""
        can = list(abilities) if abilities is not None else None
        return self.add("Artifact", {"name": name, "abilities": can, OWNER: owner_id}, id)

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
        props = {"name": name, "summary": summary, "chronology": chronology, "told": told, "kind": kind}
        return self.add("Event", props, id)

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

    def tell(self, text: str | Iterable[str]) -> tuple[ReadSentence, ...]:
        """Read plain sentences into events, after those that are there; what was understood of each comes back."""
        sentences = sentences_of(text) if isinstance(text, str) else tuple(text)
        begin = len(self.graph.find_nodes("Event"))
        found = tuple(read_sentences(sentences))
        with self.graph.transaction():
            for number, read in enumerate(found, begin):
                self._event(read, number)
        return found

    def _event(self, read: ReadSentence, number: int) -> None:
        """A sentence as one event for each who acts in it."""
        kind = "take" if read.kind == "hold" else read.kind
        for actor in read.actors or ("",):
            when = read.time if read.time >= 0 else number
            event = self.add_event(read.sentence, chronology=when, told=number, kind=kind or None)
            if actor:
                self.link_participation(self.named("Character", actor), event)
            if read.receiver:
                self.link_participation(self.named("Character", read.receiver), event, "receiver")
            if read.thing:
                self.link_use(event, self.named("Artifact", read.thing))
            if read.place:
                self.set_event_location(event, self.named("Location", read.place))

    def named(self, label: str, name: str) -> str:
        """The node of this label and name, made where there is none."""
        self.graph.index("name")
        found = self.graph.find_nodes(label, {"name": name})
        return found[0] if found else self.add(label, {"name": name})

    # --- questions ---------------------------------------------------------------------------------------------------

    def state(self, told_until: float | None = None) -> State:
        """Return places and possessions after all events, or after those read so far."""
        return state_of(self.graph.tables, told_until)


def check_story(story: ToldStory, draft: str) -> tuple[Verdict, ...]:
    """Return a verdict for each sentence. The draft is applied to a copy; the story itself does not change."""
    copy = ToldStory(GraphEngine(GraphSnapshot(tuple(story.graph.nodes), tuple(story.graph.edges))), story.domain)
    names = Names(story.domain, story.graph)
    known = {issue.nodes[0] for issue in copy.state().issues}
    verdicts = []
    for read in read_sentences(sentences_of(draft)):
        if read.kind in ("be", "hold"):
            verdicts.append(_stated(copy, read))
        elif read.kind:
            copy.tell([_named(read)])
            fresh = [issue for issue in copy.state().issues if issue.nodes[0] not in known]
            known.update(issue.nodes[0] for issue in fresh)
            verdict = Verdict(read.sentence, "not known")
            if fresh:
                verdict = replace(verdict, answer="contradicted", edges=fresh[0].nodes[1:], rule=fresh[0].rule)
            verdicts.append(verdict)
        else:
            verdicts.append(check_sentence(story.domain, story.graph, names, read.sentence))
    return tuple(verdicts)


def _named(marks: ReadSentence) -> str:
    """The sentence with the name for a pronoun that begins it."""
    first, _, rest = marks.sentence.partition(" ")
    return f"{marks.actors[0]} {rest}" if first.casefold() in ("he", "she", "they") else marks.sentence


def _stated(story: ToldStory, marks: ReadSentence) -> Verdict:
    """Return whether somebody is where, or has what, a sentence states, with the events that decide it."""
    state: State = story.state()
    relation = "at" if marks.kind == "be" else "holds"
    wanted = marks.place if marks.kind == "be" else marks.thing
    label = "Location" if marks.kind == "be" else "Artifact"
    named = {"name": marks.actors[0]}
    subject = (*story.graph.find_nodes("Character", named), *story.graph.find_nodes("Artifact", named))
    object = story.graph.find_nodes(label, {"name": wanted})
    if not subject:
        return Verdict(marks.sentence, "not known")
    now = state.now("at" if relation == "at" else "holds", subject[0])
    same = [fact for fact in now if object and fact.object == object[0]]
    if same:
        return Verdict(marks.sentence, "supported", (same[0].begun_by,))
    if relation == "at" and now:
        return Verdict(marks.sentence, "contradicted", (now[0].begun_by,), "two_places_at_once")
    others = state.now("holds", "", object[0]) if relation == "holds" and object else ()
    if others:
        return Verdict(marks.sentence, "contradicted", (others[0].begun_by,), "taken_while_held")
    return Verdict(marks.sentence, "not known")
