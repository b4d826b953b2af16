"""A paper as the layers see it: the document graph of a run, its passages, tables and call-outs.

All offsets count in a node's `kag:plainText`, or its `kag:fullText` if it has none. Call-outs, which the document graph
counts in the full text, are found again in the plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kag.core.content import CELLS, ContentStore
from kag.core.errors import RunError
from kag.core.types import Table
from kag.layers.values import Passage
from kag.rdf.namespaces import C4O, DCTERMS, DEO, DOCO, KAG, paper_base
from kag.rdf.published import PublishedGraph
from kag.text.cells import stored_table
from kag.text.plain import plain
from kag.text.sentences import sentences

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


_MENTION, _WORDS, _START = str(KAG.hasMention), str(C4O.hasContent), str(KAG.startOffset)
_RAISED = re.compile(r"([.!?][⁰¹²³⁴-⁹,–⁻-]*[⁰¹²³⁴-⁹])\s+(?=[A-Z])")
_TARGETS = (str(C4O.denotes), str(KAG.refersTo))

Callout = tuple[int, int, str]
"""First character, the one behind the last, and the node that is called out."""


def callouts(graph: PublishedGraph, passage: Passage) -> tuple[Callout, ...]:
    """Return the citations of a passage in order; one that is not found behind the previous one is left out."""
    nodes = graph.values(passage.node, _MENTION)
    found: list[Callout] = []
    at = 0
    for node in sorted(nodes, key=lambda one: (_offset(graph, one), one)):
        words = plain(graph.value(node, _WORDS))
        start = passage.text.find(words, at) if words else -1
        if start < 0:
            continue
        at = start + len(words)
        found += [(start, at, target) for name in _TARGETS for target in graph.values(node, name)]
    return tuple(found)


def cited_sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, the raised call-outs behind a full stop with the sentence before it ("in water.¹² We").

    >>> [("ab.¹² Cd ef."[start:end]) for start, end in cited_sentences("ab.¹² Cd ef.")]
    ['ab.¹²', 'Cd ef.']
    """
    for start, end in sentences(text):
        for match in _RAISED.finditer(text, start, end):
            yield start, match.end(1)
            start = match.end()
        yield start, end


def _offset(graph: PublishedGraph, node: str) -> int:
    offset = graph.value(node, _START)
    return int(offset) if offset.isdecimal() else 0


@dataclass(frozen=True, slots=True)
class Source:
    """`graph` is what `kag index` wrote; nothing here changes it."""

    paper_id: str
    graph: PublishedGraph
    content: ContentStore


def read_source(graph: bytes, content: bytes) -> Source:
    """A paper from the bytes of its graph and its content store; raises `RunError`."""
    hint = "Give a run that `kag index` wrote, whole."
    try:
        published = PublishedGraph.parse(graph)
        stored = ContentStore.from_jsonl(content.decode("utf-8"))
    except ValueError as error:
        raise RunError(f"the graph or its texts cannot be read: {error}", hint=hint) from error
    papers = published.of_class(str(DOCO.Document))
    if len(papers) != 1:
        raise RunError(f"the graph holds {len(papers)} documents, not one", hint=hint)
    name = published.value(papers[0], str(DCTERMS.identifier))
    if papers[0] != f"{paper_base(name)}document":
        raise RunError(f"the document of the graph is not that of the paper {name[:80]!r}", hint=hint)
    return Source(name, published, stored)


def tables(source: Source) -> Iterator[tuple[Passage, Table, Passage | None]]:
    """The tables of a paper, each as the passage of its full text, its cells, and its caption, if it has one.

    Raises `RunError` where the stored cells are damaged.
    """
    graph, content = source.graph, source.content
    for node in sorted(graph.of_class(str(DOCO.Table)), key=lambda one: int(graph.value(one, str(KAG.order)) or 0)):
        ref, text = graph.value(node, str(KAG.tableCells)), text_of(graph, node)
        cells = content.data(ref, CELLS)
        table, _ = stored_table(cells, content[ref].details if cells is not None else {}, text)
        captions = graph.sources(str(KAG.describes), node)
        caption = Passage(captions[0], text_of(graph, captions[0]), "caption") if captions else None
        role = section_role(graph, node).rpartition("/")[2]
        yield Passage(node, text, "table", role), table, caption
