"""Links from raised numbers to the notes at the foot of the page or the end of the paper.

Where raised numbers may also cite: endnotes must count from 1 and the reference list print no numbers; a footnote's
number must be the only one on its page, and in a paper that cites so, be cited elsewhere too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rdflib import URIRef

from kag.indexing.enrich.mentions import HOSTS, add_crossref
from kag.indexing.enrich.numeric_citations import Mark, numeric_marks
from kag.indexing.structure.paragraphs import heads_notes, note_numbers
from kag.indexing.structure.reference_list import entry_number
from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.text.plain import plain

_CALLED = 0.5  # of the notes must be called out
_RAISED = re.compile(r"\s*(?:[¹²³⁴-⁹][⁰¹²³⁴-⁹]*|\\\(\s*\^\s*\{\s*\d+|\^\{?\d+|<sup>\s*\d+)")
_ADDRESS = re.compile(
    r"@|\b(?:Depart|Universi|Institut|School|Facult|Laborator|Hospital|[Cc]orrespond|E-?mail|Address)", re.I
)
_LONGEST = 999  # the largest number of a reference that is looked for
_MANY = 2  # raised numbers a footnote, from which a paper cites by them
Placed = tuple[URIRef, Mark]


def apply(workspace: Workspace) -> int:
    """Link texts to the notes whose numbers are raised in them; returns the triples added."""
    return _link_endnotes(workspace) + _link_footnotes(workspace)


def _link_footnotes(workspace: Workspace) -> int:
    footnotes = _footnotes(workspace)
    if not footnotes:
        return 0
    raised, everywhere = _raised(workspace, max(number for _, number in footnotes))
    cites = len(everywhere) > _MANY * len(footnotes)
    added = 0
    for place, note in footnotes.items():
        marks = raised.get(place, [])
        if len(marks) != 1 or (cites and everywhere[place[1]] < 2):
            continue
        host, mark = marks[0]
        behind_a_word = workspace.text(host)[: mark.start].rstrip()[-1:].isalpha()
        if not cites or behind_a_word:
            added += _linked(workspace, host, mark, [note])
    return added


def _footnotes(workspace: Workspace) -> dict[tuple[int, int], URIRef]:
    """The numbered footnotes by page and number, but for notes of tables and addresses of authors."""
    found: dict[tuple[int, int], URIRef] = {}
    for node in workspace.of_type(DOCO.Footnote):
        text, page = workspace.text(node), workspace.number(node, KAG.pageNumber)
        others = any(block.label == "text" or "table" in block.label for block in workspace.source_blocks(node))
        own = _RAISED.match(text) and not _ADDRESS.search(text) and not others
        number = entry_number(plain(text)) if own else None
        if number and page:
            found.setdefault((page, number), node)
    return found


def _raised(workspace: Workspace, largest: int) -> tuple[dict[tuple[int, int], list[Placed]], Counter[int]]:
    """The lone raised numbers by page and number, and how often each number is raised."""
    found: dict[tuple[int, int], list[Placed]] = {}
    everywhere: Counter[int] = Counter()
    for host in workspace.of_type(DOCO.Paragraph, DEO.Caption):
        page = workspace.number(host, KAG.pageNumber) or 0
        for mark in numeric_marks(workspace.text(host), max(largest, _LONGEST)):
            if mark.style == "superscript" and not mark.doubtful:
                everywhere.update(mark.numbers)
                if len(mark.numbers) == 1:
                    found.setdefault((page, mark.numbers[0]), []).append((host, mark))
    return found, everywhere


def _linked(workspace: Workspace, host: URIRef, mark: Mark, notes: Sequence[URIRef]) -> int:
    """Make a raised number a call-out to notes; returns the triples added."""
    place = (host, mark.start, workspace.text(host)[mark.start : mark.end])
    return add_crossref(workspace, place, "note", notes)


def _link_endnotes(workspace: Workspace) -> int:
    notes = _notes(workspace)
    listed = [entry_number(plain(workspace.text(node))) for node in workspace.of_type(DEO.BibliographicReference)]
    if not notes or sum(number is not None for number in listed) * 2 > len(listed):
        return 0
    found = [
        (host, mark)
        for host in workspace.of_type(*(cls for cls in HOSTS if cls != DOCO.Table))
        if host not in notes.values()
        for mark in numeric_marks(workspace.text(host), max(notes))
        if mark.style == "superscript" and not mark.doubtful and set(mark.numbers) <= notes.keys()
    ]
    if len({number for _, mark in found for number in mark.numbers}) < _CALLED * len(notes):
        return 0
    return sum(_linked(workspace, host, mark, [notes[number] for number in mark.numbers]) for host, mark in found)


def without_notes(workspace: Workspace, host: URIRef) -> str:
    """The text of a host with blanks in place of its call-outs to notes, which cite nothing."""
    text = workspace.text(host)
    for mention in workspace.links(host, KAG.hasMention):
        if workspace.text(mention, KAG.targetKind) == "note":
            start, end = workspace.number(mention, KAG.startOffset) or 0, workspace.number(mention, KAG.endOffset) or 0
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def _notes(workspace: Workspace) -> dict[int, URIRef]:
    """The endnotes by number; none unless they count up from 1."""
    for section in workspace.of_type(DOCO.Section):
        if heads_notes(workspace.title_of(section)):
            inside = {node for node in workspace.links(section, KAG.contains) if workspace.is_a(node, DOCO.Footnote)}
            nodes = [node for node in workspace.of_type(DOCO.Footnote) if node in inside]
            printed = note_numbers([workspace.text(node) for node in nodes])
            return {number: node for numbers, node in zip(printed, nodes, strict=True) for number in numbers}
    return {}
