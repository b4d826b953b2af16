"""Graphs of a few triples in memory, asked as a corpus is: what a pattern finds, without a paper around it."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph

from kag.corpus.catalogue import Listed
from kag.corpus.exact.things import Run
from kag.corpus.sparql.query import Table, Term
from kag.rdf.namespaces import LAYER_PREFIXES, PAPERS

HEAD = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in LAYER_PREFIXES.items())


def runner(**graphs: str) -> Run:
    """Puts queries to graphs of Turtle by their papers' ids; `works` is the graph of what works are the same.

    `<>` is the paper itself, `:a` its node a.
    """
    store = pyoxigraph.Store()
    for name, turtle in graphs.items():
        iri = "http://la3d.local/kag/corpus/works" if name == "works" else f"{PAPERS}{name}"
        text = f"{HEAD}@prefix : <{PAPERS}{name}/> .\n{turtle}"
        graph = pyoxigraph.NamedNode(iri)
        store.load(text.encode(), pyoxigraph.RdfFormat.TURTLE, base_iri=iri, to_graph=graph)

    def run(query: str) -> Table:
        found = store.query(query, prefixes=LAYER_PREFIXES, use_default_graph_as_union=True)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        names = tuple(one.value for one in found.variables)
        return Table(names, tuple(tuple(_term(row[name]) for name in names) for row in found))

    return run


def _term(term: object) -> Term | None:
    if isinstance(term, pyoxigraph.NamedNode):
        return {"type": "uri", "value": term.value}
    return {"type": "literal", "value": term.value} if isinstance(term, pyoxigraph.Literal) else None


def listed(name: str, title: str = "", doi: str = "") -> Listed:
    """A paper of a corpus, as its catalogue has it."""
    return Listed(name, "1", f"{PAPERS}{name}", title, "", doi, 1, 1, 1)


def local(names: Iterable[str]) -> list[str]:
    """Identities without the part of the IRI that all papers have."""
    return [name.removeprefix(PAPERS) for name in names]
