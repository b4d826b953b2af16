"""Answers on sections: which there are, how one is divided, where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from kag.rdf.namespaces import KAG
from kag.read.exact.facts import Found, counting, heading, listing, marks, names, nothing, stating, titles
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import bare, printed, sections
from kag.read.paper import Paper, Section
from kag.values.evidence import Evidence

UNSURE = 0.5  # confidence where a name fits several things


def about_paper(intent: Intent, paper: Paper) -> Found | None:
    """The paper's sections: all, the top-level ones, or the subsections."""
    known = printed(paper)
    if intent.scope == "top":
        known = tuple(section for section in known if section.depth == 1)
    elif intent.subject == "subsection":
        known = tuple(section for section in known if section.depth > 1)
    return _sections(intent, paper, known, "The paper has these sections", f"sections of {paper.id}")


def about_section(intent: Intent, paper: Paper) -> Found | None:
    """The subsections of one section, its parent, its page."""
    assert intent.anchor is not None
    found = sections(paper, intent.anchor)
    if not found:
        return None
    section, sure = found[0], 1.0 if len(found) == 1 else UNSURE
    if intent.subject == "parent":
        parent = paper.sections.get(section.parent)
        if parent is None or parent.synthetic:
            return nothing(f"section that contains {section.title}")
        places = heading(paper, parent) + heading(paper, section)
        text = f"{section.title} is in the section {parent.title}."
        return stating(text, parent.title, places, confidence=sure)
    if intent.subject == "page":
        text = f"{section.title} begins on page {section.page}."
        return stating(text, section.page, heading(paper, section), confidence=sure)
    known = _below(paper, section, deep=intent.scope == "deep")
    if not known and len(found) > 1:
        section = next((one for one in found if one.sections), section)
        known = _below(paper, section, deep=intent.scope == "deep")
    return _sections(
        intent, paper, known, f"{section.title} has these subsections", f"subsections of {section.title}", section, sure
    )


def _below(paper: Paper, section: Section, *, deep: bool) -> tuple[Section, ...]:
    found: list[Section] = []
    for iri in section.sections:
        found.append(paper.sections[iri])
        if deep:
            found += _below(paper, paper.sections[iri], deep=True)
    return tuple(found)


def _sections(
    intent: Intent,
    paper: Paper,
    known: Sequence[Section],
    lead: str,
    searched: str,
    of: Section | None = None,
    sure: float = 1.0,
) -> Found:
    known = [section for section in known if heading(paper, section)]
    own: tuple[Evidence, ...] = heading(paper, of) if of else ()
    if intent.ask == "count":
        subject = f"{bare(of.title)} has" if of else "The paper has"
        places = [place for section in known for place in heading(paper, section)]
        kind = "subsection" if of or intent.subject == "subsection" else "section"
        return counting(subject, kind, places, searched, confidence=sure)
    known = known[: intent.limit] if intent.limit else known
    return listing(f"{lead}:", titles(paper, known), searched, confidence=sure, values=names(known), own=own)


def paragraphs(intent: Intent, paper: Paper) -> Found | None:
    """How many paragraphs there are, in the paper or in a section: parts of a cut one count once."""
    if intent.anchor is None:
        return counting("The paper has", "paragraph", marks(paper, whole(paper, tuple(paper.nodes))), "paragraphs")
    found = sections(paper, intent.anchor)
    if len(found) != 1:
        return None
    places = marks(paper, whole(paper, tuple(paper.within(found[0].iri))))
    return counting(f"{bare(found[0].title)} has", "paragraph", places, f"paragraphs of {found[0].title}")


def pages(intent: Intent, paper: Paper) -> Found | None:
    """How many pages there are; None where one has no text that could stand for it."""
    first = {node.page: node.iri for node in reversed(paper.nodes.values()) if node.text}
    if not first or len(first) < max(first):
        return None
    return counting("The paper has", "page", marks(paper, (first[page] for page in sorted(first))), "pages")


def whole(paper: Paper, iris: Sequence[str]) -> list[str]:
    """The paragraphs among nodes, later parts of a cut one left out."""
    return [
        iri
        for iri in iris
        if iri in paper.nodes
        and paper.nodes[iri].kind == "Paragraph"
        and not paper.graph.values(iri, str(KAG.continues))
    ]
