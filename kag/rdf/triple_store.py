"""Where a workspace keeps its triples: an rdflib store that looks terms up once and is small.

rdflib compares and hashes literals in Python, so each look into a dictionary counts; its own stores make
many. Triples come back in the order in which they were added under their subject, or under their predicate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from rdflib.store import Store
from rdflib.term import Node

from kag.rdf.ntriples import TextTriple, check, term

Triple = tuple[Node, Node, Node]
Pattern = tuple[Node | None, Node | None, Node | None]
Held = Node | dict[Node, None] | None
"""What stands under two terms. Most have one: a dictionary for it would take more room than the triple."""

_NONE: dict[Any, Any] = {}


class TripleStore(Store):
    """Triples by subject and predicate, and by predicate and object."""

    def __init__(self, configuration: str | None = None, identifier: Node | None = None) -> None:
        super().__init__(configuration)
        self._by_subject: dict[Node, dict[Node, Held]] = {}
        self._by_predicate: dict[Node, dict[Node, Held]] = {}
        self._size = 0

    def insert(self, subject: Node, predicate: Node, value: Node) -> bool:
        """Add a triple; False when it was there already. Raises `BadValue` on a term that is none."""
        properties = self._by_subject.get(subject)
        held = properties.get(predicate) if properties else None
        if held is not None and _has(held, value):
            return False
        for new in (subject, predicate, value) if properties is None else (predicate, value):
            check(new)
        if properties is None:
            properties = self._by_subject[subject] = {}
        properties[predicate] = _with(held, value)
        nodes = self._by_predicate.setdefault(predicate, {})
        nodes[value] = _with(nodes.get(value), subject)
        self._size += 1
        return True

    def discard(self, subject: Node, predicate: Node, value: Node) -> bool:
        """Remove a triple; False when it was not there."""
        if not self.holds(subject, predicate, value):
            return False
        for index, first, last in (
            (self._by_subject[subject], predicate, value),
            (self._by_predicate[predicate], value, subject),
        ):
            index[first] = _without(index[first], last)  # its place stays: what comes back is where it was
        self._size -= 1
        return True

    def objects(self, subject: Node, predicate: Node) -> Collection[Node]:
        """The values of a property."""
        return _all(self._by_subject.get(subject, _NONE).get(predicate))

    def subjects(self, predicate: Node, value: Node) -> Collection[Node]:
        """The nodes that have a value of a property."""
        return _all(self._by_predicate.get(predicate, _NONE).get(value))

    def holds(self, subject: Node, predicate: Node, value: Node) -> bool:
        held = self._by_subject.get(subject, _NONE).get(predicate)
        return held is not None and _has(held, value)

    def texts(self) -> Iterator[TextTriple]:
        """Each triple as three terms in N-Triples syntax, subject by subject, these sorted."""
        for subject in sorted(self._by_subject, key=term):
            yield from _written(subject, self._by_subject[subject])

    def drained(self) -> Iterator[TextTriple]:
        """`texts` of a store that is emptied meanwhile: what is made of the triples takes their room."""
        self._by_predicate.clear()
        for subject in sorted(self._by_subject, key=term):
            yield from _written(subject, self._by_subject.pop(subject))
        self._size = 0

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
                for one in _all(found.get(other)):
                    yield one, predicate, other
            return
        for one in self._by_subject if subject is None else (subject,):
            properties = self._by_subject.get(one, _NONE)
            for named in properties if predicate is None else (predicate,):
                held = properties.get(named)
                for other in _all(held) if value is None else (value,) if _has(held, value) else ():
                    yield one, named, other


def _written(subject: Node, properties: dict[Node, Held]) -> Iterator[TextTriple]:
    own = term(subject)
    for predicate, held in properties.items():
        named = term(predicate)
        for value in _all(held):
            yield own, named, term(value)


def _all(held: Held) -> Collection[Node]:
    return held if isinstance(held, dict) else () if held is None else (held,)


def _has(held: Held, node: Node) -> bool:
    return node in held if isinstance(held, dict) else held is node or held == node


def _with(held: Held, node: Node) -> Held:
    """What is held, and a term more."""
    if held is None:
        return node
    if not isinstance(held, dict):
        return {held: None, node: None}
    held[node] = None
    return held


def _without(held: Held, node: Node) -> Held:
    """What is held, and a term less."""
    if not isinstance(held, dict):
        return None
    del held[node]
    return held
