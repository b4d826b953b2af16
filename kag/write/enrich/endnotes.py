"""Endnotes: the numbers raised in a text, and the notes at the end of the paper that they lead to.

A raised number may cite a reference as well. Where the notes count from 1 and the reference list prints no numbers,
it is a note's.
"""

from __future__ import annotations

from rdflib import URIRef

from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.references.entries import entry_number
from kag.text.plain import plain
from kag.write.enrich.mentions import HOSTS, add_mention
from kag.write.enrich.numeric_citations import numeric_marks
from kag.write.structure.notes import heads_notes, note_numbers

_CALLED = 0.5  # of the notes must be called out


def apply(workspace: Workspace) -> int:
    """Link texts to the endnotes whose numbers are raised in them; returns the triples added."""
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
    added = 0
    for host, mark in found:
        place = (host, mark.start, workspace.text(host)[mark.start : mark.end])
        targets = [notes[number] for number in mark.numbers]
        new = add_mention(workspace, place, KAG.CrossReference, KAG.refersTo, targets)
        if new:
            added += new + workspace.state(URIRef(f"{host}-m{mark.start}"), KAG.targetKind, "note")
            added += sum(workspace.add(host, KAG.refersTo, target) for target in targets)
    return added


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
