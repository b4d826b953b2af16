"""The paper at a glance: what is told before the first question, so that no call is spent on it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kag.qa.paper import CITES, PaperGraph, Section
from kag.qa.views.view_bounds import shrunk, size
from kag.qa.views.view_nodes import lead
from kag.rdf.namespaces import DCTERMS, FABIO, PRISM

MAX_BYTES = 6000
OUTLINE_BYTES = 1400
_SECTIONS_SHARE = 0.75  # of the bytes that are left for lists
_COUNTED = {
    "paragraphs": "Paragraph",
    "figures": "Figure",
    "tables": "Table",
    "formulas": "Formula",
    "footnotes": "Footnote",
    "references": "BibliographicReference",
}


def overview(paper: PaperGraph) -> dict[str, Any]:
    """Title, authors, year, counts, section tree and floats of a paper, in at most 6,000 bytes.

    Returns {"paper", "title", "authors": [first 12], "year", "doi", "counts": {"pages", "sections", "paragraphs",
    "figures", "tables", "formulas", "footnotes", "references", "citing_texts", "cited_references"},
    "sections": [{"node", "number", "title", "depth", "page", "items", "chars"}], "sections_left_out": 0,
    "floats": [{"node", "label", "page", "caption"}], "floats_left_out": 0}. A continued paragraph counts once;
    sections are left out deepest first.
    """
    graph, document = paper.graph, paper.document
    found: dict[str, Any] = {
        "paper": paper.id,
        "title": paper.title[:300],
        "authors": [name[:80] for name in authors(paper)[:12]],
        "year": graph.value(document, str(FABIO.hasPublicationYear)),
        "doi": graph.value(document, str(PRISM.doi)),
        "counts": counts(paper),
        "sections": [],
        "sections_left_out": 0,
        "floats": [],
        "floats_left_out": 0,
    }
    found = shrunk(found, MAX_BYTES // 3)
    room = MAX_BYTES - size(found) - 40
    kept = _sections(paper, int(room * _SECTIONS_SHARE))
    found["sections"] = kept
    found["sections_left_out"] = len(paper.sections) - len(kept)
    floats = [_float(paper, node.iri) for node in paper.of_kind("Figure", "Table") if node.label or node.number]
    for row in floats:
        if size(found) + size(row) + 40 > MAX_BYTES:
            break
        found["floats"].append(row)
    found["floats_left_out"] = len(floats) - len(found["floats"])
    return found


def outline(paper: PaperGraph) -> str:
    """What a paper consists of, for a prompt: title, authors, year, counts, sections, floats; 1,400 bytes at most.

    Sections go by number and title, by which views find them; the deepest are left out first, then captions.
    """
    facts = overview(paper)
    counted = ((number, name.replace("_", " ")) for name, number in facts["counts"].items() if number)
    numbers = ", ".join(f"{number} {name.removesuffix('s') if number == 1 else name}" for number, name in counted)
    by = "; ".join([*facts["authors"][:4], *(["et al."] if len(facts["authors"]) > 4 else [])])
    printed = ", ".join(filter(None, (by, facts["year"], facts["doi"])))
    head = [facts["title"][:200], *([printed] if printed else []), numbers]
    room = OUTLINE_BYTES - size("\n".join(head))
    depths = sorted({row["depth"] for row in facts["sections"]}, reverse=True)
    left = facts["sections_left_out"] + facts["floats_left_out"]
    choices = [([row for row in facts["sections"] if row["depth"] <= depth], 60) for depth in depths]
    top = choices[-1][0] if choices else []
    for rows, caption in (*choices, *((top[: len(top) >> halved], 0) for halved in range(8))):
        sections = "; ".join(f"{_named(row)} p{row['page']}" for row in rows)
        floats = "; ".join(f"{row['label']} p{row['page']} {_words(row, caption)}".rstrip() for row in facts["floats"])
        hidden = left + len(facts["sections"]) - len(rows)
        lines = [f"Floats: {floats}" if floats else "", f"Sections: {sections}{f' ({hidden} more)' if hidden else ''}"]
        if size("\n".join(lines)) <= room:
            return "\n".join([*head, *filter(None, lines)])
    return "\n".join(head)


def _words(row: dict[str, Any], longest: int) -> str:
    """The beginning of a caption without the label."""
    caption = " ".join(str(row["caption"]).split())
    return lead(caption.removeprefix(str(row["label"])).lstrip(" .:|—–-"), longest) if longest else ""


def _named(row: dict[str, Any]) -> str:
    number, title = str(row["number"]), str(row["title"])[:70]
    return title if title.startswith(number) else f"{number} {title}"


def counts(paper: PaperGraph) -> dict[str, int]:
    """How many there are of what a paper is made of."""
    kinds = Counter(paper.nodes[iri].kind for iri in paper.chains)
    cited = [paper.graph.values(iri, str(CITES)) for iri in paper.nodes]
    return {
        "pages": max((node.page for node in paper.nodes.values()), default=0),
        "sections": sum(not section.synthetic for section in paper.sections.values()),
        **{name: kinds[kind] for name, kind in _COUNTED.items()},
        "citing_texts": sum(map(bool, cited)),
        "cited_references": len({entry for entries in cited for entry in entries}),
    }


def authors(paper: PaperGraph) -> list[str]:
    """The authors in the order in which the page prints them."""
    names = paper.graph.values(paper.document, str(DCTERMS.creator))
    printed = " ".join(node.plain for node in paper.of_kind("ListOfAuthors"))

    def place(name: str) -> tuple[int, str]:
        at = printed.find(name)
        return (at if at >= 0 else len(printed)), name

    return sorted(names, key=place)


def _sections(paper: PaperGraph, room: int) -> list[dict[str, Any]]:
    """As much of the section tree as fits, whole levels first, in reading order."""
    chars: Counter[str] = Counter()
    for node in paper.nodes.values():
        chars[node.section] += len(node.text)
    kept: dict[str, dict[str, Any]] = {}
    for section in sorted(paper.sections.values(), key=lambda one: one.depth):
        row = _section(section, chars[section.iri])
        room -= size(row) + 2
        if room < 0:
            break
        kept[section.iri] = row
    return [kept[iri] for iri in paper.sections if iri in kept]


def _section(section: Section, chars: int) -> dict[str, Any]:
    return {
        "node": section.name,
        "number": section.number,
        "title": section.title[:100],
        "depth": section.depth,
        "page": section.page,
        "items": len(section.contents) + len(section.sections),
        "chars": chars,
    }


def _float(paper: PaperGraph, iri: str) -> dict[str, Any]:
    node, caption = paper.nodes[iri], paper.caption_of(iri)
    return {
        "node": node.name,
        "label": node.label[:40],
        "page": node.page,
        "caption": lead(caption.text, 100) if caption else "",
    }
