"""A story: characters, places, things, events and arcs, added or read from plain sentences; questions; and drafts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from kag.kgrag.asking.answers import GraphAnswer
from kag.kgrag.claims import Verdict, check_sentence, sentences_of
from kag.kgrag.facade import DomainAnswer, DomainGraph
from kag.kgrag.names import Names, words_of
from kag.kgrag.story.questions import answer
from kag.kgrag.story.reader import ReadSentence, read_sentences, verbs_of
from kag.kgrag.story.state import OWNER, POSSESSION, State, state_of
from kag.retrieval.property_graph.elements import GraphSnapshot, Growth
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.schema import Checked

STATIVE = frozenset(("have", "carry", "hold", "own", *verbs_of("be"), *verbs_of("hold")))
TIMELINE = ("causal_circle", "self_cause", "effect_before_cause", "two_settings")
CAUSAL = ("causes",)


Relationship = Literal["allies", "enemies", "kin", "mentor", "rival"]


@dataclass(frozen=True, slots=True)
class CharacterArc:
    """A character's arcs, and its events in order of telling and of happening."""

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
        """Add an event with its time, place in the telling and kind (move, take, drop, give, leave, be)."""
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
        """Set the place of an event, replacing an earlier one."""
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

    def state(self, until: float | None = None) -> State:
        """Return places and possessions after all events, or after those read so far."""
        return state_of(self.graph.tables, until)

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
        """Return the consequences of an event, the nearest first, starting with itself."""
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
        checked = Checked(self.state().issues)
        return super().validate(*rules) + (checked.of(*rules) if rules else checked)

    def validate_timeline(self) -> Checked:
        """Causes before effects, nobody in two places at once."""
        return self.validate(*TIMELINE, "two_places_at_once")

    def validate_possession(self) -> Checked:
        """Nobody gives, drops or uses what another has, or takes what is held or lies elsewhere."""
        return self.validate(*POSSESSION)

    def validate_foreshadowing(self) -> Checked:
        """Hints come before what they hint at: in the telling where that is known, else in time."""
        return self.validate("foreshadowed_too_late", "self_cause")

    def answer(self, question: str) -> DomainAnswer | None:
        """Answer where somebody is, who has what and who gave it to whom, at the end of the story."""
        return answer(self.graph, question) or super().answer(question)

    def ask(self, question: str, about: Sequence[str] = ()) -> GraphAnswer | None:
        """The nodes that answer a question. A walk over events does not say how things stand at the end: never sure."""
        graph_answer = super().ask(question, about)
        stative = [word for word in words_of(question) if word in STATIVE]
        if graph_answer is None or not graph_answer.sure or not stative:
            return graph_answer
        steps = {step.removeprefix("^") for walk in graph_answer.reading.walks for step in walk.steps}
        if "participates_in" not in steps or not steps & {"uses", "occurs_at"}:
            return graph_answer
        return replace(graph_answer, reading=replace(graph_answer.reading, sure=False, unread=(stative[0],)))

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
        """Check each sentence of a draft against the story so far."""
        return check_story(self, draft)


def check_story(story: StoryGraph, draft: str) -> tuple[Verdict, ...]:
    """Return a verdict for each sentence. The draft is applied to a copy; the story itself does not change."""
    copy = StoryGraph(GraphEngine(GraphSnapshot(tuple(story.graph.nodes), tuple(story.graph.edges))), story.domain)
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


def _stated(story: StoryGraph, marks: ReadSentence) -> Verdict:
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
