"""Measurements of running text: quantities, and what was measured of what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kag.layers.measurements.features import (
    CONTEXTS,
    LISTS,
    QUANTITIES,
    Labellers,
    Sentence,
    Target,
    TokenFeatures,
    classes,
    contexts,
    kind_of,
    labellers,
    quantities,
    sentence,
    token_features,
)
from kag.layers.measurements.reading import WORDS, read_span
from kag.layers.measurements.spans import ENTITY, PROPERTY, Bound, Found, chosen, quantity_spans
from kag.layers.values import Entity, Measurement, Mention, Passage
from kag.text.quantities import Quantity, find_quantities, read_unit
from kag.text.sentences import sentences

WORTH = re.compile(
    r"(?<![\d\[–,-])(?<!\^)(?<!\^\{)(?<![Ff]ig\. )(?<!able )(?<!igure )\d(?!\d*[\],–]\d*\])|"
    rf"\b(?:{'|'.join(WORDS)})\b",
    re.I,
)
_PLURAL = re.compile(r"[a-z]{3}s$")  # "participants" is no unit
_VAGUE = frozenset(("several", "few", "many"))
_GROUPED = re.compile(r"\d,\d{3}(?!\d)")
SURE = 0.5  # least score of a binding that is kept
_RAISED = re.compile(r"(?:\^[ ]?\{?[ ]?[\[(]?|<sup>)[\d, –−-]*$")
_PARTS = frozenset(("third", "thirds", "quarter", "quarters", "fifth", "fifths", "tenth", "tenths"))
_LATEX = re.compile(r"\\[()]")


def find_measurements(
    passages: Sequence[Passage], entities: Sequence[Entity] = (), *, sure: float = SURE
) -> tuple[Measurement, ...]:
    """The measurements of passages in order.

    Members of a list ("4, 6 and 13 kg") are measurements of one mention. `sure` is the least score that a property,
    an entity is kept with; 0 keeps the best guess for each quantity. A quantity without an entity has
    the one of `entities` that alone is mentioned in its sentence.
    """
    known = _mentions(entities)
    models = labellers()
    read = _read([one for passage in passages for one in _lines(passage)], models)
    return tuple(
        measurement
        for one, bound in zip(read, _bound(read, models), strict=True)
        for measurement in _measured(one, bound, known.get(one.line.passage.node, ()), models.rule, sure)
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence of a passage, the features of its tokens, and what the rules read in it."""

    passage: Passage
    start: int
    end: int
    form: Sentence
    tokens: TokenFeatures
    ruled: list[Quantity]


@dataclass(frozen=True, slots=True)
class _Read:
    """A quantity of a sentence with its values: the one at `at` of those that the sentence has."""

    line: _Line
    found: Found
    values: list[Quantity]
    targets: list[Target]
    at: int


def _lines(passage: Passage) -> Iterator[_Line]:
    """The sentences that may have a quantity."""
    for start, end in sentences(passage.text):
        if WORTH.search(passage.text, start, end):
            form = sentence(passage.text, start, end)
            yield _Line(passage, start, end, form, token_features(form), by_rules(form))


def _read(lines: Sequence[_Line], models: Labellers) -> list[_Read]:
    """The quantities of sentences with their values; all sentences are labelled together, which is quick."""
    features = (quantities(one.form, one.tokens, one.ruled) for one in lines)
    shares = models.shares(QUANTITIES, models.scores(QUANTITIES, [one.form.words for one in lines], features))
    read = []
    for line, share in zip(lines, shares, strict=True):
        both = [*_with_values(line, share)]
        targets = [target(line.tokens, found, values) for found, values in both]
        read += [_Read(line, found, values, targets, at) for at, (found, values) in enumerate(both)]
    return read


def _with_values(line: _Line, shares: Sequence[Mapping[str, float]]) -> list[tuple[Found, list[Quantity]]]:
    """The quantities of a line with their values, in order."""
    read = []
    for span in quantity_spans(line.form, line.tokens, line.ruled, shares):
        found = _with_unit(line.form, span)
        values = values_of(line.passage.text, line.form, found, line.ruled)
        if values and not _no_value(line.passage.text, line.form, line.tokens, found, values):
            read.append((found, values))
    return sorted(read, key=lambda one: one[0].first)


def _bound(read: Sequence[_Read], models: Labellers) -> Iterator[tuple[Bound, ...]]:
    """For each quantity what belongs to it: at most one of each kind, none over each other."""
    for one, share in zip(read, models.shares(CONTEXTS, [*_scores(read, models)]), strict=True):
        yield chosen(share, one.line.tokens.words, one.targets, one.at)


def _scores(read: Sequence[_Read], models: Labellers) -> Iterator[Any]:
    """For each quantity the scores of its sentence's tokens; what is the same for all of a sentence is summed once."""
    lines = [one.line for one in read if one.at == 0]
    common = iter(models.scores(CONTEXTS, [one.form.words for one in lines], (classes(one.tokens) for one in lines)))
    base: Any = None
    for one in read:
        base = next(common) if one.at == 0 else base
        yield base + models.of_features(CONTEXTS, contexts(one.line.tokens, one.targets, one.at))


def _mentions(entities: Sequence[Entity]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = {}
    for entity in entities:
        for mention in entity.mentions:
            found.setdefault(mention.node, []).append(mention)
    return found


def _with_unit(line: Sentence, found: Found) -> Found:
    """A quantity together with the unit that stands behind it, where the labeller left that out: "eight" of days."""
    at = found.last
    if found.unit[1] > found.unit[0] or at >= len(line.words):
        return found
    at += line.words[at] == "-" and at + 1 < len(line.words)
    known = read_unit(line.form.text, line.starts[at]) if len(line.words[at]) > 2 else None
    if known is None or not line.words[at].islower():
        return found
    last = at + sum(start < known[1] for start in line.starts[at:])
    return replace(found, last=last, unit=(at, last))


def _no_value(text: str, line: Sentence, tokens: TokenFeatures, found: Found, values: Sequence[Quantity]) -> bool:
    """Whether a number is raised (an isotope, a call-out), part of a vague one or of a fraction, or a year."""
    start = next((line.span(n, n)[0] for n in range(found.first, found.last) if tokens.classes[n] == "digit"), 0)
    quantity = values[0]
    if not quantity.unit_canonical and _RAISED.search(text, max(0, start - 24), start):
        return True
    if found.last < len(tokens.words) and tokens.words[found.last] in _PARTS:  # "two thirds"
        return True
    if found.first and tokens.words[found.first - 1] in _VAGUE:  # "several hundred"
        return True
    years = all(
        n == int(n) and 1800 <= n <= 2100 for n in (quantity.value, quantity.low, quantity.high) if n is not None
    )
    plain = not _GROUPED.search(quantity.surface) and not quantity.unit and quantity.uncertainty is None
    return years and plain and not counted(tokens, found, quantity)


def by_rules(line: Sentence) -> list[Quantity]:
    """Return the quantities that the rules read in a sentence, in characters of its passage."""
    found = find_quantities(line.form.source)
    return [replace(quantity, start=quantity.start + line.shift, end=quantity.end + line.shift) for quantity in found]


def target(tokens: TokenFeatures, found: Found, values: Sequence[Quantity]) -> Target:
    """A quantity as the labeller of contexts sees it."""
    kind = kind_of(values[-1], bool(counted(tokens, found, values[-1]))) if values else "bare"
    return Target(found.first, found.last, kind)


def values_of(text: str, line: Sentence, found: Found, ruled: Sequence[Quantity]) -> list[Quantity]:
    """The values of a quantity, one of a list each; `ruled` is what the rules read in its sentence."""
    start, end = line.span(found.first, found.last - 1)
    unit = line.span(found.unit[0], found.unit[1] - 1) if found.unit[1] > found.unit[0] else (start, start)
    return read_span(text, start, end, unit, ruled)


def counted(tokens: TokenFeatures, found: Found, value: Quantity) -> str:
    """The noun that a number counts: "participants" of "274 elderly participants"; empty where it counts none."""
    noun = counted_words(tokens, found, value)
    return tokens.words[noun[1] - 1] if noun else ""


def counted_words(tokens: TokenFeatures, found: Found, value: Quantity) -> tuple[int, int] | None:
    """The tokens of what is counted, its adjectives with it: within the quantity, or behind it."""
    number = value.value if value.value is not None else value.low
    if number is None or number != int(number) or value.uncertainty is not None:
        return None
    if value.unit and (value.unit_canonical or not _PLURAL.search(value.unit)):
        return None
    first = next((n + 1 for n in range(found.last - 1, found.first - 1, -1) if _numeral(tokens, n)), found.last)
    if first < found.last:
        return first, found.last
    last = first
    while last < min(first + 6, len(tokens.words)) and tokens.classes[last] in _NOUNS:
        last += 1
    while last > first and (tokens.classes[last - 1] in ("ed", "verb") or tokens.words[last - 1] in _DONE):
        last -= 1
    return (first, last) if last > first else None


def _numeral(tokens: TokenFeatures, n: int) -> bool:
    return tokens.classes[n] == "digit" or not tokens.words[n].isalpha() or tokens.words[n] in _NO_NOUNS


_DONE = frozenset(("chosen", "taken", "given", "made", "held", "kept"))  # "stations chosen by"
_NOUNS = frozenset(("word", "Word", "name", "ed", "ing", "property", "number", "verb", "numbered"))
_NO_NOUNS = LISTS["bound"] | LISTS["number"] | LISTS["preposition"] | LISTS["conjunction"] | LISTS["determiner"]


def _measured(
    read: _Read, bound: Sequence[Bound], mentions: Sequence[Mention], rule: str, sure: float
) -> Iterator[Measurement]:
    passage, line, tokens, found = read.line.passage, read.line.form, read.line.tokens, read.found
    here = [one for one in mentions if read.line.start <= one.start and one.end <= read.line.end]

    def mention(first: int, last: int, kind: str, score: float) -> Mention:
        start, end = _balanced(passage.text, *line.span(first, last - 1))
        return Mention(passage.node, start, end, passage.text[start:end], kind, round(score, 3), rule)

    parts = {one.kind: mention(one.first, one.last, _NAMES[one.kind], one.score) for one in bound if one.score >= sure}
    entity, measured = parts.get(ENTITY), parts.get(PROPERTY)
    noun = counted_words(tokens, found, read.values[0])
    if noun:
        measured = None  # what is counted has no property but its number
        entity = mention(*noun, _NAMES[ENTITY], found.score)
    if entity is None and len({one.start for one in here}) == 1:
        entity = replace(here[0], rule="only entity of the sentence")
    whole = mention(found.first, found.last, "quantity", found.score)
    for value in read.values:
        yield Measurement(whole, value, measured, entity, (), counted(tokens, found, value), whole.score)


def _balanced(text: str, start: int, end: int) -> tuple[int, int]:
    r"""A span with both ends of its formula: the `\(` just before it, the `\)` just behind."""
    marks = _LATEX.findall(text, start, end)
    if marks.count("\\(") < marks.count("\\)"):
        before = text.rfind("\\(", 0, start)
        return (before, end) if before >= 0 and not text[before + 2 : start].strip(" {^_") else (start, end)
    if marks.count("\\(") > marks.count("\\)"):
        behind = text.find("\\)", end)
        return (start, behind + 2) if 0 <= behind <= end + 3 else (start, end)
    return start, end


_NAMES = {ENTITY: "measured entity", PROPERTY: "property"}
