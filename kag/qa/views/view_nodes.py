"""The rows and details that views are made of: what a section holds, all that is known of a node or reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kag.qa.paper import CITES, REFERS, Mention, Node, PaperGraph, Section
from kag.qa.passages import JOIN
from kag.qa.views.view_bounds import LEAD, MAX_BYTES, MAX_ITEMS, excerpt, paged, shrunk, size
from kag.rdf.namespaces import KAG

WINDOW = 2000  # characters of a text that are shown at a time
_VALUES = 3  # of a property that are shown
_LONGEST_VALUE = 120
_SHOWN_APART = {str(KAG.fullText), str(KAG.mainText), str(KAG.pageNumber), str(KAG.hasBBox)}


def lead(text: str, longest: int = LEAD) -> str:
    """The beginning of a text as it is printed, cut between words; it can be quoted."""
    if len(text) <= longest:
        return text
    return text[: max(text.rfind(" ", 1, longest + 1), 0) or longest]


def card(paper: PaperGraph, iri: str) -> dict[str, Any]:
    """Return the row of a node or section in a list."""
    section, node = paper.sections.get(iri), paper.nodes.get(iri)
    if section:
        row = {"node": section.name, "kind": "Section", "page": section.page, "text": section.title[:LEAD]}
        return {**row, "number": section.number, "items": len(section.contents) + len(section.sections)}
    if node is None:
        return {"node": paper.name(iri)}
    row = {"node": node.name, "kind": node.kind, "page": node.page}
    if node.label:
        row["label"] = node.label
    return {**row, "text": lead(node.text), "chars": len(node.text)}


def section_content(paper: PaperGraph, section: Section | None, cursor: str) -> dict[str, Any]:
    """The contents of a section, or of the paper itself, in reading order; a continued paragraph is one item."""
    if section is None:
        loose = [iri for iri, node in paper.nodes.items() if not node.section]
        children = [*loose, *(one.iri for one in paper.sections.values() if not one.parent)]
        head: dict[str, Any] = {"section": paper.name(paper.document), "title": paper.title, "number": "", "page": 1}
    else:
        children = [*section.contents, *section.sections]
        head = {"section": section.name, "title": section.title, "number": section.number, "page": section.page}
        head |= {"path": list(section.path[:-1]), "types": list(section.types), "header": paper.name(section.header)}
    here = set(children)
    later = {part for iri in children for part in paper.chains.get(iri, ())[1:]} & here
    ordered = sorted((iri for iri in here if iri not in later), key=paper.place)

    def row(iri: str) -> dict[str, Any]:
        parts = [paper.nodes[part] for part in paper.chains.get(iri, ())[1:]]
        more = {"continued": [{"node": part.name, "page": part.page} for part in parts[:5]]} if parts else {}
        return {**card(paper, iri), **more}

    return paged(("g_section_content", section.iri if section else ""), head, ordered, row, cursor)


def node_detail(paper: PaperGraph, iri: str, offset: int) -> dict[str, Any]:
    """All properties of a node, and a window of its text (read on through what continues it)."""
    node, section = paper.nodes.get(iri), paper.section_of(iri)
    chain = [paper.nodes[part] for part in paper.chain_of(iri)]
    text = JOIN.join(part.text for part in chain)
    end = min(len(text), offset + WINDOW)
    detail: dict[str, Any] = {
        "ok": True,
        "node": paper.name(iri),
        "kind": node.kind if node else "Section" if iri in paper.sections else "",
        "page": node.page if node else section.page if section else None,
        "boxes": [list(box) for box in node.boxes[:8]] if node else [],
        "label": node.label if node else "",
        "section": {"node": section.name, "title": section.title[:LEAD]} if section else None,
        "text": text[offset:end],
        "offset": offset,
        "chars": len(text),
        "next": end if end < len(text) else None,
        "parts": _parts(chain) if len(chain) > 1 else [],
    }
    properties = paper.graph.properties(iri)
    names = sorted(properties.keys() - _SHOWN_APART)
    detail |= {"properties": [], "properties_total": len(names)}
    room = MAX_BYTES - size(detail)
    if room < 500:  # a text of signs that take many bytes, or names longer than any
        detail = shrunk(detail, MAX_BYTES - 500)
        detail["next"] = offset + len(detail["text"]) if offset + len(detail["text"]) < len(text) else None
        room = MAX_BYTES - size(detail) - 8
    detail["properties"] = _fitting((_property(paper, name, properties[name]) for name in names[:MAX_ITEMS]), room)
    return detail


def _parts(chain: list[Node]) -> list[dict[str, Any]]:
    """Return the span of each node's text in the joined text: a quote has to name its own node."""
    found, at = [], 0
    for node in chain[:10]:
        found.append({"node": node.name, "page": node.page, "start": at, "end": at + len(node.text)})
        at += len(node.text) + len(JOIN)
    return found


def _property(paper: PaperGraph, name: str, values: tuple[str, ...]) -> dict[str, Any]:
    link = paper.graph.is_link(name)
    shown = [paper.name(value) if link else value[:_LONGEST_VALUE] for value in values[:_VALUES]]
    return {"name": paper.name(name), "total": len(values), "values": shown}


def _fitting(rows: Iterable[dict[str, Any]], room: int) -> list[dict[str, Any]]:
    found = []
    for row in rows:
        room -= size(row) + 2
        if room < 0:
            break
        found.append(row)
    return found


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
