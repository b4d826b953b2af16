"""The structure score: what a document graph states, compared with an annotation.

Everything is keyed by block ids and printed numbers, never by IRIs. Two families of metrics have the same three
counts (right, wrong, missing):

- kinds of facts, compared as sets: headings, heading_parent (a heading under its parent's heading), membership (a
  paragraph's block under its heading), captions (a caption's block with its float's block), references (their
  numbers), citations (paragraph, reference), crossrefs (paragraph, kind, number). What counts is their F1.
- shares of what was asked: four fields of the references (only values that the entry prints are asked for), order
  (neighbouring paragraphs in reading order), accounted (blocks in the graph or skipped), content_kept (paragraph
  blocks in the graph). What counts is their recall; wrong is what the graph has otherwise.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rdflib import RDF, Graph, URIRef
from rdflib.term import Node

from kag.evaluate.structure.gold import Fact, Gold
from kag.rdf.namespaces import CITO, DCTERMS, DEO, DOCO, FABIO, KAG, PRISM

KINDS = ("headings", "heading_parent", "membership", "captions", "references", "citations", "crossrefs")
FIELDS = ("ref_title", "ref_year", "ref_doi", "ref_first_author")
SHARES = (*FIELDS, "order", "accounted", "content_kept")
METRICS = (*KINDS, *SHARES)

READ = (
    *(RDF.type, KAG.sourceBlock, KAG.order, KAG.contains, KAG.containsAsHeader, KAG.describes, KAG.refersTo),
    *(CITO.cites, KAG.citationNumber, DCTERMS.title, FABIO.hasPublicationYear, PRISM.doi, KAG.authorList),
)  # predicates: nothing else of a graph counts

_DOI_PREFIX = re.compile(r"^(https?://(dx\.)?doi\.org/|doi:\s*)")
_NO_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric of one paper: which facts are right, which are missing and which are wrong."""

    right: frozenset[Fact] = frozenset()
    missing: frozenset[Fact] = frozenset()
    wrong: frozenset[Fact] = frozenset()

    @property
    def counts(self) -> tuple[int, int, int]:
        """Right, wrong, missing."""
        return len(self.right), len(self.wrong), len(self.missing)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 to 1; 0 when there is nothing to compare."""
        right, wrong, missing = self.counts
        return 2 * right / (2 * right + wrong + missing) if right else 0.0

    @property
    def recall(self) -> float:
        """The share of the asked that is right, 0 to 1; 0 when nothing is asked."""
        return len(self.right) / (len(self.right) + len(self.missing)) if self.right else 0.0


class Built:
    """The scorer's view of a graph, by block id. `skipped` are blocks left out of it on purpose."""

    def __init__(self, graph: Graph, skipped: Collection[str] = ()) -> None:
        self.graph = graph
        self.skipped = frozenset(skipped)
        self.blocks: dict[Node | None, list[str]] = defaultdict(list)
        self.nodes: dict[str, list[Node]] = defaultdict(list)
        for node, value in sorted(graph.subject_objects(KAG.sourceBlock), key=str):
            self.blocks[node].append(str(value))
            self.nodes[str(value)].append(node)

    @cached_property
    def references(self) -> dict[Node, int]:
        """The references that have a number."""
        entries = sorted(self.graph.subjects(RDF.type, DEO.BibliographicReference), key=str)
        numbers = ((entry, self._number(entry)) for entry in entries)
        return {reference: number for reference, number in numbers if number is not None}

    def _number(self, reference: Node) -> int | None:
        try:
            return int(self.text(reference, KAG.citationNumber))
        except ValueError:
            return None

    def text(self, node: Node | None, predicate: URIRef) -> str:
        """A value of a node as text, the first of several; empty when it has none."""
        return min((str(value) for value in self.graph.objects(node, predicate)), default="")

    def linked(self, predicate: URIRef) -> set[Fact]:
        """Pairs of blocks whose nodes a predicate links."""
        return {
            (block, other)
            for node, target in self.graph.subject_objects(predicate)
            for block in self.blocks.get(node, ())
            for other in self.blocks.get(target, ())
        }


def compare(built: Built | None, gold: Gold) -> dict[str, Comparison]:
    """All metrics that the annotation allows, in the order of `METRICS`; without a graph all facts are missing.

    The shares ask nothing of a graph that is not there.
    """
    found = _kinds(built, gold) if built else {}
    kinds = {
        kind: Comparison(gold.facts[kind] & have, gold.facts[kind] - have, have - gold.facts[kind])
        for kind in KINDS
        if kind in gold.facts
        for have in [frozenset(found.get(kind, ()))]
    }
    return kinds | _shares(built, gold) if built else kinds


def agreement(graph: Graph, gold: Gold) -> dict[str, Comparison]:
    """Return the kinds of facts that the paper or the graph has; kinds that neither has are left out."""
    compared = compare(Built(graph), gold)
    return {kind: compared[kind] for kind in KINDS if kind in compared and any(compared[kind].counts)}


def structure_score(kinds: Mapping[str, Comparison]) -> float:
    """The mean F1 over the kinds, 0 to 1; 0 when there are none."""
    return sum(kind.f1 for kind in kinds.values()) / len(kinds) if kinds else 0.0


def _kinds(built: Built, gold: Gold) -> dict[str, set[Fact]]:
    """The facts as the graph states them."""
    tree = _sections(built)
    hosted = {block for block in built.nodes if gold.host(block) is not None}
    cited = (
        (node, built.references[r]) for node, r in built.graph.subject_objects(CITO.cites) if r in built.references
    )
    return {
        "headings": {(block,) for block in tree.headings},
        "heading_parent": {
            (block, tree.header.get(tree.parent.get(section))) for section, block in tree.header.items()
        },
        "membership": {(block, tree.header.get(s)) for s, block in tree.members if block in hosted},
        "captions": built.linked(KAG.describes),
        "references": {(number,) for number in built.references.values()},
        "citations": {(gold.host(b), n) for node, n in cited for b in built.blocks.get(node, ()) if b in hosted},
        "crossrefs": {
            (gold.host(block), *gold.floats[target])
            for block, target in built.linked(KAG.refersTo)
            if block in hosted and target in gold.floats
        },
    }


@dataclass(frozen=True, slots=True)
class _Tree:
    """Sections: the block of their heading, their parent, blocks of what they hold; and all blocks of headings."""

    header: dict[Node | None, str] = field(default_factory=dict)
    parent: dict[Node | None, Node] = field(default_factory=dict)
    members: list[tuple[Node, str]] = field(default_factory=list)
    headings: set[str] = field(default_factory=set)


def _sections(built: Built) -> _Tree:
    graph, tree = built.graph, _Tree()
    sections = set(graph.subjects(RDF.type, DOCO.Section))
    for section in sorted(sections, key=str):
        for title in sorted(graph.objects(section, KAG.containsAsHeader), key=str):
            tree.headings.update(built.blocks.get(title, ()))
            for block in built.blocks.get(title, ()):
                tree.header.setdefault(section, block)
        for child in graph.objects(section, KAG.contains):
            tree.members.extend((section, block) for block in built.blocks.get(child, ()))
            if child in sections:
                tree.parent[child] = section
    return tree


def _shares(built: Built, gold: Gold) -> dict[str, Comparison]:
    shares = _fields(built, gold)
    if gold.hosts:
        place = {
            block: min(int(order) for order in orders)
            for block, nodes in built.nodes.items()
            if (orders := [order for node in nodes if (order := built.text(node, KAG.order))])
        }
        pairs = [pair for pair in gold.sequence if pair[0] in place and pair[1] in place]
        kept = frozenset(pair for pair in pairs if place[pair[0]] < place[pair[1]])
        shares["order"] = Comparison(kept, frozenset(gold.sequence) - kept, frozenset(pairs) - kept)
        shares["accounted"] = _held(gold.blocks, built.nodes.keys() | built.skipped)
        shares["content_kept"] = _held(gold.content, built.nodes)
    return shares


def _held(asked: Collection[str], have: Collection[str]) -> Comparison:
    right = frozenset((block,) for block in asked if block in have)
    return Comparison(right, frozenset((block,) for block in asked) - right)


def _fields(built: Built, gold: Gold) -> dict[str, Comparison]:
    """Fields of the references: facts are (number, wanted value), wrong ones (number, value of the graph)."""
    nodes = {number: node for node, number in built.references.items()}
    right, missing, wrong = (defaultdict[str, set[Fact]](set) for _ in range(3))
    for row in gold.references:
        number = row["number"]
        have = stated(built, nodes[number]) if number in nodes else {}
        for name, value in printed(row).items():
            given = have.get(name, "")
            (right if given == value else missing)[name].add((number, value))
            if given and given != value:
                wrong[name].add((number, given))
    return {
        name: Comparison(frozenset(right[name]), frozenset(missing[name]), frozenset(wrong[name])) for name in FIELDS
    }


def printed(row: Mapping[str, object]) -> dict[str, str]:
    """The fields of an annotated reference that its printed text holds, in the form they are compared in."""
    text = str(row["text"])
    authors = row.get("authors") or [{}]
    family = authors[0].get("family", "") if isinstance(authors, list) else ""
    title, year = normalised(str(row.get("title") or "")), str(row.get("year") or "")[:4]
    doi, author = normalised_doi(str(row.get("doi") or "")), normalised(family)
    words = normalised(text)
    wanted = {name: value for name, value in zip(FIELDS[:2], (title, year), strict=True) if value and value in words}
    if doi and doi in text.casefold():
        wanted["ref_doi"] = doi
    if author and author in words:
        wanted["ref_first_author"] = author
    return wanted


def stated(built: Built, reference: Node) -> dict[str, str]:
    """The fields of a reference in a graph, in the form they are compared in."""
    return {
        "ref_title": normalised(built.text(reference, DCTERMS.title)),
        "ref_year": built.text(reference, FABIO.hasPublicationYear)[:4],
        "ref_doi": normalised_doi(built.text(reference, PRISM.doi)),
        "ref_first_author": normalised(built.text(reference, KAG.authorList).split(";")[0].split(",")[0]),
    }


def normalised(text: str) -> str:
    """Words in lower case without marks; an accent parts a word, on both sides of a comparison alike.

    >>> normalised("Szőke’s  Bees")
    'szo ke s bees'
    """
    return _NO_WORD.sub(" ", unicodedata.normalize("NFKD", text).casefold()).strip()


def normalised_doi(text: str) -> str:
    """A DOI in lower case without the address before it and the stop behind it.

    >>> normalised_doi("https://doi.org/10.5555/ABC.")
    '10.5555/abc'
    """
    return _DOI_PREFIX.sub("", text.strip().casefold()).rstrip(".")
