"""What the evidence of a count stands for: nodes of the kind that is counted, or the parts that one node has.

A number of things is shown by as many things. What one node holds several of is told apart by the graph and the page:
call-outs, the cells of a table, the names in a line of authors. Other spans of a node are that one node.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from kag.core.evidence import Evidence
from kag.qa.paper import Node, PaperGraph
from kag.qa.quote import find_quote
from kag.rdf.namespaces import DCTERMS, KAG, PRISM

Thing = tuple[object, ...]  # what makes a thing one: two with the same are the same


def things(noun: str, evidence: Iterable[Evidence], papers: Mapping[str, PaperGraph]) -> set[Thing]:
    """The different things that evidence stands for; what is no `noun` ("sections", "times") is left out."""
    kind = singular(noun)
    spans: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for one in evidence:
        spans.setdefault((one.paper, one.node), set()).add((one.start, one.end))
    found: set[Thing] = set()
    for (name, iri), quoted in spans.items():
        found |= _things(kind, papers[name].nodes[iri], quoted, papers[name])
    return found


def singular(noun: str) -> str:
    """The form for one thing: "entries" to "entry"."""
    return re.sub(r"ries$", "ry", noun.lower()).removesuffix("s")


def _things(noun: str, node: Node, spans: set[tuple[int, int]], paper: PaperGraph) -> set[Thing]:
    """What spans of one node stand for: each for itself where all are parts of it, else all for the node."""
    if noun in _KINDS and not _KINDS[noun](node, paper):
        return set()
    if noun == "paper":
        return {(paper.id,)}
    if noun == "page":
        return {(paper.id, node.page)}
    if noun in _FLOATS:
        return {(paper.id, _name(paper.nodes[_described(node, paper)[0]]))}
    if len(spans) > 1 and spans <= _parts(noun, node, paper):
        return {(paper.id, node.iri, *span) for span in spans}
    return {(paper.id, node.iri)}


def _name(node: Node) -> str:
    """What tells a float from others: its number, since a figure may be printed as several pictures."""
    return f"{node.kind} {node.label} {node.number}" if node.number else node.iri


def _described(node: Node, paper: PaperGraph) -> tuple[str, ...]:
    """The float that a node is, or those that it is the caption of."""
    described = (node.iri,) if node.kind != "Caption" else paper.targets(node.iri, KAG.describes)
    return tuple(iri for iri in described if iri in paper.nodes)


def _is_float(kind: str) -> Callable[[Node, PaperGraph], bool]:
    return lambda node, paper: any(paper.nodes[iri].kind == kind for iri in _described(node, paper))


def _is(*kinds: str) -> Callable[[Node, PaperGraph], bool]:
    return lambda node, _: node.kind in kinds


_NAMED = {"author": DCTERMS.creator, "keyword": PRISM.keyword}
_FLOATS = {"figure": "Figure", "table": "Table", "equation": "Formula", "formula": "Formula"}
_KINDS: dict[str, Callable[[Node, PaperGraph], bool]] = {
    "section": _is("SectionTitle"),
    "subsection": _is("SectionTitle"),
    "paragraph": _is("Paragraph", "Footnote"),
    "reference": _is("BibliographicReference"),
    "entry": _is("BibliographicReference"),
    "work": _is("BibliographicReference", "Title"),
    "journal": _is("BibliographicReference", "Title"),
    "keyword": lambda node, paper: bool(_parts("keyword", node, paper)),
    "author": _is("ListOfAuthors"),
    "row": _is("Table"),
    "column": _is("Table"),
    **{noun: _is_float(kind) for noun, kind in _FLOATS.items()},
}


def _parts(noun: str, node: Node, paper: PaperGraph) -> set[tuple[int, int]]:
    """The spans of one node that are things of their own."""
    if noun in ("row", "column"):
        return cells(node)
    if noun in _NAMED:
        names = paper.graph.values(paper.document, str(_NAMED[noun]))
        return {span for name in names if (span := find_quote(node.text, name))}
    return {(mention.start, mention.end) for mention in paper.mentions_in(node.iri)}


def cells(node: Node) -> set[tuple[int, int]]:
    """The spans of the cells in a table's text, a row a line, cells parted by " | "; none for another node."""
    found: set[tuple[int, int]] = set()
    start = 0
    for line in node.text.split("\n") if node.kind == "Table" else ():
        at = start
        for cell in line.split(" | "):
            found.add((at, at + len(cell)))
            at += len(cell) + 3
        start += len(line) + 1
    return found
