"""Call-outs without a number, to the only figure or table of a short paper: "(Figure)", "as the Table shows".

Read only where the captions of a paper say so themselves: one begins "Table.", and no other table of the text has one.
"""

from __future__ import annotations

import re

from rdflib import URIRef

from kag.indexing.enrich.mentions import HOSTS, add_mention
from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.workspace import Workspace

_KINDS = (
    ("table", DOCO.Table, "Table|Tabelle|Tabla|Tabela"),
    ("figure", DOCO.Figure, "Figure|Fig\\.?|Figura|Abbildung"),
)
_BEFORE = r"(?<![\w-])(?:(?<=[(;]\s)|(?<=[(;])|(?<=[a-z,;]\s))"  # a bracket, or a word in small letters
_BEHIND = r"(?=\s?[).,;:]|\s+(?!of\b)[a-z]|,?\s?(?:[A-Ha-h]\b|panels?\b)|\s*$)(?!\s?\(?[A-Z]?\d)"
_PANELS = r"(?:,?\s?(?:panels?\s)?(?P<panel>[A-H](?:(?:\s?[,–-]\s?|\sand\s)[A-H])*)\b)?"


def apply(workspace: Workspace) -> int:
    """Link texts to the figure or table that they call out without a number; returns the triples added."""
    added = 0
    for kind, cls, words in _KINDS:
        target = _only(workspace, cls, words)
        if not target:
            continue
        named = re.compile(rf"{_BEFORE}(?:{words})(?!\w){_BEHIND}{_PANELS}")
        for host in workspace.of_type(*(cls for cls in HOSTS if cls != DOCO.Table)):
            if workspace.is_a(host, DEO.Caption):
                continue
            for found in named.finditer(workspace.text(host)):
                added += _link(workspace, (host, found.start(), found.group()), kind, target, found["panel"])
    return added


def _link(workspace: Workspace, place: tuple[URIRef, int, str], kind: str, target: URIRef, panel: str | None) -> int:
    host, start, _ = place
    added = add_mention(workspace, place, KAG.CrossReference, KAG.refersTo, [target])
    if added:
        mention = URIRef(f"{host}-m{start}")
        added += workspace.add(host, KAG.refersTo, target) + workspace.state(mention, KAG.targetKind, kind)
        added += workspace.state(mention, KAG.panel, panel) if panel else 0
    return added


def _only(workspace: Workspace, cls: URIRef, words: str) -> URIRef | None:
    """The float whose caption names its kind without a number; None where others have captions, but supplements."""
    captioned = {
        float_: workspace.text(caption)
        for caption in workspace.of_type(DEO.Caption)
        for float_ in workspace.links(caption, KAG.describes)
        if workspace.is_a(float_, cls)
    }
    own = [float_ for float_ in captioned if not re.match(r"S|ED", workspace.text(float_, KAG.floatNumber))]
    alone = len(own) == 1 and not workspace.text(own[0], KAG.floatNumber)
    return own[0] if alone and re.match(rf"\W{{0,4}}(?:{words})\s?[.:|]", captioned[own[0]]) else None
