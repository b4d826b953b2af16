"""Call-outs as nodes: the words in a host that point at something, with their place.

A call-out is kept beside the link it stands for, so that a reader can be led to the very characters.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

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
    """Whether a call-out that starts at the same character leads elsewhere: what was decided before stands."""
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
