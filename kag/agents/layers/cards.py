"""Sense cards: what the terms of a layer mean, in a line each, from the ontology's own files and within a bound."""

from __future__ import annotations

from functools import cache

from rdflib import Graph, URIRef
from rdflib.namespace import RDFS

from kag.rdf.layer_profiles import KIND_CLASSES, LAYERS
from kag.rdf.namespaces import LAYER_PREFIXES
from kag.rdf.ontology import ontology_dir
from kag.rdf.profile import LINK

LONGEST = 6_000
"""Characters of the cards of one layer."""
_FIRST = 160  # characters of a comment


@cache
def cards(layer: str) -> str:
    """The cards of a layer: its classes, then its properties, each with its label and what it means."""
    profile, known = LAYERS[layer], _ontology()
    kinds = {str(cls): kind for kind, cls in KIND_CLASSES.items()}
    lines = ["Classes:"]
    lines += [_card(cls, known, kinds.get(str(cls), "")) for cls in sorted(profile.classes)]
    lines.append("Properties (-> leads to a node):")
    for property_ in sorted(profile.properties):
        arrow = " ->" if profile.properties[property_] == LINK else ""
        lines.append(_card(property_, known, "") + arrow)
    kept, length = [], 0
    for line in lines:
        length += len(line) + 1
        if length > LONGEST:
            break
        kept.append(line)
    return "\n".join(kept)


def _card(term: URIRef, known: Graph, kind: str) -> str:
    label = known.value(term, RDFS.label)
    comment = str(known.value(term, RDFS.comment) or "")
    meaning = comment if len(comment) <= _FIRST else comment[:_FIRST].rpartition(" ")[0] + " …"
    told = ": ".join(part for part in (str(label or ""), f"for entities of kind {kind}" if kind else meaning) if part)
    return f"  {_short(term)} {told}".rstrip()


@cache
def _ontology() -> Graph:
    graph = Graph(bind_namespaces="none")
    for name in ("sio", "qudt", "oa", "skos", "prov", "cito"):
        graph.parse(ontology_dir() / "subsets" / f"{name}.ttl", format="turtle")
    return graph.parse(ontology_dir() / "kag_layers_ext.ttl", format="turtle")


def _short(term: URIRef) -> str:
    fitting = (f"{name}:{term[len(space) :]}" for name, space in LAYER_PREFIXES.items() if term.startswith(space))
    return next(fitting, f"<{term}>")
