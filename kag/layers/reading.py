"""Layers read back from their graphs: the values that they were written from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from kag.layers.values import Citation, Claim, Entity, Findings, Identifier, Measurement, Mention, Relation, Scope
from kag.rdf.namespaces import CITO, LAYER, OA, PROV, QUDT, SKOS
from kag.rdf.profile import CLAIM, ENTITY, IS_ABOUT, IS_SUPPORTED_BY, REFERS_TO
from kag.rdf.published import PublishedGraph
from kag.text.quantities.parsing import Quantity

_EMPTY = PublishedGraph({}, frozenset())


def findings_of(layers: Mapping[str, PublishedGraph]) -> Findings:
    """What layers say, by their names ("entity", "claim"); all in the order of the texts they stand in."""
    entity, claim = layers.get(ENTITY.name, _EMPTY), layers.get(CLAIM.name, _EMPTY)
    words = _Words(entity)
    named = _mentions_of(words)
    return Findings(
        entities=tuple(sorted(_entities(entity, named), key=_first)),
        measurements=tuple(sorted(_measurements(words), key=lambda one: _place(one.mention))),
        relations=tuple(sorted(_relations(words), key=lambda one: (_place(one.head), _place(one.tail), one.kind))),
        claims=tuple(sorted(_claims(_Words(claim), named), key=lambda one: _place(one.sentence))),
        citations=tuple(sorted(_citations(_Words(claim)), key=lambda one: _place(one.sentence))),
    )


class _Words:
    """Spans of one layer as mentions."""

    def __init__(self, graph: PublishedGraph) -> None:
        self.graph = graph

    def text(self, node: str, property_: str) -> str:
        return self.graph.value(node, str(property_))

    def number(self, node: str, property_: str) -> float | None:
        text = self.text(node, property_)
        return float(text) if text else None

    def at(self, node: str) -> Mention:
        """What stands in a text, as a mention."""
        host = self.text(node, PROV.wasDerivedFrom)
        start, end = int(self.text(node, OA.start) or 0), int(self.text(node, OA.end) or 0)
        return Mention(
            host, start, end, self.text(node, OA.exact), self.text(node, LAYER.kind), self.sure(node), self.rule(node)
        )

    def one(self, node: str, property_: str) -> Mention | None:
        """The mention that a property leads to."""
        found = self.text(node, property_)
        return self.at(found) if found else None

    def all(self, node: str, property_: str) -> tuple[Mention, ...]:
        return tuple(sorted(map(self.at, self.graph.values(node, str(property_))), key=_place))

    def sure(self, node: str) -> float:
        sure = self.number(node, LAYER.confidence)
        return 1.0 if sure is None else sure

    def rule(self, node: str) -> str:
        return self.text(self.text(node, PROV.wasGeneratedBy), LAYER.rule)


def _first(entity: Entity) -> tuple[tuple[str, int, int], str, str]:
    return _place(entity.mentions[0]), entity.kind, entity.name


def _place(words: Mention) -> tuple[str, int, int]:
    return words.node, words.start, words.end


def _mentions_of(words: _Words) -> dict[str, tuple[Mention, ...]]:
    """The mentions of each entity."""
    found: dict[str, list[Mention]] = defaultdict(list)
    for node in words.graph.of_class(str(LAYER.Mention)):
        for entity in words.graph.values(node, str(REFERS_TO)):
            found[entity].append(words.at(node))
    return {entity: tuple(sorted(mentions, key=_place)) for entity, mentions in found.items()}


def _entities(graph: PublishedGraph, named: Mapping[str, tuple[Mention, ...]]) -> list[Entity]:
    words = _Words(graph)
    return [
        Entity(
            words.text(node, SKOS.prefLabel),
            words.text(node, LAYER.kind),
            named[node],
            graph.values(node, str(SKOS.altLabel)),
            tuple(_identifier(words, node, match) for match in graph.values(node, str(LAYER.hasMatch))),
        )
        for node in graph.of_class(str(LAYER.Entity))
        if node in named
    ]


def _identifier(words: _Words, entity: str, match: str) -> Identifier:
    iri = words.text(match, LAYER.matches)
    exact = iri in words.graph.values(entity, str(SKOS.exactMatch))
    return Identifier(iri, "exact" if exact else "close", words.sure(match))


def _measurements(words: _Words) -> list[Measurement]:
    return [
        Measurement(
            mention := words.at(node),
            _quantity(words, node, mention),
            words.one(node, LAYER.propertyMention),
            words.one(node, LAYER.entityMention),
            words.all(node, LAYER.condition),
            words.text(node, LAYER.counted),
            mention.score,
        )
        for node in words.graph.of_class(str(QUDT.QuantityValue))
    ]


def _quantity(words: _Words, node: str, mention: Mention) -> Quantity:
    low, high = words.number(node, QUDT.lowerBound), words.number(node, QUDT.upperBound)
    value, bound = words.number(node, QUDT.numericValue), words.text(node, LAYER.bound)
    if value is None and bound[:1] == ">":
        value, low = low, None
    if value is None and bound[:1] == "<":
        value, high = high, None
    return Quantity(
        mention.text,
        mention.start,
        mention.end,
        value,
        low,
        high,
        bound,
        words.number(node, QUDT.standardUncertainty),
        words.text(node, LAYER.uncertaintyKind),
        words.number(node, LAYER.powerFactor) or 1.0,
        words.text(node, LAYER.unitText),
        words.text(node, LAYER.unitName),
        words.text(node, QUDT.unit),
    )


def _relations(words: _Words) -> list[Relation]:
    found = []
    for node in words.graph.of_class(str(LAYER.Relation)):
        head, tail = words.one(node, LAYER.head), words.one(node, LAYER.tail)
        if head and tail:
            found.append(Relation(words.text(node, LAYER.kind), head, tail, words.sure(node), words.rule(node)))
    return found


def _claims(words: _Words, named: Mapping[str, tuple[Mention, ...]]) -> list[Claim]:
    found = []
    for node in words.graph.of_class(str(LAYER.Claim)):
        sentence = words.at(node)
        about = {
            mention
            for entity in words.graph.values(node, str(IS_ABOUT))
            for mention in named.get(entity, ())
            if mention.node == sentence.node and sentence.start <= mention.start and mention.end <= sentence.end
        }
        scopes = sorted((_scope(words, one) for one in words.graph.values(node, str(LAYER.hasScope))), key=_ruled)
        found.append(
            Claim(
                sentence,
                role=words.text(node, LAYER.role),
                polarity=words.text(node, LAYER.polarity),
                certainty=words.text(node, LAYER.certainty),
                direction=words.text(node, LAYER.direction),
                scopes=tuple(scopes),
                about=tuple(sorted(about, key=_place)),
                support=words.graph.values(node, str(IS_SUPPORTED_BY)),
                score=words.sure(node),
            )
        )
    return found


def _citations(words: _Words) -> list[Citation]:
    return [
        Citation(
            words.at(node),
            words.graph.values(node, str(CITO.hasCitedEntity)),
            words.text(node, CITO.hasCitationCharacterization).rpartition("/")[2],
        )
        for node in words.graph.of_class(str(CITO.Citation))
    ]


def _scope(words: _Words, node: str) -> Scope:
    ruled, cue = words.at(node), words.one(node, LAYER.cue)
    return Scope(words.text(node, LAYER.kind), cue or ruled, ruled.start, ruled.end)


def _ruled(scope: Scope) -> tuple[int, int, int]:
    return scope.cue.start, scope.start, scope.end
