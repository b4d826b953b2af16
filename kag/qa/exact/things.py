"""`Things`: all that a paper has, of whatever kind, as one sort of value, in the order in which it is printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from kag.core.evidence import Evidence
from kag.qa.exact.facts import heading, is_text, quoted
from kag.qa.exact.front import record
from kag.qa.exact.labels import called, captioned, captions, printed
from kag.qa.paper import CITES, REFERS, Mention, Node, PaperGraph, Section
from kag.rdf.namespaces import DCTERMS, KAG, PRISM

FLOATS = ("figure", "table", "formula")


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of a paper: the node or section `iri`, or `part` of it (the characters of a citation, the place of an
    author or a page), with its `words` if it is only these (an author, a keyword)."""

    kind: str
    iri: str = ""
    part: tuple[int, ...] = ()
    words: str = ""


class Things:
    """The things of a paper by kind, as values; `relations` and `properties` evaluate them."""

    def __init__(self, paper: PaperGraph) -> None:
        self.paper = paper
        self._known: dict[str, tuple[Thing, ...]] = {}

    def all(self, kind: str) -> tuple[Thing, ...]:
        """All things of a kind in reading order; none of a kind that no paper has as things of their own."""
        if kind not in self._known:
            self._known[kind] = tuple(self._all(kind))
        return self._known[kind]

    def _all(self, kind: str) -> Iterable[Thing]:
        paper = self.paper
        match kind:
            case "section":
                return [Thing(kind, section.iri) for section in printed(paper) if heading(paper, section)]
            case "paragraph":
                return [Thing(kind, iri) for iri, node in paper.nodes.items() if _is_whole(paper, node)]
            case "figure" | "table" | "formula":
                name = "equation" if kind == "formula" else kind
                return [Thing(kind, node.iri) for node in captioned(paper, name)]
            case "float":
                return sorted((thing for part in FLOATS for thing in self.all(part)), key=self.order)
            case "footnote":
                return [Thing(kind, node.iri) for node in paper.of_kind("Footnote") if node.text]
            case "reference" | "work":
                return [Thing("reference", entry.iri) for _, entry in sorted(paper.references.items())]
            case "mention":
                return [Thing(kind, host, (mention.start, mention.end)) for host, mention in self.call_outs]
        return self._small(kind)

    def _small(self, kind: str) -> Iterable[Thing]:
        """Return the things that are not nodes."""
        match kind:
            case "paper":
                return [Thing("paper", self.paper.document)]
            case "author":
                return [
                    Thing(kind, evidence.node, (evidence.start, evidence.end), name)
                    for name, evidence in self._creators
                ]
            case "any author":
                listed = (thing for entry in self.all("reference") for thing in self.authors_of(entry))
                return [*self.all("author"), *listed]
            case "keyword":
                return [Thing(kind, words=str(word)) for word in record(self.paper).get("keywords", ())]
            case "journal":
                names = (self.paper.graph.value(entry.iri, str(PRISM.publicationName)) for entry in self.entries)
                return [Thing(kind, words=name) for name in dict.fromkeys(names) if name]
            case "page":
                return [Thing(kind, iri, (page,)) for page, iri in sorted(self.first_of_page.items())]
        return []

    # what things are of --------------------------------------------------------------------------

    @property
    def entries(self) -> tuple[Node, ...]:
        """The entries of the reference list."""
        return tuple(self.paper.nodes[thing.iri] for thing in self.all("reference"))

    def in_journal(self, journal: Thing) -> list[Thing]:
        """The entries that are in a journal."""
        name = str(PRISM.publicationName)
        return [thing for thing in self.all("reference") if self.paper.graph.value(thing.iri, name) == journal.words]

    def node(self, thing: Thing) -> Node:
        """The node that a thing is, or is part of."""
        return self.paper.nodes[thing.iri]

    def section(self, thing: Thing) -> Section:
        """The section that a thing is."""
        return self.paper.sections[thing.iri]

    def order(self, thing: Thing) -> tuple[int, str, tuple[int, ...]]:
        """Return the sort key for the printed order of things of one kind."""
        if thing.kind in ("page", "keyword", "journal"):
            return 0, "", (self.all(thing.kind).index(thing),)
        return (*self.paper.place(thing.iri), thing.part)

    def parts(self, thing: Thing) -> tuple[Node, ...]:
        """The nodes that are a float: one that is printed in several pictures has several."""
        own = self.node(thing)
        name = called(self.paper, own)
        alike = (node for node in self.paper.of_kind(own.kind) if called(self.paper, node) == name)
        return tuple(alike) if own.number else (own,)

    @cached_property
    def call_outs(self) -> tuple[tuple[str, Mention], ...]:
        """The call-outs with the text, caption, note or table that has each, in reading order."""
        return tuple(
            (host, mention)
            for host, found in self.paper.mentions.items()
            if host in self.paper.nodes
            for mention in found
            if 0 <= mention.start < mention.end <= len(self.paper.nodes[host].text)
        )

    @cached_property
    def first_of_page(self) -> dict[int, str]:
        """The first node with a text of each page."""
        return {node.page: node.iri for node in reversed(self.paper.nodes.values()) if node.text}

    @cached_property
    def _creators(self) -> list[tuple[str, Evidence]]:
        """The paper's authors with the place in the line of authors that names each; none where one is not there."""
        creators = self.paper.graph.values(self.paper.document, str(DCTERMS.creator))
        placed: list[tuple[int, int, str, Evidence]] = []
        for creator in creators:
            for node in self.paper.of_kind("ListOfAuthors"):
                place = quoted(self.paper, node.iri, creator)
                if place.quote and creator.split()[-1].casefold() in place.quote.casefold():
                    placed.append((node.order, place.start, creator, place))
                    break
        placed.sort(key=lambda row: row[:3])
        return [(name, place) for _, _, name, place in placed] if len(placed) == len(creators) else []

    def authors_of(self, entry: Thing) -> tuple[Thing, ...]:
        """The authors that an entry names, in its order."""
        listed = self.paper.graph.value(entry.iri, str(KAG.authorList)).split(";")
        names = [name.strip() for name in listed if name.strip()]
        return tuple(Thing("author", entry.iri, (place,), name) for place, name in enumerate(names))


def _is_whole(paper: PaperGraph, node: Node) -> bool:
    """Whether a node is a paragraph, and not a later part of one that is cut."""
    return node.kind == "Paragraph" and bool(node.text) and not paper.graph.values(node.iri, str(KAG.continues))


def caption_nodes(paper: PaperGraph, nodes: Iterable[Node]) -> list[Node]:
    """The captions of floats, each once."""
    return list(dict.fromkeys(caption for node in nodes for caption in captions(paper, node)))


Shown = dict[Thing, list[str]]  # what a thing is linked to, each with the texts that say so
INVERSE = {
    "cited in": "cites",
    "referred to in": "refers to",
    "cites": "cited in",
    "refers to": "referred to in",
    "in": "holds",
    "holds": "in",
    "beside": "beside",
}
_POINTS = {"cites": CITES, "cited in": CITES, "refers to": REFERS, "referred to in": REFERS}
_BETWEEN = re.compile(r"[\s;,.&()\[\]–—-]{0,6}(?:and\b\s?|see also\b\s?)?")  # between call-outs that are one
_POINTED = ("cited in", "referred to in")


class Links:
    """The relations between the things of a paper."""

    def __init__(self, things: Things) -> None:
        self.things, self.paper = things, things.paper

    def links(
        self, relation: str, thing: Thing, among: Collection[Thing], beside: Collection[Thing], *, direct: bool = False
    ) -> Shown:
        """Return those `among` others in a relation to a thing; `beside` are the things considered with it."""
        if relation == "beside":
            return {other: texts for other, texts in self._beside(thing).items() if other in among}
        if relation in ("in", "holds"):
            inside = relation == "in"
            homes = self._homes(among if inside else beside, direct=direct)
            return {
                other: []
                for other in among
                if (self.stands(thing, other, homes, direct) if inside else self.stands(other, thing, homes, direct))
            }
        if relation in _POINTED:
            homes = self._homes(among, direct=direct)
            found = {other: self._pointing(relation, other, thing, homes) for other in among}
        else:
            homes = self._homes(beside, direct=direct)
            found = {other: self._pointing(INVERSE[relation], thing, other, homes) for other in among}
        return {other: texts for other, texts in found.items() if texts}

    def everywhere(self, relation: str, thing: Thing) -> list[str]:
        """All texts, captions and tables that point to a thing; its own caption does not count."""
        targets = self._nodes(thing)
        found = self.paper.sources(targets[0], _POINTS[relation]) if targets else ()
        more = (host for target in targets[1:] for host in self.paper.sources(target, _POINTS[relation]))
        own = {node.iri for node in self._floats_of(thing)}
        return [host for host in dict.fromkeys((*found, *more)) if host not in own]

    def outside(self, relation: str, thing: Thing, among: Collection[Thing], *, direct: bool) -> bool:
        """Whether any text, caption or table that points to a thing belongs to none of these."""
        homes = self._homes(among, direct=direct)
        shown = {host for other in among for host in self._pointing(relation, other, thing, homes, everywhere=True)}
        if among and next(iter(among)).kind == "mention":
            shown = {other.iri for other in among}
        return any(host not in shown for host in self.everywhere(relation, thing))

    # places ---------------------------------------------------------------------------------------

    def stands(self, thing: Thing, other: Thing, homes: Callable[[str], str], direct: bool) -> bool:
        """Whether a thing is in another: in a section, on a page, in a paragraph, a table or an entry."""
        if thing == other:
            return False
        match other.kind:
            case "paper":
                return True
            case "page":
                return self.page(thing) == other.part[0]
            case "section" if thing.kind == "section":
                above = self._above(thing.iri)
                return other.iri in (above[:1] if direct else above)
            case "section":
                return any(homes(node) == other.iri for node in self._nodes(thing))
            case "paragraph":
                return thing.kind == "mention" and thing.iri in self.paper.chain_of(other.iri)
            case "reference":
                return thing.kind == "author" and thing.iri == other.iri
            case "table":
                return thing.kind in ("row", "column", "cell") and thing.iri == other.iri
        return False

    def page(self, thing: Thing) -> int:
        """The page on which a thing begins; 0 for what is on none."""
        if thing.kind == "page":
            return thing.part[0]
        if thing.kind == "section":
            return self.things.section(thing).page
        return self.things.node(thing).page if thing.iri in self.paper.nodes else 0

    def _above(self, section: str) -> list[str]:
        """The sections that a section is in, innermost first."""
        found: list[str] = []
        while (section := self.paper.sections[section].parent) and section not in found:
            found.append(section)
        return found

    def _homes(self, sections: Iterable[Thing], *, direct: bool) -> Callable[[str], str]:
        """Return the section of each node among these: the innermost; `direct`: only the one that contains it
        directly."""
        known = {thing.iri for thing in sections if thing.kind == "section"}

        def home(node: str) -> str:
            section = self.paper.section_of(node)
            chain = [section.iri, *(() if direct else self._above(section.iri))] if section else []
            return next((iri for iri in chain if iri in known), "")

        return home

    # call-outs ------------------------------------------------------------------------------------

    def _pointing(
        self, relation: str, place: Thing, target: Thing, homes: Callable[[str], str], *, everywhere: bool = False
    ) -> list[str]:
        """The texts of a place that point to a target."""
        nodes = self._nodes(target)
        if place.kind == "mention":
            calls = self._targets.get(place, frozenset())
            return [place.iri] if calls.intersection(nodes) else []
        if place.kind == "paper":
            return self.everywhere(relation, target) or (nodes[:1] if relation == "cited in" else [])
        hosts = self.everywhere(relation, target) if everywhere else self._sources(relation, target)
        match place.kind:
            case "section":
                return [host for host in hosts if homes(host) == place.iri]
            case "paragraph":
                return [host for host in hosts if host in self.paper.chain_of(place.iri)]
            case "page":
                return [host for host in hosts if self.paper.nodes[host].page == place.part[0]]
            case "footnote":
                return [host for host in hosts if host == place.iri]
            case kind if kind in FLOATS:
                own = {node.iri for node in self._floats_of(place)}
                return [host for host in self.everywhere(relation, target) if host in own]
        return []

    def _sources(self, relation: str, target: Thing) -> list[str]:
        """The running text that points to a target, in reading order."""
        key = (relation, target)
        if key not in self._running:
            found = {host for iri in self._nodes(target) for host in self.paper.sources(iri, _POINTS[relation])}
            self._running[key] = [iri for iri in self.paper.nodes if iri in found and is_text(self.paper, iri)]
        return self._running[key]

    @cached_property
    def _running(self) -> dict[tuple[str, Thing], list[str]]:
        return {}

    @cached_property
    def _targets(self) -> Mapping[Thing, frozenset[str]]:
        """Return the targets of each mention."""
        return {
            Thing("mention", host, (mention.start, mention.end)): frozenset(mention.targets)
            for host, mention in self.things.call_outs
        }

    def are_called_out(self, relation: str, thing: Thing) -> bool:
        """Whether each text that points to a thing keeps the call-out it does so with, as older graphs do not."""
        nodes = set(self._nodes(thing))
        hosts = {mention.iri for mention, targets in self._targets.items() if targets & nodes}
        return hosts.issuperset(self._sources(relation, thing))

    def _nodes(self, thing: Thing) -> list[str]:
        """Return the nodes that represent a thing as a target, or as content of a section."""
        if thing.kind in FLOATS:
            return [node.iri for node in self.things.parts(thing)]
        if thing.kind == "section":
            return [thing.iri, self.things.section(thing).header]
        if thing.kind == "journal":
            return [one.iri for one in self.things.in_journal(thing)]
        return [thing.iri] if thing.iri else []

    def _floats_of(self, thing: Thing) -> list[Node]:
        if thing.kind not in FLOATS:
            return []
        nodes = self.things.parts(thing)
        return [*nodes, *caption_nodes(self.paper, nodes)]

    def _beside(self, thing: Thing) -> Shown:
        """Return the entries cited together with one: by the same citation, or by an adjacent one."""
        found: Shown = {}
        for host in self._sources("cited in", thing):
            for group in groups(self.paper, host):
                cited = [target for mention in group for target in mention.targets]
                if thing.iri in cited:
                    for target in dict.fromkeys(cited):
                        if target != thing.iri:
                            found.setdefault(Thing("reference", target), []).append(host)
        return found


def groups(paper: PaperGraph, host: str) -> list[list[Mention]]:
    """The call-outs of a text, those in one place together."""
    text = paper.nodes[host].text
    groups: list[list[Mention]] = []
    for mention in paper.mentions.get(host, ()):
        if groups and _BETWEEN.fullmatch(text[groups[-1][-1].end : mention.start]):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups
