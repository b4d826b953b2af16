"""`agreement`: how far a built graph agrees with a paper's gold annotation (`gold.json` beside its pages).

Seven kinds of facts are compared as sets, keyed by block ids and printed numbers, never by IRIs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rdflib import RDF, Graph, URIRef
from rdflib.term import Node

from kag.rdf.namespaces import CITO, DEO, DOCO, KAG

Fact = tuple[Any, ...]
Facts = dict[str, set[Fact]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """One kind of facts: how many are right, which are missing and which are wrong, both sorted."""

    right: int
    missing: tuple[Fact, ...]
    wrong: tuple[Fact, ...]

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 to 1."""
        return 2 * self.right / (2 * self.right + len(self.missing) + len(self.wrong))


def agreement(graph: Graph, gold: Mapping[str, Any]) -> dict[str, Agreement]:
    """The kinds of facts that the paper or the graph has; what neither has says nothing and is left out."""
    want, have = _expected(gold), _found(graph, gold)
    return {
        kind: Agreement(
            len(want[kind] & have[kind]),
            tuple(sorted(want[kind] - have[kind], key=str)),
            tuple(sorted(have[kind] - want[kind], key=str)),
        )
        for kind in want
        if want[kind] or have[kind]
    }


def structure_score(kinds: Mapping[str, Agreement]) -> float:
    """The mean F1 over the kinds, 0 to 1; 0 when there are none."""
    return sum(kind.f1 for kind in kinds.values()) / len(kinds) if kinds else 0.0


def _expected(gold: Mapping[str, Any]) -> Facts:
    """The facts of the annotation. A heading is named by its first block, a paragraph by its number."""
    head = {section["id"]: section["blocks"][0] for section in gold["sections"] if section["blocks"]}
    paragraphs = gold["paragraphs"]
    index = {f"p{paragraph['idx']}": paragraph["idx"] for paragraph in paragraphs}
    floats = [*gold["figures"], *gold["tables"]]
    crossrefs = [link for link in gold["crossref_links"] if link[0] in index and link[1] in ("figure", "table")]
    return {
        "headings": {(block,) for block in head.values()},
        "heading_parent": {(head[s["id"]], head.get(s["parent"])) for s in gold["sections"] if s["id"] in head},
        "membership": {(b, head[p["section"]]) for p in paragraphs if p["section"] in head for b in p["blocks"]},
        "captions": {(c, b) for item in floats for c in item.get("caption_blocks", []) for b in _float_blocks(item)},
        "references": {(reference["number"],) for reference in gold["references"]},
        "citations": {(index[host], number) for host, number in gold["citation_links"] if host in index},
        "crossrefs": {(index[host], kind, number) for host, kind, number in crossrefs},
    }


def _float_blocks(item: Mapping[str, Any]) -> list[str]:
    return [*item.get("image_blocks", []), *item.get("table_blocks", [])]


def _found(graph: Graph, gold: Mapping[str, Any]) -> Facts:
    """The same facts as the graph states them."""
    paragraph = {block: p["idx"] for p in gold["paragraphs"] for block in p["blocks"]}
    sections = set(graph.subjects(RDF.type, DOCO.Section))
    header: dict[Node | None, str] = {
        s: b for s in sections for title in graph.objects(s, KAG.containsAsHeader) for b in _blocks(graph, title)
    }
    parent: dict[Node | None, Node] = {
        child: s for s in sections for child in graph.objects(s, KAG.contains) if child in sections
    }
    return {
        "headings": {(block,) for block in header.values()},
        "heading_parent": {(block, header.get(parent.get(section))) for section, block in header.items()},
        "membership": {
            (block, header.get(section))
            for section in sections
            for child in graph.objects(section, KAG.contains)
            for block in _blocks(graph, child)
            if block in paragraph
        },
        "captions": _linked(graph, KAG.describes),
        "references": {(n,) for r in graph.subjects(RDF.type, DEO.BibliographicReference) if (n := _number(graph, r))},
        "citations": {
            (paragraph[block], number)
            for node, reference in graph.subject_objects(CITO.cites)
            if (number := _number(graph, reference))
            for block in _blocks(graph, node)
            if block in paragraph
        },
        "crossrefs": _crossrefs(graph, gold, paragraph),
    }


def _crossrefs(graph: Graph, gold: Mapping[str, Any], paragraph: Mapping[str, int]) -> set[Fact]:
    """Which paragraph refers to which float, named by kind and number."""
    floats = {
        block: (kind, item["number"])
        for kind in ("figure", "table")
        for item in gold[f"{kind}s"]
        for block in [*_float_blocks(item), *item.get("caption_blocks", [])]
    }
    links = _linked(graph, KAG.refersTo)
    return {(paragraph[host], *floats[target]) for host, target in links if host in paragraph and target in floats}


def _linked(graph: Graph, predicate: URIRef) -> set[Fact]:
    """Pairs of blocks whose nodes a predicate links."""
    return {
        (block, other)
        for node, target in graph.subject_objects(predicate)
        for block in _blocks(graph, node)
        for other in _blocks(graph, target)
    }


def _blocks(graph: Graph, node: Node) -> list[str]:
    return sorted(str(block) for block in graph.objects(node, KAG.sourceBlock))


def _number(graph: Graph, reference: Node) -> int | None:
    """The printed number of a reference."""
    value = str(graph.value(reference, KAG.citationNumber) or "")
    return int(value) if value.isdigit() else None
