"""`Sheet`: one layer's graph while it is written: nodes and their names, spans, sources, activities.

Terms are texts in N-Triples syntax from the beginning: a paper's layers are ten thousand triples, and all that is done
to them is to check and to write them. The same words at the same place have the same name in every run.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from rdflib import URIRef

from kag import __version__
from kag.layers.values import Entity, Measurement, Mention
from kag.rdf.namespaces import CONCEPTS, LAYER, OA, PROV, RDF, SKOS, XSD, paper_base
from kag.rdf.ntriples import TextTriple, iri, is_iri, literal
from kag.rdf.profile import LINK, REFERS_TO, GraphProfile
from kag.text.search_text import search_text

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def span_name(letter: str, words: Mention, number: int = 1) -> str:
    """Return the local name of the `number`th node of its kind with these characters."""
    host = _UNSAFE.sub("_", words.node.rpartition("/")[2])
    return f"{letter}-{host}-{words.start}-{words.end}" + (f"-{number}" if number > 1 else "")


def value_names(measurements: Iterable[Measurement]) -> Iterator[tuple[str, Measurement]]:
    """Measurements with the local names of their values; members of a list ("4, 6 and 13 kg") are one mention."""
    met: Counter[tuple[str, int, int]] = Counter()
    for measurement in measurements:
        place = (measurement.mention.node, measurement.mention.start, measurement.mention.end)
        met[place] += 1
        yield span_name("q", measurement.mention, met[place]), measurement


def entity_name(kind: str, name: str) -> str:
    """The local name of an entity; spellings of one name are one entity."""
    return f"e-{_digest(kind, folded(name))}"


def attribute_name(name: str, entity: str) -> str:
    """The local name of a property of an entity (any name of it, or "")."""
    return f"a-{_digest(folded(name), entity)}"


def relation_name(kind: str, head: str, tail: str) -> str:
    """The local name of a relation of two mentions."""
    return f"r-{_digest(kind, head, tail)}"


def concept_iri(entity: Entity) -> str:
    """Return the IRI of a thing across papers: by its first exact identifier, else by kind and name."""
    exact = min((identifier.iri for identifier in entity.identifiers if identifier.match == "exact"), default="")
    return CONCEPTS + (_digest(exact) if exact else _digest(entity.kind, folded(entity.name)))


def folded(name: str) -> str:
    """A name as it is compared: however it is printed.

    >>> folded("TNFα") == folded("TNF-alpha")
    True
    """
    return " ".join(search_text(name).text.split())


def _digest(*parts: str) -> str:
    return hashlib.sha256("|".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


_TYPE, _FROM, _BY = RDF.type, PROV.wasDerivedFrom, PROV.wasGeneratedBy  # looking them up each time is slow
_EXACT, _START, _END, _SURE = OA.exact, OA.start, OA.end, LAYER.confidence
_KIND, _MENTION = LAYER.kind, LAYER.Mention
_INTEGER, _DOUBLE = XSD.integer, XSD.double


class Sheet:
    """A layer of one paper. What is written twice is there once."""

    def __init__(self, paper_id: str, profile: GraphProfile) -> None:
        self.base = paper_base(paper_id)
        self._profile = profile
        self._triples: set[TextTriple] = set()
        self._typed: set[str] = set()
        self._datatypes: dict[URIRef, URIRef | None] = {}
        self._names: dict[str, str] = {}
        self._activities: dict[str, str] = {}
        self._letter = "m" if profile.name == "entity" else "k"  # layers do not say two things of one node

    @property
    def triples(self) -> list[TextTriple]:
        """All that is written, sorted."""
        return sorted(self._triples)

    def node(self, local: str) -> str:
        """A node of the paper."""
        return iri(self.base + local)

    def begin(self, node: str, cls: URIRef) -> bool:
        """Give a node a class; False where it had one before."""
        fresh = node not in self._typed
        self._typed.add(node)
        self._add(node, _TYPE, iri(cls))
        return fresh

    def join(self, node: str, property_: URIRef, other: str) -> None:
        """Link two nodes."""
        self._add(node, property_, other)

    def link(self, node: str, property_: URIRef, target: str) -> bool:
        """Link a node to an IRI; False for what is none: it can only come from a text, and is left out."""
        known = is_iri(target)
        if known:
            self._add(node, property_, iri(target))
        return known

    def tell(self, node: str, property_: URIRef, value: str | float | None) -> None:
        """Add a literal with the profile's type, unless it is empty."""
        if value is None or value == "":
            return
        datatype = self._typing(property_)
        if datatype is _DOUBLE:
            mantissa, _, exponent = f"{float(value)!r}".partition("e")
            value = f"{mantissa}E{int(exponent or 0)}"
        self._add(node, property_, literal(str(value), datatype))

    def _typing(self, property_: URIRef) -> URIRef | None:
        """The datatype of a property's literals, None for texts; kept, for comparing IRIs of rdflib is slow."""
        if property_ not in self._datatypes:
            datatype = self._profile.properties[property_]
            assert datatype != LINK, f"{property_} links nodes"
            self._datatypes[property_] = next((one for one in (_DOUBLE, _INTEGER) if one == datatype), None)
        return self._datatypes[property_]

    def name(self, node: str, name: str, others: Iterable[str] = ()) -> None:
        """State what a node is called; the name that it was given first stays its own."""
        own = self._names.get(node)
        if own is None:
            own = self._names[node] = name
            self.tell(node, SKOS.prefLabel, name)
        for other in (name, *others):
            if other != own:
                self.tell(node, SKOS.altLabel, other)

    def span(self, name: str, cls: URIRef, words: Mention) -> tuple[str, bool]:
        """Return the node of a span, and whether it is new: its characters, origin and finder."""
        node = self.node(name)
        if not self.begin(node, cls):
            return node, False
        self.tell(node, _EXACT, words.text)
        self.tell(node, _START, words.start)
        self.tell(node, _END, words.end)
        self.sure(node, words.score)
        self.link(node, _FROM, words.node)
        self.made(node, words.rule)
        return node, True

    def mention(self, words: Mention, refers_to: str = "") -> str:
        """The node of words that name something, and of what they name."""
        node, fresh = self.span(span_name(self._letter, words), _MENTION, words)
        if fresh:
            self.tell(node, _KIND, words.kind)
        if refers_to:
            self._add(node, REFERS_TO, refers_to)
        return node

    def sure(self, node: str, score: float) -> None:
        """State how sure something is."""
        self.tell(node, _SURE, round(min(max(score, 0.0), 1.0), 3))

    def made(self, node: str, rule: str) -> None:
        """State which rule or model made a node."""
        self._add(node, _BY, self._activity(rule or "unnamed"))

    def _add(self, subject: str, property_: URIRef, value: str) -> None:
        self._triples.add((subject, iri(property_), value))

    def _activity(self, rule: str) -> str:
        known = self._activities.get(rule)
        if known is None:
            digest = hashlib.sha256(rule.encode("utf-8", "replace")).hexdigest()[:12]
            known = self._activities[rule] = self.node(f"by-{self._profile.name}-{digest}")
            self.begin(known, PROV.Activity)
            self.tell(known, LAYER.rule, rule)
            self.tell(known, LAYER.version, __version__)
            self.join(known, PROV.used, self.node("document"))
        return known
