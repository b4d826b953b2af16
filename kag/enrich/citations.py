"""Which references each text cites, decided by the evidence of the whole paper.

Numbers in brackets, in parentheses or raised can all be something else. A paper cites in one style,
so each style is read everywhere, and the one that reaches most of the reference list is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kag.enrich.author_year import AuthorYearIndex
from kag.enrich.bibliography import entry_tails, read_references
from kag.enrich.mentions import HOSTS, add_mention
from kag.enrich.numeric_citations import numeric_marks
from kag.enrich.reference_parser import Reference
from kag.rdf.namespaces import C4O, CITO
from kag.rdf.workspace import Workspace

_CITES, _POINTER, _DENOTES = CITO.cites, C4O.InTextReferencePointer, C4O.denotes
_STYLES = ("bracket", "superscript", "paren", "author-year")  # the earlier wins a tie


@dataclass(frozen=True, slots=True)
class Citation:
    """A call-out in text number `host`; `numbers` are those of the references it cites."""

    host: int
    numbers: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Citations:
    """All call-outs of a paper in the style it uses; `style` is empty when it cites nothing."""

    style: str
    found: tuple[Citation, ...]


def find_citations(texts: Sequence[str], references: Mapping[int, Reference]) -> Citations:
    """Find the call-outs in a paper's texts to the references of its list (number -> fields).

    The style is the one whose call-outs reach most different references; on equal reach the
    earlier of bracket, superscript, paren, author-year.
    """
    if not references:
        return Citations("", ())
    numbers, limit = list(references), max(references)
    index = AuthorYearIndex(list(references.values()))
    by_style: dict[str, list[Citation]] = {style: [] for style in _STYLES}
    for host, text in enumerate(texts):
        for mark in numeric_marks(text, limit):
            known = tuple(number for number in mark.numbers if number in references)
            if known:
                by_style[mark.style].append(Citation(host, known, mark.start, mark.end))
        for named in index.find(text):
            cited = tuple(numbers[position] for position in named.references)
            by_style["author-year"].append(Citation(host, cited, named.start, named.end))
    style = max(_STYLES, key=lambda name: _reach(by_style[name]))
    if not by_style[style]:
        return Citations("", ())
    return Citations(style, tuple(by_style[style]))


def _reach(citations: Sequence[Citation]) -> int:
    return len({number for citation in citations for number in citation.numbers})


def apply(workspace: Workspace) -> int:
    """Link paragraphs, captions, notes and tables to the references they cite; returns the triples added."""
    listed = read_references(workspace)
    nodes = {number: node for node, number, _, _ in reversed(listed)}
    references = {number: fields for _, number, _, fields in reversed(listed)}
    tails = {tail for node, _, _, _ in listed for tail in entry_tails(workspace, node)}
    hosts = [host for host in workspace.of_type(*HOSTS) if host not in tails]
    texts = [workspace.text(host) for host in hosts]
    added = 0
    for citation in find_citations(texts, dict(sorted(references.items()))).found:
        host, surface = hosts[citation.host], texts[citation.host][citation.start : citation.end]
        targets = [nodes[number] for number in citation.numbers]
        added += sum(workspace.add(host, _CITES, target) for target in targets)
        mention = (host, citation.start, surface)
        added += add_mention(workspace, mention, _POINTER, _DENOTES, targets)
    return added
