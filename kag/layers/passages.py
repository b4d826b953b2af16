"""The passages of a document graph: what is read for entities, measurements and claims, in the order of the paper.

A passage's text is the `kag:plainText` of its node, and a text that has none its `kag:fullText`: this one literal is
what all offsets of the layers count in, so that anybody who has the graph can look them up. A node that goes on another
(`kag:continues`) is a passage of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from kag.layers.values import Passage
from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.published import PublishedGraph

_KINDS = {
    str(DOCO.Title): "title",
    str(DOCO.Paragraph): "paragraph",
    str(DEO.Caption): "caption",
    str(DOCO.Footnote): "footnote",
}
_SECTION, _ABSTRACT = str(DOCO.Section), str(DOCO.Abstract)
_SPOKEN_BY_OTHERS = frozenset({str(DOCO.Bibliography)})
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_CONTAINS, _HEADER = str(KAG.contains), str(KAG.containsAsHeader)
_PLAIN, _FULL, _ORDER = str(KAG.plainText), str(KAG.fullText), str(KAG.order)


def passages(graph: PublishedGraph) -> tuple[Passage, ...]:
    """All running texts of a paper; reference lists, tables and headings are none."""
    found = sorted(_texts(graph))
    total = sum(len(text) for _, _, text, _ in found)
    passed = 0
    made = []
    for _, node, text, kind in found:
        role = section_role(graph, node)
        if role in _SPOKEN_BY_OTHERS:
            continue
        name = role.rpartition("/")[2]
        inside = "abstract" if kind == "paragraph" and role == _ABSTRACT else kind
        made.append(Passage(node, text, inside, name, passed / total))
        passed += len(text)
    return tuple(made)


def text_of(graph: PublishedGraph, node: str) -> str:
    """The text that offsets count in."""
    return graph.value(node, _PLAIN) or graph.value(node, _FULL)


def section_role(graph: PublishedGraph, node: str) -> str:
    """The class (IRI) of the innermost section around a node that has one besides `doco:Section`; empty for none."""
    seen = {node}
    while parent := next(iter(graph.sources(_CONTAINS, node) or graph.sources(_HEADER, node)), ""):
        if parent in seen:  # a graph of a stranger may run in a circle
            return ""
        seen.add(parent)
        node = parent
        roles = [cls for cls in graph.values(node, _TYPE) if cls != _SECTION]
        if roles and _SECTION in graph.values(node, _TYPE):
            return roles[0]
    return ""


def _texts(graph: PublishedGraph) -> Iterator[tuple[int, str, str, str]]:
    for cls, kind in _KINDS.items():
        for node in graph.of_class(cls):
            text = text_of(graph, node)
            if text.strip():
                order = graph.value(node, _ORDER)
                yield int(order) if order.isdecimal() else 0, node, text, kind
