"""`Workspace`: one paper's graph while it is being built, with its blocks and its texts.

It knows triples, names and changes; what may be said is the tools' business (`kag.indexing.tools.build_tools`) and
what must hold the shapes' (`kag.rdf.shacl`).
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
from kag.rdf.ntriples import TextTriple, is_iri, lexical, literal, node, term
from kag.rdf.profile import DOC, GraphProfile
from kag.rdf.triple_store import TripleStore

Result = TypeVar("Result")

_TYPE, _ORDER, _BLOCK = term(RDF.type), term(KAG.order), term(KAG.sourceBlock)
_INTEGER = f"^^{term(XSD.integer)}"
_LOCAL_NAME = re.compile(r"^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?$")


class Workspace:
    """A paper's graph under construction.

    `version` grows with each change, so that a caller can see whether the graph is still the one it read.
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
        self._journal: list[str] | None = None  # what an attempt has added or removed so far: terms, three a triple
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
        return self._add(term(subject), term(predicate), term(value))

    def remove(self, subject: URIRef, predicate: URIRef, value: Node) -> bool:
        """Remove a triple; False when it was not there."""
        return self._remove(term(subject), term(predicate), term(value))

    def set(self, subject: URIRef, predicate: URIRef, value: Node) -> None:
        """Make `value` the only value of the property."""
        self._set(term(subject), term(predicate), term(value))

    def put(self, subject: URIRef, predicate: URIRef, value: str | float | bool) -> None:
        """`set` a literal with the profile's type."""
        self._set(term(subject), term(predicate), _literal(value, self.profile.properties[predicate]))

    def state(self, subject: URIRef, predicate: URIRef, value: str | float | bool) -> bool:
        """`add` a literal with the profile's type; for new nodes."""
        return self._add(term(subject), term(predicate), _literal(value, self.profile.properties[predicate]))

    def copy_value(self, source: URIRef, target: URIRef, predicate: URIRef) -> bool:
        """Give `target` the value of a property that `source` has, unless it has one; whether that adds a triple."""
        name, copy = term(predicate), term(target)
        value = next(iter(self._store.objects(term(source), name)), None)
        return value is not None and not self._store.objects(copy, name) and self._add(copy, name, value)

    def _add(self, subject: str, predicate: str, value: str) -> bool:
        if not self._store.insert(subject, predicate, value):
            return False
        self._changed(subject, predicate, value)
        return True

    def _remove(self, subject: str, predicate: str, value: str) -> bool:
        if not self._store.discard(subject, predicate, value):
            return False
        self._changed(subject, predicate, value)
        return True

    def _set(self, subject: str, predicate: str, value: str) -> None:
        for old in list(self._store.objects(subject, predicate)):
            if old != value:
                self._remove(subject, predicate, old)
        self._add(subject, predicate, value)

    def attempt(self, work: Callable[[], Result]) -> Result:
        """The result of some work; when it raises, graph and content are again what they were before."""
        content, journal = self.content.copy(), list[str]()
        self._journal = journal
        try:
            return work()
        except Exception:
            self._journal = None
            for at in range(len(journal) - 3, -1, -3):  # what is there now was added, what is not was removed
                subject, predicate, value = journal[at : at + 3]
                if not self._remove(subject, predicate, value):
                    self._add(subject, predicate, value)
            self.content = content
            raise
        finally:
            self._journal = None

    def _changed(self, *triple: str) -> None:
        self.version += 1
        if self._journal is not None:
            self._journal.extend(triple)

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
        return [iri for cls in classes for iri in _iris(self._store.subjects(_TYPE, term(cls)))]

    def counts(self, predicate: URIRef) -> dict[str, int]:
        """The values of a property as texts, and how many nodes have each."""
        return {lexical(value): many for value, many in self._store.counts(term(predicate)).items()}

    def is_a(self, node: Node, cls: URIRef) -> bool:
        return self._store.holds(term(node), _TYPE, term(cls))

    def exists(self, node: Node) -> bool:
        """Whether a node has a class."""
        return bool(self._store.objects(term(node), _TYPE))

    def links(self, subject: Node, predicate: URIRef) -> list[URIRef]:
        """Nodes a property points to, in reading order, then by IRI."""
        nodes = _iris(self._store.objects(term(subject), term(predicate)))
        return sorted(nodes, key=self._reading_order) if len(nodes) > 1 else nodes

    def sources(self, predicate: URIRef, value: Node) -> list[URIRef]:
        """Nodes whose property points to `value`, sorted."""
        return sorted(_iris(self._store.subjects(term(predicate), term(value))), key=str)

    def _reading_order(self, node: URIRef) -> tuple[int, str]:
        return self._number(term(node), _ORDER) or 0, str(node)

    def text(self, node: Node, predicate: URIRef = KAG.fullText) -> str:
        """A literal property as text; empty when it has none."""
        value = next(iter(self._store.objects(term(node), term(predicate))), None)
        return "" if value is None else lexical(value)

    def number(self, node: Node, predicate: URIRef) -> int | None:
        """A literal property as an integer; None when it has none or is not one."""
        return self._number(term(node), term(predicate))

    def _number(self, node: str, predicate: str) -> int | None:
        value = next(iter(self._store.objects(node, predicate)), "")
        return int(lexical(value)) if value.endswith(_INTEGER) else None

    def source_blocks(self, node: Node) -> list[Block]:
        """The blocks a node was made from, in page order."""
        ids = sorted(map(lexical, self._store.objects(term(node), _BLOCK)))
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
    return cast(Literal, node(_literal(value, datatype)))


def _literal(value: str | float | bool, datatype: URIRef) -> str:
    write = _WRITERS.get(datatype)
    if write is None:
        raise BadValue(f"{datatype} is not a datatype of this graph", hint="Use one that the profile names.")
    return write(value)


def _whole_number(value: str | float | bool) -> str:
    whole = isinstance(value, int) or (isinstance(value, str) and re.fullmatch(r"[+-]?\d+", value.strip()))
    if isinstance(value, bool) or not whole:
        raise BadValue(f"{value!r} is not an integer", hint="Give a whole number such as 3.")
    return f'"{int(value)}"{_INTEGER}'


def _year(value: str | float | bool) -> str:
    if not re.fullmatch(r"(?!0000)[0-9]{4}", str(value)):
        raise BadValue(f"{value!r} is not a year", hint="Give four digits such as 2020.")
    return literal(str(value), XSD.gYear)


def _address(value: str | float | bool) -> str:
    if not is_iri(str(value)):
        raise BadValue(f"{value!r} is not an address", hint="Give a whole one such as https://example.org/a%20b.")
    return literal(str(value), XSD.anyURI)


def _truth(value: str | float | bool) -> str:
    if str(value).lower() not in ("true", "false"):
        raise BadValue(f"{value!r} is not true or false", hint="Give true or false.")
    return literal(str(value).lower(), XSD.boolean)


def _number(value: str | float | bool) -> str:
    """A finite number as an `xsd:double` in one form ("1.5E0"); raises `BadValue`."""
    try:
        number = float(value)
    except ValueError:
        number = inf
    if isinstance(value, bool) or not isfinite(number):
        raise BadValue(f"{value!r} is not a number", hint="Give a number such as 1.5 or 2e-3.")
    mantissa, _, exponent = f"{number!r}".lower().partition("e")
    return literal(f"{mantissa}E{int(exponent or 0)}", XSD.double)


_WRITERS: dict[URIRef, Callable[[str | float | bool], str]] = {
    XSD.string: lambda value: literal(str(value)),
    XSD.integer: _whole_number,
    XSD.gYear: _year,
    XSD.anyURI: _address,
    XSD.boolean: _truth,
    XSD.double: _number,
}


def _iris(texts: Iterable[str]) -> list[URIRef]:
    """Those of some terms that are IRIs."""
    return [cast(URIRef, node(text)) for text in texts if text[0] == "<"]


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
