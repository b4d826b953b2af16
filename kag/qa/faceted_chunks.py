"""Chunks with the findings of their paper's layers, for facets: named things, and roles of claims."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from kag.core.errors import RunError
from kag.indexing.run import layers_of
from kag.layers.sheet import concept_iri
from kag.layers.values import Entity, Findings, Mention
from kag.qa.compare import layer_findings
from kag.qa.paper import PaperGraph
from kag.rdf.profile import KIND_CLASSES
from kag.retrieval.chunking import Chunk
from kag.retrieval.facets import CLAIMS, LAYERS, THINGS, Thing, with_things

T = TypeVar("T")


def faceted_chunks(paper: PaperGraph, chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks of a paper with the layers that it has, its things and its claims in their metadata.

    Without layers they are as they were. One that is damaged tells nothing here; `kag validate` names it. What only a
    measurement names (kind "thing") is left out.
    """
    layers = layer_words(paper)
    if not layers:
        return tuple(chunks)
    try:
        findings = layer_findings(paper)
    except RunError:
        findings = Findings()
    shared = Counter(node for chunk in chunks for node in chunk.sources)
    things = _by_node(
        (entity, mention) for entity in findings.entities if entity.kind in KIND_CLASSES for mention in entity.mentions
    )
    claims = _by_node((claim.role, claim.sentence) for claim in findings.claims)
    return tuple(
        replace(
            chunk,
            metadata={
                **chunk.metadata,
                LAYERS: layers,
                THINGS: with_things(_things(_inside(chunk, things, shared))),
                CLAIMS: "\n".join(sorted({role for role, _ in _inside(chunk, claims, shared)})),
            },
        )
        for chunk in chunks
    )


def layer_words(paper: PaperGraph) -> str:
    """The names of a paper's layers, by blanks."""
    return " ".join(sorted(layers_of(paper.path))) if paper.path else ""


def _by_node(mentions: Iterable[tuple[T, Mention]]) -> Mapping[str, list[tuple[T, Mention]]]:
    found: defaultdict[str, list[tuple[T, Mention]]] = defaultdict(list)
    for what, words in mentions:
        found[words.node].append((what, words))
    return found


def _inside(
    chunk: Chunk, mentions: Mapping[str, list[tuple[T, Mention]]], shared: Mapping[str, int]
) -> Iterator[tuple[T, Mention]]:
    """Return the parts of nodes in a chunk: whole nodes, and the printed part of cut ones."""
    for node in chunk.sources:
        for what, words in mentions.get(node, ()):
            if shared[node] == 1 or words.text in chunk.text:
                yield what, words


def _things(found: Iterable[tuple[Entity, Mention]]) -> Iterator[Thing]:
    printed: dict[str, tuple[Entity, dict[str, None]]] = {}
    for entity, words in found:
        concept = concept_iri(entity).rpartition("/")[2]
        printed.setdefault(concept, (entity, {}))[1][words.text] = None
    for concept, (entity, names) in printed.items():
        yield Thing(entity.kind, concept, entity.name, tuple(name for name in names if name != entity.name))


def named_chunks(paper: PaperGraph, chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks of a paper, each with the entities that are mentioned in it, by the one name that each has in the
    paper: a chunk with an abbreviation and one with its long form share a name. Raises `RunError`.

    Without an entity layer they are as they were.
    """
    names: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for entity in layer_findings(paper).entities:
        for mention in entity.mentions:
            names[mention.node][entity.name] = None
    if not names:
        return tuple(chunks)
    return tuple(
        replace(
            chunk, entities=tuple(dict.fromkeys((*chunk.entities, *(n for at in chunk.sources for n in names[at]))))
        )
        for chunk in chunks
    )
