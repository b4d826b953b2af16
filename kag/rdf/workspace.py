"""`Workspace`: one paper's graph while it is being built, with its blocks and its texts.

It knows triples, names and changes; what may be said is the tools' business (`kag.indexing.tools.build_tools`) and
what must hold the shapes' (`kag.rdf.shacl`). Each change is remembered until the next validation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from math import inf, isfinite
from typing import TypeVar, cast

from rdflib import Graph, Literal, URIRef
from rdflib.term import Node

from kag.core.content import ContentStore
from kag.core.errors import BadValue
from kag.core.types import Block, Box, Document, Skipped
from kag.rdf.namespaces import DOCO, KAG, LAYER_PREFIXES, RDF, XSD, paper_base
from kag.rdf.ntriples import TextTriple, is_iri
from kag.rdf.profile import DOC, GraphProfile
from kag.rdf.triple_store import TripleStore

Triple = tuple[URIRef, URIRef, Node]
Result = TypeVar("Result")
MOST_CHANGES = 20_000
"""Changes that are told: to look at all of a graph is quicker than to look at more, and to keep them takes room."""

_STRING, _INTEGER, _BOOLEAN = XSD.string, XSD.integer, XSD.boolean
_YEAR, _ADDRESS = XSD.gYear, XSD.anyURI
_DOUBLE = XSD.double
_TYPE, _ORDER = RDF.type, KAG.order
_LOCAL_NAME = re.compile(r"^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?$")


class Workspace:
    """A paper's graph under construction.

    `changes` holds the triples added or removed since `validated()` was last called, None where they are too many to be
    told; `version` grows with each change, so that anyone can tell whether the graph is still the one they saw. Nodes
    in `hidden` are not found by their class.
    """

    def __init__(self, document: Document, profile: GraphProfile = DOC) -> None:
        self.document = document
        self.profile = profile
        self.base = paper_base(document.paper_id)
        self.blocks: dict[str, Block] = {block.id: block for block in document.blocks}
        self.pictures: dict[tuple[int, Box], set[str]] = {}  # the figure files that show a box of a page
        for file in document.figures:
            for box in file.boxes:
                self.pictures.setdefault((file.page, box), set()).add(file.path)
        self._store = TripleStore()
        self._nodes: dict[str, URIRef] = {}  # by local name: the same term is found faster than an equal one
        self.graph = Graph(store=self._store, bind_namespaces="none")
        self.content = ContentStore()
        self.skipped: dict[str, Skipped] = {}
        self.hidden: frozenset[URIRef] = frozenset()
        self.changes: set[Triple] | None = set()
        self._journal: list[Node] | None = None  # what an attempt has added or removed so far: terms, three a triple
        self.version = 0

    # names ------------------------------------------------------------------------------------

    def node(self, local_name: str) -> URIRef:
        """The IRI of a node of this paper; raises `BadValue` on a name that is not a plain one."""
        known = self._nodes.get(local_name)
        if known is None:
            if not _LOCAL_NAME.match(local_name):
                raise BadValue(f"{local_name!r} cannot name a node", hint="Use letters, digits, '_', '-' and '.' only.")
            known = self._nodes[local_name] = URIRef(self.base + local_name)
        return known

    @property
    def paper(self) -> URIRef:
        """The node of the paper itself."""
        return self.node("document")

    def resolve(self, name: str) -> URIRef:
        """An IRI from `ex:local`, another CURIE, or an IRI of a known namespace; raises `BadValue`."""
        text = name.strip().removeprefix("<").removesuffix(">")
        prefix, colon, local = text.partition(":")
        if prefix == "ex" and colon:
            return self.node(local)
        if colon and (term := _term(prefix, local)):
            return term
        for space in (self.base, *LAYER_PREFIXES.values()):
            if text.startswith(space) and _LOCAL_NAME.match(text[len(space) :]):
                return URIRef(text)
        known = ", ".join(sorted(self.profile.prefixes))
        raise BadValue(
            f"{name!r} is not a name this graph knows",
            hint=f"Write ex:<node> for a node of this paper, or one of the prefixes {known}.",
        )

    def curie(self, iri: Node) -> str:
        """The short form of an IRI; anything else as it is."""
        text = str(iri)
        if text.startswith(self.base):
            return "ex:" + text[len(self.base) :]
        return _short(text)

    # changing ---------------------------------------------------------------------------------

    def add(self, subject: URIRef, predicate: URIRef, value: Node) -> bool:
        """Add a triple; False when it was there already. Raises `BadValue` on an IRI that is none."""
        if not self._store.insert(subject, predicate, value):
            return False
        self._changed((subject, predicate, value))
        return True

    def remove(self, subject: URIRef, predicate: URIRef, value: Node) -> bool:
        """Remove a triple; False when it was not there."""
        if not self._store.discard(subject, predicate, value):
            return False
        self._changed((subject, predicate, value))
        return True

    def set(self, subject: URIRef, predicate: URIRef, value: Node) -> None:
        """Make `value` the only value of the property."""
        for old in list(self._store.objects(subject, predicate)):
            if old != value:
                self.remove(subject, predicate, old)
        self.add(subject, predicate, value)

    def put(self, subject: URIRef, predicate: URIRef, value: str | float | bool) -> None:
        """`set` for a literal, typed as the profile says."""
        datatype = self.profile.properties[predicate]
        self.set(subject, predicate, typed_literal(value, datatype))

    def attempt(self, work: Callable[[], Result]) -> Result:
        """The result of some work; when it raises, graph and content are again what they were before."""
        content, journal = self.content.copy(), list[Node]()
        self._journal = journal
        try:
            return work()
        except Exception:
            self._journal = None
            for at in range(len(journal) - 3, -1, -3):  # what is there now was added, what is not was removed
                triple = cast(Triple, tuple(journal[at : at + 3]))
                if not self.remove(*triple):
                    self.add(*triple)
            self.content = content
            raise
        finally:
            self._journal = None

    def _changed(self, triple: Triple) -> None:
        if self.changes is not None:
            self.changes.add(triple)
            if len(self.changes) > MOST_CHANGES:
                self.changes = None
        self.version += 1
        if self._journal is not None:
            self._journal.extend(triple)

    def state(self, subject: URIRef, predicate: URIRef, value: str | float | bool) -> bool:
        """`add` for a literal, typed as the profile says; for nodes that are new."""
        return self.add(subject, predicate, typed_literal(value, self.profile.properties[predicate]))

    def validated(self) -> None:
        """Forget the changes: a validation has seen them."""
        self.changes = set()

    def texts(self) -> Iterable[TextTriple]:
        """Each triple as three terms in N-Triples syntax, subject by subject, these sorted."""
        return self._store.texts()

    def drained(self) -> Iterable[TextTriple]:
        """`texts`, the last that is asked of the graph: it is empty then."""
        return self._store.drained()

    # reading ----------------------------------------------------------------------------------

    def of_type(self, *classes: URIRef) -> list[URIRef]:
        """Nodes of any of the classes, in reading order, then by IRI."""
        return sorted(set(self.instances(*classes)), key=self._reading_order)

    def instances(self, *classes: URIRef) -> list[URIRef]:
        """Nodes of the classes in no order, those of several classes several times."""
        found = (node for cls in classes for node in self._store.subjects(_TYPE, cls) if isinstance(node, URIRef))
        return [node for node in found if node not in self.hidden]

    def is_a(self, node: Node, cls: URIRef) -> bool:
        return self._store.holds(node, _TYPE, cls)

    def exists(self, node: Node) -> bool:
        """Whether a node has a class."""
        return bool(self._store.objects(node, _TYPE))

    def links(self, subject: Node, predicate: URIRef) -> list[URIRef]:
        """Nodes a property points to, in reading order, then by IRI."""
        found = [o for o in self._store.objects(subject, predicate) if isinstance(o, URIRef)]
        return sorted(found, key=self._reading_order) if len(found) > 1 else found

    def sources(self, predicate: URIRef, value: Node) -> list[URIRef]:
        """Nodes whose property points to `value`, sorted."""
        return sorted(s for s in self._store.subjects(predicate, value) if isinstance(s, URIRef))

    def _reading_order(self, node: URIRef) -> tuple[int, URIRef]:
        return self.number(node, _ORDER) or 0, node

    def text(self, node: Node, predicate: URIRef = KAG.fullText) -> str:
        """A literal property as text; empty when it has none."""
        value = next(iter(self._store.objects(node, predicate)), None)
        return "" if value is None else str(value)

    def number(self, node: Node, predicate: URIRef) -> int | None:
        """A literal property as an integer; None when it has none or is not one."""
        value = next(iter(self._store.objects(node, predicate)), None)
        number = value.toPython() if isinstance(value, Literal) else None
        return number if isinstance(number, int) else None

    def source_blocks(self, node: Node) -> list[Block]:
        """The blocks a node was made from, in page order."""
        ids = sorted(str(value) for value in self._store.objects(node, KAG.sourceBlock))
        return [self.blocks[block_id] for block_id in ids if block_id in self.blocks]

    def plain(self, node: Node) -> str:
        """The node's words without LaTeX and Markdown, from its blocks; its preview when it is a part."""
        blocks = self.source_blocks(node)
        if "-" in str(node).rpartition("/")[2] or not blocks:
            return self.text(node, KAG.mainText)
        return " ".join(block.plain for block in blocks)

    def section_of(self, node: Node) -> URIRef | None:
        """The section that contains a node, or has it as its title."""
        for predicate in (KAG.contains, KAG.containsAsHeader):
            for parent in self.sources(predicate, node):
                if self.is_a(parent, DOCO.Section):
                    return parent
        return None

    def title_of(self, section: Node) -> str:
        """A section's title in plain words."""
        return " ".join(self.text(header, KAG.mainText) for header in self.links(section, KAG.containsAsHeader))


def typed_literal(value: str | float | bool, datatype: URIRef) -> Literal:
    """A literal of the datatype (plain for strings); raises `BadValue` when the value does not fit."""
    make = _MADE.get(datatype)
    if make is None:
        raise BadValue(f"{datatype} is no datatype of this graph", hint="Use one that the profile names.")
    return make(value)


def _words(value: str | float | bool) -> Literal:
    return Literal(str(value), normalize=False)  # a plain string has no other form


def _whole_number(value: str | float | bool) -> Literal:
    whole = isinstance(value, int) or (isinstance(value, str) and re.fullmatch(r"[+-]?\d+", value.strip()))
    if isinstance(value, bool) or not whole:
        raise BadValue(f"{value!r} is not an integer", hint="Give a whole number such as 3.")
    return _integer(int(value))


def _year(value: str | float | bool) -> Literal:
    if not re.fullmatch(r"(?!0000)[0-9]{4}", str(value)):
        raise BadValue(f"{value!r} is not a year", hint="Give four digits such as 2020.")
    return Literal(str(value), datatype=_YEAR, normalize=False)


def _address(value: str | float | bool) -> Literal:
    if not is_iri(str(value)):
        raise BadValue(f"{value!r} is not an address", hint="Give a whole one such as https://example.org/a%20b.")
    return Literal(str(value), datatype=_ADDRESS, normalize=False)


def _truth(value: str | float | bool) -> Literal:
    if str(value).lower() not in ("true", "false"):
        raise BadValue(f"{value!r} is not true or false", hint="Give true or false.")
    return Literal(str(value).lower() == "true")


def _number(value: str | float | bool) -> Literal:
    """A finite number as an `xsd:double` in one form ("1.5E0"); raises `BadValue`."""
    try:
        number = float(value)
    except ValueError:
        number = inf
    if isinstance(value, bool) or not isfinite(number):
        raise BadValue(f"{value!r} is not a number", hint="Give a number such as 1.5 or 2e-3.")
    mantissa, _, exponent = f"{number!r}".lower().partition("e")
    return Literal(f"{mantissa}E{int(exponent or 0)}", datatype=_DOUBLE, normalize=False)


_MADE: dict[URIRef, Callable[[str | float | bool], Literal]] = {
    _STRING: _words,
    _INTEGER: _whole_number,
    _YEAR: _year,
    _ADDRESS: _address,
    _BOOLEAN: _truth,
    _DOUBLE: _number,
}


@lru_cache(maxsize=4096)
def _term(prefix: str, local: str) -> URIRef | None:
    """A term from the two parts of its short form; None when it is none."""
    return URIRef(LAYER_PREFIXES[prefix] + local) if prefix in LAYER_PREFIXES and _LOCAL_NAME.match(local) else None


@lru_cache(maxsize=4096)
def _short(iri: str) -> str:
    """A term's short form; anything else as it is."""
    for prefix, space in LAYER_PREFIXES.items():
        if iri.startswith(space):
            return f"{prefix}:{iri[len(space) :]}"
    return iri


@lru_cache(maxsize=8192)
def _integer(value: int) -> Literal:
    return Literal(value)
