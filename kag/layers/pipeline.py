"""The layers of a paper, from the files of its run: passages, what is said in them, graphs, gate, Turtle.

    knowledge_graph.ttl -> passages -> entities -> measurements -> claims -> entity_graph.ttl, claim_graph.ttl

The document's graph is read and never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from kag.core.errors import BadValue
from kag.layers.claim_graph import claim_graph
from kag.layers.entity_graph import entity_graph
from kag.layers.gate import check_layer, require
from kag.layers.source import Source
from kag.layers.values import Said
from kag.rdf.layer_profiles import CLAIM, ENTITY, LAYERS
from kag.rdf.namespaces import RDF, paper_base
from kag.rdf.ntriples import TextTriple
from kag.rdf.published import PublishedGraph
from kag.rdf.turtle import turtle

_MAKE: Mapping[str, Callable[[str, Said], list[TextTriple]]] = {ENTITY.name: entity_graph, CLAIM.name: claim_graph}


Saying = Callable[[Source, Sequence[str]], Said]
"""Who finds what is said in a paper for some layers."""


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
        raise BadValue(f"no layer {min(strange, default='')!r}", hint=f"Name some of {', '.join(LAYERS)}.")
    wanted = asked | {below for name in asked for below in LAYERS[name].rests_on}
    return tuple(name for name in LAYERS if name in wanted)


def say_by_rules(source: Source, layers: Sequence[str]) -> Said:
    """What rules and small models find."""
    from kag.layers.rules import find_all  # their models are read when they are first needed

    return find_all(source, claims=CLAIM.name in layers)


def layer_files(source: Source, layers: Sequence[str], saying: Saying = say_by_rules) -> dict[str, str]:
    """The Turtle of each layer by its file's name; raises `NotConforming` where a layer breaks its shapes."""
    return as_files(source, layer_triples(source, layers, saying(source, layers)))


def layer_triples(source: Source, layers: Sequence[str], said: Said) -> dict[str, list[TextTriple]]:
    """What is said, as the triples of each layer."""
    return {name: _MAKE[name](source.paper_id, said) for name in layers}


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
