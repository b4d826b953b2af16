"""Results from the graph as claims: lists with evidence for each item, counts, single values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kag.core.evidence import Claim, Evidence, Value
from kag.qa.paper import CITES, REFERS, PaperGraph, Section
from kag.qa.quote import beginning, evidence, find_quote, first_denial

_MARK = 80  # characters that stand for a thing that is only counted


@dataclass(frozen=True, slots=True)
class Found:
    """The result of one part of a question; without claims, `searches` are the places searched."""

    claims: tuple[Claim, ...] = ()
    value: Value = None
    searches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of a list: its words, and where they are printed."""

    text: str
    evidence: tuple[Evidence, ...]


def listing(
    lead: str,
    items: Sequence[Item],
    searched: str,
    *,
    confidence: float = 1.0,
    values: Iterable[str] = (),
    own: Iterable[Evidence] = (),
    joint: str = "; ",
) -> Found:
    """A list as one claim that has every item's evidence, and its `own`; nothing listed is nothing found."""
    if not items:
        return Found(value=[], searches=(searched,))
    text = sentence(f"{lead} {joint.join(item.text for item in items)}")
    places = tuple(dict.fromkeys([*own, *(place for item in items for place in item.evidence)]))
    return Found((Claim(text, places, confidence),), list(values) or [item.text for item in items])


def counting(lead: str, kind: str, places: Sequence[Evidence], searched: str, *, confidence: float = 1.0) -> Found:
    """A number as one claim with evidence for each thing counted."""
    if not places:
        return Found(value=0, searches=(searched,))
    counted = tuple(dict.fromkeys(places))
    text = f"{lead} {len(counted)} {plural(kind, len(counted))}."
    return Found((Claim(text, counted, confidence, len(counted)),), len(counted))


def answering(
    statement: str, holds: bool, places: Iterable[Evidence], searched: str, *, confidence: float = 1.0
) -> Found:
    """Return yes with its places; or no with the places searched."""
    kept = tuple(places)
    if not holds:
        return Found(value="no", searches=(searched,))
    return Found((Claim(f"{statement}: yes.", kept, confidence),), "yes") if kept else nothing(searched)


def plural(kind: str, number: int) -> str:
    """A kind of thing in the form that goes with a number of them."""
    return kind if number == 1 else kind.removesuffix("y") + "ies" if kind.endswith("ry") else kind + "s"


def stating(text: str, value: Value, places: Iterable[Evidence], *, confidence: float = 1.0) -> Found:
    """One statement."""
    return Found((Claim(text, tuple(dict.fromkeys(places)), confidence),), value)


def nothing(searched: str) -> Found:
    """Return the result for a thing that is not in the paper."""
    return Found(searches=(searched,))


def mark(paper: PaperGraph, iri: str) -> Evidence | None:
    """Return a node's first words, before any "not", as evidence: counted nodes are not quoted for content. None
    without text."""
    end = mark_end(paper.nodes[iri].text)
    return evidence(paper, iri, 0, end) if end else None


def mark_end(text: str) -> int:
    """Return the end of a text's first words, its evidence in a count; 0 if there are none."""
    end = min(_MARK, first_denial(text))
    if end < len(text) and " " in text[1:end].rstrip():
        end = text.rfind(" ", 1, end)
    return end if text[:end].strip() else 0


def marks(paper: PaperGraph, iris: Iterable[str]) -> list[Evidence]:
    """The marks of all nodes that have a text."""
    return [place for iri in iris if iri in paper.nodes and (place := mark(paper, iri))]


def heading(paper: PaperGraph, section: Section) -> tuple[Evidence, ...]:
    """Return the place of a section's title; none if it is not printed."""
    node = paper.nodes.get(section.header)
    return (evidence(paper, node.iri),) if node and node.text and not section.synthetic else ()


def titles(paper: PaperGraph, sections: Iterable[Section]) -> list[Item]:
    """Sections as items; one title is listed once for each section that has it."""
    return [Item(section.title, heading(paper, section)) for section in sections if heading(paper, section)]


def names(sections: Iterable[Section]) -> list[str]:
    """The sections' titles as printed, each once."""
    return list(dict.fromkeys(section.title for section in sections))


def call_out(paper: PaperGraph, host: str, targets: Iterable[str]) -> Evidence | None:
    """Return the place at which a text points to a target: the characters of the mention, or the text's beginning."""
    wanted = set(targets)
    for mention in paper.mentions.get(host, ()):
        if wanted & set(mention.targets) and 0 <= mention.start < mention.end <= len(paper.nodes[host].text):
            return evidence(paper, host, mention.start, mention.end)
    return mark(paper, host)


def hosts(paper: PaperGraph, targets: Iterable[str], *, cites: bool) -> list[str]:
    """The running text that cites or refers to any of the targets, in reading order; no captions, no tables."""
    predicate = CITES if cites else REFERS
    found = {host for target in targets for host in paper.sources(target, predicate)}
    return [iri for iri in paper.nodes if iri in found and is_text(paper, iri)]


def is_text(paper: PaperGraph, iri: str) -> bool:
    """Whether a node is running text, as against floats, headings and entries."""
    node = paper.nodes.get(iri)
    return node is not None and node.kind in ("Paragraph", "Footnote")


def quoted(paper: PaperGraph, iri: str, words: str) -> Evidence:
    """Return evidence by the words in a node's text; by its beginning if they are absent."""
    span = find_quote(paper.nodes[iri].text, words)
    return evidence(paper, iri, *span) if span else beginning(paper, iri)


def sentence(text: str) -> str:
    """A text ended as a sentence."""
    text = re.sub(r"\s+", " ", text).strip()
    return text if text.endswith((".", "?", "!")) else text + "."
