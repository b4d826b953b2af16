"""Call-outs as nodes: the words in a host that point at something, with their place.

A call-out is kept beside the link it stands for, so that a reader can be led to the very characters. One that the end
of a column or page cuts is found in a seam: the end of a text and the beginning of the one that continues it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rdflib import URIRef

from kag.rdf.namespaces import C4O, DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace

# Looked up once: a namespace makes a new term at each look.
_HAS_MENTION, _TYPE, _CONTENT = KAG.hasMention, RDF.type, C4O.hasContent
_START, _END = KAG.startOffset, KAG.endOffset
_DENOTES, _REFERS = C4O.denotes, KAG.refersTo

HOSTS = (DOCO.Paragraph, DEO.Caption, DOCO.Footnote, DOCO.Table)


def is_taken(workspace: Workspace, place: tuple[URIRef, int, str], kind: URIRef) -> bool:
    """Whether another call-out than this one of class `kind` starts at the same character."""
    host, start, surface = place
    mention = URIRef(f"{host}-m{start}")
    if not workspace.exists(mention):
        return False
    return not workspace.is_a(mention, kind) or workspace.number(mention, _END) != start + len(surface)


def is_settled(workspace: Workspace, place: tuple[URIRef, int, str], targets: Collection[URIRef]) -> bool:
    """Whether a mention at the same character has another target: earlier decisions stand."""
    mention = URIRef(f"{place[0]}-m{place[1]}")
    leads = {*workspace.links(mention, _DENOTES), *workspace.links(mention, _REFERS)}
    return bool(leads) and not leads.issuperset(targets)


def add_mention(
    workspace: Workspace, place: tuple[URIRef, int, str], kind: URIRef, property_: URIRef, targets: Sequence[URIRef]
) -> int:
    """Add a call-out of class `kind` that points to the targets by the property; returns the triples added.

    `place` is the host, the first character in its full text, and the characters from there. Where another call-out
    starts at that character, nothing is added: the one found first stands.
    """
    host, start, surface = place
    mention = URIRef(f"{host}-m{start}")
    if is_taken(workspace, place, kind):
        return 0
    added = workspace.add(host, _HAS_MENTION, mention) + workspace.add(mention, _TYPE, kind)
    for property_of_words, value in ((_CONTENT, surface), (_START, start), (_END, start + len(surface))):
        added += workspace.state(mention, property_of_words, value)
    return added + sum(workspace.add(mention, property_, target) for target in targets)


def add_crossref(
    workspace: Workspace,
    place: tuple[URIRef, int, str],
    kind: str,
    targets: Sequence[URIRef],
    panels: Sequence[str] = (),
) -> int:
    """Add a cross-reference to things of a kind, and the links of its host; returns the triples added, as above."""
    host, start, _ = place
    added = add_mention(workspace, place, KAG.CrossReference, _REFERS, targets)
    if not added:
        return 0
    mention = URIRef(f"{host}-m{start}")
    added += workspace.state(mention, KAG.targetKind, kind)
    added += sum(workspace.state(mention, KAG.panel, panel) for panel in panels)
    return added + sum(workspace.add(host, _REFERS, target) for target in targets)


_REACH = 200  # characters on each side; longer call-outs are not printed


@dataclass(frozen=True, slots=True)
class Seam:
    """Two texts, by their places in the list of texts, and the words around the cut between them.

    `text[:cut]` is the end of the earlier one from its character `start`; the later one begins behind a blank.
    """

    earlier: int
    later: int
    text: str
    start: int
    cut: int

    def parts(self, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The spans in both texts of what is found at a span of the seam's; None when it is not cut."""
        if start >= self.cut or end <= self.cut + 1:
            return None
        return (self.start + start, self.start + self.cut), (0, end - self.cut - 1)


def join(earlier: int, before: str, later: int, after: str) -> Seam:
    """The seam of two texts."""
    before = before.rstrip()
    start = max(0, len(before) - _REACH)
    return Seam(earlier, later, f"{before[start:]} {after[:_REACH]}", start, len(before) - start)


def find_seams(workspace: Workspace, hosts: Sequence[URIRef], texts: Sequence[str]) -> list[Seam]:
    """The seams between those of the hosts that continue one another."""
    place = {host: position for position, host in enumerate(hosts)}
    return [
        join(place[earlier], texts[place[earlier]], position, texts[position])
        for position, host in enumerate(hosts)
        for earlier in workspace.links(host, KAG.continues)
        if earlier in place and texts[place[earlier]].strip() and texts[position].strip()
    ]
