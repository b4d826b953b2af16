"""What a node points to and what points to it: citations, cross-references, captions, continuations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kag.qa.paper import CITES, REFERS, Mention, PaperGraph
from kag.qa.views.excerpts import excerpt
from kag.qa.views.view_bounds import MAX_BYTES, paged
from kag.qa.views.view_nodes import card
from kag.rdf.namespaces import KAG

RELATIONS = (
    "cites",
    "cited_by",
    "refers_to",
    "referred_by",
    "describes",
    "described_by",
    "continues",
    "continued_by",
)
SENTENCE = 360  # characters of a sentence with a citation

_LINKS = {"cites": CITES, "refers_to": REFERS, "describes": KAG.describes, "continues": KAG.continues}
_INVERSES = {"cited_by": CITES, "referred_by": REFERS, "described_by": KAG.describes, "continued_by": KAG.continues}


@dataclass(frozen=True, slots=True)
class Link:
    """One link; `mention` is the call-out in the text of `host` that makes it, where the graph keeps one."""

    relation: str
    node: str
    host: str
    mention: Mention | None = None


def node_refs(paper: PaperGraph, iri: str, cursor: str, most: int = MAX_BYTES) -> dict[str, Any]:
    """The links of a node both ways, one item for each relation and other node; of a section, those of all it holds."""
    hosts = _hosts(paper, iri)
    grouped: dict[tuple[str, str], list[Link]] = {}
    for link in (*_outgoing(paper, hosts), *_incoming(paper, iri, hosts)):
        grouped.setdefault((link.relation, link.node), []).append(link)
    ordered = sorted(grouped, key=lambda key: (RELATIONS.index(key[0]), paper.place(key[1])))
    counts = Counter(relation for relation, _ in ordered)

    def row(key: tuple[str, str]) -> dict[str, Any]:
        links = grouped[key]
        first = next((link for link in links if link.mention), links[0])
        found = {"relation": key[0], **card(paper, key[1]), "in": paper.name(first.host)}
        if first.mention:
            found |= {"surface": first.mention.surface[:80], **_sentence(paper, first.mention)}
        return {**found, "times": len(links)}

    head = {"node": paper.name(iri), "counts": {name: counts[name] for name in RELATIONS if counts[name]}}
    return paged(("g_node_refs", iri), head, ordered, row, cursor, most=most)


def _sentence(paper: PaperGraph, mention: Mention) -> dict[str, Any]:
    """The sentence, or the row of a table, that has a citation or cross-reference; and the characters of that."""
    host = paper.nodes[mention.host]
    start, end = excerpt(host, mention.start, mention.end, SENTENCE)
    return {"sentence": host.text[start:end], "start": mention.start, "end": mention.end}


def _hosts(paper: PaperGraph, iri: str) -> tuple[str, ...]:
    """The nodes whose links count: a text with its continuations, or everything inside a section or the paper."""
    if iri == paper.document:
        return tuple(paper.nodes)
    return tuple(paper.within(iri)) if iri in paper.sections else paper.chain_of(iri) or (iri,)


def _outgoing(paper: PaperGraph, hosts: tuple[str, ...]) -> Iterator[Link]:
    own = set(hosts)
    for host in hosts:
        mentioned: set[str] = set()
        for mention in paper.mentions_in(host):
            for target in mention.targets:
                mentioned.add(target)
                yield Link("cites" if _is_reference(paper, target) else "refers_to", target, host, mention)
        for relation, predicate in _LINKS.items():
            for target in paper.targets(host, predicate):
                inside = relation == "continues" and target in own
                if target not in mentioned and not inside:
                    yield Link(relation, target, host)


def _incoming(paper: PaperGraph, iri: str, hosts: tuple[str, ...]) -> Iterator[Link]:
    """Links to a node and its continuations; for a section, to itself."""
    targets = hosts if iri in paper.nodes else (iri,)
    for target in targets:
        for relation, predicate in _INVERSES.items():
            for source in paper.sources(target, predicate):
                if relation == "continued_by" and source in targets:
                    continue
                mentions: tuple[Mention | None, ...] = tuple(
                    one for one in paper.mentions_in(source) if target in one.targets
                )
                for mention in mentions or (None,):
                    yield Link(relation, source, source, mention)


def _is_reference(paper: PaperGraph, iri: str) -> bool:
    node = paper.nodes.get(iri)
    return node is not None and node.kind == "BibliographicReference"
