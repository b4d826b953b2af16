"""What a paper's graph says, read by brute force from its triples, and what of it fits a wish.

Nothing of the code under test is used here but the wishes themselves. A thing is its IRI; a call-out is the IRI of its
mention. True, False, or None where the graph does not say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from rdflib import RDF, Graph, Namespace, URIRef

from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Query

KAG = Namespace("http://la3d.local/kag#")
DOCO = Namespace("http://purl.org/spar/doco/")
DEO = Namespace("http://purl.org/spar/deo/")
CITO = Namespace("http://purl.org/spar/cito/")
C4O = Namespace("http://purl.org/spar/c4o/")
FABIO = Namespace("http://purl.org/spar/fabio/")
PRISM = Namespace("http://prismstandard.org/namespaces/basic/2.0/")
TERMS = Namespace("http://purl.org/dc/terms/")
FLOATS = {"figure": DOCO.Figure, "table": DOCO.Table, "formula": DOCO.Formula}
STATED = {"doi": PRISM.doi, "title": TERMS.title, "year": FABIO.hasPublicationYear, "journal": PRISM.publicationName,
          "volume": PRISM.volume, "author": KAG.authorList}  # fmt: skip
Truth = bool | None
Node = Any


class Printed:
    """A run's graph and what is asked of it."""

    def __init__(self, run: Path) -> None:
        self.graph = Graph()
        self.graph.parse(run / "knowledge_graph.ttl", format="turtle")
        self._seen: dict[tuple[Any, ...], Any] = {}

    def once(self, key: tuple[Any, ...], read: Callable[[], Any]) -> Any:
        """What was read before, or is now."""
        if key not in self._seen:
            self._seen[key] = read()
        return self._seen[key]

    def one(self, node: Node, term: URIRef) -> str:
        return str(self.graph.value(node, term) or "")

    def number(self, node: Node, term: URIRef) -> int:
        return int(self.one(node, term) or 0)

    def has_class(self, node: Node, cls: URIRef) -> bool:
        return (node, RDF.type, cls) in self.graph

    # kinds ------------------------------------------------------------------------------------

    def all(self, kind: str) -> list[Node]:
        """The things of a kind in the order they are printed."""
        return self.once(
            ("all", kind), lambda: sorted(set(self._kinds[kind]()), key=lambda one: (self.order(one), str(one)))
        )

    @property
    def _kinds(self) -> dict[str, Callable[[], Iterable[Node]]]:
        return {
            "section": lambda: [one for one in self.graph.subjects(RDF.type, DOCO.Section) if self.title(one)],
            "paragraph": lambda: [one for one in self.graph.subjects(RDF.type, DOCO.Paragraph) if self._is_whole(one)],
            "footnote": lambda: self.graph.subjects(RDF.type, DOCO.Footnote),
            "reference": lambda: [one for one in self.graph.subjects(RDF.type, DEO.BibliographicReference)
                                  if self.one(one, KAG.citationNumber)],
            "mention": lambda: self.graph.objects(None, KAG.hasMention),
            **{kind: lambda kind=kind: self._floats(kind) for kind in FLOATS},
            "float": lambda: [one for kind in FLOATS for one in self._floats(kind)],
        }  # fmt: skip

    def _is_whole(self, node: Node) -> bool:
        other = any(self.has_class(node, cls) for cls in (DEO.BibliographicReference, DEO.Caption, DOCO.Footnote))
        return bool(self.one(node, KAG.fullText)) and not other and (node, KAG.continues, None) not in self.graph

    def _floats(self, kind: str) -> list[Node]:
        nodes = list(self.graph.subjects(RDF.type, FLOATS[kind]))
        numbered = [node for node in nodes if self.one(node, KAG.floatNumber)]
        if kind == "formula":
            return numbered or nodes
        return [node for node in nodes if node in numbered or (None, KAG.describes, node) in self.graph]

    def order(self, node: Node) -> tuple[int, ...]:
        host = next(self.graph.subjects(KAG.hasMention, node), None)
        if host is not None:
            return (*self.order(host), self.number(node, KAG.startOffset))
        if self.has_class(node, DEO.BibliographicReference):
            return (self.number(node, KAG.citationNumber),)
        header = self.graph.value(node, KAG.containsAsHeader)
        return (self.number(header if header is not None else node, KAG.order),)

    # what things are --------------------------------------------------------------------------

    def title(self, node: Node) -> str:
        """A section's printed heading, an entry's title, a float's captions."""
        if self.has_class(node, DOCO.Section):
            header = self.graph.value(node, KAG.containsAsHeader)
            printed = self.one(header, KAG.isSynthetic) != "true"
            return self.one(header, KAG.mainText).lstrip("# ") if printed else ""
        if self.has_class(node, DEO.BibliographicReference):
            return self.one(node, TERMS.title)
        return " ".join(self.one(one, KAG.fullText) for one in self.graph.subjects(KAG.describes, node))

    def authors(self, node: Node) -> list[str]:
        return [name.strip() for name in self.one(node, KAG.authorList).split(";") if name.strip()]

    def mention(self, host: str, span: tuple[int, ...]) -> str:
        """The IRI of the call-out at these characters of a text."""
        return next(
            str(one)
            for one in self.graph.objects(URIRef(host), KAG.hasMention)
            if (self.number(one, KAG.startOffset), self.number(one, KAG.endOffset)) == span
        )

    def value(self, node: Node, name: str) -> int | None:
        stated = {"year": FABIO.hasPublicationYear, "depth": KAG.depth}.get(name)
        if name == "number":
            terms = (KAG.citationNumber, KAG.floatNumber, KAG.sectionNumber)
            text = next((found for term in terms if (found := self.one(node, term))), "")
        else:
            text = self.one(node, stated) if stated else ""
        return int(text) if text.isdigit() else None

    def parent(self, node: Node) -> Node | None:
        found = [one for one in self.graph.subjects(KAG.contains, node) if self.has_class(one, DOCO.Section)]
        found += list(self.graph.subjects(KAG.containsAsHeader, node))
        return found[0] if found else None

    def above(self, node: Node) -> list[Node]:
        return self.once(("above", node), lambda: self._above(node))

    def _above(self, node: Node) -> list[Node]:
        found: list[Node] = []
        while (node := self.parent(node)) is not None:
            found.append(node)
        return found

    # what they say ----------------------------------------------------------------------------

    @cached_property
    def texts(self) -> list[Node]:
        """The running text."""
        found = [*self.graph.subjects(RDF.type, DOCO.Paragraph), *self.graph.subjects(RDF.type, DOCO.Footnote)]
        return [one for one in found if not self.has_class(one, DEO.BibliographicReference)]

    def pointing(self, target: Node, *, everywhere: bool = False) -> list[Node]:
        """The texts that cite or refer to a target, captions and tables as well with `everywhere`."""
        return self.once(("pointing", target, everywhere), lambda: self._pointing(target, everywhere))

    def _pointing(self, target: Node, everywhere: bool) -> list[Node]:
        term = CITO.cites if self.has_class(target, DEO.BibliographicReference) else KAG.refersTo
        own = {target, *self.graph.subjects(KAG.describes, target)}
        hosts = [host for host in self.graph.subjects(term, target) if (host, KAG.order, None) in self.graph]
        return [host for host in hosts if (host in self.texts or everywhere) and host not in own]

    def first_part(self, text: Node) -> Node:
        """The paragraph that a text is a later part of."""
        while (before := self.graph.value(text, KAG.continues)) is not None:
            text = before
        return text

    def home(self, text: Node, sections: set[Node], *, direct: bool) -> Node | None:
        """The innermost of some sections that a text is in; `direct`: if nothing printed or not is between."""
        chain = self.above(text)[: 1 if direct else None]
        return next((one for one in chain if one in sections), None)

    def points(self, place: Node, kind: str, target: Node, beside: set[Node], *, direct: bool) -> bool:
        """Whether a place of a kind points to a target; sections are those in question `beside` each other."""
        if kind == "mention":
            return (place, C4O.denotes, target) in self.graph or (place, KAG.refersTo, target) in self.graph
        if kind in (*FLOATS, "float"):
            own = {place, *self.graph.subjects(KAG.describes, place)}
            return bool(own.intersection(self.pointing(target, everywhere=True)))
        hosts = self.pointing(target)
        if kind == "section":
            return any(self.home(host, beside, direct=direct) == place for host in hosts)
        return any(host == place or self.first_part(host) == place for host in hosts)

    def outside(self, target: Node, kind: str, places: set[Node], *, direct: bool) -> bool:
        """Whether something points to a target that is in none of these places."""
        hosts = self.pointing(target, everywhere=True)
        if kind == "section":
            return any(self.home(host, places, direct=direct) is None for host in hosts)
        if kind == "mention":
            known = {host for one in places for host in self.graph.subjects(KAG.hasMention, one)}
            return any(host not in known for host in hosts)
        known = {one for place in places for one in (place, *self.graph.subjects(KAG.describes, place))}
        return any(host not in known and self.first_part(host) not in known for host in hosts)

    def stands(self, thing: Node, section: Node, among: set[Node], *, direct: bool) -> bool:
        host = next(self.graph.subjects(KAG.hasMention, thing), thing)
        if self.has_class(host, DOCO.Section):
            return section in (self.above(host)[:1] if direct else self.above(host))
        return self.home(host, among, direct=direct) == section


def fitting(printed: Printed, query: Query, names: dict[str, Node]) -> tuple[list[Node], list[Node]]:
    """What fits a wish, in order, and what may. `names` are the things that names of wishes mean."""
    found: tuple[list[Node], list[Node]] = printed.once(("query", query), lambda: _fitting(printed, query, names))
    return found


def _fitting(printed: Printed, query: Query, names: dict[str, Node]) -> tuple[list[Node], list[Node]]:
    everything = printed.all(query.kind)
    own = [one for one in query.where if not _is_link(one)]
    beside = {
        one for one in everything if False not in [_holds(printed, c, one, query.kind, set(), names) for c in own]
    }
    truths = [(one, [_holds(printed, c, one, query.kind, beside, names) for c in query.where]) for one in everything]
    maybe = [one for one, found in truths if False not in found and None in found]
    sure = [one for one, found in truths if all(found)]
    return _placed(printed, query, sure, names), maybe


def _is_link(one: Condition | AnyOf) -> bool:
    if isinstance(one, AnyOf):
        return any(map(_is_link, one.conditions))
    if one.relation == "holds" and one.of is not None:
        return one.of.kind != "section"
    return one.relation in ("cites", "cited in", "refers to", "referred to in") or (
        one.relation == "in" and one.of is not None and one.of.kind != "section"
    )


def _holds(
    printed: Printed, one: Condition | AnyOf, thing: Node, kind: str, beside: set[Node], names: dict[str, Node]
) -> Truth:
    if isinstance(one, AnyOf):
        found = [_holds(printed, each, thing, kind, beside, names) for each in one.conditions]
        return True if True in found else None if None in found else False
    truth = _states(printed, one, thing, kind, beside, names)
    return truth if truth is None or not one.negated else not truth


def _states(
    printed: Printed, one: Condition, thing: Node, kind: str, beside: set[Node], names: dict[str, Node]
) -> Truth:
    name = one.name.text if one.name else ""
    if one.relation == "is":
        return thing == names.get(f"{kind} {name}", names.get(name))
    if one.relation in ("year", "depth", "number"):
        value = printed.value(thing, one.relation)
        return None if value is None else one.low <= value <= one.high
    if one.relation == "has":
        return bool(printed.one(thing, STATED[name]))
    if one.relation == "title":
        words, wanted = (re.findall(r"\w+", text.lower()) for text in (printed.title(thing), name))
        return any(words[at : at + len(wanted)] == wanted for at in range(len(words)))
    if one.relation in ("author", "first author"):
        families = [author.split(",")[0].strip() for author in printed.one(thing, KAG.authorList).split(";")]
        if one.relation == "first author":
            return families[0] == name
        cut = "et al" in printed.one(thing, KAG.fullText)
        return True if name in families else None if cut and name in printed.one(thing, KAG.fullText) else False
    if one.relation not in ("cites", "cited in", "refers to", "referred to in", "in", "holds"):
        raise KeyError(one.relation)
    return _linked(printed, one, thing, kind, beside, names)


def _linked(
    printed: Printed, one: Condition, thing: Node, kind: str, beside: set[Node], names: dict[str, Node]
) -> Truth:
    at_all = one.of == Query("mention") and one.relation in ("cited in", "referred to in") and one.low == 1
    if one.of is None or (at_all and one.high == MANY and not one.only):
        return bool(printed.pointing(thing, everywhere=True))
    sure, maybe = fitting(printed, one.of, names)
    others = set(sure)

    def links(other: Node) -> bool:
        return _link(printed, one, thing, kind, other, beside, others)

    count, more = sum(map(links, sure)), sum(map(links, maybe))
    if count + more < one.low or count > one.high or (one.only and _has_more(printed, one, thing, links, sure + maybe)):
        return False
    return True if one.low <= count and count + more <= one.high and not (one.only and more) else None


def _link(
    printed: Printed, one: Condition, thing: Node, kind: str, other: Node, beside: set[Node], others: set[Node]
) -> bool:
    if one.relation in ("cited in", "referred to in"):
        return printed.points(other, one.of.kind if one.of else "", thing, others, direct=one.direct)
    if one.relation in ("cites", "refers to"):
        return printed.points(thing, kind, other, beside, direct=one.direct)
    if one.relation == "in":
        return printed.stands(thing, other, others, direct=one.direct)
    return printed.stands(other, thing, beside, direct=one.direct)


def _has_more(printed: Printed, one: Condition, thing: Node, links: Callable[[Node], bool], known: list[Node]) -> bool:
    assert one.of is not None
    if one.relation in ("cited in", "referred to in"):
        return printed.outside(thing, one.of.kind, set(known), direct=one.direct)
    return any(links(other) for other in printed.all(one.of.kind) if other not in known)


def _placed(printed: Printed, query: Query, found: list[Node], names: dict[str, Node]) -> list[Node]:
    if query.order is not None and query.order.by != "print":
        found = [one for one in found if _rank(printed, query, one, names) is not None]
        found.sort(key=lambda one: _rank(printed, query, one, names), reverse=query.order.descending)
    place = query.place
    if place is None:
        return found
    if place.way != "at":
        (anchor,), _ = fitting(printed, place.of, names)  # type: ignore[arg-type,misc]
        line = [one for one in printed.all(query.kind) if one in found or one == anchor]
        if query.kind == "section":
            line = [one for one in line if printed.parent(one) == printed.parent(anchor)]
        at = line.index(anchor)
        return line[at + 1 : at + 2] if place.way == "after" else line[max(at - 1, 0) : at]
    size = len(found)
    first, last = ((at - 1) if at > 0 else size + at for at in (place.at, place.to))
    if not 0 <= first < size:
        return []
    chosen = found[first : min(last, size - 1) + 1]
    if query.order is not None and place.at == place.to:
        rank = _rank(printed, query, chosen[0], names)
        return [one for one in found if _rank(printed, query, one, names) == rank]
    return chosen


def _rank(printed: Printed, query: Query, one: Node, names: dict[str, Node]) -> Any:
    order = query.order
    assert order is not None
    if order.of is not None:
        others, _ = fitting(printed, order.of, names)
        return sum(printed.points(other, order.of.kind, one, set(others), direct=False) for other in others)
    return printed.value(one, order.by)


def crowded(printed: Printed, query: Query, names: dict[str, Node]) -> bool:
    """Whether a range of places ends among things that are level, so that chance would choose."""
    place, order = query.place, query.order
    if place is None or order is None or order.by == "print" or place.at == place.to or place.way != "at":
        return False
    every, _ = fitting(printed, Query(query.kind, query.where, order), names)
    chosen = _placed(printed, query, list(fitting(printed, Query(query.kind, query.where), names)[0]), names)
    ranks = [_rank(printed, query, one, names) for one in chosen]
    return any(one not in chosen and _rank(printed, query, one, names) in ranks for one in every)
