"""Entities that several papers of a corpus share, in a graph of their own.

An entity that several papers mention is linked to its concept: by `skos:exactMatch` if an identifier matches, by
`skos:closeMatch` if kind and name match. The graph is created on request; the links of a paper go with the paper.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from kag.corpus import graphs
from kag.corpus.layout import Layout
from kag.layers.pipeline import findings_of, read_layers
from kag.layers.sheet import concept_iri, entity_name
from kag.layers.values import Findings
from kag.rdf.namespaces import SKOS, paper_base
from kag.rdf.ntriples import iri

if TYPE_CHECKING:
    from pyoxigraph import Store

GRAPH = "http://la3d.local/kag/corpus/said"
"""Name of the graph."""

_MATCHES = frozenset((iri(SKOS.exactMatch), iri(SKOS.closeMatch)))


def renew(store: Store, layout: Layout, runs: Mapping[str, Path]) -> int:
    """Make the graph anew from the layers of papers, each in its folder, and publish it; gives its triples."""
    lines = derived({paper: findings_of(read_layers(run)) for paper, run in runs.items()})
    with graphs.reading(layout.store):
        graphs.discard(store, [GRAPH])
        graphs.change(store, {GRAPH: lines})
    graphs.publish(store, layout)
    return len(lines)


def forget(store: Store, papers: Collection[str]) -> None:
    """Remove the statements about papers (ids) from the graph."""
    before = graphs.lines_of(store, GRAPH)
    left = without(before, papers)
    if not left:
        graphs.discard(store, [GRAPH])
    elif left != before:
        graphs.change(store, {GRAPH: left})


def derived(papers: Mapping[str, Findings]) -> tuple[str, ...]:
    """The graph of papers by id as sorted lines of N-Triples, without the dot."""
    return tuple(sorted({*_entities(papers)}))


def without(lines: Iterable[str], papers: Collection[str]) -> tuple[str, ...]:
    """The lines that are left where papers (ids) go: nothing of theirs, and no concept that one paper alone has."""
    bases = tuple(f"<{paper_base(paper)}" for paper in papers)
    split = [_split(line) for line in lines]
    gone = {subject for subject, _, value in split if bases and (subject.startswith(bases) or value.startswith(bases))}
    kept = [one for one in split if one[0] not in gone]
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for subject, predicate, value in kept:
        if predicate in _MATCHES:
            holders[value].add(subject.rpartition("/")[0])
    return tuple(" ".join(one) for one in kept if one[1] not in _MATCHES or len(holders[one[2]]) > 1)


def nodes(lines: Iterable[str]) -> set[str]:
    """Return the nodes of papers in lines of N-Triples."""
    base = f"<{paper_base('x')[:-2]}"
    found = (term for line in lines for term in (_split(line)[0], _split(line)[2]))
    return {term for term in found if term.startswith(base)}


def _split(line: str) -> tuple[str, str, str]:
    subject, predicate, value = line.split(" ", 2)
    return subject, predicate, value


def _entities(papers: Mapping[str, Findings]) -> Iterator[str]:
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)  # concept -> paper -> line
    for paper, findings in papers.items():
        for entity in findings.entities:
            concept = concept_iri(entity)
            exact = any(identifier.match == "exact" for identifier in entity.identifiers)
            match = SKOS.exactMatch if exact else SKOS.closeMatch
            node = iri(paper_base(paper) + entity_name(entity.kind, entity.name))
            found[concept].setdefault(paper, f"{node} {iri(match)} {iri(concept)}")
    for lines in found.values():
        if len(lines) > 1:
            yield from lines.values()
