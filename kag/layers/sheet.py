"""`Sheet`: one layer's graph while rules write it: spans, where they are from, and the activities that made them."""

from __future__ import annotations

import hashlib

from rdflib import URIRef

from kag import __version__
from kag.layers.names import span_name
from kag.layers.values import Mention
from kag.rdf.layer_profiles import REFERS_TO
from kag.rdf.namespaces import OA, PROV, RDF, SAID
from kag.rdf.ntriples import is_iri
from kag.rdf.profile import GraphProfile
from kag.rdf.workspace import Workspace
from kag.values.types import Document

_TYPE, _FROM, _BY = RDF.type, PROV.wasDerivedFrom, PROV.wasGeneratedBy  # looking them up each time is slow
_EXACT, _START, _END, _SURE = OA.exact, OA.start, OA.end, SAID.confidence


class Sheet:
    """A layer of one paper. What is written twice is there once; `workspace` holds its triples."""

    def __init__(self, paper_id: str, profile: GraphProfile) -> None:
        self.workspace = Workspace(Document(paper_id, (), (), (), 0, ""), profile)
        self._activities: dict[str, URIRef] = {}
        self._letter = "m" if profile.name == "entity" else "k"  # layers do not say two things of one node

    def link(self, node: URIRef, property_: URIRef, target: str) -> None:
        """Link a node to an IRI; what is no IRI is left out, as it can only come from a text."""
        if is_iri(target):
            self.workspace.add(node, property_, URIRef(target))

    def tell(self, node: URIRef, property_: URIRef, value: str | float | None) -> None:
        """State a literal, unless it is empty."""
        if value is not None and value != "":
            self.workspace.state(node, property_, value)

    def span(self, name: str, cls: URIRef, words: Mention) -> tuple[URIRef, bool]:
        """The node of what stands in a text, and whether it is new: its characters, whence it is and who found it."""
        node = self.workspace.node(name)
        if not self.workspace.add(node, _TYPE, cls):
            return node, False
        self.workspace.state(node, _EXACT, words.text)
        self.workspace.state(node, _START, words.start)
        self.workspace.state(node, _END, words.end)
        self.sure(node, words.score)
        self.link(node, _FROM, words.node)
        self.made(node, words.rule)
        return node, True

    def mention(self, words: Mention, refers_to: URIRef | None = None) -> URIRef:
        """The node of words that name something, and of what they name."""
        node, fresh = self.span(span_name(self._letter, words), SAID.Mention, words)
        if fresh:
            self.tell(node, SAID.kind, words.kind)
        if refers_to is not None:
            self.workspace.add(node, REFERS_TO, refers_to)
        return node

    def sure(self, node: URIRef, score: float) -> None:
        """State how sure something is."""
        self.workspace.state(node, _SURE, round(min(max(score, 0.0), 1.0), 3))

    def made(self, node: URIRef, rule: str) -> None:
        """State which rule or model made a node."""
        self.workspace.add(node, _BY, self._activity(rule or "unnamed"))

    def _activity(self, rule: str) -> URIRef:
        known = self._activities.get(rule)
        if known is None:
            digest = hashlib.sha256(rule.encode("utf-8", "replace")).hexdigest()[:12]
            known = self._activities[rule] = self.workspace.node(f"by-{self.workspace.profile.name}-{digest}")
            self.workspace.add(known, _TYPE, PROV.Activity)
            self.workspace.state(known, SAID.rule, rule)
            self.workspace.state(known, SAID.version, __version__)
            self.workspace.add(known, PROV.used, self.workspace.paper)
        return known
