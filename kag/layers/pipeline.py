"""The layers of a paper: made from the files of its run, added to run folders, read back.

    knowledge_graph.ttl -> passages -> entities -> measurements -> claims -> entity_graph.ttl, claim_graph.ttl

The document's graph is read and never written. Layers made with a run or added later have the same bytes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from kag import __version__
from kag.core.errors import BadValue, RunError
from kag.core.files import shown, write_whole
from kag.core.report import Report
from kag.indexing.run import CONTENT, GRAPH, LAYER_FILES, layers_of, read_file
from kag.layers.gate import audit_layer, check_layer, require, spans
from kag.layers.graphs import claim_graph, entity_graph
from kag.layers.source import Source, read_source
from kag.layers.values import Citation, Claim, Entity, Findings, Identifier, Measurement, Mention, Relation, Scope
from kag.rdf.namespaces import CITO, LAYER, OA, PROV, QUDT, RDF, SKOS, paper_base
from kag.rdf.ntriples import TextTriple
from kag.rdf.profile import CLAIM, ENTITY, IS_ABOUT, IS_SUPPORTED_BY, LAYERS, REFERS_TO
from kag.rdf.published import PublishedGraph
from kag.rdf.turtle import turtle
from kag.text.quantities.parsing import Quantity

_EMPTY = PublishedGraph({}, frozenset())


def findings_of(layers: Mapping[str, PublishedGraph]) -> Findings:
    """Return the findings of layers by name ("entity", "claim"), in the order of their texts."""
    entity, claim = layers.get(ENTITY.name, _EMPTY), layers.get(CLAIM.name, _EMPTY)
    words = _Words(entity)
    named = _mentions_of(words)
    return Findings(
        entities=tuple(sorted(_entities(entity, named), key=lambda one: (_place(one.mentions[0]), one.kind, one.name))),
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
        """Return a span of a text as a mention."""
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
    relations = []
    for node in words.graph.of_class(str(LAYER.Relation)):
        head, tail = words.one(node, LAYER.head), words.one(node, LAYER.tail)
        if head and tail:
            relations.append(Relation(words.text(node, LAYER.kind), head, tail, words.sure(node), words.rule(node)))
    return relations


def _claims(words: _Words, named: Mapping[str, tuple[Mention, ...]]) -> list[Claim]:
    claims = []
    for node in words.graph.of_class(str(LAYER.Claim)):
        sentence = words.at(node)
        about = {
            mention
            for entity in words.graph.values(node, str(IS_ABOUT))
            for mention in named.get(entity, ())
            if mention.node == sentence.node and sentence.start <= mention.start and mention.end <= sentence.end
        }
        scopes = [_scope(words, value) for value in words.graph.values(node, str(LAYER.hasScope))]
        claims.append(
            Claim(
                sentence,
                role=words.text(node, LAYER.role),
                polarity=words.text(node, LAYER.polarity),
                certainty=words.text(node, LAYER.certainty),
                direction=words.text(node, LAYER.direction),
                scopes=tuple(sorted(scopes, key=lambda one: (one.cue.start, one.start, one.end))),
                about=tuple(sorted(about, key=_place)),
                support=words.graph.values(node, str(IS_SUPPORTED_BY)),
                score=words.sure(node),
            )
        )
    return claims


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


_MAKE: Mapping[str, Callable[[str, Findings], list[TextTriple]]] = {ENTITY.name: entity_graph, CLAIM.name: claim_graph}


Finder = Callable[[Source, Sequence[str]], Findings]
"""What finds the entities, measurements and claims of a paper for some layers."""


def chosen(names: str | Iterable[str]) -> tuple[str, ...]:
    """The layers that are named ("entity,claim"), in the order in which they are made; raises `BadValue`.

    A layer brings those that it rests on: the claims are about entities.

    >>> chosen("claim")
    ('entity', 'claim')
    """
    words = names.split(",") if isinstance(names, str) else list(names)
    asked = {word.strip() for word in words} - {""}
    strange = asked - set(LAYERS)
    if strange or not asked:
        raise BadValue(f"unknown layer {min(strange, default='')!r}", hint=f"Name some of {', '.join(LAYERS)}.")
    wanted = asked | {below for name in asked for below in LAYERS[name].rests_on}
    return tuple(name for name in LAYERS if name in wanted)


def find_by_rules(source: Source, layers: Sequence[str]) -> Findings:
    """Return the findings of rules and small models."""
    from kag.layers.rules import find_all  # their models are read when they are first needed

    return find_all(source, claims=CLAIM.name in layers)


def layer_files(source: Source, layers: Sequence[str], finder: Finder = find_by_rules) -> dict[str, str]:
    """The Turtle of each layer by its file's name; raises `NotConforming` where a layer breaks its shapes."""
    return as_files(source, layer_triples(source, layers, finder(source, layers)))


def layer_triples(source: Source, layers: Sequence[str], findings: Findings) -> dict[str, list[TextTriple]]:
    """The findings as the triples of each layer."""
    return {name: _MAKE[name](source.paper_id, findings) for name in layers}


def as_files(source: Source, graphs: Mapping[str, Sequence[TextTriple]]) -> dict[str, str]:
    """The triples of layers as Turtle by file, once they have passed the gate; raises `NotConforming`."""
    below = list(document_types(source.graph))
    files = {}
    for name, own in graphs.items():
        profile = LAYERS[name]
        require(profile, check_layer(profile, own, below), source.paper_id)
        files[profile.file] = turtle(own, {**profile.prefixes, "ex": paper_base(source.paper_id)})
        below += own
    return files


def document_types(graph: PublishedGraph) -> Iterable[TextTriple]:
    """The classes of the document's nodes."""
    is_a = str(RDF.type)
    return ((f"<{node}>", f"<{is_a}>", f"<{cls}>") for node in graph for cls in graph.values(node, is_a))


_VERSION = re.compile(r'^    kag:version "([^"\\]*)"', re.M)


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers to make, and their maker (`kag.indexing.batch.Layering`)."""

    names: tuple[str, ...]
    finder: Finder = find_by_rules

    def prepare(self) -> None:
        """Read models and lists of the rules, which are kept."""
        from kag.layers.rules import prepare

        prepare()

    def files(self, files: Mapping[str, str | bytes]) -> dict[str, str]:
        """The layers' files from those of a run; raises `RunError` and `NotConforming`."""
        source = read_source(_bytes(files[GRAPH]), _bytes(files[CONTENT]))
        return layer_files(source, self.names, self.finder)

    def add_to(self, run: Path, *, force: bool = False) -> bool:
        """Add the layers to a run; False where it has them of this version. Raises `RunError`, `NotConforming`.

        A layer that rests on one that is made again is made again, too. The document's graph is not touched.
        """
        return add_layers(run, self, force=force)


class Making(Protocol):
    """A maker of layers: rules (`Layers`), or rules with a model (`kag.agents.layers.agent.AgentLayers`)."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def files(self, files: Mapping[str, str | bytes]) -> dict[str, str]: ...


def add_layers(run: Path, making: Making, *, force: bool = False) -> bool:
    """Add layers to a run; False where it has them of this version. Raises as `Layers.add_to`."""
    there = layers_of(run)
    wanted = chosen((*making.names, *there))
    if not force and all(name in there and _version(run, name) == __version__ for name in wanted):
        return False
    files = {name: read_file(run, name) for name in (GRAPH, CONTENT)}
    for name, text in replace(making, names=wanted).files(files).items():  # type: ignore[type-var]  # dataclasses all
        write_whole(run / name, text)
    return True


def read_layers(run: Path) -> dict[str, PublishedGraph]:
    """The layers of a run by name, none where it has none; raises `RunError`."""
    return {name: parse_layer(run / file, read_file(run, file)) for name, file in layers_of(run).items()}


def parse_layer(path: Path, data: bytes) -> PublishedGraph:
    """A layer's graph; raises `RunError` naming its file."""
    try:
        return PublishedGraph.parse(data)
    except ValueError as error:
        hint = "The file was changed or damaged; make it again: `kag layers RUN --force`."
        raise RunError(f"{shown(path)}: {error}", hint=hint) from error


def findings_in(files: Mapping[str, bytes]) -> Findings:
    """Return the layers among a run's files; without any, the findings of the rules in its document."""
    layers = {name: parse_layer(Path(file), files[file]) for name, file in LAYER_FILES.items() if file in files}
    if set(layers) != set(LAYERS):
        return find_by_rules(read_source(files[GRAPH], files[CONTENT]), tuple(LAYERS))
    return findings_of(layers)


def audit_run(run: Path) -> dict[str, tuple[Report, int]]:
    """Return the statements of each layer of a run without support in the text, and the number of spans checked."""
    layers = read_layers(run)
    if not layers:
        return {}
    source = source_of(run)
    return {name: (audit_layer(layer, source), len(spans(layer))) for name, layer in layers.items()}


def source_of(run: Path) -> Source:
    """The paper of a run; raises `RunError`."""
    return read_source(read_file(run, GRAPH), read_file(run, CONTENT))


def _version(run: Path, layer: str) -> str:
    """The version of kag that made a layer; every layer has an activity, so an empty one is made again."""
    match = _VERSION.search(read_file(run, LAYER_FILES[layer]).decode("utf-8", "replace"))
    return match[1] if match else ""


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
