"""Planted faults: graphs spoilt in one known way, to see that the metric that is meant to see it falls, and no other.

A metric that stays high on a broken graph measures nothing. Each fault is planted in every paper's graph; the
micro values over the papers are compared with those of the graphs as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib import RDF, Graph, Literal, URIRef
from rdflib.term import Node

from kag.evaluate.statistics import micro, table
from kag.evaluate.structure.runs import Paper
from kag.evaluate.structure.score import METRICS, READ, SHARES, Built, Comparison, compare
from kag.rdf.namespaces import CITO, DCTERMS, DEO, DOCO, FABIO, KAG, PRISM

PLACED = {"headings", "heading_parent", "membership", "captions", "citations", "crossrefs"}
PLACED |= {"order", "accounted", "content_kept"}
_PAGE = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Fault:
    """A way to spoil a graph in place, the metrics that must fall by it, and those that may."""

    name: str
    plant: Callable[[Graph], None]
    falls: frozenset[str]
    may: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Seen:
    """What a fault did: values of each metric before and after, and whether that is what it should do."""

    fault: Fault
    before: Mapping[str, float]
    after: Mapping[str, float]

    @property
    def blind(self) -> list[str]:
        """Metrics that should have fallen and did not."""
        return [name for name in METRICS if name in self.fault.falls & self.before.keys() and not self._fell(name)]

    @property
    def disturbed(self) -> list[str]:
        """Metrics that the fault has nothing to do with and that changed nevertheless."""
        related = self.fault.falls | self.fault.may
        return [name for name in self.before if name not in related and self.before[name] != self.after[name]]

    def _fell(self, name: str) -> bool:
        return self.after[name] < self.before[name]


def self_test(papers: Sequence[Paper], faults: Iterable[Fault] | None = None) -> list[Seen]:
    """Plant each fault in copies of the papers' graphs. A metric without one right fact cannot fall and is left out."""
    built = [paper for paper in papers if paper.built]
    whole = [Built(_read(paper.built.graph), paper.built.skipped) for paper in papers if paper.built]
    before = {name: value for name, value in _values([paper.compared for paper in built]).items() if value > 0}
    seen = []
    for fault in FAULTS if faults is None else faults:
        compared = [compare(_spoilt(one, fault), paper.gold) for one, paper in zip(whole, built, strict=True)]
        seen.append(Seen(fault, before, _values(compared)))
    return seen


def _read(graph: Graph) -> Graph:
    """The part of a graph that the scorer reads; it is copied once for each fault."""
    part = Graph()
    for predicate in READ:
        for triple in graph.triples((None, predicate, None)):
            part.add(triple)
    return part


def _spoilt(built: Built, fault: Fault) -> Built:
    graph = Graph()
    graph += built.graph
    fault.plant(graph)
    return Built(graph, built.skipped)


def _values(papers: Sequence[Mapping[str, Comparison]]) -> dict[str, float]:
    return {
        name: micro([paper[name].counts for paper in papers if name in paper], share=name in SHARES)
        for name in METRICS
        if any(name in paper for paper in papers)
    }


def _without(*predicates: URIRef) -> Callable[[Graph], None]:
    def plant(graph: Graph) -> None:
        for predicate in predicates:
            graph.remove((None, predicate, None))

    return plant


def _changed(predicate: URIRef, change: Callable[[str], str], cls: URIRef | None = None) -> Callable[[Graph], None]:
    """Each value of a predicate changed, on nodes of a class."""

    def plant(graph: Graph) -> None:
        for node, value in sorted(graph.subject_objects(predicate), key=str):
            if cls is None or (node, RDF.type, cls) in graph:
                graph.remove((node, predicate, value))
                datatype = value.datatype if isinstance(value, Literal) else None
                graph.add((node, predicate, Literal(change(str(value)), datatype=datatype)))

    return plant


def _shift_pages(graph: Graph) -> None:
    _changed(KAG.sourceBlock, lambda block: _PAGE.sub(lambda page: f"{int(page[0]) + 500:03d}", block, count=1))(graph)


def _sections(graph: Graph) -> list[Node]:
    return sorted(graph.subjects(RDF.type, DOCO.Section), key=str)


def _shuffle_sections(graph: Graph) -> None:
    """Everything but subsections moves from each section with a heading to the next one."""
    sections = [section for section in _sections(graph) if (section, KAG.containsAsHeader, None) in graph]
    inside = set(_sections(graph))
    held = [[child for child in graph.objects(s, KAG.contains) if child not in inside] for s in sections]
    for section, other, children in zip(sections, sections[1:] + sections[:1], held, strict=True):
        for child in children:
            graph.remove((section, KAG.contains, child))
            graph.add((other, KAG.contains, child))


def _flatten(graph: Graph) -> None:
    for section in (sections := set(_sections(graph))):
        for child in sections & set(graph.objects(section, KAG.contains)):
            graph.remove((section, KAG.contains, child))


def _swap_captions(graph: Graph) -> None:
    """Each caption describes what the next one should."""
    described = sorted(graph.subject_objects(KAG.describes), key=str)
    for (caption, target), (_, other) in zip(described, described[1:] + described[:1], strict=True):
        graph.remove((caption, KAG.describes, target))
        graph.add((caption, KAG.describes, other))


def _merge_references(graph: Graph) -> None:
    """Each second entry disappears in the one before it, with its blocks and its citations."""
    for kept, lost in _couples(sorted(graph.subjects(RDF.type, DEO.BibliographicReference), key=str)):
        for citing in list(graph.subjects(CITO.cites, lost)):
            graph.add((citing, CITO.cites, kept))
        for block in list(graph.objects(lost, KAG.sourceBlock)):
            graph.add((kept, KAG.sourceBlock, block))
        _remove(graph, lost)


def _couples(nodes: Sequence[Node]) -> Iterator[tuple[Node, Node]]:
    return zip(nodes[::2], nodes[1::2], strict=False)


def _lose_block(graph: Graph) -> None:
    """The last paragraph of a section with a heading that neither cites nor refers to anything disappears."""
    free = [
        node
        for section in _sections(graph)
        if (section, KAG.containsAsHeader, None) in graph
        for node in graph.objects(section, KAG.contains)
        if (node, RDF.type, DOCO.Paragraph) in graph
        and not {CITO.cites, KAG.refersTo} & set(graph.predicates(node, None))
    ]
    if free:
        _remove(graph, max(free, key=str))


def _remove(graph: Graph, node: Node) -> None:
    graph.remove((node, None, None))
    graph.remove((None, None, node))


def _fault(name: str, plant: Callable[[Graph], None], falls: Iterable[str], may: Iterable[str] = ()) -> Fault:
    return Fault(name, plant, frozenset(falls), frozenset(may))


REFERENCE_FIELDS = ("ref_title", "ref_year", "ref_doi", "ref_first_author")
FAULTS = (
    _fault("citations not linked", _without(CITO.cites), ["citations"]),
    _fault("cross-references not linked", _without(KAG.refersTo), ["crossrefs"]),
    _fault("headings lost", _without(KAG.containsAsHeader), ["headings", "heading_parent", "membership"]),
    _fault("sections flattened", _flatten, ["heading_parent"]),
    _fault("paragraphs in the next section", _shuffle_sections, ["membership"]),
    _fault("captions swapped", _swap_captions, ["captions"]),
    _fault("blocks on wrong pages", _shift_pages, PLACED),
    _fault("one block lost", _lose_block, ["membership", "accounted", "content_kept"], ["order"]),
    _fault("order reversed", _changed(KAG.order, lambda order: str(-int(order))), ["order"]),
    _fault("references merged in pairs", _merge_references, ["references", "citations", *REFERENCE_FIELDS]),
    _fault("years one too high", _changed(FABIO.hasPublicationYear, lambda year: str(int(year[:4]) + 1)), ["ref_year"]),
    _fault(
        "titles cut in half", _changed(DCTERMS.title, lambda t: t[: len(t) // 2], DEO.BibliographicReference),
        ["ref_title"],
    ),
    _fault("DOIs with a digit more", _changed(PRISM.doi, lambda doi: f"{doi}1"), ["ref_doi"]),
    _fault(
        "first author dropped", _changed(KAG.authorList, lambda names: names.partition(";")[2]), ["ref_first_author"]
    ),
)  # fmt: skip


def fault_table(seen: Sequence[Seen]) -> str:
    """Show by how much each metric changes by each fault, blank where it stays, and the verdict."""
    metrics = list(seen[0].before) if seen else []
    rows = ([one.fault.name, *(_change(one.before[m], one.after[m]) for m in metrics), verdict(one)] for one in seen)
    return table(["fault", *metrics, "verdict"], rows)


def _change(before: float, after: float) -> str:
    return "" if before == after else f"{after - before:+.4f}"


def verdict(seen: Seen) -> str:
    """Return `seen`, or which metrics were blind to the fault or disturbed by it."""
    parts = [f"blind: {', '.join(seen.blind)}"] if seen.blind else []
    parts += [f"disturbed: {', '.join(seen.disturbed)}"] if seen.disturbed else []
    return "; ".join(parts) or "seen"
