"""`Things`: all that a paper has, of whatever kind, as one sort of value, in the order in which it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from kag.core.evidence import Evidence
from kag.qa.exact.facts import heading, quoted
from kag.qa.exact.front import record
from kag.qa.exact.labels import called, captioned, captions, printed
from kag.qa.paper import Mention, Node, PaperGraph, Section
from kag.rdf.namespaces import DCTERMS, KAG, PRISM

FLOATS = ("figure", "table", "formula")


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of a paper: the node or section `iri`, or `part` of it (the characters of a call-out, the place of an
    author or a page), with its `words` where it is no more than these (an author, a keyword)."""

    kind: str
    iri: str = ""
    part: tuple[int, ...] = ()
    words: str = ""


class Things:
    """The things of a paper by kind. Values only: what holds of them is said in `relations` and `properties`."""

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
                return [Thing(kind, one.iri) for one in printed(paper) if heading(paper, one)]
            case "paragraph":
                return [Thing(kind, iri) for iri, node in paper.nodes.items() if _is_whole(paper, node)]
            case "figure" | "table" | "formula":
                name = "equation" if kind == "formula" else kind
                return [Thing(kind, node.iri) for node in captioned(paper, name)]
            case "float":
                return sorted((one for part in FLOATS for one in self.all(part)), key=self.order)
            case "footnote":
                return [Thing(kind, node.iri) for node in paper.of_kind("Footnote") if node.text]
            case "reference" | "work":
                return [Thing("reference", entry.iri) for _, entry in sorted(paper.references.items())]
            case "mention":
                return [Thing(kind, host, (one.start, one.end)) for host, one in self.call_outs]
        return self._small(kind)

    def _small(self, kind: str) -> Iterable[Thing]:
        """The things that are no nodes of their own."""
        match kind:
            case "paper":
                return [Thing("paper", self.paper.document)]
            case "author":
                return [Thing(kind, one.node, (one.start, one.end), name) for name, one in self._creators]
            case "any author":
                listed = (one for entry in self.all("reference") for one in self.authors_of(entry))
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
        return tuple(self.paper.nodes[one.iri] for one in self.all("reference"))

    def in_journal(self, journal: Thing) -> list[Thing]:
        """The entries that are in a journal."""
        name = str(PRISM.publicationName)
        return [one for one in self.all("reference") if self.paper.graph.value(one.iri, name) == journal.words]

    def node(self, thing: Thing) -> Node:
        """The node that a thing is, or is part of."""
        return self.paper.nodes[thing.iri]

    def section(self, thing: Thing) -> Section:
        """The section that a thing is."""
        return self.paper.sections[thing.iri]

    def order(self, thing: Thing) -> tuple[int, str, tuple[int, ...]]:
        """What to sort things of one kind by for the order in which they are printed."""
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
            (host, one)
            for host, found in self.paper.mentions.items()
            if host in self.paper.nodes
            for one in found
            if 0 <= one.start < one.end <= len(self.paper.nodes[host].text)
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
