"""Where a workspace keeps its triples: an rdflib store that looks terms up once and keeps their N-Triples form.

rdflib compares and hashes literals in Python, so each look into a dictionary counts; its own stores make
many. Triples come back in the order in which they were added under their subject, or under their predicate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from rdflib.store import Store
from rdflib.term import Node

from kag.rdf.ntriples import TextTriple, term

Triple = tuple[Node, Node, Node]
Pattern = tuple[Node | None, Node | None, Node | None]

_NONE: dict[Any, dict[Any, Any]] = {}


class TripleStore(Store):
    """Triples by subject and predicate, and by predicate and object."""

    def __init__(self, configuration: str | None = None, identifier: Node | None = None) -> None:
        super().__init__(configuration)
        self._by_subject: dict[Node, dict[Node, dict[Node, TextTriple]]] = {}
        self._by_predicate: dict[Node, dict[Node, dict[Node, None]]] = {}
        self._texts: dict[Node, str] = {}  # of subjects and predicates
        self._size = 0

    def insert(self, subject: Node, predicate: Node, value: Node) -> bool:
        """Add a triple; False when it was there already. Raises `BadValue` on a term that is none."""
        text = (self._text(subject), self._text(predicate), term(value))
        values = self._by_subject.setdefault(subject, {}).setdefault(predicate, {})
        if values.setdefault(value, text) is not text:
            return False
        self._by_predicate.setdefault(predicate, {}).setdefault(value, {})[subject] = None
        self._size += 1
        return True

    def _text(self, node: Node) -> str:
        """`term` of a subject or predicate, which comes again and again."""
        text = self._texts.get(node)
        if text is None:
            text = self._texts[node] = term(node)
        return text

    def discard(self, subject: Node, predicate: Node, value: Node) -> bool:
        """Remove a triple; False when it was not there."""
        if self._by_subject.get(subject, _NONE).get(predicate, _NONE).pop(value, None) is None:
            return False
        del self._by_predicate[predicate][value][subject]
        self._size -= 1
        return True

    def objects(self, subject: Node, predicate: Node) -> Collection[Node]:
        """The values of a property."""
        values: Collection[Node] = self._by_subject.get(subject, _NONE).get(predicate, _NONE)
        return values

    def subjects(self, predicate: Node, value: Node) -> Collection[Node]:
        """The nodes that have a value of a property."""
        nodes: Collection[Node] = self._by_predicate.get(predicate, _NONE).get(value, _NONE)
        return nodes

    def holds(self, subject: Node, predicate: Node, value: Node) -> bool:
        return value in self._by_subject.get(subject, _NONE).get(predicate, _NONE)

    def texts(self) -> Iterator[TextTriple]:
        """Each triple as three terms in N-Triples syntax."""
        properties = chain.from_iterable(map(dict.values, self._by_subject.values()))
        return chain.from_iterable(map(dict.values, properties))

    # what rdflib asks of a store --------------------------------------------------------------

    def add(self, triple: Triple, context: Any, quoted: bool = False) -> None:
        self.insert(*triple)

    def remove(self, triple: Pattern, context: Any = None) -> None:
        for found in list(self._matching(*triple)):
            self.discard(*found)

    def triples(self, triple_pattern: Pattern, context: Any = None) -> Iterator[tuple[Triple, Iterator[Any]]]:
        return ((found, iter(())) for found in self._matching(*triple_pattern))

    def __len__(self, context: Any = None) -> int:
        return self._size

    def _matching(self, subject: Node | None, predicate: Node | None, value: Node | None) -> Iterator[Triple]:
        """The triples of a pattern; None stands for any term."""
        if subject is None and predicate is not None:
            found = self._by_predicate.get(predicate, _NONE)
            for other in found if value is None else (value,):
                for one in found.get(other, ()):
                    yield one, predicate, other
            return
        for one in self._by_subject if subject is None else (subject,):
            properties = self._by_subject.get(one, _NONE)
            for named in properties if predicate is None else (predicate,):
                values = properties.get(named, _NONE)
                for other in values if value is None else (value,) if value in values else ():
                    yield one, named, other
