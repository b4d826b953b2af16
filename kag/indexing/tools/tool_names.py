"""What a caller names, found or refused: blocks, nodes, classes, properties and links by their short names."""

from __future__ import annotations

from rdflib import URIRef

from kag.core.errors import BadValue, UnknownBlock, UnknownNode, UnknownTerm
from kag.core.types import Block
from kag.rdf.namespaces import RDF
from kag.rdf.profile import LINK
from kag.rdf.workspace import Workspace

_TYPE = RDF.type


class Names:
    """Names of one workspace. Every refusal is an `InvalidOperation` whose hint lists what there is."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def block(self, block_id: str) -> Block:
        block = self._workspace.blocks.get(block_id)
        if block is None:
            raise UnknownBlock(
                f"unknown block {block_id!r}", hint="Block ids look like b_p001_0004 (page, order on the page)."
            )
        return block

    def own(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name)
        if not iri.startswith(self._workspace.base):
            raise BadValue(f"{name} is not a node of this paper", hint="Write ex:<name> for nodes of this paper.")
        return iri

    def node(self, name: str) -> URIRef:
        iri = self.own(name)
        if not self._workspace.exists(iri):
            raise UnknownNode(
                f"{name} does not exist",
                hint="Create it with op_create_node(block_id, class_iri) or op_assert_type(node_iri, class_iri).",
            )
        return iri

    def class_(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name)
        if iri not in self._workspace.profile.classes:
            allowed = ", ".join(sorted(self._workspace.curie(c) for c in self._workspace.profile.classes))
            raise UnknownTerm(f"{name} is not a class of this graph", hint=f"Classes: {allowed}.")
        return iri

    def property_(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name.strip().removeprefix("^"))
        if iri not in self._workspace.profile.properties or iri == _TYPE:
            allowed = ", ".join(sorted(self._workspace.curie(p) for p in self._workspace.profile.properties))
            raise UnknownTerm(f"{name} is not a property of this graph", hint=f"Properties: {allowed}.")
        return iri

    def link(self, subject: str, predicate: str, target: str) -> tuple[URIRef, URIRef, URIRef]:
        iri = self.property_(predicate)
        if self._workspace.profile.properties[iri] != LINK:
            raise BadValue(f"{predicate} takes a literal", hint="Use op_set_single_literal.")
        ends = self.node(subject), self.node(target)
        first, second = reversed(ends) if predicate.strip().startswith("^") else ends
        return first, iri, second
