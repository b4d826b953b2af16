"""Contributions of documents to a graph, and their union.

The graph is a function of the set of contributions: in whatever order documents came, and whatever came and went
between, the same set gives the same graph. A node or edge is there while one document says it; properties of several
are joined in the order of the documents' names, and where two say different things the first stays and both are told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, canonical_text
from kag.retrieval.property_graph.schema import Issue
from kag.retrieval.property_graph.snapshots import Element, Key, of_elements


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a statement: characters from `start` to before `end` of a document, and SHA-256 of that text."""

    document: str
    start: int = 0
    end: int = 0
    digest: str = ""

    @classmethod
    def of(cls, document: str, text: str, start: int, end: int) -> Source:
        """The source of a span of a document's text."""
        return cls(document, start, end, hashlib.sha256(text[start:end].encode("utf-8", "replace")).hexdigest())

    def fits(self, text: str) -> bool:
        """Whether the span still has the same text in the document."""
        return Source.of(self.document, text, self.start, self.end) == self


@dataclass(frozen=True, slots=True)
class Contribution:
    """One element as one document states it, its place, and its reader (a rule, a model, a person)."""

    element: Element
    source: Source
    author: str = ""


class Contributions:
    """The contributions of all documents."""

    def __init__(self) -> None:
        self._by_key: dict[Key, dict[str, list[Contribution]]] = {}
        self._documents: dict[str, dict[Key, None]] = {}

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents by name."""
        return tuple(sorted(self._documents))

    def put(self, document: str, contributed: Iterable[Contribution]) -> None:
        """Add what a document says."""
        for contribution in contributed:
            key = _key(contribution.element)
            self._by_key.setdefault(key, {}).setdefault(document, []).append(contribution)
            self._documents.setdefault(document, {})[key] = None

    def _element(self, key: Key) -> Element | None:
        """Return an element as all documents together state it; an edge needs both of its ends."""
        contributed = self._ordered(key)
        if not contributed:
            return None
        joined = _joined([contribution.element for contribution in contributed])
        if isinstance(joined, Link) and not all(
            ("node", end) in self._by_key for end in (joined.source, joined.target)
        ):
            return None
        return joined

    def _ordered(self, key: Key) -> list[Contribution]:
        by_document = self._by_key.get(key, {})
        return [
            contribution
            for document in sorted(by_document)
            for contribution in sorted(by_document[document], key=_place)
        ]

    def snapshot(self) -> GraphSnapshot:
        """The graph that all documents make."""
        found = (self._element(key) for key in self._by_key)
        return of_elements(one for one in found if one is not None)

    def sources(self, kind: str, id: str) -> tuple[Contribution, ...]:
        """Return the documents and places that state an element: its audit."""
        return tuple(self._ordered(("edge" if kind == "edge" else "node", id)))

    def contributions_of(self, document: str) -> Iterator[Contribution]:
        """Return the contribution of one document."""
        for key in self._documents.get(document, {}):
            yield from self._by_key[key][document]

    def issues(self) -> tuple[Issue, ...]:
        """Return the conflicts between documents about one element."""
        return tuple(issue for key in sorted(self._by_key) for issue in self._disagreements(key))

    def _disagreements(self, key: Key) -> Iterator[Issue]:
        stated: dict[str, list[tuple[str, Any]]] = {}
        for contribution in self._ordered(key):
            about: Mapping[str, Any] = {**contribution.element.props, "label": contribution.element.label}
            for name, value in about.items():
                known = stated.setdefault(name, [])
                if all(_differs(value, other) for _, other in known):
                    known.append((contribution.source.document, value))
        for name, values in stated.items():
            if len(values) > 1:
                values_text = "; ".join(f"{document:.60}: {value!r:.60}" for document, value in values)
                message, fix = (
                    f"{name} of {key[1]!r:.80}: {values_text}.",
                    "The first was kept: correct the documents, or choose.",
                )
                nodes, edges = ((key[1],), ()) if key[0] == "node" else ((), (key[1],))
                yield Issue("sources_differ", "warning", message, fix, nodes, edges, name)


def _differs(one: Any, other: Any) -> bool:
    return one != other or isinstance(one, bool) != isinstance(other, bool)


def _key(element: Element) -> Key:
    return ("edge" if isinstance(element, Link) else "node"), element.id


def _place(contribution: Contribution) -> tuple[int, int, str]:
    return contribution.source.start, contribution.source.end, canonical_text(contribution.element)


def _joined(elements: list[Element]) -> Element:
    """The first of some elements, with the properties that only later ones have."""
    first, props = elements[0], dict[str, Any]()
    for element in reversed(elements):
        props.update(element.props)
    if isinstance(first, Link):
        return Link(first.id, first.label, first.source, first.target, props)
    return Node(first.id, first.label, props)
