"""`PublishedGraph`: a Turtle file as three look-up tables, read-only.

The read side asks for the properties of a node, the nodes of a class and the nodes that point to a node,
thousands of times a question; a general graph library answers each far more slowly, and takes longer to load.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from kag.rdf.namespaces import RDF

_TYPE = str(RDF.type)
_NOTHING: Mapping[str, tuple[str, ...]] = {}


class PublishedGraph:
    """Triples by subject and property. Terms are plain strings: an IRI, or a literal's lexical form."""

    def __init__(self, subjects: dict[str, dict[str, tuple[str, ...]]], links: frozenset[str]) -> None:
        self._subjects = subjects
        self._links = links  # properties whose values are nodes

    @classmethod
    def parse(cls, turtle: str | bytes) -> PublishedGraph:
        """Read Turtle; raises `ValueError` (a `SyntaxError` of the parser becomes one) on anything else."""
        import pyoxigraph  # a compiled library: imported when first needed

        gathered: dict[str, dict[str, list[str]]] = {}
        links: set[str] = set()
        try:
            for quad in pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE):
                predicate, value = quad.predicate.value, quad.object
                gathered.setdefault(_name(quad.subject), {}).setdefault(predicate, []).append(_name(value))
                if not isinstance(value, pyoxigraph.Literal):
                    links.add(predicate)
        except SyntaxError as error:
            raise ValueError(str(error)) from error
        subjects = {
            subject: {predicate: tuple(sorted(set(values))) for predicate, values in properties.items()}
            for subject, properties in gathered.items()
        }
        return cls(subjects, frozenset(links))

    def __contains__(self, subject: str) -> bool:
        return subject in self._subjects

    def __iter__(self) -> Any:
        return iter(self._subjects)

    def __len__(self) -> int:
        """Number of triples."""
        return sum(len(values) for properties in self._subjects.values() for values in properties.values())

    def properties(self, subject: str) -> Mapping[str, tuple[str, ...]]:
        """All values of a subject by property; empty for an unknown one."""
        return self._subjects.get(subject, _NOTHING)

    def values(self, subject: str, predicate: str) -> tuple[str, ...]:
        """The values of one property, sorted."""
        return self.properties(subject).get(predicate, ())

    def value(self, subject: str, predicate: str) -> str:
        """The first value of a property; empty when it has none."""
        return next(iter(self.values(subject, predicate)), "")

    def sources(self, predicate: str, value: str) -> tuple[str, ...]:
        """The subjects whose property has this node as a value, sorted."""
        return self._inverse.get(value, _NOTHING).get(predicate, ())

    def of_class(self, cls: str) -> tuple[str, ...]:
        """The nodes of a class, sorted."""
        return self.sources(_TYPE, cls)

    def is_link(self, predicate: str) -> bool:
        """Whether a property's values are nodes."""
        return predicate in self._links

    @cached_property
    def _inverse(self) -> dict[str, dict[str, tuple[str, ...]]]:
        found: dict[str, dict[str, list[str]]] = {}
        for subject in sorted(self._subjects):
            for predicate, values in self._subjects[subject].items():
                if predicate in self._links:
                    for value in values:
                        found.setdefault(value, {}).setdefault(predicate, []).append(subject)
        return {
            value: {predicate: tuple(names) for predicate, names in sources.items()} for value, sources in found.items()
        }


def _name(term: Any) -> str:
    """An IRI or a literal as its text, a blank node with its mark."""
    return term.value if hasattr(term, "value") else str(term)
