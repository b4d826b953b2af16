"""Answers on links: what a section cites or refers to, where a work is cited, where a float is referred to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kag.read.exact.bibliography import calls, numbered
from kag.read.exact.callouts import times
from kag.read.exact.facts import (
    Found,
    Item,
    call_out,
    counting,
    heading,
    hosts,
    is_text,
    listing,
    mark,
    marks,
    nothing,
    stating,
)
from kag.read.exact.floats import KINDS, absent, called, captions, distinct, numbers_of, place_of
from kag.read.exact.intents import Intent
from kag.read.exact.resolve import bare, floats, sections, unnumbered, works
from kag.read.paper import CITES, REFERS, Node, Paper, Section
from kag.read.quote import beginning
from kag.values.evidence import Claim, Evidence

UNSURE = 0.5


def cited_in(intent: Intent, paper: Paper) -> Found | None:
    """The references, figures, tables or equations that a section's running text points to."""
    assert intent.anchor is not None
    found = sections(paper, intent.anchor)
    if not found:
        return None
    texts = [iri for section in found for iri in _texts(paper, section, deep=intent.scope != "direct")]
    title = found[0].title
    sure = 1.0 if len(found) == 1 else UNSURE
    if intent.subject != "reference":
        return _floats_of(intent, paper, texts, found[0], heading(paper, found[0]), sure)
    return references_of(intent, paper, texts, title, heading(paper, found[0]), sure)


def _texts(paper: Paper, section: Section, *, deep: bool) -> list[str]:
    inside = paper.within(section.iri) if deep else iter(section.contents)
    return [iri for iri in inside if is_text(paper, iri)]


def _pointed(paper: Paper, texts: Iterable[str], *predicates: object) -> dict[str, str]:
    """What texts point to, and the first text that does."""
    found: dict[str, str] = {}
    for host in texts:
        for target in paper.targets(host, *predicates):
            if target in paper.nodes:
                found.setdefault(target, host)
    return found


def references_of(
    intent: Intent, paper: Paper, texts: Iterable[str], name: str, own: tuple[Evidence, ...], sure: float
) -> Found:
    """The entries that texts cite, by number or, where the list is unnumbered, by label."""
    cited = _pointed(paper, texts, CITES)
    entries = sorted(
        (paper.nodes[iri] for iri in cited if paper.nodes[iri].number.isdigit()), key=lambda n: int(n.number)
    )
    searched = f"citations in {name}"
    if intent.ask == "count":
        places = marks(paper, (entry.iri for entry in entries))
        return counting(f"{bare(name)} cites", "reference", places, searched, confidence=sure)
    entries = entries[: intent.limit] if intent.limit else entries
    items = [
        Item(calls(paper, entry), (call_out(paper, cited[entry.iri], [entry.iri]) or beginning(paper, entry.iri),))
        for entry in entries
    ]
    if numbered(paper):
        return listing(f"{name} cites references", items, searched, confidence=sure, own=own, joint=", ")
    return listing(f"{name} cites:", items, searched, confidence=sure, own=own)


def _floats_of(
    intent: Intent, paper: Paper, texts: Sequence[str], section: Section, own: tuple[Evidence, ...], sure: float
) -> Found:
    """The floats of a kind that texts refer to, or that stand in the section itself."""
    kind = KINDS[intent.subject]
    inside = intent.relation == "contains"
    pointed = {iri: iri for iri in paper.within(section.iri)} if inside else _pointed(paper, texts, REFERS)
    kept = distinct(paper, (iri for iri in pointed if paper.nodes[iri].kind == kind))
    does = "contains" if inside else "refers to"
    searched = f"{intent.subject}s that {section.title} {does}"
    if intent.ask == "count":
        places = [place for iri in kept if (place := place_of(paper, paper.nodes[iri]))]
        if len(places) == len(kept):
            return counting(f"{bare(section.title)} {does}", intent.subject, places, searched, confidence=sure)
    items = [
        Item(called(paper, paper.nodes[iri]), (place,))
        for iri in kept
        if (place := place_of(paper, paper.nodes[iri]) if inside else call_out(paper, pointed[iri], [iri]))
    ]
    return listing(f"{section.title} {does}", items, searched, confidence=sure, own=own)


def citing(intent: Intent, paper: Paper) -> Found | None:
    """Where a work is cited: sections, paragraphs, or how many call-outs."""
    assert intent.anchor is not None
    entries = works(paper, intent.anchor)
    if not entries:
        return _no_work(intent, paper)
    if len(entries) > 1:
        return None
    entry = entries[0]
    name = f"Reference {entry.number}" if numbered(paper) else calls(paper, entry)
    return pointing(intent, paper, [entry.iri], f"{name} is cited in", f"citations of {name}", cites=True)


def _no_work(intent: Intent, paper: Paper) -> Found | None:
    assert intent.anchor is not None
    return nothing(f"reference {intent.anchor.text}") if intent.anchor.sub in ("number", "label") else None


def referring(intent: Intent, paper: Paper) -> Found | None:
    """Where a figure, table or equation is referred to, or in which section it stands."""
    assert intent.anchor is not None
    found = floats(paper, intent.anchor)
    if not found:
        return absent(intent.anchor)
    if intent.anchor.sub.endswith("words") and len(numbers_of(found)) > 1:
        return None
    name = called(paper, found[0])
    if intent.relation == "contains":
        return _standing(paper, found[0], name)
    return pointing(
        intent,
        paper,
        [node.iri for node in found],
        f"{name} is referred to in",
        f"text that refers to {name}",
        cites=False,
    )


def _standing(paper: Paper, node: Node, name: str) -> Found:
    section = paper.section_of(node.iri)
    caption = paper.caption_of(node.iri) or node
    place = mark(paper, caption.iri)
    if section is None or section.synthetic or place is None:
        return nothing(f"section of {name}")
    text = f"{name} is in the section {section.title}, on page {node.page}."
    return stating(text, unnumbered(section), (*heading(paper, section), place))


def pointing(
    intent: Intent, paper: Paper, targets: list[str], lead: str, searched: str, *, cites: bool
) -> Found | None:
    """The texts that point to the targets, as sections or as paragraphs."""
    texts = hosts(paper, targets, cites=cites)
    if intent.subject == "mention":
        return times(paper, texts, targets, lead.removesuffix(" in"), searched)
    if intent.subject == "paragraph":
        return _paragraphs(intent, paper, texts, targets, lead, searched)
    found: dict[str, list[Evidence]] = {}
    for host in texts:
        section = paper.section_of(host)
        place = call_out(paper, host, targets)
        if section is not None and not section.synthetic and place is not None:
            found.setdefault(section.iri, list(heading(paper, section))).append(place)
    items = [Item(paper.sections[iri].title, tuple(places)) for iri, places in found.items()]
    values = list(dict.fromkeys(unnumbered(paper.sections[iri]) for iri in found))
    if intent.ask == "count" and items:
        places = [heading(paper, paper.sections[iri])[0] for iri in found if heading(paper, paper.sections[iri])]
        return counting(lead, "section", places, searched)
    return listing(f"{lead}:", items, searched, values=values)


def _paragraphs(intent: Intent, paper: Paper, texts: list[str], targets: list[str], lead: str, searched: str) -> Found:
    """The paragraphs that point to the targets, each by its page and first words."""
    if intent.ask == "count":
        return counting(lead, "paragraph", marks(paper, texts), searched)
    claims = tuple(
        Claim(f"{lead} the paragraph on page {place.page} that begins: {place.quote}", (place, call))
        for iri in texts
        if (place := beginning(paper, iri)) and (call := call_out(paper, iri, targets))
    )
    values = [claim.evidence[0].quote for claim in claims]
    return Found(claims, values) if claims else Found(value=[], searches=(searched,))


def cited_by_float(intent: Intent, paper: Paper) -> Found | None:
    """The references that a figure's or table's caption and cells cite."""
    assert intent.anchor is not None
    found = floats(paper, intent.anchor)
    if not found:
        return absent(intent.anchor)
    texts = [iri for node in found for iri in (node.iri, *(caption.iri for caption in captions(paper, node)))]
    name = called(paper, found[0])
    return references_of(intent, paper, texts, name, (), 1.0)
