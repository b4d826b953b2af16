"""The ontology files and the terms they define.

A term that no vocabulary defines is the commonest fault of generated graphs; `undefined_terms` finds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rdflib import Graph, URIRef
from rdflib.namespace import OWL, RDF, RDFS, XSD

from kag.core.errors import OntologyError
from kag.rdf.profile import GraphProfile

_KINDS = (
    OWL.Class,
    OWL.ObjectProperty,
    OWL.DatatypeProperty,
    OWL.AnnotationProperty,
    OWL.NamedIndividual,
    RDF.Property,
)
_BUILT_IN = (str(RDF), str(RDFS), str(XSD))
_HINT = "Reinstall kag, or restore ontology/ from its repository."


def ontology_dir() -> Path:
    """The folder of the ontology files: `ontology/` of a checkout, or the copy in an installed package.

    Raises `OntologyError` when there is neither.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parent / "ontology", package / "_ontology"):
        if (folder / "subsets").is_dir():
            return folder
    raise OntologyError("the ontology files are missing", hint=_HINT)


def load_shapes(profile: GraphProfile) -> Graph:
    """The shapes of a layer; raises `OntologyError` when its file is missing or broken."""
    return _read(ontology_dir() / profile.shapes)


def _read(path: Path) -> Graph:
    try:
        return Graph(bind_namespaces="none").parse(path, format="turtle")
    except OSError as error:
        raise OntologyError(f"{path.name} cannot be read: {error.strerror}", hint=_HINT) from error
    except Exception as error:  # rdflib's parser lets many kinds of error through
        raise OntologyError(f"{path.name} is not Turtle: {error}", hint=_HINT) from error


@cache
def defined_terms() -> frozenset[URIRef]:
    """Every class and property that the subsets of published vocabularies or our extensions define."""
    folder = ontology_dir()
    files = [*sorted(folder.glob("subsets/*.ttl")), *sorted(folder.glob("*_ext.ttl"))]
    graphs = [_read(path) for path in files]
    nodes = {term for graph in graphs for kind in _KINDS for term in graph.subjects(RDF.type, kind)}
    return frozenset(term for term in nodes if isinstance(term, URIRef))


def undefined_terms(terms: Iterable[URIRef]) -> tuple[URIRef, ...]:
    """Return the terms that none of our vocabularies defines, sorted; RDF, RDFS and XSD count as known."""
    known = defined_terms()
    return tuple(sorted({term for term in terms if term not in known and not str(term).startswith(_BUILT_IN)}))
