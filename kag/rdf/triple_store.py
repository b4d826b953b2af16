"""Triple store of a workspace: terms in N-Triples syntax, as validation and Turtle need them.

Strings compare and hash many times faster than rdflib's terms, which are made when they are asked for. Triples come
back in the order in which they were added under their subject, or under their predicate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from rdflib.store import Store
from rdflib.term import Node

from kag.core.errors import BadValue
from kag.rdf.ntriples import TextTriple, node, term

Triple = tuple[Node, Node, Node]
Pattern = tuple[Node | None, Node | None, Node | None]
Held = str | dict[str, None] | None
"""What stands under two terms. Most have one: a dictionary for it would take more room than the triple."""

_NONE: dict[Any, Any] = {}
_NOWHERE = ""  # stands for a term that no triple can have


class TripleStore(Store):
    """Triples by subject and predicate, and by predicate and object."""

    def __init__(self, configuration: str | None = None, identifier: Node | None = None) -> None:
        super().__init__(configuration)
        self._by_subject: dict[str, dict[str, Held]] = {}
        self._by_predicate: dict[str, dict[str, Held]] = {}
        self._size = 0

    def insert(self, subject: str, predicate: str, value: str) -> bool:
        """Add a triple; False when it was there already."""
        properties = self._by_subject.get(subject)
        if properties is None:
            properties = self._by_subject[subject] = {}
        held = properties.get(predicate)
        if held is not None and _has(held, value):
            return False
        properties[predicate] = _with(held, value)
        nodes = self._by_predicate.get(predicate)
        if nodes is None:
            nodes = self._by_predicate[predicate] = {}
        nodes[value] = _with(nodes.get(value), subject)
        self._size += 1
        return True

    def discard(self, subject: str, predicate: str, value: str) -> bool:
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

    def objects(self, subject: str, predicate: str) -> Collection[str]:
        """The values of a property."""
        return _all(self._by_subject.get(subject, _NONE).get(predicate))

    def subjects(self, predicate: str, value: str) -> Collection[str]:
        """The nodes that have a value of a property."""
        return _all(self._by_predicate.get(predicate, _NONE).get(value))

    def counts(self, predicate: str) -> dict[str, int]:
        """The values of a property over all nodes, and how many nodes have each."""
        nodes = self._by_predicate.get(predicate, _NONE)
        return {value: many for value, held in nodes.items() if (many := len(_all(held)))}

    def holds(self, subject: str, predicate: str, value: str) -> bool:
        held = self._by_subject.get(subject, _NONE).get(predicate)
        return held is not None and _has(held, value)

    def texts(self) -> Iterator[TextTriple]:
        """Each triple, subject by subject, these sorted."""
        for subject in sorted(self._by_subject):
            yield from _written(subject, self._by_subject[subject])

    def drained(self) -> Iterator[TextTriple]:
        """`texts` of a store that is emptied meanwhile: what is made of the triples takes their room."""
        self._by_predicate.clear()
        for subject in sorted(self._by_subject):
            yield from _written(subject, self._by_subject.pop(subject))
        self._size = 0

    # what rdflib asks of a store --------------------------------------------------------------

    def add(self, triple: Triple, context: Any, quoted: bool = False) -> None:
        self.insert(*map(term, triple))

    def remove(self, triple: Pattern, context: Any = None) -> None:
        for found in list(self._matching(*map(_sought, triple))):
            self.discard(*found)

    def triples(self, triple_pattern: Pattern, context: Any = None) -> Iterator[tuple[Triple, Iterator[Any]]]:
        for subject, predicate, value in self._matching(*map(_sought, triple_pattern)):
            yield (node(subject), node(predicate), node(value)), iter(())

    def __len__(self, context: Any = None) -> int:
        return self._size

    def _matching(self, subject: str | None, predicate: str | None, value: str | None) -> Iterator[TextTriple]:
        """Return the triples of a pattern; None matches any term."""
        if subject is None and predicate is not None:
            nodes = self._by_predicate.get(predicate, _NONE)
            for known in nodes if value is None else (value,):
                for origin in _all(nodes.get(known)):
                    yield origin, predicate, known
            return
        for origin in self._by_subject if subject is None else (subject,):
            properties = self._by_subject.get(origin, _NONE)
            for named in properties if predicate is None else (predicate,):
                held = properties.get(named)
                for known in _all(held) if value is None else (value,) if _has(held, value) else ():
                    yield origin, named, known


def _sought(part: Node | None) -> str | None:
    """Return a part of a pattern in stored form; a value that is not a term matches nothing."""
    try:
        return None if part is None else term(part)
    except BadValue:
        return _NOWHERE


def _written(subject: str, properties: dict[str, Held]) -> Iterator[TextTriple]:
    for predicate, held in properties.items():
        if isinstance(held, dict):
            for value in held:
                yield subject, predicate, value
        elif held is not None:
            yield subject, predicate, held


def _all(held: Held) -> Collection[str]:
    return held if isinstance(held, dict) else () if held is None else (held,)


def _has(held: Held, text: str) -> bool:
    return text in held if isinstance(held, dict) else held == text


def _with(held: Held, text: str) -> Held:
    """Return the stored terms with one more."""
    if held is None:
        return text
    if not isinstance(held, dict):
        return {held: None, text: None}
    held[text] = None
    return held


def _without(held: Held, text: str) -> Held:
    """Return the stored terms without one."""
    if not isinstance(held, dict):
        return None
    del held[text]
    return held
