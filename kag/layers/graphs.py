"""The layers of a paper as graphs: entities, measured values and relations; claims and citations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import isfinite

from rdflib import URIRef

from kag.layers.sheet import Sheet, attribute_name, concept_iri, entity_name, relation_name, span_name, value_names
from kag.layers.values import Citation, Claim, Entity, Findings, Measurement, Mention, Relation, Scope
from kag.rdf.namespaces import CITO, LAYER, PROV, QUDT, SKOS
from kag.rdf.ntriples import TextTriple
from kag.rdf.profile import (
    ATTRIBUTE,
    CLAIM,
    ENTITY,
    INTENTS,
    IS_ABOUT,
    IS_ATTRIBUTE_OF,
    IS_SUPPORTED_BY,
    IS_VALUE_OF,
    KIND_CLASSES,
    MEASURED,
    ROLE_CLASSES,
    STATEMENT,
    THING,
)
from kag.text.plain import plain
from kag.text.quantities.find import in_si
from kag.text.quantities.parsing import Quantity

_BOUNDS = {">": QUDT.lowerBound, "<": QUDT.upperBound}
MEASURED_KIND = "thing"
"""The kind of what only a measurement names."""


def entity_graph(paper_id: str, findings: Findings) -> list[TextTriple]:
    """The triples of the entity layer."""
    sheet = Sheet(paper_id, ENTITY)
    places = Places(findings.entities)
    for entity in findings.entities:
        _entity(sheet, entity)
    for name, measurement in value_names(findings.measurements):
        _measurement(sheet, places, name, measurement)
    for relation in findings.relations:
        _relation(sheet, places, relation)
    return sheet.triples


class Places:
    """Places of entities: an exact span, else the longest mention inside it that ends at its end."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._at: dict[str, list[tuple[int, int, Entity]]] = defaultdict(list)
        for entity in entities:
            for mention in entity.mentions:
                self._at[mention.node].append((mention.start, mention.end, entity))

    def entity(self, words: Mention) -> Entity | None:
        """The entity that some words name, if one does."""
        inside = [(s, e, one) for s, e, one in self._at.get(words.node, ()) if words.start <= s and e <= words.end]
        best = max(inside, key=lambda found: (found[1] == words.end, found[1] - found[0], -found[0]), default=None)
        return best[2] if best and (best[1] == words.end or len(inside) == 1) else None

    def within(self, words: Mention) -> list[Entity]:
        """All entities that are named inside a span, each once, in the order of their mentions."""
        inside = sorted(
            (s, e, n) for n, (s, e, _) in enumerate(self._at.get(words.node, ())) if words.start <= s and e <= words.end
        )
        return list(dict.fromkeys(self._at[words.node][n][2] for *_, n in inside))


def _entity(sheet: Sheet, entity: Entity) -> str:
    """An entity: its names, its class, its identifiers, each with how sure it is, and its mentions."""
    name = entity_name(entity.kind, entity.name)
    node = sheet.node(name)
    if sheet.begin(node, LAYER.Entity):
        sheet.begin(node, KIND_CLASSES.get(entity.kind, THING))
        sheet.tell(node, LAYER.kind, entity.kind)
        sheet.link(node, LAYER.concept, concept_iri(entity))
    sheet.name(node, entity.name, entity.aliases)
    for number, identifier in enumerate(entity.identifiers, start=1):
        if sheet.link(node, SKOS.exactMatch if identifier.match == "exact" else SKOS.closeMatch, identifier.iri):
            match = sheet.node(f"{name}-id{number}")
            sheet.begin(match, LAYER.Match)
            sheet.link(match, LAYER.matches, identifier.iri)
            sheet.sure(match, identifier.score)
            sheet.join(node, LAYER.hasMatch, match)
    for mention in entity.mentions:
        sheet.mention(mention, node)
        sheet.link(node, PROV.wasDerivedFrom, mention.node)
        sheet.made(node, mention.rule)
    return node


def _measurement(sheet: Sheet, places: Places, name: str, measurement: Measurement) -> None:
    """A measured value: its number and unit, the property that it is a value of, and the entity that has it."""
    numbers = numbers_of(measurement.value)
    if not numbers:
        return
    node, _ = sheet.span(name, QUDT.QuantityValue, measurement.mention)
    sheet.begin(node, MEASURED)
    for property_, number in numbers.items():
        sheet.tell(node, property_, number)
    _printed(sheet, node, measurement)
    owner = _named(sheet, places, measurement.entity)
    if measurement.entity is not None:
        sheet.join(node, LAYER.entityMention, sheet.mention(measurement.entity))
    if measurement.measured is not None:
        sheet.join(node, LAYER.propertyMention, sheet.mention(measurement.measured))
        sheet.join(node, IS_VALUE_OF, _attribute(sheet, measurement.measured, owner))
    elif owner:
        sheet.join(node, IS_ATTRIBUTE_OF, owner)
    for condition in measurement.conditions:
        sheet.join(node, LAYER.condition, sheet.mention(condition))


def numbers_of(value: Quantity) -> Mapping[URIRef, float]:
    """The numbers of a value by property; a bound ("at least 63 %") is the end of a range and no value."""
    bound = _BOUNDS.get(value.bound[:1], QUDT.numericValue)
    ends = ((QUDT.lowerBound, value.low), (QUDT.upperBound, value.high), (bound, value.value))
    numbers = {name: float(n) for name, n in ends if n is not None and isfinite(n)}
    spread = value.uncertainty
    if numbers and spread is not None and isfinite(spread) and value.uncertainty_kind != "ci":
        numbers[QUDT.standardUncertainty] = float(spread)
    return numbers


def _printed(sheet: Sheet, node: str, measurement: Measurement) -> None:
    value = measurement.value
    if value.unit_iri:
        sheet.link(node, QUDT.unit, value.unit_iri)
    sheet.tell(node, LAYER.unitText, value.unit)
    sheet.tell(node, LAYER.unitName, value.unit_canonical)
    sheet.tell(node, LAYER.bound, value.bound)
    sheet.tell(node, LAYER.uncertaintyKind, value.uncertainty_kind)
    sheet.tell(node, LAYER.counted, measurement.counted)
    derived = in_si(value)
    if derived is not None and derived.value is not None:
        sheet.tell(node, LAYER.siValue, derived.value)
        sheet.tell(node, LAYER.siUnit, derived.unit)
    if value.factor != 1 and isfinite(value.factor):
        sheet.tell(node, LAYER.powerFactor, value.factor)


def _named(sheet: Sheet, places: Places, words: Mention | None) -> str:
    """The entity that the words of a measurement name: one that is known, or one that is made for them; "" for none."""
    if words is None:
        return ""
    known = places.entity(words)
    if known is not None:
        return sheet.node(entity_name(known.kind, known.name))
    return _entity(sheet, Entity(plain(words.text) or words.text, MEASURED_KIND, (words,)))


def _attribute(sheet: Sheet, words: Mention, owner: str) -> str:
    """The property of an entity that is measured, one for all its values."""
    node = sheet.node(attribute_name(words.text, owner))
    if sheet.begin(node, ATTRIBUTE):
        sheet.tell(node, SKOS.prefLabel, plain(words.text) or words.text)
        if owner:
            sheet.join(node, IS_ATTRIBUTE_OF, owner)
    sheet.link(node, PROV.wasDerivedFrom, words.node)
    sheet.made(node, words.rule)
    return node


def _relation(sheet: Sheet, places: Places, relation: Relation) -> None:
    head, tail = (sheet.mention(end, _named(sheet, places, end)) for end in (relation.head, relation.tail))
    node = sheet.node(relation_name(relation.kind, head, tail))
    if not sheet.begin(node, LAYER.Relation):
        return
    sheet.tell(node, LAYER.kind, relation.kind)
    sheet.join(node, LAYER.head, head)
    sheet.join(node, LAYER.tail, tail)
    sheet.sure(node, relation.score)
    for end in (relation.head, relation.tail):
        sheet.link(node, PROV.wasDerivedFrom, end.node)
    sheet.made(node, relation.rule)


def claim_graph(paper_id: str, findings: Findings) -> list[TextTriple]:
    """The triples of the claim layer; they link to nodes of the entity layer of the same `findings`."""
    sheet = Sheet(paper_id, CLAIM)
    places = Places(findings.entities)
    values: dict[str, list[tuple[str, Mention]]] = {}
    for name, measurement in value_names(findings.measurements):
        if numbers_of(measurement.value):
            values.setdefault(measurement.mention.node, []).append((name, measurement.mention))
    for claim in findings.claims:
        _claim(sheet, places, values.get(claim.sentence.node, []), claim)
    for citation in findings.citations:
        _citation(sheet, citation)
    return sheet.triples


def _claim(sheet: Sheet, places: Places, values: list[tuple[str, Mention]], claim: Claim) -> None:
    node, fresh = sheet.span(span_name("c", claim.sentence), LAYER.Claim, replace(claim.sentence, score=claim.score))
    if not fresh:
        return
    sheet.begin(node, ROLE_CLASSES.get(claim.role, STATEMENT))
    properties = ((LAYER.role, claim.role), (LAYER.polarity, claim.polarity), (LAYER.certainty, claim.certainty))
    for property_, value in (*properties, (LAYER.direction, claim.direction)):
        sheet.tell(node, property_, value)
    for words in claim.about:
        entity = places.entity(words)
        if entity is not None:
            sheet.join(node, IS_ABOUT, sheet.node(entity_name(entity.kind, entity.name)))
    for name, words in values:
        if claim.sentence.start <= words.start and words.end <= claim.sentence.end:
            sheet.join(node, LAYER.statesValue, sheet.node(name))
    for support in claim.support:
        if support.startswith(sheet.base):
            sheet.link(node, IS_SUPPORTED_BY, support)
    for scope in claim.scopes:
        sheet.join(node, LAYER.hasScope, _scope(sheet, claim.sentence, scope))


def _scope(sheet: Sheet, sentence: Mention, scope: Scope) -> str:
    """The words that a cue rules; its name has cue and span, as two cues may rule the same words."""
    start, end = scope.start - sentence.start, scope.end - sentence.start
    words = Mention(
        sentence.node, scope.start, scope.end, sentence.text[start:end], scope.kind, scope.cue.score, scope.cue.rule
    )
    node, fresh = sheet.span(span_name(f"s{scope.cue.start}", words), LAYER.Scope, words)
    if fresh:
        sheet.tell(node, LAYER.kind, scope.kind)
        sheet.join(node, LAYER.cue, sheet.mention(scope.cue))
    return node


def _citation(sheet: Sheet, citation: Citation) -> None:
    """Why a sentence cites; one that is not known by a property of the profile cites for information."""
    cited = [one for one in citation.cited if one.startswith(sheet.base)]
    if cited:
        node, _ = sheet.span(span_name("w", citation.sentence), CITO.Citation, citation.sentence)
        intent = next((one for one in INTENTS if str(one).endswith(f"/{citation.intent}")), CITO.citesForInformation)
        sheet.link(node, CITO.hasCitationCharacterization, intent)
        for one in cited:
            sheet.link(node, CITO.hasCitedEntity, one)
