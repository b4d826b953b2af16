"""A story in prose as a draft, by rules: characters, places, and speeches with their speakers.

Each further mention of a character or place adds a span to its node. Other events, what happens to things, and causes
are left to a model.
"""

from __future__ import annotations

from kag.agents.ingest.values import Document, Draft
from kag.kgrag.story.prose.cast import Cast, cast_of, with_speakers
from kag.kgrag.story.prose.speech import NARRATOR, Speech
from kag.retrieval.property_graph.contributions import Contribution

AUTHOR = "rule:story"
LONGEST_NAME = 120
"""Characters of an event's name."""


def read_story(document: Document) -> tuple[Contribution, ...]:
    """The draft of a story."""
    draft = Draft(document, AUTHOR)
    cast = with_speakers(cast_of(document.text))
    people = _characters(draft, cast)
    _places(draft, cast)
    speeches = sorted((one for one in cast.speeches if one.speaker), key=lambda one: (one.start, one.end))
    for number, speech in enumerate(speeches):
        _said(draft, cast, people, speech, number)
    return draft.said


def _characters(draft: Draft, cast: Cast) -> dict[str, str]:
    """A node for each person by name; those without a name are made when they do something."""
    found: dict[str, str] = {}
    printed: dict[str, list[tuple[int, int]]] = {}
    for mention in cast.mentions:
        printed.setdefault(mention.name, []).append((mention.start, mention.end))
    for one in cast.characters:
        spans = sorted(span for name in (one.name, *one.aliases) for span in printed[name])
        props: dict[str, object] = {"name": one.name}
        props |= {"aliases": sorted(one.aliases)} if one.aliases else {}
        props |= {"gender": one.whose} if one.whose in ("man", "woman") else {}
        found[one.name] = draft.node("Character", one.name, spans[0], props)
        for span in spans[1:]:
            draft.again(found[one.name], span)
    return found


def _places(draft: Draft, cast: Cast) -> None:
    found: dict[str, str] = {}
    for mention in cast.mentions:
        if cast.kinds[mention.name] == "place":
            span = mention.start, mention.end
            if mention.name in found:
                draft.again(found[mention.name], span)
            else:
                found[mention.name] = draft.node("Location", mention.name, span, {"name": mention.name})


def _known(draft: Draft, found: dict[str, str], label: str, name: str, span: tuple[int, int]) -> str:
    """The node of a name, made where there is none."""
    if name not in found:
        found[name] = draft.node(label, name, span, {"name": name})
    return found[name]


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"


def _said(draft: Draft, cast: Cast, people: dict[str, str], one: Speech, number: int) -> None:
    """A speech as an event, with the speaker."""
    span = one.start, one.end
    name = _short(cast.text[one.start : one.end])
    props = {"name": name, "kind": "say", "told": number, "chronology": number}
    event = draft.node("Event", f"say {number}", span, props)
    who = "the narrator" if one.speaker == NARRATOR else one.speaker
    speaker = _known(draft, people, "Character", who, span)
    draft.edge("participates_in", speaker, event, span, {"role": "speaker", "by": one.by})
