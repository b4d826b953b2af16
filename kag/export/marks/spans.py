"""What the layers say of a paper as marks in its texts: for annotation tools and for those who train on spans.

Offsets count characters (code points) of a text, which is the clean text of one node of the document, as in the layers
(`kag.layers.passages`). The same words may be marked several times, and marks may lie across one another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from kag.layers.passages import passages, text_of
from kag.layers.values import Claim, Entity, Measurement, Mention, Said
from kag.read.paper import PaperGraph
from kag.read.said.papers import said_by
from kag.values.errors import RunError

Group = Literal["entity", "quantity", "claim", "cue"]
GROUPS: tuple[Group, ...] = ("entity", "quantity", "claim", "cue")


@dataclass(frozen=True, slots=True)
class Mark:
    """Words of a text: `label` is the kind of entity, "quantity" and what belongs to one, "claim", or a cue's kind.

    `same` are IRIs of the same thing elsewhere, `about` what else is said of it, by name ("role": "result").
    """

    node: str
    start: int
    end: int
    label: str
    group: Group
    same: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The text of a node of the document with its marks in the order of the text, the longer ones first."""

    node: str
    text: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Two marks that stand to each other as `kind` says."""

    kind: str
    head: Mark
    tail: Mark


@dataclass(frozen=True, slots=True)
class Marked:
    """A paper: all its running texts in order, then other texts with marks (cells of tables), and the links."""

    paper: str
    texts: tuple[MarkedText, ...]
    links: tuple[Link, ...]


def marked(paper: PaperGraph) -> Marked:
    """The marks of a paper; raises `RunError` where its run has no layers, or one quotes what does not stand there."""
    said = said_by(paper)
    if said == Said():
        raise RunError(f"{paper.id} has no layers that say anything", hint="Make them: `kag layers RUN`.")
    links = tuple(dict.fromkeys(_links(said)))
    marks: dict[str, set[Mark]] = defaultdict(set)
    for mark in (*_marks(said), *(end for link in links for end in (link.head, link.tail))):
        marks[mark.node].add(mark)
    running = {passage.node: passage.text for passage in passages(paper.graph)}
    others = {node: text_of(paper.graph, node) for node in sorted(set(marks) - set(running))}
    texts = tuple(_text(node, text, marks[node]) for node, text in {**running, **others}.items())
    _check(said, {one.node: one.text for one in texts}, paper.id)
    return Marked(paper.id, texts, links)


def _text(node: str, text: str, marks: set[Mark]) -> MarkedText:
    order = sorted(marks, key=lambda one: (one.start, -one.end, GROUPS.index(one.group), one.label, one.about))
    return MarkedText(node, text, tuple(order))


def _marks(said: Said) -> Iterator[Mark]:
    for entity in said.entities:
        for mention in entity.mentions:
            yield _of_entity(entity, mention)
    for one in said.measurements:
        yield _of_quantity(one)
    for claim in said.claims:
        yield _of_claim(claim)
        for scope in claim.scopes:
            yield _mark(scope.cue, scope.kind, "cue")
            yield Mark(scope.cue.node, scope.start, scope.end, f"{scope.kind} scope", "cue")


def _mark(words: Mention, label: str, group: Group) -> Mark:
    return Mark(words.node, words.start, words.end, label, group)


def _of_entity(entity: Entity, mention: Mention) -> Mark:
    same = tuple(one.iri for one in entity.identifiers if one.match == "exact")
    return Mark(mention.node, mention.start, mention.end, entity.kind, "entity", same, (("name", entity.name),))


def _of_quantity(one: Measurement) -> Mark:
    return _mark(one.mention, "quantity", "quantity")


def _of_claim(claim: Claim) -> Mark:
    told = (("role", claim.role), ("polarity", claim.polarity), ("certainty", claim.certainty))
    more = (("direction", claim.direction),) if claim.direction else ()
    where = claim.sentence
    return Mark(where.node, where.start, where.end, "claim", "claim", (), (*told, *more))


def _links(said: Said) -> Iterator[Link]:
    """What belongs to a quantity, and relations of entities."""
    known = {(m.node, m.start, m.end): _of_entity(entity, m) for entity in said.entities for m in entity.mentions}

    def end(words: Mention, label: str) -> Mark:
        return known.get((words.node, words.start, words.end)) or _mark(words, label, "quantity")

    for one in said.measurements:
        head = _of_quantity(one)
        for kind, words, label in (("value of", one.measured, "property"), ("of", one.entity, "thing")):
            if words is not None:
                yield Link(kind, head, end(words, label))
        for words in one.conditions:
            yield Link("under", head, end(words, "condition"))
    for relation in said.relations:
        yield Link(relation.kind, end(relation.head, relation.head.kind), end(relation.tail, relation.tail.kind))


def _check(said: Said, texts: Mapping[str, str], paper: str) -> None:
    """Raise `RunError` where a layer quotes what does not stand there: its offsets would lead readers astray."""
    mentions = [mention for entity in said.entities for mention in entity.mentions]
    mentions += [one.mention for one in said.measurements] + [one.sentence for one in said.claims]
    for one in mentions:
        if texts.get(one.node, "")[one.start : one.end] != one.text:
            raise RunError(
                f"{paper}: {one.text[:40]!r} does not stand at {one.start} of <{one.node}>",
                hint="Make the layers again: `kag layers RUN --force`.",
            )
