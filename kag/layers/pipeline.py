"""The layers of a paper: made from the files of its run, added to run folders, read back.

    knowledge_graph.ttl -> passages -> entities -> measurements -> claims -> entity_graph.ttl, claim_graph.ttl

The document's graph is read and never written. Layers made with a run or added later have the same bytes.
"""

from __future__ import annotations

import re
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
from kag.layers.reading import findings_of
from kag.layers.source import Source, read_source
from kag.layers.values import Findings
from kag.rdf.namespaces import RDF, paper_base
from kag.rdf.ntriples import TextTriple
from kag.rdf.profile import CLAIM, ENTITY, LAYERS
from kag.rdf.published import PublishedGraph
from kag.rdf.turtle import turtle

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
    """What rules and small models find."""
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
    """Which layers are made, and by whom (`kag.indexing.batch.Layering`)."""

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
    """Who makes which layers: rules (`Layers`), or a model with them (`kag.agents.layers.agent.AgentLayers`)."""

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
    """What the layers among a run's files say; where it has none, what rules find in its document now."""
    layers = {name: parse_layer(Path(file), files[file]) for name, file in LAYER_FILES.items() if file in files}
    if set(layers) != set(LAYERS):
        return find_by_rules(read_source(files[GRAPH], files[CONTENT]), tuple(LAYERS))
    return findings_of(layers)


def audit_run(run: Path) -> dict[str, tuple[Report, int]]:
    """Of each layer of a run what does not stand where it says, and how many spans were looked at."""
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
    found = _VERSION.search(read_file(run, LAYER_FILES[layer]).decode("utf-8", "replace"))
    return found[1] if found else ""


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
