"""What a query names that no graph of a corpus can hold: a term misspelt gives no rows, and no error."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from rdflib import URIRef

from kag.corpus.sparql.text import read
from kag.rdf.layer_profiles import PROFILES
from kag.rdf.namespaces import LAYER_PREFIXES
from kag.rdf.ontology import undefined_terms

_OPEN = ("concept", "rdf", "rdfs", "unit", "work", "xsd")  # prefixes of names that are no terms of ours to list


def unknown_terms(query: str) -> tuple[str, ...]:
    """For each term of a query that no vocabulary of the graphs defines, a line that says so, with the nearest ones.

    Raises `QueryError` where the query is none.
    """
    spaces = {name: space for name, space in LAYER_PREFIXES.items() if name not in _OPEN}
    named = [URIRef(iri) for iri in read(query).iris if iri.startswith(tuple(spaces.values()))]
    terms = (term for layer in PROFILES.values() for term in (*layer.classes, *layer.properties))
    known = sorted({_short(iri, spaces) for iri in terms})
    return tuple(_line(_short(iri, spaces), known) for iri in undefined_terms(named))


def _line(term: str, known: Iterable[str]) -> str:
    near = get_close_matches(term, known, n=3)
    return f"no graph has {term}" + (f"; there is {', '.join(near)}" if near else "")


def _short(iri: str, spaces: dict[str, str]) -> str:
    fitting = (f"{name}:{iri[len(space) :]}" for name, space in spaces.items() if iri.startswith(space))
    return next(fitting, f"<{iri}>")
