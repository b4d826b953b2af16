"""Write ontology/subsets/ again from tables of what the published ontologies define.

    python scripts/build_ontology.py TABLES

TABLES is a folder of `<prefix>.tsv` files: iri, kind, super-terms parted by "|", domain, range, label. A subset
holds the terms that kag's code and extensions name, and everything above them; facts only, no prose.
"""

from __future__ import annotations

import ast
import csv
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.namespace import OWL, RDF, RDFS

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kag.rdf import namespaces
from kag.rdf.turtle import to_turtle

ROOT = Path(__file__).resolve().parents[1]
SPACES = ("BIRO", "C4O", "CITO", "DCTERMS", "DEO", "DOCO", "FABIO", "FOAF", "KAG", "PO", "PRISM", "PRO", "PROV", "QUDT",
          "OA", "LAYER", "SIO", "SKOS")  # fmt: skip
SHORT_NAME = re.compile(r"([a-z0-9]+):(\w+)")  # "doco:Section", as the profiles list terms
KINDS = {
    "class": OWL.Class,
    "object-property": OWL.ObjectProperty,
    "datatype-property": OWL.DatatypeProperty,
    "annotation-property": OWL.AnnotationProperty,
}
TOP = ("http://www.w3.org/2002/07/owl#",)
SOURCES = {  # prefix: what it is, repository and commit
    "biro": ("BiRO, the Bibliographic Reference Ontology", "SPAROntologies/biro 263d9fa"),
    "doco": ("DoCO, the Document Components Ontology", "SPAROntologies/doco fb5f023"),
    "deo": ("DEO, the Discourse Elements Ontology", "SPAROntologies/deo 43e0751"),
    "cito": ("CiTO, the Citation Typing Ontology", "SPAROntologies/cito 5651525"),
    "c4o": ("C4O, the Citation Counting and Context Characterization Ontology", "SPAROntologies/c4o 240cf93"),
    "fabio": ("FaBiO, the FRBR-aligned Bibliographic Ontology", "SPAROntologies/fabio 185c1e5"),
    "po": ("PO, the Pattern Ontology", "SPAROntologies/po 9350e48"),
    "sio": ("SIO, the Semanticscience Integrated Ontology", "MaastrichtU-IDS/semanticscience 601e02d"),
}


@dataclass(frozen=True, slots=True)
class Term:
    """A row of a table."""

    iri: URIRef
    kind: str
    above: tuple[URIRef, ...]
    label: str


def used_terms(package: Path) -> dict[URIRef, str]:
    """Every term the code of a package names, as `DOCO.Section` or in a list of short names, with a place of each."""
    found: dict[URIRef, str] = {}
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for space, local in _term_names(node):
                found.setdefault(URIRef(_base(space) + local), f"{path.relative_to(package)}:{node.lineno}")
    return found


def _term_names(node: ast.AST) -> list[tuple[str, str]]:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in SPACES:
        return [] if node.attr.startswith("_") else [(node.value.id, node.attr)]
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in SPACES:
        return [(node.value.id, str(node.slice.value))] if isinstance(node.slice, ast.Constant) else []
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        names = [SHORT_NAME.fullmatch(word) for word in node.value.split()]
        pairs = [(name[1].upper(), name[2]) for name in names if name]
        return [pair for pair in pairs if pair[0] in SPACES] if len(pairs) == len(names) else []
    return []


def _base(space: str) -> str:
    found = getattr(namespaces, space)
    return str(found) if isinstance(found, Namespace) else str(found._NS)


def read_table(path: Path) -> dict[URIRef, Term]:
    """The terms of one table by IRI."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {URIRef(row["iri"]): _term(row) for row in rows if row["kind"] in KINDS}


def _term(row: dict[str, str]) -> Term:
    above = tuple(URIRef(iri) for iri in row["super"].split("|") if iri and not iri.startswith(TOP))
    return Term(URIRef(row["iri"]), row["kind"], above, row["label"])


def wanted(terms: dict[URIRef, Term], named: set[URIRef]) -> list[Term]:
    """The named terms and all terms above them, as far as the tables define them."""
    queue, seen = [iri for iri in named if iri in terms], set[URIRef]()
    while queue:
        iri = queue.pop()
        if iri not in seen:
            seen.add(iri)
            queue.extend(above for above in terms[iri].above if above in terms)
    return [terms[iri] for iri in sorted(seen)]


def subset(terms: list[Term]) -> Graph:
    """Kind, label and place in the hierarchy of each term."""
    graph = Graph(bind_namespaces="none")
    for term in terms:
        graph.add((term.iri, RDF.type, KINDS[term.kind]))
        if term.label:
            graph.add((term.iri, RDFS.label, Literal(term.label, lang="en")))
        relation = RDFS.subClassOf if term.kind == "class" else RDFS.subPropertyOf
        for above in term.above:
            graph.add((term.iri, relation, above))
    return graph


def written(graph: Graph) -> str:
    """Turtle with the prefixes that the graph needs and no other."""
    known = {**namespaces.LAYER_PREFIXES, "owl": str(OWL), "rdfs": str(RDFS)}
    met = [str(node) for triple in graph for node in triple if isinstance(node, URIRef) and node != RDF.type]
    return to_turtle(graph, {name: space for name, space in known.items() if any(map(_under(space), met))})


def _under(space: str) -> Callable[[str], bool]:
    return lambda iri: iri.startswith(space)


def header(prefix: str) -> str:
    title, source = SOURCES[prefix]
    return (
        f"# The terms of {title}, that kag uses, and those above them.\n"
        f"# Source: https://github.com/{source.split()[0]}, commit {source.split()[1]}. Licence: CC BY 4.0\n"
        "# (https://creativecommons.org/licenses/by/4.0/). Changed: a selection; IRI, kind, hierarchy and label only.\n"
        "# Written by scripts/build_ontology.py; do not edit.\n\n"
    )


def main(tables: Path, out: Path = ROOT / "ontology" / "subsets") -> None:
    """Write each subset into `out`; says how many terms it holds."""
    extension = Graph().parse(ROOT / "ontology" / "kag_document_ext.ttl")
    named = set(used_terms(ROOT / "kag"))
    named |= {iri for above in (RDFS.subPropertyOf, RDFS.subClassOf) for iri in extension.objects(None, above)}
    by_prefix = {prefix: read_table(tables / f"{prefix}.tsv") for prefix in SOURCES}
    everything = {iri: term for table in by_prefix.values() for iri, term in table.items()}
    chosen = wanted(everything, named)
    for prefix, table in by_prefix.items():
        part = [term for term in chosen if term.iri in table]
        text = header(prefix) + written(subset(part))
        (out / f"{prefix}.ttl").write_text(text, encoding="utf-8")
        print(f"{prefix}: {len(part)} terms")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
