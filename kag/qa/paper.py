"""`PaperGraph`: a published graph as a reader sees it: sections, texts in reading order, floats, references.

It reads the Turtle of a run (and of older graphs that name fewer things: they have no reading order and no
float numbers, which then come from page, block name and caption). Nothing here changes the graph.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kag.core.content import ContentStore
from kag.core.errors import RunError
from kag.core.files import read_regular, shown
from kag.rdf.namespaces import CITO, DCTERMS, DEO, DOCO, KAG, PAPERS, PREFIXES, RDF
from kag.rdf.published import PublishedGraph
from kag.text.plain import plain

GRAPH, CONTENT = "knowledge_graph.ttl", "content_store.jsonl"

Boxes = tuple[tuple[int, int, int, int], ...]

# The class that says what a node is, most telling first: an older graph's entries are paragraphs as well.
_KINDS = tuple(
    str(cls)
    for cls in (
        DEO.BibliographicReference,
        DEO.Caption,
        DOCO.Figure,
        DOCO.Table,
        DOCO.Formula,
        DOCO.Footnote,
        DOCO.SectionTitle,
        DOCO.Section,
        DOCO.Title,
        DOCO.ListOfAuthors,
        DOCO.ListOfOrganizations,
        DOCO.FigureLabel,
        DOCO.Paragraph,
        DOCO.Document,
    )
)
_BLOCK = re.compile(r"^b_p(\d{1,9})_(\d{1,9})")
_LABEL = re.compile(r"^\W*(fig(?:ure)?|table|scheme|chart|plate|box)\b[.\s]*([A-Z]?\d+[a-z]?|[IVXLC]+)\b", re.I)


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph; `text` is its `kag:fullText`, the string that spans and hashes of evidence refer to.

    `kind` is a class's local name ("Paragraph"), `label` and `number` what a float or reference is printed as
    ("Figure 3" and "3"; "12"), `boxes` are in thousandths of the page, `section` is the IRI of the section it is in.
    """

    iri: str
    name: str
    kind: str
    classes: tuple[str, ...]
    order: int
    page: int
    boxes: Boxes
    text: str
    label: str = ""
    number: str = ""
    section: str = ""

    @property
    def plain(self) -> str:
        """The text without Markdown and LaTeX marks."""
        return plain(self.text)


@dataclass(frozen=True, slots=True)
class Section:
    """A section: `title` in plain words, `path` the titles from the top, children and contents in reading order."""

    iri: str
    name: str
    title: str
    number: str
    depth: int
    page: int
    order: int
    types: tuple[str, ...]
    parent: str
    header: str
    sections: tuple[str, ...]
    contents: tuple[str, ...]
    path: tuple[str, ...]
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A call-out: its characters in the host's text, and the nodes it points to."""

    host: str
    start: int
    end: int
    surface: str
    targets: tuple[str, ...]


class PaperGraph:
    """One paper's graph, read-only. `id` names it in evidence; nodes are named by IRI, `ex:name` or plain name."""

    def __init__(
        self, graph: PublishedGraph, content: ContentStore, paper_id: str = "", path: Path | None = None
    ) -> None:
        documents = graph.of_class(str(DOCO.Document))
        if not documents:
            raise RunError(f"{path or 'the graph'} holds no doco:Document", hint="Give a run that `kag index` wrote.")
        self.graph, self.content, self.path = graph, content, path
        self.document = documents[0]
        self.base = self.document.rpartition("/")[0] + "/"
        self.id = paper_id or self.base.removeprefix(PAPERS).strip("/") or (path.name if path else "paper")

    @classmethod
    def load(cls, path: Path) -> PaperGraph:
        """Read a run folder (only its graph is needed; the content store when it is there); raises `RunError`."""
        try:
            graph = PublishedGraph.parse(read_regular(path / GRAPH))
            stored = path / CONTENT
            known = os.path.lexists(stored)
            content = ContentStore.from_jsonl(read_regular(stored).decode("utf-8")) if known else None
        except (FileNotFoundError, NotADirectoryError) as error:
            hint = "Give a folder that `kag index` wrote, runs/<paper>_<UTC>."
            raise RunError(f"{shown(path)} is not a run folder: {GRAPH} is missing", hint=hint) from error
        except (OSError, ValueError, MemoryError) as error:
            problem = f"{error.filename} {error.strerror}" if isinstance(error, OSError) else str(error)
            raise RunError(
                f"{shown(path)}: {problem}", hint="The file was changed or damaged; index the paper again."
            ) from error
        return cls(graph, content or ContentStore(), path=path)

    # names ------------------------------------------------------------------------------------

    def resolve(self, name: str) -> str | None:
        """The IRI of a node given by IRI, `ex:name` or plain name; None when the graph has no such node."""
        text = name.strip().removeprefix("<").removesuffix(">")
        for iri in (text, self.base + text.removeprefix("ex:"), self.base + text.rpartition("/")[2]):
            if iri in self.graph:
                return iri
        return None

    def name(self, iri: str) -> str:
        """The short form of an IRI."""
        if iri.startswith(self.base):
            return "ex:" + iri[len(self.base) :]
        for prefix, space in PREFIXES.items():
            if iri.startswith(space):
                return f"{prefix}:{iri[len(space) :]}"
        return iri

    # the paper --------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The paper's title in plain words; empty when the graph has none."""
        stated = self.graph.value(self.document, str(DCTERMS.title))
        return stated or next((node.plain.lstrip("# ") for node in self.nodes.values() if node.kind == "Title"), "")

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """Everything printed, by IRI, in reading order: what has a text or a place on a page. No sections."""
        graph = self.graph
        found = [
            self._node(iri) for iri in graph if graph.value(iri, str(KAG.pageNumber)) and not self._is_section(iri)
        ]
        return {node.iri: node for node in sorted(found, key=lambda node: (node.order, node.iri))}

    @cached_property
    def sections(self) -> dict[str, Section]:
        """The sections by IRI, in reading order."""
        found: dict[str, Section] = {}

        def visit(iri: str, parent: str, path: tuple[str, ...]) -> None:
            if iri in found:  # a damaged graph may hold a section twice, or a cycle
                return
            section = self._section(iri, parent, path)
            found[iri] = section
            for child in section.sections:
                visit(child, iri, section.path)

        for iri in self._ordered(i for i in self._contained(self.document) if self._is_section(i)):
            visit(iri, "", ())
        return found

    def of_kind(self, *kinds: str) -> tuple[Node, ...]:
        """Nodes of these kinds in reading order."""
        return tuple(node for node in self.nodes.values() if node.kind in kinds)

    def section_of(self, iri: str) -> Section | None:
        """The section that contains a node or has it as its title."""
        node = self.nodes.get(iri)
        return self.sections.get(node.section) if node else self.sections.get(iri)

    def within(self, section: str) -> Iterator[str]:
        """The IRIs of all contents of a section and its subsections, in reading order."""
        here = self.sections[section]
        children = sorted(
            [*here.contents, *here.sections],
            key=lambda iri: self.sections[iri].order if iri in self.sections else self.nodes[iri].order,
        )
        for iri in children:
            if iri in self.sections:
                yield from self.within(iri)
            else:
                yield iri

    @cached_property
    def chains(self) -> dict[str, tuple[str, ...]]:
        """The printed texts by their first node, in reading order, each with the nodes that continue it."""
        heads: dict[str, str] = {}
        found: dict[str, list[str]] = {}
        for iri in self.nodes:
            earlier = (heads[part] for part in self.graph.values(iri, str(KAG.continues)) if part in heads)
            heads[iri] = next(earlier, iri)  # a link to what is printed later, as in a damaged graph, joins nothing
            found.setdefault(heads[iri], []).append(iri)
        return {head: tuple(parts) for head, parts in found.items()}

    def chain_of(self, iri: str) -> tuple[str, ...]:
        """The nodes that are read with a node as one text, itself among them; empty for what is not printed."""
        return self._chain_by_part.get(iri, ())

    @cached_property
    def _chain_by_part(self) -> dict[str, tuple[str, ...]]:
        return {part: parts for parts in self.chains.values() for part in parts}

    def place(self, iri: str) -> tuple[int, str]:
        """Return the sort key of nodes and sections for reading order."""
        known = self.sections.get(iri) or self.nodes.get(iri)
        return (known.order if known else self._order(iri)), iri

    @cached_property
    def references(self) -> dict[int, Node]:
        """The entries of the reference list by citation number."""
        entries = self.of_kind("BibliographicReference")
        return {_number(node.number): node for node in entries if node.number.isdecimal()}

    @cached_property
    def mentions(self) -> dict[str, tuple[Mention, ...]]:
        """The call-outs by host node, in the order of the text."""
        found = ((host, self.mentions_in(host)) for host in self.nodes)
        return {host: mentions for host, mentions in found if mentions}

    def mentions_in(self, host: str) -> tuple[Mention, ...]:
        """The call-outs in one node's text, in its order."""
        mentions = (self._mention(host, iri) for iri in self.graph.values(host, str(KAG.hasMention)))
        return tuple(sorted(mentions, key=lambda mention: (mention.start, mention.end)))

    def caption_of(self, iri: str) -> Node | None:
        """The caption that describes a figure or table."""
        return next((self.nodes[c] for c in self.graph.sources(str(KAG.describes), iri) if c in self.nodes), None)

    def targets(self, iri: str, *predicates: object) -> tuple[str, ...]:
        """The nodes that a node points to by any of these properties, in reading order."""
        return self._ordered({value for p in predicates for value in self.graph.values(iri, str(p))})

    def sources(self, iri: str, *predicates: object) -> tuple[str, ...]:
        """The printed nodes that point to a node by any of these properties, in reading order."""
        found = {source for p in predicates for source in self.graph.sources(str(p), iri)}
        return self._ordered(source for source in found if source in self.nodes)

    # reading the graph ------------------------------------------------------------------------

    def _is_section(self, iri: str) -> bool:
        return str(DOCO.Section) in self.graph.values(iri, str(RDF.type))

    def _contained(self, iri: str) -> tuple[str, ...]:
        return self.graph.values(iri, str(KAG.contains))

    def _ordered(self, iris: Iterator[str] | set[str] | tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(iris, key=lambda iri: (self._order(iri), iri)))

    def _order(self, iri: str) -> int:
        """The place in reading order: of a section its title's or, when that is not printed, its first content's;
        of a node without one, its page and block number."""
        stated = self.graph.value(iri, str(KAG.order))
        if stated:
            return _number(stated)
        header = self.graph.value(iri, str(KAG.containsAsHeader))
        inside = [self.graph.value(child, str(KAG.order)) for child in self._contained(iri)]
        places = [_number(order) for order in (self.graph.value(header, str(KAG.order)), *inside) if order]
        if places:
            return min(places)
        if header and header != iri:
            return self._order(header)
        block = _BLOCK.match(iri.rpartition("/")[2])
        page = _number(self.graph.value(iri, str(KAG.pageNumber)))
        return int(block[1]) * 10_000 + int(block[2]) if block else page * 10_000

    def _node(self, iri: str) -> Node:
        graph = self.graph
        classes = graph.values(iri, str(RDF.type))
        kind = next((cls for cls in _KINDS if cls in classes), classes[0] if classes else "")
        text = graph.value(iri, str(KAG.fullText))
        label, number = self._printed(iri, kind)
        return Node(
            iri=iri,
            name=self.name(iri),
            kind=local_name(kind),
            classes=tuple(local_name(cls) for cls in classes),
            order=self._order(iri),
            page=_number(graph.value(iri, str(KAG.pageNumber))),
            boxes=read_boxes(graph.values(iri, str(KAG.hasBBox))),
            text=text,
            label=label,
            number=number,
            section=self._container.get(iri, ""),
        )

    def _printed(self, iri: str, kind: str) -> tuple[str, str]:
        """Return the printed label of a float or reference, and its number."""
        graph = self.graph
        if kind == str(DEO.BibliographicReference):
            number = graph.value(iri, str(KAG.citationNumber))
            return number, number
        number = graph.value(iri, str(KAG.floatNumber))
        if number or kind not in (str(DOCO.Figure), str(DOCO.Table)):
            return graph.value(iri, str(KAG.floatLabel)), number
        for caption in graph.sources(str(KAG.describes), iri):
            if match := _LABEL.match(plain(graph.value(caption, str(KAG.fullText)))):
                return match[0].strip(), match[2]
        return "", ""

    @cached_property
    def _container(self) -> dict[str, str]:
        """The section of each node; a node listed twice belongs to the section that comes first."""
        found: dict[str, str] = {}
        for section in self._ordered(self.graph.of_class(str(DOCO.Section))):
            headers = self.graph.values(section, str(KAG.containsAsHeader))
            for iri in (*headers, *self._contained(section)):
                found.setdefault(iri, section)
        return found

    def _section(self, iri: str, parent: str, path: tuple[str, ...]) -> Section:
        graph = self.graph
        header = graph.value(iri, str(KAG.containsAsHeader))
        title = plain(graph.value(header, str(KAG.mainText)).lstrip("# "))
        inside = self._ordered(self._contained(iri))
        return Section(
            iri=iri,
            name=self.name(iri),
            title=title,
            number=graph.value(iri, str(KAG.sectionNumber)),
            depth=len(path) + 1,
            page=_number(graph.value(iri, str(KAG.pageNumber))),
            order=self._order(iri),
            types=tuple(local_name(cls) for cls in graph.values(iri, str(RDF.type)) if cls != str(DOCO.Section)),
            parent=parent,
            header=header,
            sections=tuple(child for child in inside if self._is_section(child)),
            contents=tuple(child for child in inside if child in self.nodes and child != header),
            path=(*path, title),
            synthetic=graph.value(header, str(KAG.isSynthetic)) == "true",
        )

    def _mention(self, host: str, iri: str) -> Mention:
        graph = self.graph
        surface = graph.value(iri, "http://purl.org/spar/c4o/hasContent")
        start, end = graph.value(iri, str(KAG.startOffset)), graph.value(iri, str(KAG.endOffset))
        targets = self.targets(iri, "http://purl.org/spar/c4o/denotes", KAG.refersTo)
        return Mention(host, _number(start), _number(end), surface, targets)


CITES, REFERS = CITO.cites, KAG.refersTo


def local_name(iri: str) -> str:
    """Return the last part of an IRI, behind its namespace."""
    return re.split(r"[/#]", iri)[-1]


def _number(value: str) -> int:
    """Return a number of our graphs; 0 for anything else that a foreign graph may hold."""
    return int(value) if value.isdecimal() and len(value) < 10 else 0


def read_boxes(values: tuple[str, ...]) -> Boxes:
    """Return all boxes of a node; malformed values are left out."""
    found: list[tuple[int, int, int, int]] = []
    for value in values:
        try:
            found += [(int(left), int(top), int(right), int(bottom)) for left, top, right, bottom in json.loads(value)]
        except (ValueError, TypeError, OverflowError, RecursionError):
            continue
    return tuple(found)
