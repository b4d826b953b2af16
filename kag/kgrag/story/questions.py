"""Exact questions about a story, answered from its state: where, before what, who has what, who gave what to whom.

An answer comes with the events that decide it. What is not asked in one of these forms, or is not known, is None.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kag.kgrag.facade import DomainAnswer
from kag.kgrag.story.state import Happening, State, state_of
from kag.retrieval.property_graph.engine import GraphEngine

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
HAVE = "(?:carrying|holding|have|carry|hold|own)"
HAS = "(?:has|holds|owns|carries|is carrying|is holding)"
NOW = "(?: now| at the end(?: of the (?:story|text))?)?"
OBJECT = r"(?:the |a |an )?(?P<thing>[\w'’ -]+?)"


def answer(graph: GraphEngine, question: str, until: float | None = None) -> DomainAnswer | None:
    """The answer to a question after all events, or after those before a place in the text."""
    words = " ".join(question.split())
    for pattern, found in _FORMS:
        match = pattern.match(words)
        if match is not None:
            names = {key: value.strip() for key, value in match.groupdict().items()}
            return found(graph, state_of(graph.tables, until), names)
    return None


def _name(graph: GraphEngine, node: str) -> str:
    return str(graph.node(node).props.get("name", node))


def _ids(graph: GraphEngine, name: str, *labels: str) -> tuple[str, ...]:
    return tuple(node for label in labels for node in graph.find_nodes(label, {"name": name}))


def _where(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    facts = [fact for node in _ids(graph, names["thing"], "Character", "Artifact") for fact in state.now("at", node)]
    return DomainAnswer(_name(graph, facts[0].object), (facts[0].begun_by,)) if facts else None


def _before(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    """The place that somebody was at before the last time at another."""
    for node in _ids(graph, names["thing"], "Character", "Artifact"):
        places = state.places(node)
        for at in range(len(places) - 1, 0, -1):
            if _name(graph, places[at]) == names["place"]:
                facts = [one for one in state.facts if one.subject == node and one.object == places[at - 1]]
                begun = [fact.begun_by for fact in facts]
                return DomainAnswer(_name(graph, places[at - 1]), tuple(begun[-1:]))
    return None


def _carrying(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    people = _ids(graph, names["who"], "Character")
    facts = [fact for node in people for fact in state.now("holds", node)]
    text = ",".join(_name(graph, fact.object) for fact in facts) or "nothing"
    return DomainAnswer(text, tuple(fact.begun_by for fact in facts)) if people else None


def _how_many(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    people = _ids(graph, names["who"], "Character")
    facts = [fact for node in people for fact in state.now("holds", node)]
    count = NUMBERS[len(facts)] if len(facts) < len(NUMBERS) else str(len(facts))
    return DomainAnswer(count, tuple(fact.begun_by for fact in facts)) if people else None


def _who_has(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    for thing in _ids(graph, names["thing"], "Artifact"):
        facts = state.now("holds", "", thing)
        if facts:
            return DomainAnswer(_name(graph, facts[0].subject), (facts[0].begun_by,))
        ended = [fact.ended_by for fact in state.facts if fact.relation == "holds" and fact.object == thing]
        if ended:
            return DomainAnswer("nobody", (ended[-1],))
    return None


def _who_is_at(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    people = set(graph.find_nodes("Character"))
    facts = [
        fact
        for place in _ids(graph, names["place"], "Location")
        for fact in state.now("at", "", place)
        if fact.subject in people
    ]
    text = ",".join(_name(graph, fact.subject) for fact in facts)
    return DomainAnswer(text, tuple(fact.begun_by for fact in facts)) if facts else None


def _whether_has(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    """Whether somebody has a thing that is known to be somebody's, or nobody's."""
    held = _who_has(graph, state, names)
    people = [_name(graph, node) for node in _ids(graph, names["who"], "Character")]
    return DomainAnswer("yes" if held.text in people else "no", held.nodes) if held and people else None


def _whether_at(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
    held = _where(graph, state, {"thing": names["who"]})
    return DomainAnswer("yes" if held.text == names["place"] else "no", held.nodes) if held else None


def _given(wanted: str) -> Callable[[GraphEngine, State, dict[str, str]], DomainAnswer | None]:
    """Answer who gave, who got, or what was given, the last time that fits."""

    def found(graph: GraphEngine, state: State, names: dict[str, str]) -> DomainAnswer | None:
        wrong = {issue.nodes[0] for issue in state.issues}
        for happening in reversed(state.happenings):
            if happening.kind == "give" and happening.id not in wrong and _fits(graph, happening, names):
                return DomainAnswer(_name(graph, getattr(happening, wanted)), (happening.id,))
        return None

    return found


def _fits(graph: GraphEngine, happening: Happening, names: dict[str, str]) -> bool:
    """Whether a giving has the ends that a question names."""
    ends = {"who": happening.actor, "to": happening.receiver, "thing": happening.thing}
    return all(node and (key not in names or _name(graph, node) == names[key]) for key, node in ends.items())


_FORMS = tuple(
    (re.compile(rf"{form}\?*\Z", re.IGNORECASE), found)
    for form, found in (
        (rf"where (?:was|were) {OBJECT} before (?:the )?(?P<place>[\w'’ -]+?)", _before),
        (rf"where (?:is|are|was) {OBJECT}{NOW}", _where),
        (rf"who (?:now )?{HAS} {OBJECT}{NOW}", _who_has),
        (rf"who (?:is|are) (?:in|at|inside|by|near) (?:the |a |an )?(?P<place>[\w'’ -]+?){NOW}", _who_is_at),
        (rf"(?:does|is) (?P<who>[\w'’ .-]+?) {HAVE} {OBJECT}{NOW}", _whether_has),
        (rf"is (?:the )?(?P<who>[\w'’ .-]+?) (?:in|at|inside) (?:the )?(?P<place>[\w'’ -]+?){NOW}", _whether_at),
        (rf"what (?:is|does) (?P<who>[\w'’ .-]+?) {HAVE}{NOW}", _carrying),
        (rf"how many (?:objects|things) (?:is|does) (?P<who>[\w'’ .-]+?) {HAVE}{NOW}", _how_many),
        (r"what did (?P<who>[\w'’ .-]+?) give to (?P<to>[\w'’ .-]+?)", _given("thing")),
        (rf"who did (?P<who>[\w'’ .-]+?) give {OBJECT} to", _given("receiver")),
        (rf"who gave {OBJECT} to (?P<to>[\w'’ .-]+?)", _given("actor")),
        (rf"who gave {OBJECT}", _given("actor")),
        (rf"who (?:received|got) {OBJECT}", _given("receiver")),
    )
)
