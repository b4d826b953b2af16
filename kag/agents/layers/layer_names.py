"""What a tool over layers is called with, found or refused: graphs, nodes of this paper, and names elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from rdflib import URIRef

from kag.core.errors import BadValue, UnknownNode
from kag.indexing.tools.tool_names import Names
from kag.layers.source import Source
from kag.rdf.ntriples import is_iri
from kag.rdf.profile import LINK
from kag.rdf.workspace import Workspace

_ELSEWHERE = ("http://", "https://")


class LayerNames:
    """The graphs of one paper that may be written, and the document's below them, which may not."""

    def __init__(self, source: Source, graphs: Mapping[str, Workspace]) -> None:
        self._source, self._graphs = source, graphs
        self._names = {name: Names(graph) for name, graph in graphs.items()}

    def graph(self, name: str) -> Workspace:
        """The graph of a layer that may be written; raises `BadValue`."""
        found = self._graphs.get(name)
        if found is None:
            why = "the document's graph is read-only" if name == "doc" else f"there is no graph {name!r}"
            raise BadValue(why, hint=f"Give graph= one of {', '.join(self._graphs)}.")
        return found

    def names(self, graph: str) -> Names:
        """Names in one graph; raises `BadValue`."""
        self.graph(graph)
        return self._names[graph]

    def text_node(self, name: str) -> str:
        """The IRI of a text of the document; raises `UnknownNode`."""
        iri = str(next(iter(self._graphs.values())).resolve(name if ":" in name else f"ex:{name}"))
        if iri not in self._source.graph:
            raise UnknownNode(f"the document has no text {name!r}", hint="Texts are the keys of `texts`.")
        return iri

    def property_(self, name: str, graph: str, *, links: bool) -> URIRef:
        """A property of a graph's profile that links nodes, or one that does not; raises what `Names` raises."""
        found = self.names(graph).property_(name)
        if (self.graph(graph).profile.properties[found] == LINK) is not links:
            other = "op_set_single_literal" if links else "op_add_iri_link or op_set_single_iri_link"
            raise BadValue(f"{name} {'takes a literal' if links else 'links nodes'}", hint=f"Use {other}.")
        return found

    def target(self, name: str, graph: str) -> URIRef:
        """What a link leads to: a node of this graph or of one below, or an IRI elsewhere."""
        text = name.strip().removeprefix("<").removesuffix(">")
        workspace = self.graph(graph)
        if text.startswith(_ELSEWHERE) and not text.startswith(workspace.base):
            if not is_iri(text):
                raise BadValue(f"{name!r} is no IRI", hint="Percent-encode what an IRI cannot hold.")
            return URIRef(text)
        found = workspace.resolve(name)
        if not found.startswith(workspace.base) or self._is_there(found):
            return found
        raise UnknownNode(f"{name} does not exist", hint="Create it with op_create_node or op_assert_type.")

    def _is_there(self, node: URIRef) -> bool:
        return str(node) in self._source.graph or any(graph.exists(node) for graph in self._graphs.values())
