"""A story in prose as a draft, by rules: characters, places, what is said by whom, and what happens in which order.

Characters and places that are told of once more get another span, and no second node. An event is a sentence that
says who goes where, takes, drops or gives what; a speech; or the cause of one.
"""

from __future__ import annotations

from collections.abc import Mapping

from kag.agents.ingest.values import Document, Draft
from kag.domains.story.prose.cast import Cast, cast_of, with_speakers
from kag.domains.story.prose.changes import changes_of
from kag.domains.story.prose.happenings import Happening, happenings_of
from kag.domains.story.prose.speech import NARRATOR, Speech
from kag.graph.contributions import Contribution

AUTHOR = "rule:story"
LONGEST_NAME = 120
"""Characters of an event's name."""


def read_story(document: Document) -> tuple[Contribution, ...]:
    """The draft of a story."""
    draft = Draft(document, AUTHOR)
    cast = with_speakers(cast_of(document.text))
    if not cast.people:
        _become(draft, document)
        return draft.said
    people = _characters(draft, cast)
    places = _places(draft, cast)
    things: dict[str, str] = {}
    events: dict[int, str] = {}
    speeches = [one for one in cast.speeches if one.speaker]
    told: list[Happening | Speech] = sorted([*happenings_of(cast), *speeches], key=_place)
    for number, one in enumerate(told):
        if isinstance(one, Speech):
            _said(draft, cast, people, one, number)
        else:
            events[one.number] = _happened(draft, cast, (people, places, things), one, number)
    for one in told:
        if isinstance(one, Happening) and one.causes is not None and one.causes in events:
            draft.edge("causes", events[one.number], events[one.causes], (one.start, one.end))
    return draft.said


def _become(draft: Draft, document: Document) -> None:
    """What becomes of things, in a text in which nobody acts."""
    things, places = dict[str, str](), dict[str, str]()
    for number, one in enumerate(changes_of(document.text)):
        span = one.start, one.end
        props = {
            "name": _short(document.text[one.start : one.end]),
            "kind": one.kind,
            "told": number,
            "chronology": number,
        }
        event = draft.node("Event", f"{one.kind} {number}", span, props)
        draft.edge("uses", event, _known(draft, things, "Artifact", one.thing, span), span)
        if one.place:
            draft.edge("occurs_at", event, _known(draft, places, "Location", one.place, span), span)


def _place(one: Happening | Speech) -> tuple[int, int]:
    return one.start, one.end


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


def _places(draft: Draft, cast: Cast) -> dict[str, str]:
    found: dict[str, str] = {}
    for mention in cast.mentions:
        if cast.kinds[mention.name] == "place":
            span = mention.start, mention.end
            if mention.name in found:
                draft.again(found[mention.name], span)
            else:
                found[mention.name] = draft.node("Location", mention.name, span, {"name": mention.name})
    return found


def _known(draft: Draft, found: dict[str, str], label: str, name: str, span: tuple[int, int]) -> str:
    """The node of a name, made where there is none."""
    if name not in found:
        found[name] = draft.node(label, name, span, {"name": name})
    return found[name]


def _same_thing(known: dict[str, str], name: str) -> str:
    """The one known thing that a shorter or longer name stands for: the lamp, where only one lamp is known."""
    head = name.split()[-1]
    alike = [one for one in known if one.split()[-1] == head]
    brief = len(alike) == 1 and (name == head or alike[0] == head)
    return alike[0] if brief else name


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


def _happened(
    draft: Draft, cast: Cast, known: tuple[dict[str, str], dict[str, str], dict[str, str]], one: Happening, number: int
) -> str:
    """An event, with who takes part, what is used and where it is."""
    people, places, things = known
    span = one.start, one.end
    props: Mapping[str, object] = {
        "name": _short(cast.text[one.start : one.end]), "told": number,
        "chronology": number - 0.5 - one.before if one.before else number, **({"kind": one.kind} if one.kind else {}),
    }  # fmt: skip
    event = draft.node("Event", f"{one.kind or 'event'} {number}", span, props)
    for who, role in ((one.actor, "actor"), (one.receiver, "receiver")):
        if who:
            draft.edge("participates_in", _known(draft, people, "Character", who, span), event, span, {"role": role})
    if one.thing:
        thing = _same_thing(things, one.thing)
        draft.edge("uses", event, _known(draft, things, "Artifact", thing, span), span)
    if one.place:
        draft.edge("occurs_at", event, _known(draft, places, "Location", one.place, span), span)
    return event
