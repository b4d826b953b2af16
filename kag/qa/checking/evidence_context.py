"""A claim and its evidence as a judge is given them: what is quoted, what stands around it, what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from kag.core.evidence import Claim, Evidence
from kag.core.verdict import Case, Context, Quote
from kag.qa.checking.quoted import said
from kag.qa.paper import CITES, REFERS, Node, PaperGraph
from kag.qa.printed_table import head_rows, named_lines, printed_table, row_spans
from kag.rdf.namespaces import KAG
from kag.retrieval.graph.entities import acronyms
from kag.text.plain import plain
from kag.text.sentences import sentences

_KINDS = {
    "Table": "table",
    "Caption": "caption",
    "SectionTitle": "heading",
    "Title": "heading",
    "BibliographicReference": "reference",
}
_SHORT_FORMS: WeakKeyDictionary[PaperGraph, Mapping[str, str]] = WeakKeyDictionary()


def case_of(claim: Claim, papers: Mapping[str, PaperGraph], question: str = "") -> Case:
    """What a judge is given for a claim: its words, its quotes with what stands around them, and what else is known."""
    found = (quote for one in claim.evidence for quote in quotes_of(one, papers[one.paper], several=len(papers) > 1))
    quotes = tuple(dict.fromkeys(found))
    short = {name: long for one in claim.evidence for name, long in short_forms(papers[one.paper]).items()}
    labels = frozenset(label for one in claim.evidence for label in _labels(papers[one.paper], one))
    return plain(claim.text), quotes, Context(question, short, labels, claim.count)


def _labels(paper: PaperGraph, evidence: Evidence) -> Iterator[str]:
    """What the page calls the place of a quote, and what its mentions point to: page, float, section, reference."""
    node = paper.nodes[evidence.node]
    section = paper.section_of(node.iri)
    yield from (str(node.page), node.number, section.number if section else "")
    described = paper.targets(node.iri, KAG.describes)
    mentioned = [
        target
        for mention in paper.mentions.get(node.iri, ())
        if mention.start < evidence.end and mention.end > evidence.start
        for target in mention.targets
    ]
    linked = () if paper.mentions else paper.targets(node.iri, CITES, REFERS)  # an older graph has no mentions
    for target in (*described, *mentioned, *linked):
        if target in paper.nodes:
            yield paper.nodes[target].number


def short_forms(paper: PaperGraph) -> Mapping[str, str]:
    """The short forms that a paper introduces in brackets, with the long ones."""
    if paper not in _SHORT_FORMS:
        texts = (
            node.text for node in paper.nodes.values() if "(" in node.text and node.kind != "BibliographicReference"
        )
        _SHORT_FORMS[paper] = {short: long for text in texts for short, long in acronyms(text)}
    return _SHORT_FORMS[paper]


def quotes_of(one: Evidence, paper: PaperGraph, *, several: bool = False) -> Iterator[Quote]:
    """One piece of evidence as a judge sees it; of a table a quote for each row that it touches.

    With `several` papers the quote names its own.
    """
    node = paper.nodes[one.node]
    section = paper.section_of(one.node)
    caption = paper.caption_of(one.node)
    shared = {
        "section": (*(section.path if section else ()), *_cited_from(node, paper)),
        "label": node.label or (node.number and f"{node.kind} {node.number}"),
        "caption": caption.plain if caption else "",
        "paper": paper.id if several else "",
    }
    if node.kind == "Table" and " | " in node.text:
        yield from _rows(one, node, paper, shared)
        return
    before, after = _around(node, one.start, one.end)
    yield Quote(said(one, paper), _KINDS.get(node.kind, "sentence"), before=before, after=after, **shared)  # type: ignore[arg-type]


def _cited_from(node: Node, paper: PaperGraph) -> tuple[str, ...]:
    """The titles of the sections whose text cites an entry, as a claim may name them: "RESULTS cites 1 reference"."""
    if node.kind != "BibliographicReference":
        return ()
    found = (paper.section_of(host) for host in paper.sources(node.iri, CITES))
    return tuple(dict.fromkeys(title for section in found if section for title in section.path))


def _rows(one: Evidence, node: Node, paper: PaperGraph, shared: Mapping[str, object]) -> Iterator[Quote]:
    table, _ = printed_table(paper, node)
    headers, lines = named_lines(paper, node)
    head = min(max(head_rows(paper, node), 1), len(lines) - 1)
    headers = headers if any(headers) else lines[0]  # a head that is not known as such is most often the first row
    spans = row_spans(table, node.text)
    touched = [line for at, (line, span) in enumerate(zip(lines, spans, strict=True))
               if at >= head and span and span[0] < one.end and one.start < span[1]]  # fmt: skip
    for cells in touched[:1] if len(touched) == 1 else ():
        yield Quote(" | ".join(cells), "row", headers=headers, cells=cells, rows=tuple(lines[head:]), **shared)  # type: ignore[arg-type]
    if len(touched) > 1:
        yield Quote(said(one, paper), "table", headers=headers, rows=tuple(touched), **shared)  # type: ignore[arg-type]
    elif not touched:
        yield Quote(said(one, paper), "table", **shared)  # type: ignore[arg-type]


def _around(node: Node, start: int, end: int) -> tuple[str, str]:
    """What stands before and behind a span: the rest of its sentences, and the sentence beside."""
    spans = sentences(node.text)
    inside = [at for at, (first, last) in enumerate(spans) if first < end and last > start]
    if not inside:
        return "", ""
    first = spans[max(0, inside[0] - 1)][0]
    last = spans[min(len(spans) - 1, inside[-1] + 1)][1]
    return plain(node.text[first:start]), plain(node.text[end:last])
