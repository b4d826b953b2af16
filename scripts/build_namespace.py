"""Write the tables of docs/namespace.md: every term of our own, as the files of ontology/ declare and constrain it.

    python scripts/build_namespace.py

The page is kept up to its mark; all behind it is written anew. Label and comment come from the extensions. What a
property is of, and what its values are, comes from there too where it is stated, else from the shapes: the classes
that may have it, and the datatype or classes that its values must have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from rdflib import Graph, URIRef
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SH
from rdflib.term import Node

from kag.rdf.namespaces import KAG, LAYER_PREFIXES
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import CONTENT, PROFILES, WORKS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "namespace.md"
PARTS = {
    "kag_document_ext.ttl": (
        "Graphs of papers",
        "Beside published terms; `ontology/README.md` shows where each is used.",
    ),
    "kag_layers_ext.ttl": (
        "The entity and claim layers",
        "Beside published terms; `ontology/README.md` shows where each is used.",
    ),
    "kag_search_ext.ttl": ("The search graph (JSON-LD)", "Beside the terms of schema.org."),
}
KINDS = {OWL.Class: "class", OWL.ObjectProperty: "link", OWL.DatatypeProperty: "value"}
_NAMES = {**LAYER_PREFIXES, "schema": "https://schema.org/", "rdfs": str(RDFS)}
_MARK = "<!-- written by scripts/build_namespace.py -->"
_GROUPS = {"content": CONTENT, "works": WORKS}
_LEADS_ON = (SH["or"], SH.node, SH.property, SH.qualifiedValueShape)


def page() -> str:
    """The page as it has to be."""
    shapes = Graph(bind_namespaces="none")
    for profile in PROFILES.values():
        shapes += load_shapes(profile)
    parts = [PAGE.read_text(encoding="utf-8").partition(_MARK)[0] + _MARK]
    parts += [f"Below, *{name}* is any of {names(group, {})}." for name, group in _GROUPS.items()]
    for name, (title, about) in PARTS.items():
        graph = Graph().parse(ROOT / "ontology" / name)
        parts += [f"## {title}", f"{about} Declared in `ontology/{name}`.", table(graph, shapes)]
    return "\n\n".join(parts) + "\n"


def table(graph: Graph, shapes: Graph) -> str:
    """The terms that an extension declares, classes first, each with what it means, is of and leads to."""
    rows = ["| term | | of | value | meaning |", "|---|---|---|---|---|"]
    for kind, what in KINDS.items():
        for term in sorted(term for term in graph.subjects(RDF.type, kind) if isinstance(term, URIRef)):
            of, value = ends(term, graph, shapes) if kind != OWL.Class else ("", "")
            above = [*graph.objects(term, RDFS.subClassOf), *graph.objects(term, RDFS.subPropertyOf)]
            under = f" Under {names(above)}." if above else ""
            anchor = f'<a id="{str(term).rpartition("#")[2]}"></a>' if str(term).startswith(str(KAG._NS)) else ""
            meaning = f"{graph.value(term, RDFS.comment)}{under}".replace("|", "\\|")
            rows.append(f"| {anchor}`{short(term)}` | {what} | {of} | {value} | {meaning} |")
    return "\n".join(rows)


def ends(term: Node, graph: Graph, shapes: Graph) -> tuple[str, str]:
    """What a property is of, and what its values are."""
    stated = [list(graph.objects(term, property_)) for property_ in (RDFS.domain, RDFS.range)]
    constraints = list(shapes.subjects(SH.path, term))
    owners = {cls for one in constraints for shape in shapes.subjects(SH.property, one)
              for cls in _targets(shape, shapes)}  # fmt: skip
    values = {value for one in constraints for value in [*shapes.objects(one, SH.datatype), *_classes(one, shapes)]}
    return names(stated[0] or owners), names(stated[1] or values)


def _targets(shape: Node, shapes: Graph) -> set[Node]:
    """The classes of a shape's targets: named, or those of what a property leads to."""
    led = {one for link in shapes.objects(shape, SH.targetObjectsOf) for one in shapes.subjects(SH.path, link)}
    return set(shapes.objects(shape, SH.targetClass)).union(*(_classes(one, shapes) for one in led))


def _classes(shape: Node, shapes: Graph) -> set[Node]:
    """The classes that a shape asks of a node, in itself or in the shapes that it leads on to."""
    found = set(shapes.objects(shape, SH["class"]))
    for listed in shapes.objects(shape, SH["in"]):
        found |= set(Collection(shapes, listed))
    for predicate in _LEADS_ON:
        for other in shapes.objects(shape, predicate):
            inner = Collection(shapes, other) if predicate == SH["or"] else [other]
            found |= {cls for one in inner for cls in _classes(one, shapes)}
    return found


def names(terms: Iterable[Node], groups: Mapping[str, frozenset[URIRef]] = MappingProxyType(_GROUPS)) -> str:
    """Terms in their short forms, sorted, those of a whole group by its name; literals are left out."""
    found = {term for term in terms if isinstance(term, URIRef)}
    whole = [name for name, group in groups.items() if group <= found]
    found = found.difference(*(groups[name] for name in whole))
    return ", ".join([*(f"*{name}*" for name in whole), *(f"`{name}`" for name in sorted(map(short, found)))])


def short(term: URIRef) -> str:
    """The short form of a term."""
    fitting = (f"{prefix}:{str(term)[len(space) :]}" for prefix, space in _NAMES.items() if str(term).startswith(space))
    return next(fitting, f"<{term}>")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    print(PAGE.relative_to(ROOT))
