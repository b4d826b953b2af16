"""A draft that goes on with a story: sentences that cannot come next, and statements that are so or are not."""

from __future__ import annotations

from dataclasses import replace

from kag.kgrag.claims import Verdict, check_sentence, sentences_of
from kag.kgrag.names import Names
from kag.kgrag.story.reader import ReadSentence, read_sentences
from kag.kgrag.story.state import State
from kag.kgrag.story.telling import ToldStory
from kag.retrieval.property_graph.elements import GraphSnapshot
from kag.retrieval.property_graph.engine import GraphEngine


def check_story(story: ToldStory, draft: str) -> tuple[Verdict, ...]:
    """A verdict for each sentence. The draft is told on a copy of the story: the story itself stays as it is."""
    copy = ToldStory(GraphEngine(GraphSnapshot(tuple(story.graph.nodes), tuple(story.graph.edges))), story.domain)
    names = Names(story.domain, story.graph)
    known = {issue.nodes[0] for issue in copy.state().issues}
    found = []
    for told in read_sentences(sentences_of(draft)):
        if told.kind in ("be", "hold"):
            found.append(_stated(copy, told))
        elif told.kind:
            copy.tell([_named(told)])
            fresh = [issue for issue in copy.state().issues if issue.nodes[0] not in known]
            known.update(issue.nodes[0] for issue in fresh)
            verdict = Verdict(told.sentence, "not known")
            if fresh:
                verdict = replace(verdict, answer="contradicted", edges=fresh[0].nodes[1:], rule=fresh[0].rule)
            found.append(verdict)
        else:
            found.append(check_sentence(story.domain, story.graph, names, told.sentence))
    return tuple(found)


def _named(told: ReadSentence) -> str:
    """The sentence with the name for a pronoun that begins it."""
    first, _, rest = told.sentence.partition(" ")
    return f"{told.actors[0]} {rest}" if first.casefold() in ("he", "she", "they") else told.sentence


def _stated(story: ToldStory, told: ReadSentence) -> Verdict:
    """Whether somebody is where, or has what, a sentence says; the events that made it so or otherwise are told."""
    state: State = story.state()
    relation = "at" if told.kind == "be" else "holds"
    wanted = told.place if told.kind == "be" else told.thing
    label = "Location" if told.kind == "be" else "Artifact"
    named = {"name": told.actors[0]}
    subject = (*story.graph.find_nodes("Character", named), *story.graph.find_nodes("Artifact", named))
    object = story.graph.find_nodes(label, {"name": wanted})
    if not subject:
        return Verdict(told.sentence, "not known")
    now = state.now("at" if relation == "at" else "holds", subject[0])
    same = [fact for fact in now if object and fact.object == object[0]]
    if same:
        return Verdict(told.sentence, "supported", (same[0].begun_by,))
    if relation == "at" and now:
        return Verdict(told.sentence, "contradicted", (now[0].begun_by,), "two_places_at_once")
    others = state.now("holds", "", object[0]) if relation == "holds" and object else ()
    if others:
        return Verdict(told.sentence, "contradicted", (others[0].begun_by,), "taken_while_held")
    return Verdict(told.sentence, "not known")
