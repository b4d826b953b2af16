"""Measurements of running text: quantities, what was measured of what, and under which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kag.layers.measurements.binding import CONDITION, ENTITY, PROPERTY, Bound, bind
from kag.layers.measurements.features import LISTS, Seen, Target, kind_of, seen
from kag.layers.measurements.labeller import Labellers, labellers
from kag.layers.measurements.reading import read_span
from kag.layers.measurements.sentence import Sentence, sentence
from kag.layers.measurements.spans import Found, quantity_spans
from kag.layers.values import Entity, Measurement, Mention, Passage
from kag.text.quantities import Quantity, find_quantities
from kag.text.sentences import sentences

WORTH = re.compile(rf"\d|\b(?:{'|'.join(sorted(LISTS['number']))})\b", re.I)


def find_measurements(
    passages: Sequence[Passage], entities: Sequence[Entity] = (), *, sure: float = 0.0
) -> tuple[Measurement, ...]:
    """The measurements of passages in order.

    Members of a list ("4, 6 and 13 kg") are measurements of one mention. `sure` is the least score that a property,
    an entity or a condition is told with. A quantity without an entity has the one of `entities` that alone is
    mentioned in its sentence.
    """
    known = _mentions(entities)
    models = labellers()
    return tuple(one for passage in passages for one in _of_passage(passage, known.get(passage.node, ()), models, sure))


def _mentions(entities: Sequence[Entity]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = {}
    for entity in entities:
        for mention in entity.mentions:
            found.setdefault(mention.node, []).append(mention)
    return found


def _of_passage(passage: Passage, known: Sequence[Mention], models: Labellers, sure: float) -> Iterator[Measurement]:
    for start, end in sentences(passage.text):
        if WORTH.search(passage.text, start, end):
            here = [mention for mention in known if start <= mention.start and mention.end <= end]
            yield from _of_sentence(passage, sentence(passage.text, start, end), here, models, sure)


def _of_sentence(
    passage: Passage, line: Sentence, known: Sequence[Mention], models: Labellers, sure: float
) -> Iterator[Measurement]:
    told, ruled = seen(line), by_rules(line)
    read = [
        (found, values)
        for found in quantity_spans(line, told, ruled, models)
        if (values := values_of(passage.text, line, found, ruled))
    ]
    targets = [target(told, found, values) for found, values in read]
    for (found, values), bound in zip(read, bind(told, targets, models), strict=True):
        yield from _measured(passage, line, found, values, bound, known, told, models.rule, sure)


def by_rules(line: Sentence) -> list[Quantity]:
    """What the rules read in a sentence, in characters of its passage."""
    found = find_quantities(line.form.source)
    return [replace(one, start=one.start + line.shift, end=one.end + line.shift) for one in found]


def target(told: Seen, found: Found, values: Sequence[Quantity]) -> Target:
    """A quantity as the labeller of what belongs to it is told of it."""
    kind = kind_of(values[-1], bool(counted(told, found, values[-1]))) if values else "bare"
    return Target(found.first, found.last, kind)


def values_of(text: str, line: Sentence, found: Found, ruled: Sequence[Quantity]) -> list[Quantity]:
    """The values of a quantity, one of a list each; `ruled` is what the rules read in its sentence."""
    start, end = line.span(found.first, found.last - 1)
    unit = line.span(found.unit[0], found.unit[1] - 1) if found.unit[1] > found.unit[0] else (start, start)
    return read_span(text, start, end, unit, ruled)


def counted(told: Seen, found: Found, value: Quantity) -> str:
    """The noun that a number counts: "participants" of "274 elderly participants"; empty where it counts none."""
    number = value.value if value.value is not None else value.low
    if value.unit or number is None or number != int(number) or value.uncertainty is not None:
        return ""
    inside = [word for word in told.words[found.first : found.last] if word.isalpha() and word not in _NO_NOUNS]
    if inside:
        return inside[-1]
    noun = ""
    for n in range(found.last, min(found.last + 6, len(told.words))):
        if told.classes[n] not in ("word", "Word", "name", "ed", "ing", "property", "number", "verb", "numbered"):
            break
        noun = told.words[n]
    return noun


_NO_NOUNS = LISTS["bound"] | LISTS["number"] | LISTS["preposition"] | LISTS["conjunction"] | LISTS["determiner"]


def _measured(
    passage: Passage, line: Sentence, found: Found, values: Sequence[Quantity], bound: Sequence[Bound],
    known: Sequence[Mention], told: Seen, rule: str, sure: float,
) -> Iterator[Measurement]:  # fmt: skip
    def mention(first: int, last: int, kind: str, score: float) -> Mention:
        start, end = line.span(first, last - 1)
        return Mention(passage.node, start, end, passage.text[start:end], kind, round(score, 3), rule)

    parts = {one.kind: mention(one.first, one.last, _NAMES[one.kind], one.score) for one in bound if one.score >= sure}
    entity, measured = parts.get(ENTITY), parts.get(PROPERTY)
    if entity is None and len({one.start for one in known}) == 1:
        entity = replace(known[0], rule="only entity of the sentence")
    conditions = (parts[CONDITION],) if CONDITION in parts else ()
    whole = mention(found.first, found.last, "quantity", found.score)
    for value in values:
        yield Measurement(whole, value, measured, entity, conditions, counted(told, found, value), whole.score)


_NAMES = {ENTITY: "measured entity", PROPERTY: "property", CONDITION: "condition"}
