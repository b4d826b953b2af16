"""What papers of a corpus say to each other, in a graph of its own: the same entity, claims that agree or do not.

An entity that several papers speak of leads to its concept, by `skos:exactMatch` where an identifier says so and by
`skos:closeMatch` where kind and name do. Two claims are joined by a `kag:Relation` of the kind same, supports or
contradicts, with its confidence and who says so. The graph is made when that is asked for; what it says of a paper goes
with the paper, at once.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kag.corpus import graphs
from kag.corpus.layout import Layout
from kag.layers.claims.between import Link, compare_claims
from kag.layers.names import concept_iri, entity_name, span_name
from kag.layers.reading import said_of
from kag.layers.runs import read_layers
from kag.layers.values import Said
from kag.rdf.namespaces import RDF, SAID, SKOS, XSD, paper_base
from kag.rdf.ntriples import iri, literal
from kag.read.checking.bearing import RULES
from kag.values.verdict import Case, Verdict

if TYPE_CHECKING:
    from pyoxigraph import Store

GRAPH = "http://la3d.local/kag/corpus/said"
"""Name of the graph."""

_LINK = "http://la3d.local/kag/corpus/link-"
_MATCHES = frozenset((iri(SKOS.exactMatch), iri(SKOS.closeMatch)))


def renew(store: Store, layout: Layout, runs: Mapping[str, Path]) -> int:
    """Make the graph anew from the layers of papers, each in its folder, and publish it; gives its triples."""
    lines = derived({paper: said_of(read_layers(run)) for paper, run in runs.items()})
    with graphs.reading(layout.store):
        graphs.discard(store, [GRAPH])
        graphs.change(store, {GRAPH: lines})
    graphs.publish(store, layout)
    return len(lines)


def forget(store: Store, papers: Collection[str]) -> None:
    """Take from the graph what it says of papers (ids)."""
    before = graphs.lines_of(store, GRAPH)
    left = without(before, papers)
    if not left:
        graphs.discard(store, [GRAPH])
    elif left != before:
        graphs.change(store, {GRAPH: left})


def derived(papers: Mapping[str, Said]) -> tuple[str, ...]:
    """The graph of papers by id as sorted lines of N-Triples, without the dot."""
    return tuple(sorted({*_entities(papers), *_claims(papers)}))


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
    """The nodes of papers that lines speak of, in N-Triples syntax."""
    base = f"<{paper_base('x')[:-2]}"
    found = (term for line in lines for term in (_split(line)[0], _split(line)[2]))
    return {term for term in found if term.startswith(base)}


def _split(line: str) -> tuple[str, str, str]:
    subject, predicate, value = line.split(" ", 2)
    return subject, predicate, value


def _entities(papers: Mapping[str, Said]) -> Iterator[str]:
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)  # concept -> paper -> line
    for paper, said in papers.items():
        for entity in said.entities:
            concept = concept_iri(entity)
            exact = any(one.match == "exact" for one in entity.identifiers)
            match = SKOS.exactMatch if exact else SKOS.closeMatch
            node = iri(paper_base(paper) + entity_name(entity.kind, entity.name))
            found[concept].setdefault(paper, f"{node} {iri(match)} {iri(concept)}")
    for lines in found.values():
        if len(lines) > 1:
            yield from lines.values()


def _claims(papers: Mapping[str, Said]) -> Iterator[str]:
    for link in compare_claims({name: said.claims for name, said in papers.items()}, _hear):
        yield from _link(link)


def _hear(cases: Sequence[Case]) -> Sequence[Verdict | None]:
    return [RULES.check(*case) for case in cases]


def _link(link: Link) -> Iterator[str]:
    head, tail = (
        paper_base(paper) + span_name("c", claim.sentence)
        for paper, claim in ((link.from_paper, link.first), (link.to_paper, link.second))
    )
    digest = hashlib.sha256(f"{link.kind}|{head}|{tail}".encode()).hexdigest()[:16]
    node = iri(_LINK + digest)
    yield f"{node} {iri(RDF.type)} {iri(SAID.Relation)}"
    yield f"{node} {iri(SAID.kind)} {literal(link.kind)}"
    yield f"{node} {iri(SAID.head)} {iri(head)}"
    yield f"{node} {iri(SAID.tail)} {iri(tail)}"
    yield f"{node} {iri(SAID.confidence)} {literal(f'{link.score}E0', XSD.double)}"
    yield f"{node} {iri(SAID.rule)} {literal(link.checker)}"
