"""A story in its own words: what is asked of it, and what of it cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kag.kgrag.asking.answers import GraphAnswer
from kag.kgrag.claims import Verdict
from kag.kgrag.facade import DomainAnswer
from kag.kgrag.names import words_of
from kag.kgrag.story.questions import answer
from kag.kgrag.story.reader import verbs_of
from kag.kgrag.story.state import POSSESSION
from kag.kgrag.story.telling import ToldStory, check_story
from kag.retrieval.property_graph.elements import Growth
from kag.retrieval.property_graph.schema import Checked

STATIVE = frozenset(("have", "carry", "hold", "own", *verbs_of("be"), *verbs_of("hold")))
TIMELINE = ("causal_circle", "self_cause", "effect_before_cause", "two_settings")
CAUSAL = ("causes",)


@dataclass(frozen=True, slots=True)
class CharacterArc:
    """The arcs that a character's events belong to, the events as they are told of it, and as they happen."""

    arc_ids: tuple[str, ...]
    events: tuple[str, ...]
    order: tuple[str, ...]


class StoryGraph(ToldStory):
    """A story. Its methods add and ask in the words of the domain; `graph` is the engine beneath."""

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
        story_answer = answer(self, question)
        return DomainAnswer(story_answer.text, story_answer.events) if story_answer else super().answer(question)

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
        """Each sentence of a draft against the story so far: told as if it came next, or stated as of now."""
        return check_story(self, draft)
