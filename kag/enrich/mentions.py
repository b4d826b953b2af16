"""Call-outs as nodes: the words in a host that point at something, with their place.

A call-out is kept beside the link it stands for, so that a reader can be led to the very characters.
"""

from __future__ import annotations

from collections.abc import Sequence

from rdflib import Literal, URIRef
from rdflib.term import Node

from kag.rdf.namespaces import C4O, DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace

# Looked up once: a namespace makes a new term at each look.
_HAS_MENTION, _TYPE, _CONTENT = KAG.hasMention, RDF.type, C4O.hasContent
_START, _END = KAG.startOffset, KAG.endOffset

HOSTS = (DOCO.Paragraph, DEO.Caption, DOCO.Footnote, DOCO.Table)


def add_mention(
    workspace: Workspace, place: tuple[URIRef, int, str], kind: URIRef, property_: URIRef, targets: Sequence[URIRef]
) -> int:
    """Add a call-out of class `kind` that points to the targets by the property; returns the triples added.

    `place` is the host, the first character in its full text, and the characters from there.
    """
    host, start, surface = place
    mention = URIRef(f"{host}-m{start}")
    triples: list[tuple[URIRef, URIRef, Node]] = [
        (host, _HAS_MENTION, mention),
        (mention, _TYPE, kind),
        (mention, _CONTENT, Literal(surface)),
        (mention, _START, Literal(start)),
        (mention, _END, Literal(start + len(surface))),
        *((mention, property_, target) for target in targets),
    ]
    return sum(workspace.add(*triple) for triple in triples)
